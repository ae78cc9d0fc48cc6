// The player. It knows no rules: what can be done in a position, and what comes of it, stands in the level's table.
"use strict";

const ARROWS = { ArrowUp: "un", ArrowLeft: "lw", ArrowRight: "re", ArrowDown: "ds" };
const NAMES = { ArrowUp: "up", ArrowLeft: "left", ArrowRight: "right", ArrowDown: "down" };
const SIGNS = { ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", ArrowDown: "↓" };
const SVG = "http://www.w3.org/2000/svg";
const PACE = 420;
const $ = (id) => document.getElementById(id);

// ---- levels as the page brings them

async function inflated(text) {
  const raw = atob(text), packed = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) packed[i] = raw.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function unpacked(text) {
  const reader = new Reader(await inflated(text)), level = reader.json();
  return { ...level, model: new Table(level, reader) };
}

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }
  // A number: groups of seven bits, low ones first.
  next() {
    for (let number = 0, unit = 1; ; unit *= 128) {
      const byte = this.bytes[this.at++];
      number += (byte & 127) * unit;
      if (byte < 128) return number;
    }
  }
  // The places of the ones in a number.
  ones() {
    for (let found = [], first = 0; ; first += 7) {
      const byte = this.bytes[this.at++];
      for (let i = 0; i < 7; i++) if ((byte >> i) & 1) found.push(first + i);
      if (byte < 128) return found;
    }
  }
  // Ascending numbers.
  gaps() {
    let number = 0;
    return Array.from({ length: this.next() }, () => (number += this.next()));
  }
  json() {
    const end = this.next() + this.at, text = this.bytes.subarray(this.at, end);
    this.at = end;
    return JSON.parse(new TextDecoder().decode(text));
  }
}

// ---- the table of all states; see tables.py

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
        if (!from.has(target) && this.left(target) + cost(this, move) === this.left(here) && this.left(target) >= 0)
          from.set(target, [here, move]);
    }
    return [];
  }
}

const cost = (model, move) => (model.costs ? model.costs[move] : 1);

function traced(from, state) {
  const moves = [];
  for (let step; (step = from.get(state)); state = step[0]) moves.unshift(step[1]);
  return moves;
}

// ---- the game: where it stands, and what was done

const levels = [...document.querySelectorAll(".level")].map((element) => element.textContent);
let number = 0, level = null, model = null;
// The states so far, and those ahead that redo goes to; done[i] led from line[i] to line[i + 1].
let line = [], done = [], at = 0;
let hinted = null, timer = 0;

const here = () => line[at];
const legal = () => model.moves(here());
const spent = () => done.slice(0, at).reduce((sum, move) => sum + cost(model, move), 0);

async function open(wanted, moves = []) {
  number = wanted;
  level = await unpacked(levels[wanted]);
  model = level.model;
  line = [model.start];
  done = [];
  at = 0;
  const board = $("board");
  board.setAttribute("viewBox", level.box.join(" "));
  board.innerHTML = level.board + '<g id="pieces"></g><g id="marks"></g>';
  shown.clear();
  directional = level.moves.every((name) => name.length === 1) && level.moves.some((name) => arrow(name));
  for (const name of moves) {
    const found = legal().find(([move]) => level.moves[move] === name);
    if (!found) break;
    step(...found);
  }
  refresh();
}

function step(move, target) {
  if (done[at] !== move) {
    line.length = at + 1;
    done.length = at;
    line.push(target);
    done.push(move);
  }
  at++;
}

function play(move) {
  const found = legal().find(([other]) => other === move);
  if (!found) return false;
  step(...found);
  refresh(spoken(move));
  return true;
}

const go = (to) => {
  at = Math.max(0, Math.min(to, done.length));
  refresh();
};

function hint() {
  const [best] = model.way(here());
  if (best === undefined) return;
  if (hinted === best) return play(best);
  hinted = best;
  refresh(`Hint: ${spoken(best)}`, best);
}

function show() {
  if (timer) return stop();
  const next = () => {
    const [best] = model.way(here());
    if (best === undefined || model.solved(here())) return stop();
    play(best);
  };
  timer = setInterval(next, PACE);
  next();
}

function stop() {
  clearInterval(timer);
  timer = 0;
  refresh();
}

// ---- what is seen

// By placement the element that shows it.
const shown = new Map();

