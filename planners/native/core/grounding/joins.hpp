// Joins: all ways to assign objects to slots so that the atoms of a body are true.
//
//     move(?b ?x ?y), trigger (clear ?y)   │ step: rows of (on ?b ?x)            check: (clear ?b), ?x not ?y
//                                          │ slots: ?y bound by the trigger, ?b and ?x by the step
//
// A plan is an order of steps, chosen by the current sizes of the relations, and again when they have doubled. Each
// step extends the environment by the rows of one relation (or by the objects of a slot's domain) and checks what is
// bound by then. Two things keep bodies with many atoms from exploding:
//   - backjumping (Gaschnig 1979, Prosser 1993): a step that finds nothing reports which slots caused that,
//     and steps that bound none of them are not tried again;
//   - a cut: when all *needed* slots are bound, the rest must only be possible once.
#pragma once

#include <vector>

#include "grounding/input.hpp"
#include "grounding/relation.hpp"

namespace unpuzzle::ground {

constexpr Int EQUALITY = -1;

struct Literal {
    Int predicate;  // or EQUALITY
    std::vector<Term> terms;
    bool wanted = true;
};

struct Body {
    std::vector<Literal> atoms;    // true
    std::vector<Literal> filters;  // static or equality; true or false
    std::vector<Slot> slots;       // of quantifiers, as far as the body mentions them
};

// Bodies of which at least one is true where the condition is.
std::vector<Body> alternatives(const Input& input, Int condition);

class Sink {
  public:
    virtual ~Sink() = default;
    virtual void emit(const Object* environment) = 0;
};

// Collects the values of some slots, to be read in their order.
class Collected : public Sink {
  public:
    Collected(const std::vector<Slot>& slots, Object objects, Control& control)
        : slots_(slots), values_(static_cast<std::uint32_t>(slots.size()), objects, control) {}

    void clear() { values_.clear(); }
    void emit(const Object* environment) override {
        tuple_.clear();
        for (const Slot slot : slots_) tuple_.push_back(environment[slot]);
        values_.append(tuple_.data());
    }
    void sort() { values_.sort(); }
    Row count() const { return values_.size(); }
    void load(Row row, std::vector<Object>& environment) const {
        for (std::size_t i = 0; i < slots_.size(); ++i)
            environment[static_cast<std::size_t>(slots_[i])] = values_.row(row)[i];
    }

  private:
    std::vector<Slot> slots_;
    Relation values_;
    std::vector<Object> tuple_;
};

// The atoms to join, and conditions on them.
struct Query {
    const Scope* scope;
    Body body;
    std::vector<Slot> bind;    // all slots to be bound: those of the body, and others over their whole domains
    std::vector<Slot> needed;  // those whose values the sink looks at
};

using Relations = std::vector<Relation>;

class Join {
  public:
    // `trigger` is an atom of the body whose row is given to each `run`, or -1. Slots in `given` are bound beforehand.
    Join(const Input& input, Relations& relations, const Query& query, int trigger, const std::vector<Slot>& given,
         Control& control);

    void run(Object* environment, Sink& sink, Row trigger = NO_ROW);

  private:
    using Mask = std::uint64_t;
    struct Check {
        const Literal* literal;
        Relation* relation;    // null for equality
        bool visible = false;  // an atom of the body: only visible rows count
        bool earlier = false;  // and not the trigger's row, which serves another atom
    };
    struct Bind {
        std::uint32_t position;
        Slot slot;
        const Domain* domain;
    };
    struct Step {
        Relation* relation = nullptr;  // null: the objects of `domain`
        const Index* index = nullptr;  // null: all rows
        std::vector<Term> key;
        std::vector<Bind> binds;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> repeats;
        std::vector<Check> checks;
        const Domain* domain = nullptr;
        Mask depends = 0, bound = 0;
        bool earlier = false, cut = false;
    };

    double branching(const Literal& atom, const std::vector<bool>& bound) const;
    void add(std::size_t atom, std::vector<bool>& bound);
    void finish(Step step, std::vector<bool>& bound);
    bool all_bound(const std::vector<Term>& terms, const std::vector<bool>& bound) const;
    Mask mask(const std::vector<Term>& terms) const;
    bool earlier(std::size_t atom) const;
    const Domain& domain(Slot slot) const;
    Relation* relation(const Literal& literal) const;

    Mask extend(std::size_t depth);
    bool match(const Step& step, Row row);
    bool passes(const std::vector<Check>& checks);
    Object value(Term term) const { return term >= 0 ? environment_[term] : ~term; }

    const Input& input_;
    Relations& relations_;
    const Query& query_;
    int trigger_;
    Control& control_;
    std::vector<Check> pending_;
    std::vector<std::size_t> atoms_;  // of the body, still to be joined
    std::vector<Step> steps_;         // with a trigger, the first is the trigger's
    std::vector<Object> key_;
    Object* environment_ = nullptr;
    Sink* sink_ = nullptr;
    Row trigger_row_ = NO_ROW;
};

}  // namespace unpuzzle::ground
