// The player of a page. It knows no rules: a model says what can be done in a position and what comes of it, read from
// what the page brings (table.js, operators.js):
//   start                  a state
//   moves(state)           [move, state after it], for each legal move; moves and placements are numbers
//   solved(state)          whether it is a goal
//   left(state)            the least cost to a goal; -1 in a dead end, undefined where nobody knows
//   way(state)             moves of least cost to a goal
//   pieces(state)          placements, those below first; after them facts and parts of the goal, where a page has them
//   unknown(state)         whether the page does not know what moves there are
// Games whose moves are no sides of a cross also have names.js, those whose moves are actions with arguments groups.js,
// PDDL domains facts.js, those whose pieces can be dragged drag.js, those played by keys as in another engine keyed.js,
// pages with several levels set.js: they put what they add into `more`.

const SVG = "http://www.w3.org/2000/svg";
const SIDES = {
  ArrowUp: { word: "up", sign: "↑" },
  ArrowLeft: { word: "left", sign: "←" },
  ArrowDown: { word: "down", sign: "↓" },
  ArrowRight: { word: "right", sign: "→" },
};
// Where all moves are directions, letters are keys: of commands, of sides, and of what else is done there.
const WASD = { w: "ArrowUp", a: "ArrowLeft", s: "ArrowDown", d: "ArrowRight" };
const DEEDS = { x: { word: "act", sign: "Act" }, t: { word: "wait", sign: "Wait" } };
const PACE = 450, SWIPE = 24;
const BEYOND = "This page does not know how it goes on from here: undo, or restart";
const $ = (id) => document.getElementById(id);
const counted = (amount, unit) => `${amount} ${unit}${amount === 1 ? "" : "s"}`;

// ---- levels as the page brings them: deflated, and written in base64

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

async function unpacked(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt());
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = new Reader(new Uint8Array(await new Response(stream).arrayBuffer())), level = reader.json();
  model = level.states ? new Table(level, reader) : new Operators(level, reader);
  // Of a solution, or of a part of the states, nobody knows whether there are better ways.
  if (level.film || level.open) model.left = () => undefined;
  const ends = new Set(level.open);
  if (level.open) model.unknown = (state) => ends.has(state);
  return level;
}

// ---- the game: the states so far, and those ahead that redo goes to; done[i] led from line[i] to line[i + 1]

const levels = [...document.querySelectorAll(".level")].map((element) => element.textContent);
let number = 0, level, model, line, done, at, sided;
let options = [], chosen = [], hinted, helped, timer = 0, told = 0;
const more = { opened() {}, chosen() {}, frames: () => [], click() {}, key: () => false, solved() {}, dragged: () => false, drawn: () => "" };
// keyed.js: a level is opened, a move is made, the player acts or looks; where undo leads, and restart, if not to the start.
Object.assign(more, { begun() {}, stepped() {}, acted() {}, held() {}, before: () => Math.max(0, at - 1), restart: () => false, find: () => 0, letters: {} });
const [hints, count] = ["hints", "count"].map((what) => !document.body.dataset.without.split(" ").includes(what));

const here = () => line[at];
const nameOf = (move) => level.moves[move] ?? "!";
const cost = (move) => (move < 0 ? 0 : level.costs ? level.costs[move] : 1);
// The moves since the level began, or was last restarted to its start by a step (keyed.js).
const since = () => done.slice(done.slice(0, at).findLastIndex((move, i) => move < 0 && line[i + 1] === model.start) + 1, at);
const spent = () => since().reduce((sum, move) => sum + cost(move), 0);
const side = (move) => sided && Object.keys(SIDES)[level.sides.indexOf(nameOf(move).toLowerCase())];
const deed = (move) => level.directed && DEEDS[nameOf(move).toLowerCase()];
const words = (move) => (level.grouped ? nameOf(move).split(":").map((word) => word.replace(/%3a/g, ":").replace(/%25/g, "%")) : [nameOf(move)]);
const spoken = (move) => (SIDES[side(move)] || deed(move))?.word || words(move).join(" ");
// The placements of a state, without facts.
const placed = (state) => model.pieces(state).filter((each) => each < level.places.length);