function draw() {
  const wanted = model.pieces(here()), pieces = $("pieces");
  const gone = [...shown.keys()].filter((place) => !wanted.includes(place));
  for (const place of wanted.filter((place) => !shown.has(place))) {
    const near = nearest(gone, place), old = gone[near];
    const element = near < 0 ? document.createElementNS(SVG, "use") : shown.get(old);
    if (near >= 0) {
      gone.splice(near, 1);
      shown.delete(old);
    }
    shown.set(place, element);
    const [look, row, column] = level.places[place];
    element.setAttribute("href", "#p-" + look);
    element.style.transform = `translate(${column}px,${row}px)`;
  }
  for (const place of gone) {
    shown.get(place).remove();
    shown.delete(place);
  }
  wanted.forEach((place, i) => {
    const element = shown.get(place);
    if (pieces.children[i] !== element) pieces.insertBefore(element, pieces.children[i] || null);
  });
}

// Which of the placements that are left is of the same kind, and the least way off.
function nearest(gone, place) {
  const [, row, column, kind] = level.places[place];
  let best = -1, least = Infinity;
  gone.forEach((other, i) => {
    const [, there, across, same] = level.places[other], far = Math.hypot(there - row, across - column);
    if (same === kind && far < least) [best, least] = [i, far];
  });
  return best;
}

function refresh(news = "", marked = null) {
  if (marked === null) hinted = null;
  draw();
  const left = model.left(here()), solved = model.solved(here()), unit = model.costs ? "cost" : "move";
  $("score").textContent = solved ? "Solved" : left >= 0 ? `${counted(left, unit)} left at best` : "";
  $("score").className = solved ? "solved" : left < 0 ? "lost" : "";
  if (left < 0) $("score").textContent = "⚠ Dead end: from here the goal cannot be reached";
  $("news").textContent = (news && news + ". ") + counted(at, "move") + " made";
  $("undo").disabled = !at;
  $("restart").disabled = !at;
  $("redo").disabled = at === done.length;
  $("hint").disabled = $("show").disabled = solved || left < 0;
  offer(marked);
  address();
}

const counted = (amount, unit) => `${amount} ${unit}${amount === 1 || unit === "cost" ? "" : "s"}`;

// ---- moves

let directional = false;

const arrow = (name) => Object.keys(ARROWS).find((key) => ARROWS[key].includes(name.toLowerCase()));
const spoken = (move) => (directional && NAMES[arrow(level.moves[move])]) || level.moves[move];

function offer(marked) {
  const open = legal().map(([move]) => move);
  const pads = Object.keys(ARROWS).filter((key) => directional && level.moves.some((name) => arrow(name) === key));
  const buttons = pads.map((key) => {
    const move = open.find((move) => arrow(level.moves[move]) === key);
    return button(SIGNS[key], NAMES[key], move, key, marked);
  });
  const others = open.filter((move) => !directional || !arrow(level.moves[move]));
  $("moves").replaceChildren(...buttons, ...others.map((move) => button(level.moves[move], "", move, "", marked)));
  $("moves").className = directional ? "pad" : "";
}

function button(text, label, move, kind, marked) {
  const made = document.createElement("button");
  made.textContent = text;
  if (label) made.setAttribute("aria-label", label);
  made.className = kind + (move !== undefined && move === marked ? " hinted" : "");
  made.disabled = move === undefined;
  made.onclick = () => play(move);
  return made;
}

// ---- keys

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.target.tagName === "SELECT") return;
  if (pressed(event)) event.preventDefault();
});

function pressed(event) {
  const { key } = event, word = event.ctrlKey || event.metaKey;
  if (word ? /^z$/i.test(key) && !event.shiftKey : key === "Backspace" && !event.shiftKey) return go(at - 1), true;
  if (word ? /^[yz]$/i.test(key) : key === "Backspace") return go(at + 1), true;
  if (word) return false;
  if (key === "Home") return go(0), true;
  if (key === "End") return show(), true;
  if (key === "?") return hint(), true;
  const move = legal().map(([move]) => move).find((move) => {
    const name = level.moves[move];
    return directional && (ARROWS[key] || key).toLowerCase().includes(name.toLowerCase());
  });
  return move !== undefined && play(move);
}

$("undo").onclick = () => go(at - 1);
$("redo").onclick = () => go(at + 1);
$("restart").onclick = () => go(0);
$("hint").onclick = hint;
$("show").onclick = show;

// ---- the address: level and moves

function address() {
  const moves = done.slice(0, at).map((move) => level.moves[move]);
  const words = new URLSearchParams({ ...(number && { level: number + 1 }), ...(at && { moves: moves.join(" ") }) });
  try {
    history.replaceState(null, "", "#" + words);
  } catch {
    // A frame without an address of its own.
  }
}

function addressed() {
  const words = new URLSearchParams(location.hash.slice(1)), wanted = words.get("level") - 1;
  const moves = (words.get("moves") || "").split(" ").filter(Boolean);
  return open(levels[wanted] ? wanted : 0, moves);
}

addressed().then(() => (document.body.dataset.ready = "1"));
