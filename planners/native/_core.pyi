"""Search core of the native planner: takes the arrays of `FDRTask.buffers()`, searches, and says what came of it."""

import builtins
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, final

from typing_extensions import Buffer

from unpuzzle.pddl.nodes import Atom, GroundAction

class UnsupportedTask(Exception):
    """The task has something that the heuristic does not support; the message's last word names it."""

def heuristics() -> dict[str, bool]:
    """Return by the name of each heuristic whether it is admissible."""

@final
class SearchResult:
    """What a search found, and what it took.

    The counts mean what they mean in Fast Downward, and with `blind` they are equal to its when the whole space is
    searched: `expanded` states whose successors were generated, `evaluated` states that the heuristic (or the goal
    test of `bfs`) saw, `generated` successors with duplicates, `reopened` states that were expanded again.
    """

    @property
    def status(
        self,
    ) -> Literal["solved_optimally", "solved", "unsolvable", "timeout", "memout", "gave_up", "cancelled"]:
        """`gave_up`: `max_expanded` was reached; `cancelled`: `Task.cancel` was called."""
    @property
    def plan(self) -> list[int] | None:
        """Operators by their place in the task."""
    @property
    def cost(self) -> int | None:
        """Sum of the operators' costs, whatever the search minimised."""
    @property
    def expanded(self) -> int: ...
    @property
    def evaluated(self) -> int: ...
    @property
    def generated(self) -> int: ...
    @property
    def reopened(self) -> int: ...
    @property
    def states(self) -> int:
        """How many were stored."""
    @property
    def bytes(self) -> int:
        """The most memory held at one time, the compiled task included."""
    @property
    def seconds(self) -> float:
        """Wall clock."""

@final
class Part:
    """What one part of a schedule did: a search, and all the times that it began anew."""

    @property
    def name(self) -> str:
        """The name of its configuration."""
    @property
    def algorithm(self) -> str:
        """The name of its algorithm."""
    @property
    def heuristic(self) -> str:
        """The name of its heuristic."""
    @property
    def state(self) -> Literal["looks", "paused", "given_back", "memout", "ended", "unsupported", "no_use"]:
        """What it does.

        `looks`: it did not have its first look yet; `given_back`: others got its memory, it may begin anew; `no_use`:
        the same search with other pruning is better.
        """
    @property
    def expanded(self) -> int:
        """Number of states expanded."""
    @property
    def evaluated(self) -> int:
        """Number of states evaluated."""
    @property
    def generated(self) -> int:
        """Number of successors generated."""
    @property
    def f(self) -> int:
        """The lower bound on the cost of plans that it proved."""
    @property
    def effort(self) -> int:
        """Its effort in ticks, of some 0.2 microseconds, counted the same on every machine."""
    @property
    def bytes(self) -> int:
        """Bytes that it has."""
    @property
    def folded(self) -> bool:
        """Whether states joined by walks are one."""
    @property
    def symmetric(self) -> bool:
        """Whether symmetric states may be one."""

