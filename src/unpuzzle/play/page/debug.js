// Which rule did it? The rules that fired with the last move, and those of keys that change nothing here. A step that is
// chosen marks its cells on the board, and shows the board before and after it.

const fired = document.createElement("section");
fired.id = "debug";
fired.setAttribute("aria-label", "Rules");
const PRESSED = { ArrowUp: "u", ArrowLeft: "l", ArrowDown: "d", ArrowRight: "r", Enter: "x" };
const ENDINGS = { cancel: "Cancelled: all is as before", "no player moved": "No player moved: all is as before", restart: "Restart", win: "Won", again: "Again: a turn without input follows" };
const TURNS = { start: "At the start", again: "A turn of again", restart: "After the restart" };
let tried, lit = [];

const plainDrawn = more.drawn, plainFrames = more.frames;
more.drawn = () => {
  tried = undefined;
  debugged();
  return plainDrawn();
};
more.frames = () => [...plainFrames(), ...lit.map(([row, column]) => [row, column, 1, 1, "fired"])];

const made = (name, text, kind = "") => Object.assign(document.createElement(name), { textContent: text, className: kind });

function debugged() {
  lit = [];
  fired.replaceChildren();
  if (!level.debug) return fired.remove();
  $("note").parentElement.before(fired);
  const key = tried || (at && nameOf(done[at - 1])), state = tried ? here() : line[at - 1];
  fired.append(made("h2", "Rules"));
  if (!key) fired.append(made("p", "Make a move to see which rules fire."));
  else if (!level.debug.states[state]) fired.append(made("p", "This page knows the rules of positions near the start only."));
  else turnsOf(key, state);
  idle();
}

function turnsOf(key, state) {
  const board = contents(state);
  fired.append(made("p", tried ? `Key ${key} changes nothing here:` : `Move ${at}, key ${key}:`));
  for (const [why, ends, steps, left] of level.debug.states[state][key]) {
    if (TURNS[why]) fired.append(made("p", TURNS[why]));
    const list = document.createElement("ol");
    const turn = new Map(board), arrows = new Map();
    for (const step of steps) {
      const before = [new Map(turn), new Map(arrows)];
      for (const [row, column, , after, arrow] of step[5]) {
        turn.set(`${row} ${column}`, after);
        arrows.set(`${row} ${column}`, arrow);
      }
      if (step[0] === "input") continue;
      if (step[0] === "rigid") [...board].forEach(([place, objects]) => turn.set(place, objects));
      const item = document.createElement("li");
      item.append(stepButton(step, before, [new Map(turn), new Map(arrows)]));
      list.append(item);
    }
    fired.append(list.children.length ? list : made("p", "No rule fires."));
    if (left) fired.append(made("p", `${left} further steps are not on this page`));
    if (ENDINGS[ends]) fired.append(made("p", ENDINGS[ends], "ends"));
    // A turn that is taken back leads to what was before it.
    if (ends !== "cancel" && ends !== "no player moved") turn.forEach((objects, place) => board.set(place, objects));
  }
}

// By cell what lies above the ground: numbers of objects.
function contents(state) {
  const found = new Map();
  for (const place of placed(state)) {
    const [look, row, column] = level.places[place], cell = `${row} ${column}`;
    found.set(cell, [...(found.get(cell) || []), level.debug.names.indexOf(level.labels[look])]);
  }
  return found;
}

function stepButton(step, before, after) {
  const [kind, number, direction, late, cells, changes, commands] = step, rule = level.debug.rules[number];
  const words = kind === "movement" ? "Movement" : kind === "rigid" ? `Taken back: rigid bodies of line ${number} could not move`
    : kind === "commands" ? `Line ${number} queues ${commands.join(", ")}` : `${late ? "Late line" : "Line"} ${number} ${direction}`.trim();
  const whole = made("button", words, "step");
  if (kind === "rule") whole.append(made("code", rule));
  whole.append(made("small", changes.map((change) => `r${change[0] + 1}c${change[1] + 1} ${change[5]}`).slice(0, 6).join("; ") + (changes.length > 6 ? " …" : "")));
  whole.setAttribute("aria-pressed", "false");
  whole.onclick = () => chooseStep(whole, cells.length ? cells : changes, before, after);
  return whole;
}

function chooseStep(whole, cells, before, after) {
  const again = whole.getAttribute("aria-pressed") === "true";
  for (const other of fired.querySelectorAll(".step")) other.setAttribute("aria-pressed", "false");
  fired.querySelector(".boards")?.remove();
  lit = again ? [] : cells;
  marks();
  if (again) return;
  whole.setAttribute("aria-pressed", "true");
  const boards = made("div", "", "boards");
  boards.append(small("Before", cells, ...before), small("After", cells, ...after));
  whole.after(boards);
}

// A small board: the ground, what lies there, arrows where it moves, frames around cells.
function small(name, cells, objects, arrows) {
  const figure = document.createElement("figure"), picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", level.box.join(" "));
  for (const [key, value] of Object.entries({ role: "img", "aria-label": `The board ${name.toLowerCase()} this step` })) picture.setAttribute(key, value);
  for (const attribute of $("board").attributes) if (/^(fill|stroke|text|font)/.test(attribute.name)) picture.setAttribute(attribute.name, attribute.value);
  for (const child of $("board").children) if (child.tagName !== "defs" && !child.id) picture.append(child.cloneNode(true));
  const put = (tag, attributes, text) => {
    const element = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text) element.textContent = text;
    picture.append(element);
  };
  for (const [place, numbers] of objects) {
    const [y, x] = place.split(" ");
    for (const number of numbers) put("use", { href: "#p-" + level.labels.indexOf(level.debug.names[number]), x, y });
  }
  for (const [place, arrow] of arrows) {
    const [row, column] = place.split(" ").map(Number);
    if (arrow) put("text", { class: "arrow", x: column + 0.5, y: row + 0.72 }, arrow);
  }
  for (const [row, column] of cells) put("rect", { class: "fired", x: column + 0.04, y: row + 0.04, width: 0.92, height: 0.92, rx: 0.1 });
  figure.append(picture, made("figcaption", name));
  return figure;
}

// Keys that change nothing here, whose rules may be of interest all the more.
function idle() {
  const keys = Object.keys(level.debug.states[here()] || {}).filter((key) => !model.solved(here()) && !model.moves(here()).some(([move]) => nameOf(move) === key));
  if (!keys.length) return;
  const row = made("p", "Keys that change nothing here: ");
  row.append(...keys.map((key) => button(key, `Rules of key ${key}`, "idle", () => tryOut(key))));
  fired.append(row);
}

function tryOut(key) {
  tried = key;
  debugged();
  marks();
}

// It captures the key: whether a key changes nothing is asked before the player of the page makes the move.
document.addEventListener("keydown", ({ key, target, ctrlKey, metaKey }) => {
  const letter = PRESSED[key] || (key === "x" && "x"), idles = letter && [...fired.querySelectorAll(".idle")].some((each) => each.textContent === letter);
  if (idles && !ctrlKey && !metaKey && !(key === "Enter" && target.tagName === "BUTTON")) tryOut(letter);
}, true);
