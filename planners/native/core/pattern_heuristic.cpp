#include "pattern_heuristic.hpp"

#include <algorithm>

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
constexpr std::size_t LANES = 4;              // rows are padded to whole vectors
constexpr std::size_t BYTES_WHILE_BUILT = 8;  // a placement, roughly, beside its entry

bool same(const std::vector<PatternSelection::Sum>& left, const std::vector<PatternSelection::Sum>& right) {
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
      mutexes_(model_.task) {
    select();
}

// Of the ways to choose, the one that says more of the initial state; if they are equal, the first.
void PatternHeuristic::select() {
    Cost best = 0;
    for (const bool implied : {false, true}) {
        if (implied && !PatternSelection::implies(model_.task, mutexes_)) return;
        auto before = std::move(selection_);
        selection_ = std::make_unique<PatternSelection>(model_.task, mutexes_, control_, budget_, implied);
        build(selection_->sums(STAGES[0].placements, STAGES[0].sums));
        const Cost value = estimate({model_.initial.data(), 0, NO_STATE, 0, nullptr});
        if (!implied || value > best) {
            best = value;
        } else {
            selection_ = std::move(before);
            build(selection_->sums(STAGES[0].placements, STAGES[0].sums));
        }
    }
}

std::uint64_t PatternHeuristic::patience() const {
    return next_.empty() ? UINT64_MAX : STAGES[stage_].patience;
}

void PatternHeuristic::improve() {
    ++stage_;
    build(std::move(next_));
}

// Builds these, and sets what comes after them.
void PatternHeuristic::build(std::vector<PatternSelection::Sum> sums) {
    entries_.clear();
    sum_begin_.assign(1, 0);
    sums_ = std::move(sums);
    for (PatternSelection::Sum& sum : sums_) {
        std::erase_if(sum, [&](const Pattern& pattern) {
            try {
                auto database = std::make_shared<const PatternDatabase>(model_.task, mutexes_, pattern,
                                                                        control_, budget_);
                entries_.push_back({std::move(database), pattern.variables});
                return false;
            } catch (const Projection::TooLarge&) {
                return true;
            }
        });
        sum_begin_.push_back(entries_.size());
    }
    tabulate();
    next_.clear();
    if (stage_ + 1 == std::size(STAGES)) return;
    next_ = selection_->sums(STAGES[stage_ + 1].placements, STAGES[stage_ + 1].sums);
    if (same(sums_, next_) || !affordable(next_)) next_.clear();
}

// Half of the memory is for the search.
bool PatternHeuristic::affordable(const std::vector<PatternSelection::Sum>& sums) const {
    const std::size_t bytes_of_entry = model_.same_costs ? 1 : 2;
    std::size_t all = 0, largest = 0;
    for (const auto& sum : sums) {
        for (const Pattern& pattern : sum) {
            const std::size_t most = SIZE_MAX / 1024;
            const std::size_t size = Pattern::placements(model_.task, pattern.variables, most).value_or(most);
            all += size;
            largest = std::max(largest, size);
        }
    }
    return all * bytes_of_entry + largest * BYTES_WHILE_BUILT <= budget_.left() / 2;
}

void PatternHeuristic::tabulate() {
    width_ = (entries_.size() + LANES - 1) / LANES * LANES;
    ranks_.assign(width_, 0);
    std::vector<Word> fields(model_.words());
    for (const Entry& entry : entries_) {
        for (const std::uint32_t variable : entry.variables) {
            fields[model_.layout[variable].word] |= model_.layout[variable].field();
        }
    }
    bytes_.clear();
    for (std::uint32_t byte = 0; byte < model_.words() * 8; ++byte) {
        if (byte_of(fields.data(), byte) != 0) bytes_.push_back(byte);
    }
    rows_ = Block();
    rows_ = Block(budget_, bytes_.size() * 256 * width_ * sizeof(std::uint32_t));
    auto* rows = static_cast<std::uint32_t*>(rows_.data());
    for (const std::uint32_t byte : bytes_) {
        for (std::uint32_t content = 0; content < 256; ++content, rows += width_) {
            fields.assign(fields.size(), 0);
            fields[byte / 8] = Word{content} << byte % 8 * 8;
            for (std::size_t i = 0; i < entries_.size(); ++i) {
                for (std::size_t v = 0; v < entries_[i].variables.size(); ++v) {
                    const Place& place = model_.layout[entries_[i].variables[v]];
                    rows[i] += place.value(fields.data()) * entries_[i].database->stride(v);
                }
            }
        }
    }
}

Cost PatternHeuristic::estimate(const Question& question) {
    std::uint32_t* ranks = ranks_.data();
    std::fill(ranks, ranks + width_, 0u);
    const auto* rows = static_cast<const std::uint32_t*>(rows_.data());
    for (const std::uint32_t byte : bytes_) {
        const std::uint32_t* row = rows + byte_of(question.state, byte) * width_;
        for (std::size_t i = 0; i < width_; ++i) ranks[i] += row[i];
        rows += 256 * width_;
    }
    for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i].database->fetch(ranks[i]);
    Cost best = 0;
    for (std::size_t sum = 0; sum + 1 < sum_begin_.size(); ++sum) {
        Cost total = 0;
        for (std::size_t i = sum_begin_[sum]; i < sum_begin_[sum + 1]; ++i) {
            const PatternDatabase& database = *entries_[i].database;
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