class Schedule:
    """Searches for a cheapest plan of a task, in turns; see `core/scheduling/scheduler.hpp`.

    Args:
        objective: see `Task.search`.
        walks: see `Task.search`.
        parts: the names of the parts to take; none: all. `boxes` alone: boxes are pushed on a board at once.
        scale: of the first looks, and the efforts before them: with less, small tasks see all parts, too.
        soon: some plan is wanted, of any cost.
        plans: plans are searched, too, that cost no more than the proved bound.
        anytime: a run ends, `solved`, with each plan that is cheaper than those before; what is dear to begin waits.
    """

    def __init__(
        self,
        task: Task,
        objective: str = "moves",
        walks: Sequence[int] | None = None,
        parts: Sequence[str] = (),
        scale: float = 1.0,
        soon: bool = False,
        plans: bool = False,
        anytime: bool = False,
    ) -> None: ...
    def add(self, task: Task) -> None:
        """Search a task, too, from now on, of which plans cost as much as those of the first part.

        Raises ValueError if there is a task, UnsupportedTask if no part supports this one.
        """
    def run(
        self,
        time_limit: float | None = None,
        memory_limit: int | None = None,
        max_expanded: int | None = None,
        max_effort: int | None = None,
        bound: int | None = None,
        progress: Callable[[int, int, int, int, float], object] | None = None,
        clock: Callable[[], float] | None = None,
    ) -> SearchResult:
        """Go on until there is an answer, or a limit: `max_expanded` and `max_effort` count from the beginning.

        With the cost of a known plan as `bound`, `solved_optimally` without a plan means that none is cheaper. Raises
        UnsupportedTask if pushes are to be counted and nothing walks.
        """
    @property
    def parts(self) -> list[Part]:
        """What each part did."""
    @property
    def ended_by(self) -> Part | None:
        """The part that had the last turn; None if it ran out of memory."""
    @property
    def known(self) -> int:
        """The greatest lower bound on the cost of plans."""
    @property
    def unproved(self) -> tuple[list[int], int] | None:
        """A plan that pushes boxes on a board, and its cost, which a search was to prove or to make better."""
    @property
    def smaller(self) -> bool:
        """Whether operators that no plan contains were left out."""
    @property
    def empty(self) -> bool:
        """Whether no operator is left then."""

@final
class TaskFeatures:
    """What a task has and what it lacks."""

    @property
    def axioms(self) -> bool:
        """Whether some variable is derived."""
    @property
    def conditional_effects(self) -> int:
        """How many there are, over all operators."""
    @property
    def least_cost(self) -> int:
        """Of an operator; 0 without any."""
    @property
    def most_changed(self) -> float:
        """The greatest part of the operators that set, on no condition, one same variable; 1 without operators."""

