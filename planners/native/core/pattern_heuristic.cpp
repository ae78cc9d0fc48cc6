#include "pattern_heuristic.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace unpuzzle {

namespace {

struct Stage {
    std::size_t placements;  // the most of one pattern
    std::size_t sums;
    std::uint64_t patience;  // states to expand before the next stage
};

// Chosen so that searching takes about as long as building the next stage. (Of the 15-puzzle's first thirty
// random instances, one needs more than the second stage.)
constexpr Stage STAGES[] = {
    {std::size_t{1} << 12, 3, 20'000},
    {std::size_t{1} << 16, 2, 1'000'000},
    {std::size_t{1} << 20, 4, 15'000'000},
    {std::size_t{1} << 24, 3, UINT64_MAX},
};
constexpr std::size_t LANES = 4;  // rows are padded to whole vectors

bool same(const Vector<PatternSelection::Sum>& left, const Vector<PatternSelection::Sum>& right) {
    const auto equal = [](const Pattern& one, const Pattern& two) { return one.variables == two.variables; };
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      [&](const PatternSelection::Sum& one, const PatternSelection::Sum& two) {
                          return std::equal(one.begin(), one.end(), two.begin(), two.end(), equal);
                      });
}

const Model& supported(const Model& model) {
    if (!model.axioms.empty()) throw UnsupportedTask("axioms", "pattern databases");
    return model;
}

// The byte of the state, in the order of its value and not of the machine's memory.
std::uint32_t byte_of(const Word* state, std::uint32_t number) {
    return static_cast<std::uint32_t>(state[number / 8] >> number % 8 * 8) & 0xFF;
}

}  // namespace

PatternHeuristic::PatternHeuristic(const Setting& setting)
    : model_(supported(setting.model)),
      control_(setting.control),
      budget_(setting.budget),
      mutexes_(model_.task, control_) {
    select();
    look_ahead();
}

// Of the ways to choose, the one that says more of the initial state; if they are equal, the first.
void PatternHeuristic::select() {
    Cost best = 0;
    for (const bool implied : {false, true}) {
        if (implied && !PatternSelection::implies(model_.task, mutexes_)) return;
        auto selection =
            std::make_unique<PatternSelection>(model_.task, mutexes_, control_, budget_, implied);
        Databases made = built(selection->sums(STAGES[0].placements, STAGES[0].sums), IfShort::leave_out);
        const Cost value = estimate(made, model_.initial.data());
        if (implied && value <= best) return;
        best = value;
        selection_ = std::move(selection);
        now_ = std::move(made);
    }
}

std::uint64_t PatternHeuristic::patience() const {
    return next_.empty() ? UINT64_MAX : STAGES[stage_].patience;
}

void PatternHeuristic::improve() {
    ++stage_;
    try {
        now_ = built(std::exchange(next_, {}), IfShort::stop);
        look_ahead();
    } catch (const Stop& stop) {
        if (stop.status != Status::memout) throw;
        next_.clear();
    } catch (const std::bad_alloc&) {
        next_.clear();
    }
}

PatternHeuristic::Databases PatternHeuristic::built(Sums sums, IfShort if_short) const {
    Databases made;
    made.sums = std::move(sums);
    for (PatternSelection::Sum& sum : made.sums) {
        std::erase_if(sum, [&](const Pattern& pattern) {
            try {
                auto database = std::make_unique<const PatternDatabase>(model_.task, mutexes_, pattern,
                                                                        control_, budget_);
                made.entries.push_back({std::move(database), pattern.variables});
                return false;
            } catch (const Projection::TooLarge&) {
                return true;
            } catch (const Stop& stop) {
                if (if_short == IfShort::stop || stop.status != Status::memout) throw;
                return true;
            }
        });
        made.sum_begin.push_back(made.entries.size());
    }
    tabulate(made);
    return made;
}

