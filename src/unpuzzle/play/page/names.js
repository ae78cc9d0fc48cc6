// Moves that have names, such as `r1c2=3` or `AB`: chosen by buttons, by clicks, by a cursor on the board, by letters.

const NEAR = 1.5, ANYWHERE = 99;
// What is chosen once its place is: `r1c2=3` needs one more click or letter, `r1c2` does not.
const VALUE = /=/;
let cursor = null, typed = "";

// The buttons: of all moves, or of those that are chosen.
more.chosen = () => {
  const offered = (chosen.length ? chosen : options).filter(({ move }) => !side(move));
  const focused = $("moves").contains(document.activeElement);
  $("moves").replaceChildren(...offered.map(({ move }) => button(nameOf(move), nameOf(move), "", () => act(move))));
  if (focused) $("board").focus();
  if (!chosen.length) typed = "";
};

more.frames = () => (cursor ? [[...cursor, 1, 1, "cursor"]] : []);

// Among the moves that the last click has left, or else among all of them.
more.click = (x, y) => {
  let found = chosen.length > 1 ? aimed(x, y, chosen, ANYWHERE) : [];
  if (found.length !== 1) found = aimed(x, y, options, NEAR);
  const [only] = found;
  if (found.length === 1 && !(only.exact && VALUE.test(nameOf(only.move)))) return play(only.move);
  cursor = only?.exact ? spots(only)[0] : null;
  choose(sided ? [] : found);
  if (found.length) $("news").textContent = `Which move? There are ${found.length} here.`;
};

more.key = (key, event) => {
  if (SIDES[key]) return walk(key);
  if (event.target?.tagName !== "BUTTON" && cursor && (key === "Enter" || key === " "))
    return more.click(cursor[1] + 0.5, cursor[0] + 0.5), true;
  return key.length === 1 && key !== " " && letter(key);
};

// The first arrow shows the cursor, the others move it.
function walk(key) {
  const [row, column] = cursor || [0, 0], moved = cursor && key;
  const down = { ArrowUp: -1, ArrowDown: 1 }[moved] || 0, right = { ArrowLeft: -1, ArrowRight: 1 }[moved] || 0;
  const [left, , width, height] = level.box, within = (at, size) => Math.max(0, Math.min(at, Math.ceil(size + 2 * left) - 1));
  cursor = [within(row + down, height), within(column + right, width)];
  choose(aimed(cursor[1] + 0.5, cursor[0] + 0.5, options, 0.5));
  return true;
}

// A value for the cell that is chosen, or the next letter of a move.
function letter(key) {
  const values = chosen.filter(({ move }) => VALUE.test(nameOf(move)) && nameOf(move).toLowerCase().endsWith(key.toLowerCase()));
  if (values.length === 1) return act(values[0].move);
  const begun = (text) => options.filter(({ move }) => nameOf(move).toLowerCase().startsWith(text.toLowerCase()));
  const text = begun(typed + key).length ? typed + key : key, found = begun(text);
  if (found.length === 1 && nameOf(found[0].move).length === text.length) return act(found[0].move);
  if (!found.length) return false;
  choose(found);
  typed = text;
  $("news").textContent = `${text}…`;
  return true;
}