@final
class Task:
    """A task, checked and compiled. It never changes: several threads may search it at once."""

    def __init__(
        self,
        domains: Buffer,
        layers: Buffer,
        initial: Buffer,
        goal: Buffer,
        costs: Buffer,
        operators: Buffer,
        axioms: Buffer,
        mutexes: Buffer | None = None,
        time_limit: float | None = None,
        memory_limit: int | None = None,
    ) -> None:
        """Copies the arrays: one-dimensional, contiguous, signed 32 or 64 bits; see `FDRTask.buffers()`.

        Raises:
            ValueError: a number is not what it should be; the message says which.
            MemoryError: `memory_limit` bytes do not suffice for the copies and for what is made from them.
            TimeoutError: nor do `time_limit` seconds.
        """
    def search(
        self,
        algorithm: str,
        heuristic: str = "blind",
        time_limit: float | None = None,
        memory_limit: int | None = None,
        max_expanded: int | None = None,
        progress: Callable[[int, int, int, int, float], object] | None = None,
        weight: int = 1,
        symmetries_after: int | None = None,
        symmetric_start: bool = False,
        bound: int | None = None,
        clock: Callable[[], float] | None = None,
        pruning: str = "",
        objective: str = "moves",
        folded: bool = False,
        walks: Sequence[int] | None = None,
    ) -> SearchResult:
        """Runs one search with the GIL released. Equal calls give equal plans and counts, on every machine.

        Args:
            algorithm: `bfs` (fewest steps; optimal where all costs are equal), `bidirectional` (the same from both
                ends), `astar`, `idastar`, `gbfs` (greedy best-first, never optimal) or `lazywastar`. What the last two
                find has gone through `eliminated`.
            heuristic: `blind` or, with the other four, one that is admissible (`hmax`, `lmcut`, `pdb`) or one that is
                not, so its plans are only `solved` (`goalcount`, `hadd`, `ff`, `landmarks`). `gbfs` and `lazywastar`
                take two as well, with a comma between them.
            time_limit: seconds from now.
            memory_limit: bytes for the search and the compiled task.
            max_expanded: expansions; one more that is needed gives up.
            progress: called with `expanded, evaluated, generated, f, seconds`, at most ten times a second; an
                exception it raises ends the search and comes out here.
            weight: of the heuristic, 1..1000: in `astar` plans cost at most so many times the least then; `lazywastar`
                promises nothing.
            symmetries_after: with `astar`, `bfs` and `bidirectional`: after so many expansions the task's symmetries
                are looked for, and from then on states that they map on each other count as one. None: never.
            symmetric_start: use symmetries only where one of them keeps the initial state.
            bound: `gbfs` and `lazywastar` want plans that cost less, and others do not heed it. `unsolvable` then
                means that there is none.
            clock: tells the seconds instead of the system's clock, so that tests can count how often it is looked at.
            pruning: `stubborn` (strong stubborn sets) with `astar`, `bfs` and `idastar`, without symmetries; or none.
            objective: what is to be least: `moves` (the cost), `pushes` (steps that are no walks, see `walker`),
                `pushes,moves` or `moves,pushes`. Others than `moves` go with `astar`, `pushes` with `bfs`, too; states
                are then such as are there after pushes.
            folded: so they are for `moves`, too.
            walks: the `among` of `walker`.

        Raises:
            ValueError: there is no such algorithm, heuristic, pruning or objective; the message lists those there are.
            UnsupportedTask: the heuristic cannot deal with this task, or nothing walks in it.
            KeyboardInterrupt: Ctrl-C, within a fifth of a second.
        """
    def walker(
        self, among: Sequence[int] | None = None, time_limit: float | None = None, memory_limit: int | None = None
    ) -> tuple[int, list[int]] | None:
        """Who walks: the variable, and the operators that are walks, ascending; None where that is not proved.

        A walk changes nothing but the variable, and what is known from where the walker is, and some walk takes it back
        wherever it is made. Some operators are walks only where all else that they do is done already.

        Args:
            among: the operators that may be walks, and then change nothing but the variable; None: all.
            time_limit: seconds from now.
            memory_limit: bytes.

        Raises:
            ValueError: there is no such operator.
            MemoryError: `memory_limit` bytes do not suffice.
            TimeoutError: nor do `time_limit` seconds.
            InterruptedError: `cancel` was called.
        """
    def asymmetric_at_a_glance(self) -> bool:
        """True if it is quickly seen that there are no symmetries; False if they have to be looked for."""
    def symmetries(self) -> list[dict[int, tuple[int, list[int]]]]:
        """Generators of the symmetries, as far as they were found: permutations of facts that keep goal and costs.

        Each says, for every variable that it moves, which variable becomes what this one was, and by value which value
        of that.
        """
    def improve(
        self,
        plan: Sequence[int],
        time_limit: float | None = None,
        memory_limit: int | None = None,
        max_expanded: int = 1_000_000,
    ) -> tuple[list[int], int, bool, int, int, int]:
        """A plan that costs no more, by windows: the plan, its cost, whether it is proved to be optimal, and how many
        states were expanded and generated, in how many windows. Equal calls give equal answers, unless a limit ends
        the work.

        Raises ValueError for what is no plan, KeyboardInterrupt on Ctrl-C.
        """
    def has_boxes(self, time_limit: float | None = None, memory_limit: int | None = None) -> bool:
        """Whether the task is a board on which one walker pushes boxes that have no names.

        Raises MemoryError or TimeoutError if so many bytes or seconds do not suffice.
        """
    def push_boxes(
        self,
        time_limit: float | None = None,
        memory_limit: int | None = None,
        max_expanded: int | None = None,
        max_improving: int = 0,
        pushes_first: bool = True,
        plan: Sequence[int] | None = None,
        progress: Callable[[int, int, int, int, float], object] | None = None,
        clock: Callable[[], float] | None = None,
    ) -> SearchResult | None:
        """Search a board for some plan, and make that better with `max_improving` more positions; None for other tasks.

        It is `solved` with a plan that is not proved to be the cheapest, `unsolvable` where that is proved, or ended by
        a limit. A limit that ends the second part only leaves it `solved`, and `cancelled` keeps its plan, too. Equal
        calls give equal answers but for that.

        Args:
            pushes_first: whether fewer pushes are better at any cost; otherwise they break ties between equal costs.
            plan: a known one; it is made better, and nothing is searched.

        Raises ValueError for what is no plan, KeyboardInterrupt on Ctrl-C.
        """
    def eliminated(self, plan: Sequence[int]) -> list[int]:
        """A plan without what can be left out: a subsequence, and a plan. Raises ValueError for what is none."""
    def landmarks(self) -> list[tuple[int, int]]:
        """Facts, as variables and values, that every plan makes true at some time, as far as they were found."""
    def pruned(
        self, most_work: int, time_limit: float | None = None, memory_limit: int | None = None
    ) -> tuple[Task | None, bool]:
        """The task without operators and values that no plan contains, as far as pairs of facts can tell (h^2 forwards
        and backwards, Alcazar and Torralba 2015); None if that leaves nothing out. And whether more work would find no
        more. It has the same plans, told by the numbers that operators have here; its states are packed otherwise.

        Args:
            most_work: in operations on words, about a nanosecond each; what is found by then is kept.
            time_limit: seconds from now; memory_limit: bytes. Where they strike, nothing is found.

        Raises:
            KeyboardInterrupt: Ctrl-C.
        """
    @property
    def initial(self) -> list[int]:
        """The initial state; derived variables are 0."""
    @property
    def operators(self) -> int: ...
    @property
    def features(self) -> TaskFeatures: ...
    def cancel(self) -> None:
        """Ends the searches of this task that are running in other threads, with the status `cancelled`."""
    def successors(self, state: Sequence[int]) -> list[tuple[int, list[int]]]:
        """The applicable operators, ascending, each with the state it leads to.

        States have one value a variable. Those of derived variables are computed; what is passed for them is ignored.

        Raises:
            ValueError: the state has not one value a variable, or one is out of range.
        """
    def estimates(
        self,
        heuristic: str,
        states: Iterable[Sequence[int]],
        improvements: int = 0,
        reached: Sequence[tuple[int, int]] | None = None,
    ) -> list[int | None]:
        """What a heuristic says of each state: a cost, or None where it proves that there is no plan.

        Args:
            states: as for `successors`.
            improvements: how often a heuristic that comes in stages is improved first.
            reached: for each state but the first the place of an earlier one, its parent, and the operator that leads
                from there, for heuristics that carry something over; None asks about each state on its own.

        Raises:
            ValueError: no such heuristic, or a state is not one, or there is no such parent.
            UnsupportedTask: the heuristic cannot deal with this task.
        """
    def saturated(
        self, patterns: Sequence[Sequence[int]], samples: Iterable[Sequence[int]], states: Iterable[Sequence[int]]
    ) -> list[int]:
        """For tests: what saturated cost partitioning says of states. Patterns are variables, ascending; orders
        of them are made for the samples. All states must be such as can be reached.

        Raises:
            ValueError: a pattern is none.
            BadTask: a state is none.
        """
    def pattern_sums(
        self, improvements: int = 0, memory_limit: int | None = None
    ) -> list[list[tuple[tuple[int, ...], int | None, tuple[int, ...]]]]:
        """The patterns that `pdb` chooses: sums of patterns, each with its variables, the folded variable beside them
        (if it has one), and its cost mask: the operators that cost something in it.

        Raises:
            UnsupportedTask: pattern databases cannot deal with this task.
            MemoryError: `memory_limit` bytes do not suffice to choose.
        """
    @property
    def variables(self) -> int:
        """How many there are, derived ones included."""
    @property
    def bits_per_state(self) -> int:
        """Bits that mean something in a packed state."""
    @property
    def bytes_per_state(self) -> int:
        """Bytes of a packed state, without parent and table."""

