"""Faults for the laws: each changes one text of a lawful game, and names the law that catches it with its words."""

from pathlib import Path

OUTSIDE = Path(__file__).parents[1] / "translators" / "outside"
CORRIDOR = (OUTSIDE / "old_style.py").read_text()
APPLY = "return type(self)(self.place + (1 if move"
METHOD = "    def solved(self):"
COST = "        return 1\n"
CONSTRAINED = """    def constraints(self):
        from unpuzzle.constraints import Constraints, Relation

        costs = {'end': {1: self.length - 1 - self.place}}
        return Constraints({'end': (0, 1)}, [Relation('table', ('end',), ((1,),))], costs)

    def moves_to(self, solution):
        return ['R'] * (self.length - 1 - self.place)

"""
"""What a corridor may say of constraints, rightly: the only solution is to stand at its end."""

PICTURED = """    def ground(self):
        from unpuzzle.drawing import Ground, Look

        return Ground(1, self.length, {'@': Look()})

    def pieces(self):
        return [('@', 0, self.place, 'mover')]

"""
"""The picture of a corridor, described rightly."""

HEIR_OF = {"constraints": "Constrained", "explain": "Explaining", "pieces": "Pictured", "plain": "ForComponents"}
"""By method that comes with a fault, the capability that the corridor has to inherit for it."""

