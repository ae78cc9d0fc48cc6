// Families seen from Python: atoms to numbers, numbers to words, answers to objects.
//
// Nearly all the time of a tiny task would go into looking up its atoms: each look-up calls the atom's `__hash__`,
// which is Python. So the addresses of known atoms are kept in a separate table (and the atoms with them, so that an
// address means one atom): puzzles return the same atoms again and again.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "base/number_table.hpp"
#include "python/python.hpp"

namespace unpuzzle {

namespace {

// Numbers of atoms, by address if the address is known.
class AtomNumbers {
  public:
    explicit AtomNumbers(nb::dict numbers) : numbers_(std::move(numbers)), most_(4096 + 16 * nb::len(numbers_)) {}

    // False if it has none.
    bool find(PyObject* atom, std::uint32_t& number) {
        const std::uint64_t hash = (reinterpret_cast<std::uintptr_t>(atom) >> 4) * 0x9E3779B97F4A7C15ull;
        const std::uint32_t place = table_.find(hash, [&](std::uint32_t i) { return known_[i].atom.is(atom); });
        if (place != table_.NONE) {
            number = known_[place].number;
            return true;
        }
        PyObject* found = PyDict_GetItemWithError(numbers_.ptr(), atom);
        if (!found) {
            if (PyErr_Occurred()) throw nb::python_error();
            return false;
        }
        number = nb::cast<std::uint32_t>(nb::handle(found));
        if (known_.size() < most_) {
            table_.add(hash, static_cast<std::uint32_t>(known_.size()));
            known_.push_back({nb::borrow(atom), number});
        }
        return true;
    }

  private:
    struct Known {
        nb::object atom;
        std::uint32_t number;
    };

    nb::dict numbers_;
    std::vector<Known> known_;
    NumberTable<std::vector<NumberSlot>> table_;  // of places in known_
    std::size_t most_;
};

struct Answer {
    SmallAnswer found;
    nb::object actions;  // of all operators
};

class PyFamily {
  public:
    using Numbers = std::vector<std::uint32_t>;
    using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

    PyFamily(nb::object task, nb::handle grounding, nb::dict numbers, nb::tuple actions)
        : task_(std::move(task)),
          family_(compiled_of(task_)),
          packer_(packer_of(grounding, family_.compiled())),
          numbers_(copied(numbers, packer_.facts())),
          actions_(std::move(actions)) {
        if (actions_.size() != family_.compiled().operators.count()) throw nb::value_error("one action an operator");
    }

    std::size_t add_goal(const std::optional<Pairs>& facts) {
        std::vector<Fact> goal;
        for (const auto& [variable, value] : facts.value_or(Pairs{})) goal.push_back({variable, value});
        family_.add_goal(goal, facts.has_value());
        return family_.goals() - 1;
    }

    nb::object pack(nb::handle atoms) {
        std::vector<Word> words(family_.compiled().words());
        return read(atoms, words.data()) ? nb::object(bytes_of(words)) : nb::none();
    }
    nb::tuple pack_many(nb::list list) {
        const nb::tuple starts(list);  // which nobody can change meanwhile
        const std::size_t width = family_.compiled().words();
        std::vector<Word> words(width * starts.size());
        nb::list strangers;
        for (std::size_t i = 0; i < starts.size(); ++i) {
            if (!read(starts[i], words.data() + i * width)) strangers.append(i);
        }
        return nb::make_tuple(bytes_of(words), strangers);
    }

    nb::object solve(nb::handle start, std::size_t goal, Seconds seconds, Number bytes, Number most_expanded) {
        std::vector<Word> words(family_.compiled().words());
        if (PyBytes_Check(start.ptr())) {
            words = unpack(nb::borrow<nb::bytes>(start));
            if (words.size() != family_.compiled().words()) throw nb::value_error("not one packed start");
        } else if (!read(start, words.data())) {
            return nb::none();
        }
        const SmallGoal* wanted = checked_goal(goal);
        const SmallBounds bounds{limits_of(seconds, bytes).bytes, most_of(most_expanded)};
        PythonObserver observer{nb::none()};
        return nb::cast(Answer{released([&] {
                                   Control control(observer, seconds);
                                   return family_.solve(words.data(), wanted, bounds, control);
                               }),
                               actions_});
    }

    nb::list solve_many(nb::bytes starts, const Numbers& goals, unsigned threads, Seconds seconds, Number bytes,
                        Number most_expanded) {
        const std::vector<Word> words = unpack(starts);
        const std::size_t count = words.size() / family_.compiled().words();
        if (goals.size() != count && goals.size() != 1) throw nb::value_error("one goal a start, or one for all");
        std::vector<const SmallGoal*> all;
        for (std::size_t i = 0; i < count; ++i) all.push_back(checked_goal(goals[goals.size() == count ? i : 0]));
        const SmallBounds bounds{limits_of(seconds, bytes).bytes, most_of(most_expanded)};
        const Family::Batch batch{words, all, bounds, seconds, std::max(1u, threads)};
        PythonObserver observer{nb::none()};
        Family::Answers result = released([&] { return family_.solve_many(batch, observer); });
        if (result.interrupted && !forget_limit()) throw Stop{Status::interrupted};
        nb::list list;
        for (SmallAnswer& answer : result.answers) {
            const bool ended = answer.status != Status::interrupted && answer.status != Status::cancelled;
            list.append(ended ? nb::cast(Answer{std::move(answer), actions_}) : nb::none());
        }
        return list;
    }