@final
class Grounding:
    """A finite-domain task made from a lifted one, and what its numbers mean."""

    @property
    def status(self) -> Literal["ground", "timeout", "memout", "large_cost"]:
        """Everything from `operators` on needs `ground`."""
    @property
    def progress(self) -> tuple[str, int, int, int, int]:
        """Where a limit struck: the phase, the schema in it, the action with the most instances, how many, and how many
        facts were reached.
        """
    @property
    def large_cost(self) -> int:
        """The action that costs too much."""
    @property
    def missing_costs(self) -> list[tuple[int, int, list[int]]]:
        """Actions that may be applied and lack a cost: action, place of the cost, and objects of the first instance."""
    @property
    def applicable(self) -> list[bool]:
        """Of each action schema, whether it has operators, before anything is pruned."""
    @property
    def goals(self) -> list[bool]:
        """Of each goal, whether something may make it true, before anything is pruned."""
    @property
    def goal_possible(self) -> bool:
        """Whether grounding left it open that the goal can be reached."""
    @property
    def operators(self) -> int: ...
    @property
    def variables(self) -> int: ...
    def task(self) -> Task:
        """The task to search; the arrays move there, so this comes once, and after `buffers`."""
    def action(self, number: int) -> list[int]:
        """The action schema and the objects of an operator."""
    def value(self, number: int) -> list[int]:
        """The predicate and the objects of a value, counted over all variables; `[-1, n]` for the n-th disjunction;
        nothing for "none of the others".
        """
    def buffers(self) -> dict[str, bytes]:
        """The arrays of `FDRTask.buffers()`."""
    def goal(
        self, domains: Buffer, goal: Buffer, time_limit: float | None = None, memory_limit: int | None = None
    ) -> tuple[Literal["told", "unknown", "timeout", "memout"], list[tuple[int, int]] | None]:
        """A goal in the terms of the task: (variable, value) pairs that must hold, None if it is never true.

        This and what follows needs a grounding for several starts (`common`). It is `unknown` if the goal tests what
        has no place in a state. Raises as `ground`.
        """
    def initial(self, start: int) -> list[int]:
        """The values of the variables in one of the starts. Raises IndexError."""
    def start_facts(self) -> list[tuple[list[int], int, int, bool]]:
        """The fluents that a start may contain: predicate and objects, the variable that tells of it and its value then
        (-1: none does), and whether every start must contain it.
        """
    def groups(self) -> list[tuple[list[int], bool]]:
        """Places in `start_facts` of which a start must contain at most one or, if True, exactly one."""
    def otherwise(self) -> list[tuple[int, int]]:
        """Variables with the value that they have where no fact gives them one; 0 for the rest."""

