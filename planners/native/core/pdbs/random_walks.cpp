#include "pdbs/random_walks.hpp"

#include "heuristics/heuristic.hpp"
#include "state/expander.hpp"

namespace unpuzzle {

namespace {

constexpr std::size_t CHOICES = 4;

class SplitMix {  // Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014
  public:
    std::uint64_t below(std::uint64_t count) {
        std::uint64_t mixed = state_ += 0x9E3779B97F4A7C15ull;
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9ull;
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBull;
        return (mixed ^ mixed >> 31) % count;
    }

  private:
    std::uint64_t state_ = 0;
};

}  // namespace

Vector<Vector<Word>> random_walks(const CompiledTask& compiled, std::size_t number, std::size_t longest,
                                  const std::function<Cost(const Word*)>& estimate, Control& control) {
    Vector<Vector<Word>> ends;
    ends.push_back(compiled.initial);
    SplitMix random;
    Expander<0> expander(compiled);
    Vector<OperatorId> applicable;
    Vector<Word> child(compiled.words());
    while (ends.size() < number) {
        Vector<Word> state = compiled.initial;
        for (std::uint64_t left = random.below(longest + 1); left > 0; --left) {
            control.work(compiled.work());
            applicable.clear();
            expander.load(state.data());
            expander.applicable([&](OperatorId op) { applicable.push_back(op); });
            if (applicable.empty()) break;
            Cost best = ~Cost{0};
            for (std::size_t i = 0; i < CHOICES; ++i) {
                const OperatorId op = applicable[random.below(applicable.size())];
                expander.apply(op, child.data());
                const Cost h = estimate(child.data());
                if (h == Heuristic::DEAD_END || h + compiled.operators.cost(op) >= best) continue;
                best = h + compiled.operators.cost(op);
                state = child;
            }
            if (best == ~Cost{0}) break;
        }
        ends.push_back(std::move(state));
    }
    return ends;
}

}  // namespace unpuzzle
