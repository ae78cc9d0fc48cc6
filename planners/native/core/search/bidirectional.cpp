// Bidirectional breadth-first search (Pohl 1971): forwards from the initial state and backwards from the
// goal, whole layers at a time, always the side whose next layer is smaller.
//
//     initial ─► layer 0 ··· layer i │   ?   │ layer j ··· layer 0 ◄─ goal states
//
// While the two sides have no state in common, every plan is longer than i + j; so the first state of the
// next layer that the other side knows ends the search, with i + j + 1 steps, the fewest there are. If a
// side has no next layer, there is no plan. With b successors a state this stores some b^(d/2) states
// instead of b^d.
//
// Optimal. Supports conditional effects; all operators must cost the same, and goal states and inverse operators must
// be complete: see inverse.hpp, also for unsupported tasks.
#include "search/representatives.hpp"
#include "search/trace.hpp"
#include "state/expander.hpp"
#include "state/inverse.hpp"
#include "storage/parents.hpp"
#include "storage/state_rows.hpp"
#include "storage/successor_batch.hpp"
#include "storage/table.hpp"

namespace unpuzzle {

namespace {

template <int W>
class Bidirectional : public Search {
  public:
    explicit Bidirectional(SearchContext& run)
        : run_(run),
          compiled_(run.compiled),
          counters_(run.control.counters),
          inverse_(run.compiled, run.control),
          representatives_(run, true),
          grandparent_(compiled_.words()) {}

    Status run() override {
        if (!forward_) start();
        while (met_[0] == NO_STATE) {
            if (!side_) {
                // Both sides must know an orbit by the same state, so they start again.
                if (representatives_.due() && representatives_.begin()) start();
                const std::size_t ahead = forward_->layer(), back = backward_->layer();
                if (ahead == 0 || back == 0) return Status::unsolvable;
                counters_.f += compiled_.features.least_cost;
                side_ = ahead <= back ? &*forward_ : &*backward_;
                layer_end_ = static_cast<StateId>(side_->pool.size());
            }
            if (!layer(*side_, side_ == &*forward_ ? *backward_ : *forward_)) return Status::gave_up;
            side_ = nullptr;
        }
        return Status::solved_optimally;
    }
    std::size_t states() const override { return forward_->pool.size() + backward_->pool.size(); }
    std::vector<OperatorId> plan() override {
        std::vector<StateId> back = backward_->parents.way(met_[1]);
        if (back.size() > 1 && back[1] < roots_) back.erase(back.begin());  // roots count as children of the first
        back.pop_back();                                                    // where both sides met
        std::reverse(back.begin(), back.end());
        const Unpacked forwards(compiled_.words(), forward_->pool, forward_->parents.way(met_[0])),
            backwards(compiled_.words(), backward_->pool, back);
        std::vector<const Word*> states = forwards.rows;
        states.insert(states.end(), backwards.rows.begin(), backwards.rows.end());
        return representatives_.plan(states);
    }

  private:
    struct Side {
        Side(SearchContext& run, const CompiledTask& compiled)
            : pool(run.budget, compiled.layout.size(), 0),
              parents(run.budget),
              table(run.budget, run.control, pool, Table<StateRows<W>>::Growth::lean),
              children(compiled.words()),
              expander(compiled) {}
        std::size_t layer() const { return pool.size() - next; }

        StateRows<W> pool;
        Parents parents;
        Table<StateRows<W>> table;
        SuccessorBatch<W> children;
        Expander<W> expander;
        StateId next = 0;  // to be expanded
    };

    void start() {
        forward_.reset();
        backward_.reset();
        forward_.emplace(run_, run_.compiled);
        backward_.emplace(run_, *inverse_.compiled);
        counters_.f = 0;
        for (std::size_t i = 0; i < inverse_.goals.size(); i += compiled_.words())
            start(*backward_, *forward_, inverse_.goals.data() + i);
        roots_ = static_cast<StateId>(backward_->pool.size());
        start(*forward_, *backward_, compiled_.initial.data());
    }
    void start(Side& side, Side& other, const Word* state) {
        std::vector<Word> root(state, state + compiled_.words());
        if (representatives_.on()) representatives_.canonical(root.data());
        const std::uint64_t code = hash<W>(root.data(), compiled_.words());
        const auto probe = side.table.find(root.data(), code);
        if (probe.found == NO_STATE) add(side, other, root.data(), 0, code, probe.slot);
    }

    // False: as many states as allowed were expanded.
    bool layer(Side& side, Side& other) {
        for (; side.next < layer_end_ && met_[0] == NO_STATE; ++side.next) {
            run_.control.work(compiled_.work());
            if (counters_.expanded >= run_.most_expanded) return false;
            expand(side, other);
        }
        look_up(side, other);
        return true;
    }
    void expand(Side& side, Side& other) {
        ++counters_.expanded;
        const StateId id = side.next;
        side.expander.load([&](Word* to) { side.pool.load(id, to); });
        side.pool.load(side.parents.next(), grandparent_.data());
        for (const OperatorId op : side.expander.applicable()) {
            ++counters_.generated;
            Word* child = side.children.next();
            side.expander.apply(op, child);
            if (equal<W>(child, grandparent_.data(), compiled_.words())) continue;
            if (representatives_.on()) representatives_.canonical(child);
            const std::uint64_t code = hash<W>(child, compiled_.words());
            side.table.prefetch_slot(code);
            other.table.prefetch_slot(code);
            side.children.add({code, 0, id, op});
            if (side.children.full()) look_up(side, other);
        }
    }
    void look_up(Side& side, Side& other) {
        auto& children = side.children;
        if (met_[0] != NO_STATE) return children.clear();  // no limit can strike any more
        run_.control.tick();                               // one state may have very many successors
        unpuzzle::look_up(children, side.pool, side.table, [&](std::size_t i, std::size_t slot) {
            add(side, other, children.state(i), children[i].parent, children[i].hash, slot);
            return met_[0] == NO_STATE;
        });
    }
    void add(Side& side, Side& other, const Word* state, StateId parent, std::uint64_t code, std::size_t slot) {
        const auto id = static_cast<StateId>(side.pool.size());
        side.pool.append(state);
        side.parents.append(parent);
        side.table.put(slot, id, code);
        ++counters_.evaluated;
        const StateId there = other.table.find(state, code).found;
        if (there == NO_STATE) return;
        met_[0] = &side == &*forward_ ? id : there;
        met_[1] = &side == &*forward_ ? there : id;
    }

    SearchContext& run_;
    const CompiledTask& compiled_;
    Counters& counters_;
    Inverse inverse_;
    Representatives representatives_;
    std::optional<Side> forward_, backward_;
    Side* side_ = nullptr;   // whose layer was begun
    StateId layer_end_ = 0;  // and where it ends
    std::vector<Word> grandparent_;
    StateId roots_ = 0;  // so many first states of the backward side are goals
    StateId met_[2] = {NO_STATE, NO_STATE};
};

}  // namespace

std::unique_ptr<Search> bidirectional(SearchContext& run) {
    return by_width(run.compiled.words(),
                    [&]<int W>() -> std::unique_ptr<Search> { return std::make_unique<Bidirectional<W>>(run); });
}

}  // namespace unpuzzle
