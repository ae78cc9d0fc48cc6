#include "grounding/common.hpp"

#include "base/release.hpp"

namespace unpuzzle::ground {

Common::Common(std::unique_ptr<Making> making, Basis basis, const Vector<std::int32_t>& sizes, Control& control)
    : making_(std::move(making)),
      basis_(std::move(basis)),
      sizes_(sizes),
      known_(basis_.place.size()),
      control_(control) {
    GroundTask& task = making_->task;  // what has been encoded is needed no more
    release(task.operators);
    release(task.effects);
    release(task.literals);
}

Common::Goal Common::goal(const Vector<std::int32_t>& domains, const Vector<std::int32_t>& goal) {
    struct Forgetting {  // whatever happens
        Making& making;
        Input::Mark mark;
        std::size_t facts;
        ~Forgetting() {
            making.input.forget(mark);
            making.instantiation->forget(facts);
        }
    } const forgetting{*making_, making_->input.mark(), known_};
    Conjunction literals;
    if (!making_->instantiation->goal(making_->input.read_goal(domains, goal, control_), literals))
        return {true, false, {}};
    Goal found;
    for (const Literal32 literal : literals) {
        const auto fact = static_cast<std::size_t>(fact_of(literal));
        if (fact >= known_) return {false, false, {}};
        if (!basis_.possible(literal)) {
            found.possible = false;
        } else if (basis_.possible(~literal)) {
            if (!placed(fact)) return {false, false, {}};
            unpuzzle::Fact place = basis_.place[fact];
            if (literal < 0 && sizes_[place.variable] != 2) return {false, false, {}};
            if (literal < 0) place.value = 1 - place.value;
            found.facts.push_back(place);
        }
    }
    return found;
}

std::vector<std::int32_t> Common::initial(std::size_t start) const {
    std::vector<std::int32_t> values;
    for (const std::int64_t none : basis_.none)
        values.push_back(none == Basis::NO_NONE ? 0 : static_cast<std::int32_t>(none));
    for (std::size_t fact = 0; fact < known_; ++fact) {
        if (!placed(fact) || !making_->task.starts.at(fact, start)) continue;
        values[basis_.place[fact].variable] = static_cast<std::int32_t>(basis_.place[fact].value);
    }
    return values;
}

std::vector<Common::StartFact> Common::start_facts() const {
    std::vector<StartFact> facts;
    for (std::size_t fact = 0; fact < known_; ++fact) {
        if (!is_start_fact(fact)) continue;
        StartFact found{name(making_->task.facts[fact]), -1, 0, !basis_.possible(~static_cast<Literal32>(fact))};
        if (placed(fact)) {
            found.variable = static_cast<std::int32_t>(basis_.place[fact].variable);
            found.value = basis_.place[fact].value;
        }
        facts.push_back(std::move(found));
    }
    for (const GroundFact& fact : making_->task.constant) facts.push_back({name(fact), -1, 0, true});
    return facts;
}

std::vector<Common::Group> Common::groups() const {
    std::vector<std::uint32_t> numbers(known_);
    std::uint32_t count = 0;
    for (std::size_t fact = 0; fact < known_; ++fact) {
        if (is_start_fact(fact)) numbers[fact] = count++;
    }
    std::vector<Group> groups;
    for (const MutexGroup& from : basis_.groups) {
        Group group{{}, from.exact};
        for (const AtomId fact : from.facts) group.facts.push_back(numbers[static_cast<std::size_t>(fact)]);
        groups.push_back(std::move(group));
    }
    return groups;
}

std::vector<unpuzzle::Fact> Common::otherwise() const {
    std::vector<unpuzzle::Fact> values;
    for (std::uint32_t variable = 0; variable < basis_.none.size(); ++variable) {
        if (basis_.none[variable] == Basis::NO_NONE) continue;
        values.push_back({variable, static_cast<std::uint32_t>(basis_.none[variable])});
    }
    return values;
}

// Groups have no other facts: derived ones are in none, and `encode` has taken out what is impossible.
bool Common::is_start_fact(std::size_t fact) const {
    return making_->task.layers[fact] < 0 && basis_.possible(static_cast<Literal32>(fact));
}

bool Common::placed(std::size_t fact) const { return basis_.place[fact].variable != Basis::UNPLACED; }

std::vector<std::int32_t> Common::name(const GroundFact& fact) const {
    const Relation& relation = making_->reached->of(fact.predicate);
    const Object* objects = relation.row(fact.row);
    std::vector<std::int32_t> name{fact.predicate};
    name.insert(name.end(), objects, objects + relation.arity());
    return name;
}

}  // namespace unpuzzle::ground