// Decides what comes after the databases in use.
void PatternHeuristic::look_ahead() {
    next_.clear();
    if (stage_ + 1 == std::size(STAGES)) return;
    next_ = selection_->sums(STAGES[stage_ + 1].placements, STAGES[stage_ + 1].sums);
    if (same(now_.sums, next_) || !affordable(next_)) next_.clear();
}

// Half of the memory is for the search.
bool PatternHeuristic::affordable(const Sums& sums) const {
    const std::size_t bytes_of_entry = model_.same_costs ? 1 : 2;
    std::size_t all = 0, most_while_built = 0;
    for (const auto& sum : sums) {
        for (const Pattern& pattern : sum) {
            const std::size_t most = SIZE_MAX / 1024;
            const std::size_t size = Pattern::placements(model_.task, pattern.variables, most).value_or(most);
            const std::uint64_t hub =
                pattern.hub == Pattern::NO_HUB ? 1 : model_.task.variables[pattern.hub].domain;
            all += size;
            most_while_built = std::max(
                most_while_built, size * PatternDatabase::bytes_while_built(Pattern::bytes_of_hub(hub)));
        }
    }
    return all * bytes_of_entry + most_while_built <= budget_.left() / 2;
}

void PatternHeuristic::tabulate(Databases& made) const {
    made.width = (made.entries.size() + LANES - 1) / LANES * LANES;
    made.ranks.assign(made.width, 0);
    Vector<Word> fields(model_.words());
    for (const Entry& entry : made.entries) {
        for (const std::uint32_t variable : entry.variables) {
            fields[model_.layout[variable].word] |= model_.layout[variable].field();
        }
    }
    for (std::uint32_t byte = 0; byte < model_.words() * 8; ++byte) {
        if (byte_of(fields.data(), byte) != 0) made.bytes.push_back(byte);
    }
    made.rows = Block(budget_, made.bytes.size() * 256 * made.width * sizeof(std::uint32_t));
    auto* rows = static_cast<std::uint32_t*>(made.rows.data());
    for (const std::uint32_t byte : made.bytes) {
        for (std::uint32_t content = 0; content < 256; ++content, rows += made.width) {
            control_.tick();
            fields.assign(fields.size(), 0);
            fields[byte / 8] = Word{content} << byte % 8 * 8;
            for (std::size_t i = 0; i < made.entries.size(); ++i) {
                for (std::size_t v = 0; v < made.entries[i].variables.size(); ++v) {
                    const Place& place = model_.layout[made.entries[i].variables[v]];
                    rows[i] += place.value(fields.data()) * made.entries[i].database->stride(v);
                }
            }
        }
    }
}

Cost PatternHeuristic::estimate(const Question& question) { return estimate(now_, question.state); }

Cost PatternHeuristic::estimate(Databases& from, const Word* state) {
    std::uint32_t* ranks = from.ranks.data();
    std::fill(ranks, ranks + from.width, 0u);
    const auto* rows = static_cast<const std::uint32_t*>(from.rows.data());
    for (const std::uint32_t byte : from.bytes) {
        const std::uint32_t* row = rows + byte_of(state, byte) * from.width;
        for (std::size_t i = 0; i < from.width; ++i) ranks[i] += row[i];
        rows += 256 * from.width;
    }
    for (std::size_t i = 0; i < from.entries.size(); ++i) from.entries[i].database->fetch(ranks[i]);
    Cost best = 0;
    for (std::size_t sum = 0; sum + 1 < from.sum_begin.size(); ++sum) {
        Cost total = 0;
        for (std::size_t i = from.sum_begin[sum]; i < from.sum_begin[sum + 1]; ++i) {
            const PatternDatabase& database = *from.entries[i].database;
            const std::uint32_t entry = database[ranks[i]];
            if (entry == PatternDatabase::UNREACHED) return DEAD_END;
            total += Cost{entry} * database.unit();
        }
        best = std::max(best, total);
    }
    return best;
}

std::unique_ptr<Heuristic> pattern_databases(const Setting& setting) {
    return std::make_unique<PatternHeuristic>(setting);
}

}  // namespace unpuzzle
