#include "grounding/formula.hpp"

#include <algorithm>

#include "grounding/relation.hpp"

namespace unpuzzle::ground {

namespace {

constexpr std::size_t FEW = 24;  // parts that are searched one after the other

std::size_t place(const Vector<std::uint32_t>& table, const Vector<Formula>& parts, Formula part) {
    std::size_t at = mixed(0, static_cast<std::uint64_t>(part)) & (table.size() - 1);
    while (table[at] != 0 && parts[table[at] - 1] != part) at = (at + 1) & (table.size() - 1);
    return at;
}

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
    if (table_.empty()) return std::find(parts_.begin(), parts_.end(), part) != parts_.end();
    return table_[place(table_, parts_, part)] != 0;
}

bool Parts::add(Formula part) {
    if (part == absorbing()) return false;
    if (part == neutral() || known(part)) return true;
    if (is_literal(part) && known(~part)) return false;
    parts_.push_back(part);
    if (parts_.size() > FEW) grow();
    return true;
}

void Parts::grow() {
    if (2 * parts_.size() <= table_.size()) {
        table_[place(table_, parts_, parts_.back())] = static_cast<std::uint32_t>(parts_.size());
        return;
    }
    table_.assign(std::max<std::size_t>(128, 2 * table_.size()), 0);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        table_[place(table_, parts_, parts_[i])] = static_cast<std::uint32_t>(i + 1);
    }
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
    if (2 * compounds_.size() >= table_.size()) grow();
    const std::size_t at = slot(from.conjunction(), {parts.data(), parts.data() + parts.size()});
    if (table_[at] == 0) {
        const std::size_t begin = parts_.size();  // parts first: what memory runs out for leaves no trace
        parts_.insert(parts_.end(), parts.begin(), parts.end());
        compounds_.push_back({from.conjunction(), static_cast<std::uint32_t>(parts.size()), begin});
        table_[at] = static_cast<std::uint32_t>(compounds_.size());
    }
    return COMPOUND + table_[at] - 1;
}

std::size_t Formulas::slot(bool conjunction, View<const Formula> parts) const {
    std::uint64_t hash = conjunction;
    for (const Formula part : parts) hash = mixed(hash, static_cast<std::uint64_t>(part));
    for (std::size_t at = hash & (table_.size() - 1);; at = (at + 1) & (table_.size() - 1)) {
        if (table_[at] == 0) return at;
        const Compound& found = compounds_[table_[at] - 1];
        if (found.conjunction == conjunction && found.size == parts.size() &&
            std::equal(parts.begin(), parts.end(), parts_.begin() + static_cast<std::ptrdiff_t>(found.begin))) {
            return at;
        }
    }
}

void Formulas::grow() {
    table_.assign(std::max<std::size_t>(16, 2 * table_.size()), 0);
    for (std::size_t i = 0; i < compounds_.size(); ++i) {
        const Compound& compound = compounds_[i];
        const Formula* first = parts_.data() + compound.begin;
        table_[slot(compound.conjunction, {first, first + compound.size})] = static_cast<std::uint32_t>(i + 1);
    }
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