async function open(wanted, moves = "") {
  stop();
  number = wanted;
  level = await unpacked(levels[wanted]);
  [line, done, at, helped] = [[model.start], [], 0, false];
  sided = Boolean(level.sides);
  more.begun();
  $("board").setAttribute("viewBox", level.box.join(" "));
  $("board").innerHTML = level.board + '<g id="pieces"></g><g id="marks"></g>';
  // No cell is larger than a thumb needs, however large the window is.
  $("board").style.maxWidth = 11 * level.box[2] + "rem";
  $("board").style.maxHeight = 11 * level.box[3] + "rem";
  $("board").classList.toggle("sided", sided);
  $("note").textContent = level.note || "";
  written("title", levels.length === 1 && level.title && `Level ${level.title}`);
  written("message", level.before);
  keysShown();
  shown.clear();
  for (const name of sided ? moves : moves.split(" ")) {
    const found = more.find(name) || model.moves(here()).find(([move]) => nameOf(move) === name);
    if (!found) break;
    step(...found);
  }
  pads();
  refresh();
  more.opened();
}

function written(id, text) {
  $(id).textContent = text || "";
  $(id).hidden = !text;
}

// The keys, below the board and at the buttons.
function keysShown() {
  const { directed } = level, has = (name) => level.moves.some((move) => move.toLowerCase() === name);
  const keys = { undo: directed ? "Z or U" : "Backspace", redo: directed ? "Y" : "Shift+Backspace", restart: directed ? "R" : "Home", hint: "?", show: "End" };
  for (const [id, key] of Object.entries(keys)) $(id).title = key;
  const moving = directed ? ["arrows or W A S D move", has("x") && "X or Enter acts", has("t") && "T waits"]
    : [sided && "arrows move", "letters type the name of a move", !sided && (level.boardless ? "arrows go from move to move" : "arrows and Enter choose a place")];
  const others = [!level.noundo && `${keys.undo} undo`, !level.norestart && `${keys.restart} restart`, level.interval && "P holds the clock", hints && "? hint", hints && "End solution"];
  $("keys").textContent = "Keys: " + [...moving, ...others].filter(Boolean).join(", ");
}

function step(move, target) {
  more.stepped(move);
  if (done[at] !== move) {
    line.splice(at + 1, Infinity, target);
    done.splice(at, Infinity, move);
  }
  at++;
}

function play(move) {
  const found = options.find((option) => option.move === move);
  if (level.keyed && model.solved(here())) return false;
  if (!found) return more.stepped(move), false;  // a key that changes nothing may set a checkpoint
  step(move, found.target);
  refresh();
  if (model.solved(here())) {
    if (level.after) written("message", level.after);
    more.solved();
  }
  return true;
}

function go(to) {
  stop();
  at = Math.max(0, Math.min(to, done.length));
  if (!at) helped = false;
  refresh();
}

const undo = () => level.noundo || go(more.before());
const redo = () => level.noundo || go(at + 1);
const restart = () => level.norestart || more.restart() || go(0);

// The moves to a goal: those that the page was given, as long as they are followed, or else the best ones.
const given = () => level.solution?.[since().length] && since().every((move, i) => level.solution[i] === nameOf(move));
const ahead = () => (given() ? level.solution.slice(since().length).map((name) => level.moves.indexOf(name)) : model.way(here()));

// The first time it says the move, the second time it makes it.
function hint() {
  stop();
  more.held();
  if (!hints) return;
  const [best] = ahead(), again = hinted === best;
  if (best === undefined) return;
  helped = true;
  if (again) return play(best);
  refresh(`Hint: ${spoken(best)}`);
  hinted = best;
  choose(options.filter(({ move }) => move === best));
}

function show() {
  more.held();
  if (timer || !hints) return stop();
  const next = () => {
    const [best] = ahead();
    helped = true;
    if (best === undefined || !play(best) || ahead()[0] === undefined) stop();
  };
  timer = setInterval(next, PACE);
  $("show").textContent = "Stop";
  next();
}

function stop() {
  clearInterval(timer);
  timer = 0;
  $("show").textContent = "Solution";
}

// ---- what is seen

// By placement the element that shows it.
const shown = new Map();

function draw() {
  const wanted = placed(here()), pieces = $("pieces");
  const gone = new Set(shown.keys());
  const come = wanted.filter((place) => !gone.delete(place));
  for (const place of come) {
    const old = nearest(gone, place), element = shown.get(old) || document.createElementNS(SVG, "use");
    gone.delete(old);
    shown.delete(old);
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
    if (pieces.children[i] !== shown.get(place)) pieces.insertBefore(shown.get(place), pieces.children[i] || null);
  });
  const won = level.keyed ? [model.solved(here()) ? "Won" : "Not won"] : [];
  $("scene").textContent = [...won, ...wanted.map(described), ...(level.goals?.length ? ["Goals: " + level.goals.join("; ")] : [])].join("; ");
}

