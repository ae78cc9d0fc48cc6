// Plays by the table of all states of a level; page_data.py says what is in it.

class Table {
  constructor(level, reader) {
    this.start = 0;
    this.costs = level.costs;
    this.size = level.states;
    const all = [...Array(this.size).keys()];
    this.operators = all.map(() => reader.ones());
    this.readTargets(reader);
    this.readDistances(reader);
    this.goals = new Set(reader.gaps());
    this.first = reader.gaps();
    this.changes = Array.from({ length: reader.next() }, () => reader.gaps());
    this.change = all.map((state) => (state ? reader.next() : 0));
  }
  readTargets(reader) {
    const before = [];
    let known = 1;
    this.parent = [-1];
    this.targets = this.operators.map((found, state) => found.map(() => {
      const code = reader.next(), near = before[state] || [];
      const target = !code ? known++ : code <= near.length ? near[code - 1] : known + near.length - code;
      if (!code) this.parent[target] = state;
      if (target > state) (before[target] ||= []).push(state);
      return target;
    }));
  }
  readDistances(reader) {
    this.rest = [reader.next() - 1];
    for (let state = 1; state < this.size; state++) {
      const from = this.rest[this.parent[state]], code = from < 0 ? 0 : reader.next(), twice = code - 1;
      this.rest[state] = !code ? -1 : from + (twice % 2 ? -(twice + 1) / 2 : twice / 2);
    }
  }
  // [move, state that it leads to], for each legal move.
  moves(state) {
    return this.operators[state].map((move, i) => [move, this.targets[state][i]]);
  }
  solved(state) {
    return this.goals.has(state);
  }
  // The least cost to a goal; -1 in a dead end, undefined where nobody knows.
  left(state) {
    return this.rest[state];
  }
  // Placements, by number.
  pieces(state) {
    const found = new Set(this.first);
    for (; state; state = this.parent[state])
      for (const place of this.changes[this.change[state]]) found.delete(place) || found.add(place);
    return [...found].sort((a, b) => a - b);
  }
  // Moves of least cost to a goal, as few as such can be; none from a dead end.
  way(state) {
    if (this.left(state) < 0) return [];
    const from = new Map([[state, null]]);
    for (const here of from.keys()) {
      if (this.solved(here)) return traced(from, here);
      for (const [move, target] of this.moves(here))
        if (!from.has(target) && this.left(target) + (this.costs ? this.costs[move] : 1) === this.left(here) && this.left(target) >= 0)
          from.set(target, [here, move]);
    }
    return [];
  }
}

function traced(from, state) {
  const moves = [];
  for (let step; (step = from.get(state)); state = step[0]) moves.unshift(step[1]);
  return moves;
}