FAULTS_OF = {
    "the_game_says_what_it_is": [
        ('title = "Old', 'title = "\\nOld', "should say in one line what the game is"),
        ('"old-style"\n', '"Old Style"\n', "the name 'Old Style' should be of small letters"),
        ('{"1": "@', '{"a/b": "@', "level name 'a/b' has blanks, '/' or '.'"),
        (
            '{"length": Number("length"',
            '{"length": Number("size"',
            "a mapping from names to options, each with its name",
        ),
    ],
    "every_level_is_read": [
        ('"@...\\n"', '"@.x.\\n"', "parse() refuses the bundled level '1': 1:1:1: '@.x.' is no corridor"),
        ('return cls(line.index("@"), len(line))', "pass", "of level '1' gave None, which is not a position"),
    ],
    "the_text_comes_back": [
        ('+ "." * (self', '+ "." * (1 + self', "is not the position with the text"),
        ('place) + "\\n"', "place)", "does not end with a newline"),
        ("return self.place, self.length", "return self.place, id(self)", "is not the position"),
    ],
    "line_ends_and_byte_order_mark_mean_nothing": [
        ('.replace("\\r\\n", "\\n")', "", "refuses a level with line ends"),
        ('.removeprefix("\\ufeff")', "", "refuses a level after a byte order"),
    ],
    "a_text_is_read_or_refused_with_its_place": [
        (", line=1, column=1, text=line", "", "names no line and column"),
        ("line=1, column=1, text=line", "line=7, column=1", "is not a place of"),
        ("file=source, line=1", "line=1", "does not name the file"),
        ('line.count("@") != 1 or ', "", "ValueError: substring not found"),
        ("return self.place, self.length", "return 1 // self.place", "Zero"),
    ],
    "long_and_deeply_nested_texts_are_read_or_refused": [
        (
            "        line = lines[0]\n",
            "        line = lines[0]\n        (lambda f: f(f, len(line)))(lambda f, n: n and f(f, n - 1))\n",
            "RecursionError",
        )
    ],
    "positions_keep_their_promises": [
        (APPLY, "(self.place + (1 if move", "gave None, which is not a position"),
        (APPLY, "return (self.place + (1 if move", "gave (1, 2), which is not a position"),
        ("return self.place == self.length - 1", "pass", "solved() gave None, which is"),
        (COST, "        return 0.5\n", "returned 0.5; it must be a whole number that is"),
        (COST, "        return -1\n", "returned -1; it must be a whole number that is"),
        ("return frozenset(", "return list(", "which is not a frozenset of atoms"),
        ('return "L" if action', 'return "X" if action', "which is not a legal move here"),
        ('return "L" if action', "return 5 if action", "gave 5, which is not a string"),
        ('return "L" if action', "return {}[5] if action", "raised KeyError: 5"),
        ('return ("L",) * (self', "return [1] * len(self", "moves() raised TypeError"),
        (METHOD, "    moves = lambda self: [1, 2]\n" + METHOD, "gave [1, 2], which is not a tuple of"),
        (METHOD, "    moves = lambda self: 'LR'\n" + METHOD, "gave 'LR', which is not a tuple of"),
    ],
    "moves_are_words_without_blanks": [
        ('return ("L",)', 'return ("go L",)', "the move 'go L' is empty, or has blanks"),
        ('return ("L",)', 'return ("L", "L")', "moves() offers a move twice: L L"),
    ],
    "one_letter_moves_tells_the_truth": [('("R",)', '("right",)', "one_letter_moves is True, but the move 'right'")],
    "a_move_leaves_its_position_unchanged": [
        (APPLY, "self.length += 1\n        " + APPLY, "changed the position itself: its text was '.@\\n' and is"),
        (
            'return type(self)(self.place + (1 if move == "R" else -1), self.length)',
            "self.place += 1 if move == 'R' else -1\n        return self",
            "changed the position itself: its text was",
        ),
    ],
    "asked_twice_a_position_says_the_same": [
        (
            "    def impossible(self):\n        return None",
            "    asked = []\n\n    def impossible(self):\n        self.asked.append(1)\n        "
            "return 'odd' if len(self.asked) % 2 else None",
            "impossible(), called twice, gives different results",
        ),
        (COST, "        return __import__('time').perf_counter_ns()\n", "cost('L'), called twice, gives different"),
        ('return ("L",) * (self', 'self.length += 1\n        return ("L",) * (self', "str(), called twice, gives"),
        (
            'return str(self).rstrip("\\n")',
            "self.length += 1\n        return str(self).rstrip('\\n')",
            "called twice, gives different results",
        ),
    ],
    "equal_positions_have_equal_facts": [
        (
            "return self.place, self.length",
            "return self.place // 2, self.length",
            "two equal positions have different facts: at",
        )
    ],
    "a_move_makes_a_new_position": [("(1 if move", "(0 if move", "apply('R') changes nothing")],
    "equal_positions_offer_the_same": [(COST, "        return id(self)\n", "differs between a position and")],
    "nothing_else_is_a_move": [
        ("if move not in self.moves()", "if move not in 'LR'", "accepts a move that moves() does not list"),
        ("raise IllegalMove(f", "raise KeyError(f", "should raise IllegalMove, but it raised"),
        ('f"{move}: there is no way"', '""', "gives no reason"),
        ('way", move=move', "way\", move='?'", "names another move"),
    ],
    "a_reason_for_impossible_is_right": [
        ("        return None\n", "        return 'no'\n", "'no' is wrong: 0 moves solve")
    ],
    "pictures_show_what_moves_change": [
        ('return str(self).rstrip("\\n")', 'return "abc"', "the same after the move"),
        ('return str(self).rstrip("\\n")', "return str(self)", "ends with a newline"),
    ],
    "equal_pieces_are_equal_positions": [
        (METHOD, PICTURED.replace("self.place, 'mover'", "0, 'mover'") + METHOD, "two positions of a level have the")
    ],
    "a_level_has_one_ground": [
        (
            METHOD,
            PICTURED.replace("{'@': Look()}", "{'@': Look()}, text='@' * self.place") + METHOD,
            "the ground changes by moves",
        )
    ],
    "pieces_are_on_the_board": [
        (METHOD, PICTURED.replace("('@', 0", "('@', 1") + METHOD, "is not on the board, which"),
        (METHOD, PICTURED.replace("('@', 0", "('P', 0") + METHOD, "has a look that the ground"),
        (METHOD, PICTURED.replace("'mover'", "''") + METHOD, "has no kind"),
    ],
    "letters_lie_on_paint_that_they_can_be_read_on": [
        (
            METHOD,
            PICTURED.replace("Look()", "Look(Rect(0, 0, 1, 1, fill='hero'), Text(0.5, 0.5, 'W', 0.6))").replace(
                "import Ground, Look", "import Ground, Look, Rect, Text"
            )
            + METHOD,
            "the text 'W' in the role 'ink' is on 'hero', where its contrast in the theme",
        )
    ],
    "pictures_are_well_formed": [
        (METHOD, PICTURED.replace("Look()", "Look('circle')") + METHOD, "shapes is ('circle',), not shapes")
    ],
    "samples_vary": [
        ("length = rng.randint(1, 6)", "length = 4; return cls(0, 4)", "40 samples are all the same"),
        ("length = rng.randint(1, 6)", "length = 1 + __import__('time').perf_counter_ns() % 97", "sample(Random("),
    ],
    "some_level_can_be_solved": [
        ("return self.place == self.length - 1", "return False", "levels and samples can be solved")
    ],
    "symmetries_are_a_closed_set": [
        ("return (self,)", "return ()", "leaves out the position itself"),
        ("return (self,)", "return (self, self)", "gives a position twice"),
    ],
    "symmetric_positions_have_symmetric_moves": [
        (
            "return (self,)",
            "return {self, type(self)(self.length - 1 - self.place, self.length)}",
            "only one of two symmetric positions is solved",
        )
    ],
    "symmetric_levels_are_equally_hard": [
        (
            "return (self,)",
            "return {self, type(self)(self.length - 1 - self.place, self.length)}",
            "are not equally hard",
        )
    ],
    "predecessors_lead_here": [('("L" if move == "R" else "R", self', "(move, self", "which is not a legal move in")],
    "no_predecessor_is_missing": [
        ("for move in self.moves()]\n\n    def symm", "for move in self.moves()[:1]]\n\n    def symm", "does not list")
    ],
    "the_goal_position_is_where_best_solutions_end": [
        ("type(self)(self.length - 1, self.l", "type(self)(0, self.l", "is not solved"),
        ("return self.place ==", "return not self.place or self.place ==", "of a solved position is another one"),
    ],
    "headings_are_moves_and_the_opposite_one_leads_back": [
        ('("L", "R")\n', '("L", "R", "U")\n', "is not an even number of moves"),
        ('("L", "R")\n', '("L", "U")\n', "the moves R are not in compass"),
    ],
    "points_are_whole_numbers": [("return 10 - ", "return 9.5 - ", "score(()) gave 9.5, which is not a whole number")],
    "solutions_of_the_constraints_solve_the_position": [
        (METHOD, CONSTRAINED.replace("['R'] *", "['L'] *") + METHOD, "does not solve it: move 1 is illegal"),
        (
            METHOD,
            CONSTRAINED.replace("{'end': {1: self.length - 1 - self.place}}", "{'end': {1: 99}}") + METHOD,
            "the constraints say 99, and the moves cost",
        ),
    ],
    "constraints_have_a_solution_where_the_rules_have": [
        (METHOD, CONSTRAINED.replace("((1,),)", "()") + METHOD, "solvable by the rules: True; by the constraints:")
    ],
    "a_line_is_one_line": [
        (METHOD, "    def line(self):\n        return 'a b'\n\n" + METHOD, "gave 'a b', which is not a line")
    ],
    "grades_are_numbers_with_words": [
        (
            METHOD,
            "    def explain(self):\n        return 'so', {}\n\n    def grade(self):\n        return 'hard'\n\n"
            + METHOD,
            "gave 'hard', which is neither None",
        )
    ],
    "explanations_are_text_and_plain_data": [
        (METHOD, "    def explain(self):\n        return 'so', 3\n\n" + METHOD, "explain() gave 3, which is not a")
    ],
    "plain_data_is_plain": [
        (METHOD, "    def plain(self):\n        return [{1}]\n\n" + METHOD, "contains {1}, which is not plain data")
    ],
    "heuristics_go_by_their_names": [('    "distance",', '    "far",', "heuristics['distance'] has the name 'far'")],
    "heuristics_are_what_they_claim": [("position.length - 1 - p", "position.length + 1 - p", "is not what it claims")],
    "estimates_are_numbers": [("position.length - 1 - position.place", "-1", "-1, but an estimate must be at least 0")],
    "stages_see_the_moves_of_the_game": [
        ('("L", place - 1, 1)', '("L", place - 1, 2)', "misses moves of"),
        ("estimate=lambda place: end - place", "estimate=lambda place: 9", "is not 0, in"),
    ],
    "when_all_subgoals_are_achieved_the_position_is_solved": [
        (
            "achieved=lambda place: place == end",
            "achieved=lambda place: place >= end - 1",
            "a search by subgoals wrongly answers",
        )
    ],
    "a_task_is_written_and_read_again": [('objects(names, "cell")', 'objects(names, "cel")', "cel")],
    "atoms_are_the_fluents_of_the_task": [
        ("*self.atoms())", ")", "atoms() has (at c0), which task() does not have"),
        ("(*adjacent, *self", "(*adjacent, *adjacent, *self", "has an atom twice"),
    ],
    "the_pddl_of_samples_is_the_game": [(COST, "        return 2\n", "costs 2")],
    "the_pddl_of_bundled_levels_is_the_game": [("names[-1]),)", "names[0]),)", "rules and PDDL differ at the start")],
    "a_foreign_action_is_refused": [
        (" or len(action.arguments) != 2", "", "although the PDDL has no such action"),
        ("raise foreign(action", "raise KeyError(action", "should raise ParseError, but"),
    ],
    "options_say_what_they_are": [
        ('"cells", 4', '"", 4', "option 'length' has no description"),
    ],
    "generated_levels_are_levels": [
        ('options["length"]), opt', 'options["length"]) + 9, opt', "is another position for the generated"),
        ('rng.randrange(options["l', '__import__("time").perf_counter_ns() % (options["l', "gives different levels"),
    ],
    "generated_levels_vary": [('rng.randrange(options["length"])', "0", "40 generated levels are all the same")],
    "every_level_of_a_shape_comes_in_a_fixed_order": [
        ('in range(options["length"])', "in (0, 0)", "gives a level twice")
    ],
    "a_position_comes_back_from_a_pickle": [
        (METHOD, "    def __getstate__(self):\n        return None\n\n" + METHOD, "Attr")
    ],
    "levels_are_the_same_in_every_process": [
        ("length = rng.randint(1, 6)", 'length = 1 + hash("a") % 97', "samples differ")
    ],
}
"""By law the faults that it catches: a text of a lawful game, what stands there instead, and words of the law."""

FAULTS = [(law, *fault) for law, faults in FAULTS_OF.items() for fault in faults]