// Which of the placements that are gone is of the same kind, and the least way off: so pieces slide.
function nearest(gone, place) {
  const [, row, column, kind] = level.places[place];
  let best, least = Infinity;
  for (const other of gone) {
    const [, there, across, same] = level.places[other], far = Math.hypot(there - row, across - column);
    if (same === kind && far < least) [best, least] = [other, far];
  }
  return best;
}

function described(place) {
  const [look, row, column] = level.places[place];
  return `${level.labels[look]} in row ${Math.floor(row) + 1}, column ${Math.floor(column) + 1}`;
}

function refresh(news = "") {
  draw();
  const facts = more.drawn();
  options = model.moves(here()).map(([move, target]) => ({ move, target }));
  hinted = undefined;
  choose([]);
  const left = model.left(here()), solved = model.solved(here());
  $("score").textContent = scored(left, solved);
  $("score").className = solved ? "solved" : left < 0 && count ? "lost" : "";
  $("news").textContent = model.unsure?.(here()) ? "⚠ A piece may be missing in this picture" : model.unknown?.(here()) ? BEYOND : news || facts;
  able("undo", more.before() < at);
  able("restart", at);
  able("redo", at < done.length);
  for (const id of ["hint", "show"]) {
    $(id).hidden = !hints;
    able(id, given() || (left >= 0 && !solved));
  }
  for (const pad of $("pad").children) able(pad, options.some(({ move }) => (side(move) || deed(move)?.word) === pad.classList[0]));
  address();
}

function scored(left, solved) {
  const amount = (number) => level.costs ? "cost " + number : counted(number, "move"), best = model.left(model.start);
  if (!count) return (solved ? "✓ Solved: " : "") + amount(spent());
  if (solved) return `✓ Solved: ${amount(spent())}` + (best === spent() ? ", and no way is better" : best >= 0 ? `; ${amount(best)} would do` : "");
  if (left < 0) return best < 0 ? "⚠ This level cannot be solved" : "⚠ Dead end: the goal is out of reach from here";
  return left === undefined ? amount(spent()) : amount(left) + " left at best";
}

function able(button, is) {
  (button.id === undefined ? $(button) : button).setAttribute("aria-disabled", !is);
}

// ---- moves on offer, and those of them that are chosen: by a hint, by a point on the board

function pads() {
  const used = Object.keys(SIDES).filter((key) => level.moves.some((_, move) => side(move) === key));
  const deeds = Object.keys(DEEDS).filter((key) => level.moves.some((_, move) => deed(move) === DEEDS[key]));
  const made = ({ sign, word }, name, pressed) => button(sign, word, name, () => key({ key: pressed }));
  $("pad").replaceChildren(...used.map((name) => made(SIDES[name], name, name)), ...deeds.map((name) => made(DEEDS[name], DEEDS[name].word, name)));
}

function button(text, label, name, action) {
  const made = document.createElement("button");
  made.textContent = text;
  made.setAttribute("aria-label", label);
  made.className = name;
  made.onclick = action;
  return made;
}

function choose(found) {
  chosen = found;
  const only = found.length === 1 && (side(found[0].move) || deed(found[0].move)?.word);
  for (const pad of $("pad").children) pad.classList.toggle("chosen", pad.classList[0] === only);
  more.chosen();
  marks();
}

// The move of a key: one that can be made; else one that changes nothing here.
const meant = (fits) => options.find(({ move }) => fits(move))?.move ?? level.moves.findIndex((_, move) => fits(move));

function act(move) {
  stop();
  more.acted();
  return play(move);
}

// Frames around what the chosen moves would change: row, column, and how many cells there are downwards and across.
function marks() {
  const frames = [...chosen.flatMap((option) => spots(option) && option.frames).map((frame) => [...frame, "option"]), ...more.frames()];
  $("marks").replaceChildren(...frames.map(([row, column, down, across, name]) => {
    const frame = document.createElementNS(SVG, "rect");
    for (const [key, value] of Object.entries({ x: column + 0.04, y: row + 0.04, width: across - 0.08, height: down - 0.08, rx: 0.1, class: name }))
      frame.setAttribute(key, value);
    return frame;
  }));
}

// The cells of a placement; most have one.
function cells(place) {
  const [look, row, column] = level.places[place];
  return (level.cells?.[look] || [[0, 0]]).map(([down, right]) => [row + down, column + right]);
}

function framed(place) {
  const [rows, columns] = [0, 1].map((axis) => cells(place).map((cell) => cell[axis]));
  const [top, left] = [Math.min(...rows), Math.min(...columns)];
  return [top, left, Math.max(...rows) - top + 1, Math.max(...columns) - left + 1];
}