def ground(
    objects: int,
    domains: Buffer,
    predicates: Buffer,
    functions: Buffer,
    initial: Buffer,
    values: Buffer,
    actions: Buffer,
    axioms: Buffer,
    goals: Buffer,
    starts: Buffer,
    instances_only: bool = False,
    common: bool = False,
    any_goal: bool = False,
    faithful: bool = False,
    time_limit: float | None = None,
    memory_limit: int | None = None,
) -> Grounding:
    """Grounds a lifted task with the GIL released; see flatten.py for the arrays, which are copied.

    Args:
        instances_only: only look what is `applicable` and which `goals` are in reach; there is no task then.
        common: for several starts and goals. The task then has no goal, and its initial state is the first start.
        any_goal: with `common`: others may be asked for later, so relevance prunes nothing.
        faithful: keep all operators and, with `common`, all fluents, whether they matter for a goal or not.

    Raises:
        ValueError: a number is not what it should be; the message says which.
        KeyboardInterrupt: Ctrl-C, within a fifth of a second.
    """

@final
class Answer:
    """What a search of a family found. The plan and its actions are made when they are asked for."""

    @property
    def status(self) -> Literal["solved_optimally", "unsolvable", "timeout", "memout", "gave_up", "cancelled"]:
        """`gave_up`: `max_expanded` was reached."""
    @property
    def solved(self) -> bool:
        """Whether there is a plan."""
    @property
    def plan(self) -> tuple[int, ...] | None:
        """Operators by their place in the grounding that the family had then."""
    @property
    def actions(self) -> tuple[GroundAction, ...] | None:
        """The plan as ground actions."""
    @property
    def cost(self) -> int | None: ...
    @property
    def expanded(self) -> int:
        """States whose successors were looked at, as if the search had started from nothing."""
    @property
    def generated(self) -> int:
        """Successors with duplicates."""
    @property
    def states(self) -> int:
        """How many different ones were met."""

