#include "heuristics/heuristic.hpp"

#include "state/goal.hpp"

namespace unpuzzle {

namespace {

// 0 at goals, elsewhere the cost of the cheapest operator. Admissible, consistent, supports everything.
class Blind : public Heuristic {
  public:
    explicit Blind(const CompiledTask& compiled) : goal_(compiled), cost_(compiled.features.least_cost) {}
    Cost estimate(const EvaluationContext& question) override { return goal_.holds(question.state) ? 0 : cost_; }
    bool admissible() const override { return true; }
    bool batches() const override { return true; }
    bool blind() const override { return true; }

  private:
    GoalTest goal_;
    Cost cost_;
};

// How many facts of the goal do not hold. Neither admissible nor consistent (one operator may reach two
// facts, at any cost); supports everything.
class GoalCount : public Heuristic {
  public:
    explicit GoalCount(const CompiledTask& compiled) : compiled_(compiled), extended_(compiled.extended_words()) {
        for (const Fact& fact : compiled.task.goal) compiled.layout.tests({&fact, 1}, tests_);
    }
    Cost estimate(const EvaluationContext& question) override {
        const Word* state = question.state;
        if (compiled_.features.derived_goal) {
            copy<0>(extended_.data(), state, compiled_.words());
            compiled_.axioms.evaluate(extended_.data(), scratch_);
            state = extended_.data();
        }
        Cost open = 0;
        for (const Test& test : tests_) open += !test.holds(state);
        return open;
    }
    bool admissible() const override { return false; }

  private:
    const CompiledTask& compiled_;
    Vector<Test> tests_;
    Vector<Word> extended_;
    Axioms::Scratch scratch_;
};

template <class Made>
std::unique_ptr<Heuristic> simple(const HeuristicContext& setting) {
    return std::make_unique<Made>(setting.compiled);
}

struct Entry {
    const char* name;
    std::unique_ptr<Heuristic> (*make)(const HeuristicContext&);
    Feature unsupported = Feature::none;
    const char* by = nullptr;  // its plural, to say so
};

constexpr Entry HEURISTICS[] = {
    {"blind", simple<Blind>},
    {"goalcount", simple<GoalCount>},
    {"hmax", h_max},
    {"hadd", h_add},
    {"ff", h_ff},
    {"landmarks", landmark_count},
    {"lmcut", lm_cut},
    {"pdb", pattern_databases, Feature::axioms, "pattern databases"},
};

const Entry& find(std::string_view name) {
    for (const Entry& entry : HEURISTICS) {
        if (name == entry.name) return entry;
    }
    throw UnknownName("unknown heuristic '" + std::string(name) + "': there are " + heuristic_names());
}

}  // namespace

void known_heuristic(std::string_view name) { find(name); }

std::unique_ptr<Heuristic> make_heuristic(std::string_view name, const HeuristicContext& setting) {
    const Entry& entry = find(name);
    check_support(setting.compiled.features, entry.unsupported, entry.by);
    return entry.make(setting);
}

std::string heuristic_names() {
    std::string names;
    for (const Entry& entry : HEURISTICS) names += std::string(names.empty() ? "" : ", ") + entry.name;
    return names;
}

}  // namespace unpuzzle