// Where an option changes the picture: the cell that it names, or all cells of pieces that come or go.
function spots(option) {
  if (option.spots) return option.spots;
  const before = new Set(placed(here())), after = placed(option.target);
  const changed = [...after.filter((place) => !before.delete(place)), ...before];
  const cell = /^r(\d+)c(\d+)/.exec(nameOf(option.move))?.slice(1).map((digits) => digits - 1);
  option.spots = changed.flatMap(cells);
  option.exact = cell && option.spots.some(([row, column]) => row === cell[0] && column === cell[1]);
  option.frames = option.exact ? [[...cell, 1, 1]] : changed.map(framed);
  return option.exact ? (option.spots = [cell]) : option.spots;
}

// How far a point is from the middle of a cell.
const away = (x, y, [row, column]) => [column + 0.5 - x, row + 0.5 - y];
const inside = (x, y, cell) => away(x, y, cell).every((far) => Math.abs(far) <= 0.5);

// The options that a point on the board may mean: those that change something nearest to it.
function aimed(x, y, among, reach) {
  const far = (option) => Math.min(...spots(option).map((cell) => !option.exact || inside(x, y, cell) ? Math.hypot(...away(x, y, cell)) : Infinity));
  const least = Math.min(...among.map(far));
  return least > reach ? [] : among.filter((option) => far(option) < least + 0.01);
}

function click(x, y) {
  stop();
  const found = sided ? aimed(x, y, options, 0.75) : [];
  return found.length === 1 ? play(found[0].move) : more.click(x, y);
}

// ---- keys

function key(event) {
  const { key, shiftKey } = event, word = event.ctrlKey || event.metaKey, small = key.toLowerCase();
  const back = () => (shiftKey ? redo() : undo());
  const escape = () => (stop(), choose([]));
  if (event.altKey || (word && !/^[yz]$/.test(small))) return false;
  const letters = word ? { z: back, y: redo } : level.directed ? { z: back, u: back, y: redo, r: restart, ...more.letters } : {};
  const command = letters[small] || { Backspace: back, Home: restart, End: show, "?": hint, Escape: escape }[key];
  if (command) return command(), true;
  const to = SIDES[key] ? key : level.directed && WASD[small];
  if (to && sided) return act(meant((move) => side(move) === to)), true;
  if (!level.directed) return more.key(key, event);
  const button = event.target?.tagName === "BUTTON" || event.target?.tagName === "A";
  const done = DEEDS[key === "Enter" && !button ? "x" : small], found = done && meant((move) => deed(move) === done);
  return Boolean(done && found >= 0) && (act(found), true);
}

document.addEventListener("keydown", (event) => {
  if (!/SELECT|INPUT/.test(event.target.tagName) && key(event)) event.preventDefault();
});

// ---- mouse and fingers

let down;
const pointed = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform($("board").getScreenCTM().inverse());
// What begins on the board ends on it, and selects no text.
$("board").onpointerdown = (event) => {
  event.preventDefault();
  down = event;
  $("board").focus({ preventScroll: true });
  if (event.isTrusted) $("board").setPointerCapture(event.pointerId);
};
$("board").onpointercancel = () => (down = undefined);
$("board").onpointerup = (event) => {
  if (!down) return;
  const from = pointed(down), to = pointed(event), right = event.clientX - down.clientX, below = event.clientY - down.clientY;
  down = undefined;
  if (Math.hypot(right, below) <= SWIPE) return click(to.x, to.y);
  stop();
  if (more.dragged(from, to)) return;
  if (sided) key({ key: Math.abs(right) > Math.abs(below) ? (right > 0 ? "ArrowRight" : "ArrowLeft") : below > 0 ? "ArrowDown" : "ArrowUp" });
};

for (const [id, action] of Object.entries({ undo, redo, restart, hint, show }))
  $(id).onclick = () => $(id).getAttribute("aria-disabled") === "true" || action();

// ---- the address: level and moves

// Browsers slow down pages that change it very often: once is enough for all that happens at a time.
function address() {
  clearTimeout(told);
  told = setTimeout(() => {
    const moves = done.slice(0, at).map(nameOf).join(sided ? "" : " ");
    try {
      history.replaceState(null, "", "#" + new URLSearchParams({ ...(number && { level: number + 1 }), ...(at && { moves }) }));
    } catch {
      // A frame whose address is not its own.
    }
  });
}

function addressed() {
  const words = new URLSearchParams(location.hash.slice(1)), wanted = words.get("level") - 1, moves = words.get("moves") || "";
  return open(levels[wanted] ? wanted : 0, moves);
}

window.onhashchange = addressed;
addressed().then(() => {
  if (window === window.parent) $("board").focus();
  document.body.dataset.ready = "1";
});