@final
class Family:
    """One grounding, many starts and goals; `families.Family` is what to use."""

    def __init__(
        self, task: Task, grounding: Grounding, numbers: dict[Atom, int], actions: tuple[GroundAction, ...]
    ) -> None:
        """A family over the task of a grounding for several starts.

        Args:
            numbers: of the atoms that a start may contain, their places in `Grounding.start_facts`, or the number after
                these for facts that are true in every state.
            actions: by operator.

        Raises:
            ValueError: a number is not what it should be.
        """
    def add_goal(self, facts: Sequence[tuple[int, int]] | None) -> int:
        """The number of a goal: (variable, value) pairs that must hold, None for one that never does."""
    def pack(self, atoms: Iterable[Atom]) -> bytes | None:
        """The words of a start, None if it does not fit."""
    def pack_many(self, starts: list[frozenset[Atom]]) -> tuple[bytes, list[int]]:
        """The words of all starts, and the places of those that do not fit."""
    def solve(
        self,
        start: bytes | Iterable[Atom],
        goal: int,
        time_limit: float | None = None,
        memory_limit: int | None = None,
        max_expanded: int | None = None,
    ) -> Answer | None:
        """None if the start does not fit. Raises KeyboardInterrupt on Ctrl-C, ValueError for a wrong number."""
    def solve_many(
        self,
        starts: bytes,
        goals: Sequence[int],
        threads: int = 2,
        time_limit: float | None = None,
        memory_limit: int | None = None,
        max_expanded: int | None = None,
    ) -> list[Answer | None]:
        """One goal for each start, or one for all. The GIL is released. An answer is None after a cancel."""

@final
class StateSpace:
    """Everything that can be reached; `state_space.StateSpace` says what the arrays are."""

    def __init__(
        self,
        task: Task,
        actions: Sequence[int],
        goal_possible: bool = True,
        time_limit: float | None = None,
        memory_limit: int | None = None,
        max_states: int | None = None,
        progress: Callable[[int, int, int, int, float], object] | None = None,
    ) -> None:
        """`actions`: for each operator the number of its action; `progress`: as in `Search.run`.

        Raises KeyboardInterrupt on Ctrl-C.
        """
    @property
    def status(self) -> Literal["complete", "timeout", "memout", "gave_up"]:
        """If it is not complete, the arrays raise ValueError."""
    @property
    def expanded(self) -> int:
        """How many states have been expanded, whether it is complete or not."""
    @property
    def bytes(self) -> int:
        """The memory that it holds; an array that was handed over is no longer part of it."""
    def values(self, state: int) -> list[int]:
        """One value a variable, 0 for derived ones. Raises IndexError."""
    def depth(self) -> builtins.bytes: ...
    def offsets(self) -> builtins.bytes: ...
    def targets(self) -> builtins.bytes: ...
    def operators(self) -> builtins.bytes: ...
    def goals(self) -> builtins.bytes: ...
    def distance(self) -> builtins.bytes: ...
    def goal_distance(self) -> builtins.bytes: ...
    def plans(self) -> builtins.bytes: ...

class ScriptGame:
    """A compiled PuzzleScript game, of bytes that `script/data.py` writes. Raises ValueError for others."""

    def __init__(self, data: bytes) -> None: ...

