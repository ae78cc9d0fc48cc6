// The facts of a PDDL game's state by predicate, what the last move has changed, and which parts of the goal hold. They
// stand in the board's place or, where the game has a board, below the moves.

const sheet = document.createElement("section"), details = document.createElement("details");
sheet.id = "facts";
sheet.tabIndex = 0;
sheet.setAttribute("aria-label", "Facts");
details.append(Object.assign(document.createElement("summary"), { textContent: "Facts" }));

more.drawn = () => {
  document.body.classList.toggle("boardless", Boolean(level.boardless));
  if (!level.facts) return sheet.replaceChildren(), "";
  if (level.boardless) $("board").after(sheet);
  else details.append(sheet), $("moves").after(details);
  const now = facts(here()), before = at ? facts(line[at - 1]) : now;
  const come = [...now].filter((fact) => !before.has(fact)), gone = [...before].filter((fact) => !now.has(fact));
  sheet.replaceChildren(goals(), table(now, new Set(come), gone));
  const told = (what, list) => list.length ? [`${what} ${list.slice(0, 6).map((fact) => `(${level.facts[fact].join(" ").trim()})`).join(" ")}${list.length > 6 ? " …" : ""}`] : [];
  return [...told("+", come), ...told("−", gone)].join("  ");
};

// By number, from 0.
function facts(state) {
  const first = level.places.length, end = first + level.facts.length;
  return new Set(model.pieces(state).filter((each) => each >= first && each < end).map((each) => each - first));
}

const part = (name, text, kind = "") => Object.assign(document.createElement(name), { textContent: text, className: kind });

function table(now, come, gone) {
  const rows = new Map();
  for (const fact of [...now, ...gone].sort((a, b) => a - b)) {
    const [predicate, words] = level.facts[fact];
    rows.set(predicate, [...(rows.get(predicate) || []), [words || "yes", come.has(fact) ? "come" : now.has(fact) ? "" : "gone"]]);
  }
  const whole = document.createElement("table");
  whole.append(Object.assign(document.createElement("caption"), { textContent: "Facts", className: "unseen" }));
  for (const [predicate, found] of rows) {
    const row = whole.insertRow();
    row.append(Object.assign(part("th", predicate), { scope: "row" }));
    row.insertCell().append(...found.map(([words, kind]) => chip(words, kind)));
  }
  return whole;
}

// No difference is told by colour alone.
function chip(words, kind) {
  const made = part(kind === "gone" ? "del" : "span", { come: "+ ", gone: "− " }[kind] || "", kind);
  made.append(words);
  return made;
}

function goals() {
  const first = level.places.length + level.facts.length, held = new Set(model.pieces(here()).map((each) => level.reached[each - first]));
  const list = document.createElement("ul"), lacks = level.parts.filter((_, number) => !held.has(number)).length;
  list.append(...level.parts.map((text, number) => part("li", (held.has(number) ? "✓ " : "✗ ") + text, held.has(number) ? "held" : "")));
  const whole = document.createElement("div");
  whole.append(part("b", lacks ? `Goal: ${lacks} of ${level.parts.length} missing` : "Goal: all holds"), list);
  return whole;
}
