#include "grounding/formula.hpp"

#include <algorithm>

namespace unpuzzle::ground {

namespace {

constexpr std::size_t FEW = 24;  // parts that are searched one after the other

// The union of two conjunctions at the end of `found`, unless they contradict each other.
void add_both(const Conjunction& one, const Conjunction& other, Vector<Conjunction>& found) {
    Conjunction both = one;
    for (const Literal32 literal : other) {
        if (std::find(one.begin(), one.end(), ~literal) != one.end()) return;
        if (std::find(one.begin(), one.end(), literal) == one.end()) both.push_back(literal);
    }
    found.push_back(std::move(both));
}

}  // namespace

bool Parts::known(Formula part) const {
    if (parts_.size() <= FEW) return std::find(parts_.begin(), parts_.end(), part) != parts_.end();
    const auto same = [&](std::uint32_t i) { return parts_[i] == part; };
    return table_.find(hash_of<Formula>({&part, 1}), same) != NumberTable<>::NONE;
}

bool Parts::add(Formula part) {
    if (part == absorbing()) return false;
    if (part == neutral() || known(part)) return true;
    if (is_literal(part) && known(~part)) return false;
    parts_.push_back(part);
    for (std::size_t i = table_.size(); parts_.size() > FEW && i < parts_.size(); ++i)
        table_.add(hash_of<Formula>({&parts_[i], 1}), static_cast<std::uint32_t>(i));
    return true;
}

bool Formulas::add(Parts& to, Formula part) const {
    if (part < COMPOUND || is_conjunction(part) != to.conjunction()) return to.add(part);
    for (const Formula inner : parts(part)) {
        if (!to.add(inner)) return false;
    }
    return true;
}

Formula Formulas::make(const Parts& from) {
    const auto& parts = from.parts();
    if (parts.empty()) return from.neutral();
    if (parts.size() == 1) return parts[0];
    const auto same = [&](std::uint32_t i) {
        const auto others = this->parts(COMPOUND + i);
        return compounds_[i].conjunction == from.conjunction() &&
               std::equal(parts.begin(), parts.end(), others.begin(), others.end());
    };
    std::uint32_t& number = table_.number(hash_of<Formula>(parts), same);
    if (number == NumberTable<>::NONE) {
        const std::size_t begin = parts_.size();  // parts first: what memory runs out for leaves no trace
        parts_.insert(parts_.end(), parts.begin(), parts.end());
        compounds_.push_back({from.conjunction(), static_cast<std::uint32_t>(parts.size()), begin});
        number = static_cast<std::uint32_t>(compounds_.size() - 1);
    }
    return COMPOUND + number;
}

bool Formulas::disjuncts(Formula formula, std::size_t most, Vector<Conjunction>& found) const {
    found.clear();
    if (formula == FALSE) return true;
    if (formula == TRUE || is_literal(formula)) {
        found.emplace_back();
        if (formula != TRUE) found.back().push_back(static_cast<Literal32>(formula));
        return true;
    }
    Vector<Conjunction> inner;
    if (!is_conjunction(formula)) {
        for (const Formula part : parts(formula)) {
            if (!disjuncts(part, most, inner)) return false;
            for (Conjunction& one : inner) {
                if (std::find(found.begin(), found.end(), one) == found.end()) found.push_back(std::move(one));
            }
            if (found.size() > most) return false;
        }
        return true;
    }
    found.emplace_back();
    bool literals = true;
    for (const Formula part : parts(formula)) {
        if (literals && is_literal(part)) {  // `Parts` has compared it with the others already
            found[0].push_back(static_cast<Literal32>(part));
            continue;
        }
        literals = false;
        if (!disjuncts(part, most, inner) || found.size() * inner.size() > most) return false;
        Vector<Conjunction> larger;
        for (const Conjunction& one : found) {
            for (const Conjunction& other : inner) add_both(one, other, larger);
        }
        found = std::move(larger);
    }
    return true;
}

}  // namespace unpuzzle::ground