class ScriptPlay:
    """A level in play. Boards are bytes. Raises ValueError for boards that the game cannot have."""

    def __init__(
        self,
        game: ScriptGame,
        width: int,
        height: int,
        cells: bytes,
        target: bytes | None,
        seed: bytes,
        drawn: int,
        shows_messages: bool,
        keeps_undo: bool,
        look: Callable[..., None] | None = None,
    ) -> None:
        """`look` is called now and then while a turn is made; what it raises ends the work, and the play."""

    def set(self, cells: bytes, target: bytes | None, drawn: int) -> None:
        """Another board of the same size; nothing has happened yet."""

    def start(self) -> None:
        """The turn that a level may begin with."""

    def press(self, keys: str) -> None:
        """Inputs `u l d r x t z !`, with the turns that follow each of them."""

    @property
    def cells(self) -> bytes: ...
    @property
    def target(self) -> bytes: ...
    @property
    def drawn(self) -> int: ...
    @property
    def won(self) -> bool: ...
    @property
    def capped(self) -> bool: ...
    @property
    def endless(self) -> list[int]:
        """Groups that the last input cut off: twice the number of a group (late ones last), and one more for a loop."""

class ScriptLevel:
    """A level to be searched, with the keys that may be pressed."""

    def __init__(
        self,
        game: ScriptGame,
        width: int,
        height: int,
        cells: bytes,
        target: bytes | None,
        won: bool,
        seed: bytes | None,
        drawn: int,
        keys: str,
    ) -> None: ...
    def search(
        self,
        algorithm: str,
        heuristic: str = "blind",
        admissible: bool = True,
        shortened: list[int] = ...,
        weight: int = 1,
        time_limit: float | None = None,
        memory_limit: int | None = None,
        max_expanded: int | None = None,
        progress: Callable[[int, int, int, int, float], None] | None = None,
        objective: str = "moves",
    ) -> ScriptOutcome:
        """One search; the GIL is released. `algorithm`: bfs, astar, gbfs, idastar; `heuristic`: blind, unmet, distance,
        sum. `shortened`: for each win condition how much one move shortens its distances, 0 for those not to count.
        Where the objective is not `moves`, only bfs and astar are there.
        """

    def estimate(self, heuristic: str, shortened: list[int]) -> int:
        """What a heuristic says of the level."""

    def space(
        self,
        time_limit: float | None = None,
        memory_limit: int | None = None,
        max_states: int | None = None,
        progress: Callable[[int, int, int, int, float], None] | None = None,
    ) -> ScriptSpace:
        """All that can be reached."""

class ScriptOutcome:
    """What a search came to; `plan` has places of keys."""

    @property
    def status(self) -> str: ...
    @property
    def plan(self) -> list[int]: ...
    @property
    def expanded(self) -> int: ...
    @property
    def evaluated(self) -> int: ...
    @property
    def generated(self) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def bytes(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def endless(self) -> list[int]: ...
    @property
    def capped(self) -> bool:
        """Whether a key was given up, since `again` went on for too long after it."""

@final
class ScriptSchedule(Schedule):
    """A search of a level by its rules, as the first part of a schedule; its plans have places of keys.

    Args:
        look: the number of states of its first look; others: see `ScriptLevel.search`.
    """

    def __init__(
        self,
        level: ScriptLevel,
        algorithm: str,
        heuristic: str,
        admissible: bool,
        shortened: Sequence[int],
        objective: str,
        look: int,
    ) -> None: ...
    @property
    def endless(self) -> list[int]: ...
    @property
    def capped(self) -> bool:
        """Whether a key was given up, since `again` went on for too long after it."""

class ScriptSpace:
    """A state space; arrays as those of `StateSpace`, `operators` being places of keys. ValueError if not complete."""

    @property
    def status(self) -> str: ...
    @property
    def expanded(self) -> int: ...
    @property
    def endless(self) -> list[int]: ...
    @property
    def capped(self) -> bool: ...
    def depth(self) -> bytes: ...
    def offsets(self) -> bytes: ...
    def targets(self) -> bytes: ...
    def operators(self) -> bytes: ...
    def goals(self) -> bytes: ...
    def distance(self) -> bytes: ...
    def goal_distance(self) -> bytes: ...
    def plans(self) -> bytes: ...
