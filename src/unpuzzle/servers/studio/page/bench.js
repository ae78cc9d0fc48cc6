// The level beside the text: drawn, played with keys, what is known about it as badges. Tools below it are in tools.js.
import { $, ask, made, pictureUrl } from "./ask.js";
import * as tools from "./tools.js";

const answers = new Map(); // by key of a level what is known about it
let studio, levels = [], about = {}, chosen = "", kind = "";
let game = fresh(), queue = [], busy = false, shownBadge = "";

function fresh() {
  return { key: "", moves: [], picture: "", words: "", choices: null };
}

export const chosenName = () => chosen;
const level = () => levels.find((each) => each.name === chosen);
const known = () => answers.get(level()?.key) || {};

export function start(given) {
  studio = given;
  tools.start({ ...given, level, known, insert, kind: () => kind, rulesWanted });
  $("board").onkeydown = pressed;
  $("board").onclick = () => $("board").focus();
  for (const button of document.querySelectorAll("[data-word]")) button.onclick = () => word(button.dataset.word);
  $("solution").onclick = () => playSolution();
}

export function clear() {
  levels = [];
  chosen = "";
  show();
}

// ---- levels

export function showLevels(data) {
  const before = level();
  about = data;
  kind = data.kind;
  levels = data.levels;
  if (!level()) chosen = levels[0]?.name || "";
  if (answers.size > 400) for (const key of [...answers.keys()].slice(0, 200)) if (!levels.some((each) => each.key === key)) answers.delete(key);
  tools.offer(data.tools, before?.key !== level()?.key);
  show();
}

export function told({ key, ...data }) {
  answers.set(key, { ...(answers.get(key) || {}), ...data });
  if (levels.some((each) => each.key === key)) show();
}

export const liked = (data) => tools.liked(data);

// The level at a line of the text is the one that is shown.
export function follow(line) {
  const here = levels.find((each) => each.first && each.first <= line && line <= each.last);
  if (here && here.name !== chosen) choose(here.name);
}

function choose(name) {
  chosen = name;
  tools.fresh();
  show();
}

let asked = false;
function show() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => { asked = false; showNow(); });
}

// By state of an answer, its sign and its tone.
function sign(answer) {
  const first = answer.badges?.[0];
  if (answer.error && answer.done) return ["!", "bad"];
  if (!first) return [answer.done ? "?" : "…", "quiet"];
  if (first.tone === "bad") return ["✕", "bad"];
  return answer.cost != null || /^(cost )?\d/.test(first.text) ? [`${parseInt(first.text.replace(/\D/g, ""), 10)}`, first.tone] : ["?", "quiet"];
}

function showNow() {
  const focused = document.activeElement?.dataset?.level;
  $("levels").replaceChildren(...(levels.length > 1 ? levels : []).map((each) => {
    const [mark, tone] = sign(answers.get(each.key) || {});
    const said = { "✕": "no solution", "…": "at work", "?": "not known", "!": "cannot be read" }[mark] || answers.get(each.key).badges[0].text;
    const button = made("button", { className: tone, onclick: () => { choose(each.name); if (each.first) studio.editor.goTo(each.first); }, "aria-pressed": each.name === chosen },
      made("span", { className: "title", textContent: each.title ? `${each.name}. ${each.title}` : each.name }), made("span", { className: "mark", textContent: mark, "aria-hidden": "true" }), made("span", { className: "unseen", textContent: said }));
    button.dataset.level = each.name;
    return button;
  }));
  if (focused !== undefined) [...$("levels").children].find((each) => each.dataset.level === focused)?.focus();
  const now = level();
  $("none").hidden = Boolean(now);
  $("none").textContent = about.error && !levels.length ? about.error : "Levels appear here as soon as the text has one.";
  $("level").hidden = !now;
  studio.editor.frameLevel(now);
  if (!now) return;
  if (game.key !== now.key) game = { ...fresh(), key: now.key };
  showAnswer();
  showBoard();
}

function showAnswer() {
  const answer = known();
  const badges = [...(answer.badges || [])];
  if (answer.error && answer.done) badges.unshift({ tone: answer.status ? "quiet" : "bad", text: answer.status ? "not known" : "cannot be read", about: answer.error });
  else if (!answer.done) badges.push({ tone: "quiet", text: badges.length ? "looking further…" : "solving…", about: "Longer levels take some seconds; you can go on meanwhile." });
  if (answer.message && answer.done && !badges.length) badges.push({ tone: "quiet", text: "not known", about: answer.message });
  const focused = document.activeElement?.dataset?.badge;
  $("badges").replaceChildren(...badges.map((badge) => {
    const button = made("button", { className: badge.tone, textContent: badge.text, title: badge.about, "aria-expanded": shownBadge === badge.text, onclick: () => { shownBadge = shownBadge === badge.text ? "" : badge.text; showAnswer(); } });
    button.dataset.badge = badge.text;
    return made("li", {}, button);
  }));
  if (focused !== undefined) [...$("badges").querySelectorAll("button")].find((each) => each.dataset.badge === focused)?.focus();
  const explained = badges.find((badge) => badge.text === shownBadge);
  $("about").textContent = explained ? explained.about : (answer.why || []).join("\n");
  $("solution").disabled = !answer.moves?.length;
}

