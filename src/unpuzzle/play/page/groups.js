// Moves that are actions with arguments, such as `unstack:a:b`: a group of buttons for each action, and a box to find
// some among many.

const MANY = 30, SHOWN = 60;
const box = document.createElement("p"), filter = document.createElement("input");
filter.type = "search";
filter.id = "filter";
filter.placeholder = "Find moves: words of them";
filter.setAttribute("aria-label", "Find moves by their words");
box.append(filter);
$("moves").before(box);
let group = "", place = 0, mine = false;
const flat = { chosen: more.chosen, key: more.key, opened: more.opened };

// The moves that have all words of the box.
function wanted() {
  const offered = chosen.length ? chosen : options, sought = filter.value.toLowerCase().split(/[\s():]+/);
  return box.hidden ? offered : offered.filter(({ move }) => sought.every((word) => words(move).join(" ").includes(word)));
}

more.opened = () => ((filter.value = ""), $("moves").classList.toggle("groups", Boolean(level.grouped)), flat.opened());

more.chosen = () => {
  box.hidden = !level.grouped || options.length <= MANY;
  if (!level.grouped) return flat.chosen();
  const groups = new Map(), mark = chosen.length ? "chosen" : "", focused = $("moves").contains(document.activeElement);
  for (const { move } of wanted()) {
    const [name] = words(move);
    groups.set(name, [...(groups.get(name) || []), move]);
  }
  $("moves").replaceChildren(...[...groups].map(([name, moves]) => grouped(name, moves, mark)));
  if (!groups.size) $("moves").textContent = options.length ? "No move has these words" : "No action is applicable here";
  if (focused || mine) refocused();
  mine = false;
};

function grouped(name, moves, mark) {
  const element = document.createElement("div"), title = document.createElement("b"), all = document.createElement("span");
  const buttons = moves.slice(0, SHOWN).map((move) =>
    button(words(move).slice(1).join(" ") || name, spoken(move), mark, () => ((mine = true), (group = name), act(move))));
  element.setAttribute("role", "group");
  element.setAttribute("aria-label", `${name}, ${counted(moves.length, "move")}`);
  element.dataset.name = title.textContent = name;
  all.append(...buttons);
  element.append(title, all);
  if (moves.length > SHOWN) all.append(` and ${moves.length - SHOWN} more: find them by their words`);
  return element;
}

// The focus stays in the group of the move that was made.
function refocused() {
  const groups = [...$("moves").children], next = groups.find(({ dataset }) => dataset.name === group) || groups[0];
  (next?.querySelector("button") || $("undo")).focus({ preventScroll: true });
}

filter.oninput = () => (chosen = [], more.chosen());
filter.onkeydown = ({ key }) => {
  const found = wanted();
  if (key === "Enter" && found.length === 1) (filter.value = ""), act(found[0].move);
  if (key === "Escape") (filter.value = ""), more.chosen();
};

// Without a board arrows go from button to button, and letters into the box.
more.key = (key, event) => {
  const buttons = [...$("moves").querySelectorAll("button")], step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
  if (level.boardless && step) {
    place = buttons.indexOf(document.activeElement);
    buttons[place < 0 ? 0 : (place + step + buttons.length) % buttons.length]?.focus();
    return true;
  }
  if (!box.hidden && /^[\w-]$/.test(key)) return filter.focus(), false;
  return flat.key(key, event);
};
