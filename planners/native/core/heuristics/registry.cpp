#include "heuristics/heuristic.hpp"

namespace unpuzzle {

constexpr bool ADMISSIBLE = true, INADMISSIBLE = false;

// Each line declares and registers a heuristic: the file that has the class defines `make_NAME`.
#define UNPUZZLE_HEURISTICS(HEURISTIC)                                        \
    HEURISTIC(blind, "blind estimates", ADMISSIBLE, Feature::none)            \
    HEURISTIC(goalcount, "counts of open goals", INADMISSIBLE, Feature::none) \
    HEURISTIC(hmax, "h^max values", ADMISSIBLE, Feature::none)                \
    HEURISTIC(hadd, "h^add values", INADMISSIBLE, Feature::none)              \
    HEURISTIC(ff, "costs of relaxed plans", INADMISSIBLE, Feature::none)      \
    HEURISTIC(landmarks, "landmark counts", INADMISSIBLE, Feature::none)      \
    HEURISTIC(lmcut, "landmark cuts", ADMISSIBLE, Feature::none)              \
    HEURISTIC(pdb, "pattern databases", ADMISSIBLE, Feature::axioms)

#define UNPUZZLE_DECLARE(name, ...) std::unique_ptr<Heuristic> make_##name(const HeuristicContext& context);
#define UNPUZZLE_ENTER(name, ...) {#name, make_##name, __VA_ARGS__},

UNPUZZLE_HEURISTICS(UNPUZZLE_DECLARE)

std::span<const HeuristicEntry> heuristics() {
    static constexpr HeuristicEntry ALL[] = {UNPUZZLE_HEURISTICS(UNPUZZLE_ENTER)};
    return ALL;
}

#undef UNPUZZLE_HEURISTICS
#undef UNPUZZLE_DECLARE
#undef UNPUZZLE_ENTER

const HeuristicEntry& find_heuristic(std::string_view name) { return entry_of(heuristics(), "heuristic", name); }

std::unique_ptr<Heuristic> make_heuristic(std::string_view name, const HeuristicContext& context) {
    const HeuristicEntry& entry = find_heuristic(name);
    check_support(context.compiled.features, entry.unsupported, entry.plural);
    auto heuristic = entry.make(context);
    heuristic->admissible_ = entry.admissible;
    return heuristic;
}

}  // namespace unpuzzle
