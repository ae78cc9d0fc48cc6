// Action elimination (Nakhost and Müller 2010): each step in turn is left out, and with it all later ones
// that cannot be taken then; where the goal is reached all the same, they stay out. What goes at the end may make
// a step before it needless, so this is done again until nothing goes. What comes back is a subsequence of the
// plan, and costs no more.
#include "plans/improvement.hpp"

namespace unpuzzle {

namespace {

class Elimination {
  public:
    Elimination(const CompiledTask& compiled, Steps& plan, Control& control, std::uint64_t& work)
        : compiled_(compiled), runner_(compiled), plan_(plan), control_(control), work_(work) {}

    void run() {
        std::size_t before = plan_.size() + 1;
        while (plan_.size() < before) {
            before = plan_.size();
            pass();
        }
    }

  private:
    void pass() {
        control_.begin_phase();
        states_ = runner_.states(plan_);
        const std::size_t words = states_.size() / (plan_.size() + 1);
        for (std::size_t at = 0; at < plan_.size() && work_ > plan_.size() - at;) {
            runner_.start(states_.data() + at * words);
            if (!without(at)) {
                ++at;
                continue;
            }
            plan_.resize(at);
            plan_.insert(plan_.end(), rest_.begin(), rest_.end());
            states_ = runner_.states(plan_);
            control_.work(plan_.size() * (1 + compiled_.axioms.work()));
        }
    }

    // Whether what can be taken of the steps after `at`, without that one, leads to the goal: `rest_`.
    bool without(std::size_t at) {
        rest_.clear();
        for (std::size_t i = at + 1; i < plan_.size(); ++i) {
            control_.work(compiled_.axioms.work());
            --work_;
            if (!runner_.applicable(plan_[i])) continue;
            runner_.take(plan_[i]);
            rest_.push_back(plan_[i]);
        }
        return runner_.at_goal();
    }

    const CompiledTask& compiled_;
    PlanRunner runner_;
    Steps& plan_;
    Steps rest_;
    Control& control_;
    std::uint64_t& work_;
    Vector<Word> states_;
};

}  // namespace

Steps eliminate(const CompiledTask& compiled, Steps plan, Control& control, std::uint64_t work) {
    try {
        Elimination(compiled, plan, control, work).run();
    } catch (const Stop& stop) {  // at a limit the plan is as good as it is then
        if (stop.status == Status::interrupted) throw;
    }
    return plan;
}

}  // namespace unpuzzle