// ---- playing

function showBoard() {
  const picture = game.picture || known().picture, words = game.words || known().words || "";
  if (picture) {
    const address = pictureUrl(picture);
    if ($("picture").src !== address) $("picture").src = address;
  } else $("picture").removeAttribute("src");
  $("picture").alt = words;
  $("board").classList.toggle("solved", Boolean(game.solved));
  const moves = game.moves.length;
  const end = game.solved ? "solved" : game.lost ? "from here the goal cannot be reached" : game.left != null && moves ? `${game.left} left at best` : "";
  $("score").textContent = [moves ? game.spent : "", end, game.news].filter(Boolean).join(" · ") || "Click the board, or press Ctrl+Enter in the text, and play with keys.";
  $("score").className = game.solved ? "solved" : game.lost ? "lost" : "";
  showMoves();
}

function showMoves() {
  const directed = game.directed !== false;
  $("pad").hidden = !directed || !game.choices;
  if (directed) {
    const keys = [["up", "↑"], ["left", "←"], ["down", "↓"], ["right", "→"], ...(game.deeds || []).map((deed) => [deed, deed === "act" ? "X" : "T"])];
    if ($("pad").children.length !== keys.length) $("pad").replaceChildren(...keys.map(([name, textContent]) => made("button", { className: name, textContent, "aria-label": name, onclick: () => word(name) })));
  }
  $("choices").hidden = directed || !game.choices;
  if (!directed && game.choices) $("choices").replaceChildren(...game.choices.map((move) => made("button", { textContent: move.replaceAll(":", " "), onclick: () => word(move) })));
}

const KEYS = { ArrowUp: "up", ArrowLeft: "left", ArrowDown: "down", ArrowRight: "right", w: "up", a: "left", s: "down", d: "right", x: "act", t: "wait", z: "undo", u: "undo", y: "redo", r: "restart", Enter: "act", Backspace: "undo", Home: "restart", "?": "hint" };

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") { studio.editor.focus(); event.preventDefault(); return; }
  const name = game.directed === false && event.key.length === 1 && event.key !== "?" ? event.key : KEYS[event.key] || KEYS[event.key.toLowerCase()];
  if (!name) return;
  event.preventDefault();
  word(name);
}

const rulesWanted = () => tools.open() === "rules";

export function word(name) {
  queue.push(name);
  if (queue.length > 40) queue.length = 40;
  playOn();
}

async function playOn() {
  if (busy || !queue.length || !level()) return;
  busy = true;
  const key = level().key, name = queue.shift();
  const answer = await ask("play", { ...studio.request(), level: chosen, moves: game.moves, word: name, rules: rulesWanted() });
  busy = false;
  if (level()?.key === key) {
    if (answer.error !== undefined) { queue = []; game.news = answer.error; } else game = { ...game, ...answer, key };
    if (answer.rules !== undefined) tools.fired(answer.rules);
    showBoard();
  } else queue = [];
  playOn();
}

async function playSolution() {
  const moves = known().moves, key = level()?.key;
  if (!moves?.length) return;
  queue = [];
  word("restart");
  for (const move of moves) {
    await new Promise((done) => setTimeout(done, moves.length > 60 ? 60 : 160));
    if (level()?.key !== key) return;
    word(move);
  }
}

// ---- levels that are put into the text

function insert(text) {
  const now = level(), { editor } = studio;
  const body = text.replace(/^\n+|\s+$/g, "");
  if (kind === "problem" || kind === "domain" || (kind === "levels" && levels.length === 1 && !/\.(sok|xsb)$/.test(studio.path()))) {
    const name = studio.path(), at = name.lastIndexOf("."), ending = kind === "domain" ? ".pddl" : name.slice(at);
    const stem = kind === "domain" ? `${name.slice(0, name.lastIndexOf("/") + 1)}problem` : name.slice(0, at).replace(/-\d+$/, "");
    let number = 2;
    while (studio.files().includes(`${stem}-${number}${ending}`)) number++;
    return studio.saveNew(`${stem}-${number}${ending}`, `${body}\n`);
  }
  const line = now.last || editor.lines();
  const end = line >= editor.lines();
  editor.insertAfter(Math.min(line, editor.lines()), `${end ? "\n" : ""}\n${body}\n`);
  editor.goTo(line + 2);
}