  private:
    // Whether the observer left the error of a limit, which is then forgotten: answers from before it are kept.
    static bool forget_limit() {
        if (!PyErr_Occurred()) return false;
        nb::python_error error;  // which takes it
        if (error.matches(nb::module_::import_("unpuzzle.base.errors").attr("LimitReached"))) return true;
        error.restore();
        return false;
    }
    // The caller may change the dictionary, now and later: what was checked is a copy, of plain numbers.
    static nb::dict copied(const nb::dict& numbers, std::size_t facts) {
        const nb::dict own = nb::steal<nb::dict>(PyDict_Copy(numbers.ptr()));
        if (!own.is_valid()) throw nb::python_error();
        nb::dict checked;
        for (const auto [atom, number] : own) {
            const auto place = nb::cast<std::size_t>(number);
            if (place >= facts) throw nb::value_error("an atom has no place");
            checked[atom] = place;
        }
        return checked;
    }
    static nb::bytes bytes_of(const std::vector<Word>& words) {
        return nb::bytes(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(Word));
    }
    std::vector<Word> unpack(const nb::bytes& bytes) const {
        const std::size_t size = bytes.size();
        if (size % (family_.compiled().words() * sizeof(Word)) != 0) throw nb::value_error("not packed starts");
        std::vector<Word> words(size / sizeof(Word));
        if (size) std::memcpy(words.data(), bytes.data(), size);
        for (std::size_t at = 0; at < words.size(); at += family_.compiled().words()) check_values(words.data() + at);
        return words;
    }
    // Searches look values up in tables.
    void check_values(const Word* start) const {
        const CompiledTask& compiled = family_.compiled();
        for (std::size_t variable = 0; variable < compiled.task.variables.size(); ++variable) {
            if (compiled.task.variables[variable].derived()) continue;
            if (compiled.layout[variable].value(start) >= compiled.task.variables[variable].domain)
                throw nb::value_error("not packed starts: there is no such value");
        }
    }
    const SmallGoal* checked_goal(std::size_t goal) const {
        if (goal >= family_.goals()) throw nb::value_error("there is no such goal");
        return family_.goal(goal);
    }
    // Looking up an atom runs Python, and there another thread may come in: what is half done is kept here.
    bool read(nb::handle atoms, Word* words) {
        Numbers facts;
        facts.reserve(packer_.facts());
        for (nb::handle atom : atoms) {
            std::uint32_t number = 0;
            if (!numbers_.find(atom.ptr(), number)) return false;
            facts.push_back(number);
        }
        return packer_.pack(facts, words);
    }

    nb::object task_;
    Family family_;
    Packer packer_;
    AtomNumbers numbers_;
    nb::tuple actions_;
};

nb::object steps_of(const Answer& answer) {
    if (!answer.found.solved()) return nb::none();
    return nb::tuple(nb::cast(answer.found.plan));
}

nb::object actions_of(const Answer& answer) {
    if (!answer.found.solved()) return nb::none();
    nb::list actions;
    for (const OperatorId op : answer.found.plan) actions.append(answer.actions[op]);
    return nb::tuple(actions);
}

nb::object price_of(const Answer& answer) {
    return answer.found.solved() ? nb::object(nb::int_(answer.found.cost)) : nb::none();
}

}  // namespace

void bind_family(nb::module_& module) {
    nb::class_<Answer>(module, "Answer")
        .def_prop_ro("status", [](const Answer& answer) { return name_of(answer.found.status); })
        .def_prop_ro("solved", [](const Answer& answer) { return answer.found.solved(); })
        .def_prop_ro("plan", steps_of)
        .def_prop_ro("actions", actions_of)
        .def_prop_ro("cost", price_of)
        .def_prop_ro("expanded", [](const Answer& answer) { return answer.found.expanded; })
        .def_prop_ro("generated", [](const Answer& answer) { return answer.found.generated; })
        .def_prop_ro("states", [](const Answer& answer) { return answer.found.states; })
        .def("__repr__", [](nb::handle self) {
            return nb::str("Answer({!r}, cost={}, expanded={})")
                .format(self.attr("status"), self.attr("cost"), self.attr("expanded"));
        });
    nb::class_<PyFamily>(module, "Family")
        .def(nb::init<nb::object, nb::handle, nb::dict, nb::tuple>(), "task"_a, "grounding"_a, "numbers"_a, "actions"_a)
        .def("add_goal", &PyFamily::add_goal, "facts"_a.none())
        .def("pack", &PyFamily::pack, "atoms"_a)
        .def("pack_many", &PyFamily::pack_many, "starts"_a)
        .def("solve", &PyFamily::solve, "start"_a, "goal"_a, "time_limit"_a = nb::none(), "memory_limit"_a = nb::none(),
             "max_expanded"_a = nb::none())
        .def("solve_many", &PyFamily::solve_many, "starts"_a, "goals"_a, "threads"_a = 2, "time_limit"_a = nb::none(),
             "memory_limit"_a = nb::none(), "max_expanded"_a = nb::none());
}

}  // namespace unpuzzle
