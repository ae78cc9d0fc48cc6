// Tools below the board: which rules fired, all positions, a plan step by step, levels like this one, files.
import { $, ask, download, made, pictureUrl } from "./ask.js";

let studio, offered = [], opened = "", requested = 0;
const TITLES = { rules: "Rules", graph: "Positions", plan: "Plan", like: "More like this", new: "New levels", export: "Export" };
const panels = { rules: rulesPanel, graph: graphPanel, plan: planPanel, like: likePanel, new: likePanel, export: exportPanel };

export function start(given) {
  studio = given;
}

export const open = () => opened;

export function offer(names, changed) {
  const order = [...(names.includes("rules") ? ["rules"] : []), "graph", ...(names.includes("plan") ? ["plan"] : []), ...(names.includes("like") ? ["like"] : names.includes("new") ? ["new"] : []), "export"];
  if (order.join() !== offered.join()) {
    offered = order;
    if (!offered.includes(opened)) opened = offered[0];
    $("tabs").replaceChildren(...offered.map((name) => made("button", { id: `tab-${name}`, textContent: TITLES[name], role: "tab", "aria-controls": "panel", onclick: () => choose(name), onkeydown: (event) => along(event, name) })));
    changed = true;
  }
  if (changed) fresh();
}

function along(event, name) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const next = offered[(offered.indexOf(name) + step + offered.length) % offered.length];
  choose(next);
  $(`tab-${next}`).focus();
}

function choose(name) {
  opened = name;
  fresh();
}

// Show the tool that is open for the level that is chosen.
export function fresh() {
  requested++;
  for (const button of $("tabs").children) {
    const here = button.id === `tab-${opened}`;
    button.setAttribute("aria-selected", here);
    button.tabIndex = here ? 0 : -1;
  }
  $("panel").setAttribute("aria-labelledby", `tab-${opened}`);
  $("panel").replaceChildren();
  if (opened) panels[opened]();
}

const put = (...parts) => $("panel").replaceChildren(...parts);
const sentence = (textContent) => made("p", { textContent });
const button = (textContent, onclick) => made("button", { textContent, onclick });

async function answerOf(name, more, waiting) {
  const mine = ++requested;
  put(sentence(waiting));
  const answer = await ask(name, { ...studio.request(), level: studio.level()?.name, ...more });
  if (mine !== requested) return null;
  if (answer.error !== undefined) {
    put(sentence(answer.error || "There is no answer."));
    return null;
  }
  return answer;
}

// ---- rules

function rulesPanel() {
  put(sentence("Play a move on the board: each rule that fires is listed here, with its line and what it changes."));
}

export function fired(rules) {
  if (opened !== "rules") return;
  if (!rules) return put(sentence("That is not a move, so no rule was applied."));
  const turns = rules.turns.map((turn) => {
    const steps = turn.steps.map((step) => made("li", {},
      step.line ? made("button", { textContent: `Line ${step.line}`, onclick: () => { studio.editor.goTo(step.line); } }) : "",
      made("span", { textContent: ` ${step.words}` }), step.rule ? made("code", { textContent: step.rule }) : "",
      step.changes.length ? made("small", { className: "quiet", textContent: step.changes.join(" · ") }) : "", step.drawn ? boards(rules, turn, step) : ""));
    const words = { start: "At the start", again: "A turn of again", restart: "After the restart" }[turn.why];
    return made("div", {}, words ? made("h3", { textContent: words }) : "", steps.length ? made("ol", {}, ...steps) : sentence("No rule fires."),
      turn.left ? sentence(`${turn.left} further steps are left out.`) : "", turn.ends ? sentence({ cancel: "Cancelled: all is as before.", "no player moved": "No player moved: all is as before.", win: "The level is won.", restart: "Restart." }[turn.ends] || "") : "");
  });
  put(...(turns.length ? turns : [sentence("Nothing happened.")]));
  $("panel").querySelector(".boards summary")?.click();
}

// The board before and after a step, drawn when somebody wants to see it.
function boards(rules, turn, step) {
  const asked = { ...studio.request(), level: studio.level()?.name, moves: rules.moves, key: rules.key, turn: rules.turns.indexOf(turn), step: step.number };
  const pictures = made("div", { className: "pictures" });
  const whole = made("details", { className: "boards" }, made("summary", { textContent: "Before and after" }), pictures);
  whole.ontoggle = async () => {
    if (!whole.open || pictures.children.length) return;
    pictures.replaceChildren(sentence("Drawing…"));
    const answer = await ask("step", asked);
    if (answer.error !== undefined) return pictures.replaceChildren(sentence(answer.error || "There is no answer."));
    pictures.replaceChildren(...[["before", "Before"], ["after", "After"]].map(([name, title]) =>
      made("figure", {}, made("img", { src: pictureUrl(answer[name]), alt: `The board ${name} this step` }), made("figcaption", { textContent: title }))));
  };
  return whole;
}

// ---- all positions

function graphPanel() {
  put(button("Draw all positions", drawGraph));
}

async function drawGraph() {
  const answer = await answerOf("graph", {}, "Exploring…");
  if (answer) put(made("img", { src: pictureUrl(answer.picture), alt: answer.words }), sentence(answer.words));
}

// ---- a plan

function planPanel() {
  put(button("Show a plan step by step", showPlan));
}

async function showPlan() {
  const answer = await answerOf("plan", {}, "Planning…");
  if (!answer) return;
  const facts = (kind, name, sign) => (kind || []).slice(0, 12).map((fact) => made("code", { className: name, textContent: `${sign} ${fact}` }));
  const steps = answer.trace.steps.map((step) => made("li", {}, made("code", { textContent: step.action }), ...facts(step.deleted, "minus", "−"), ...facts(step.added, "plus", "+")));
  put(sentence(`${steps.length} step${steps.length === 1 ? "" : "s"}, cost ${answer.cost}${answer.optimal ? ": none costs less" : ""}.`), made("ol", {}, ...steps));
}

// ---- levels like this one

let seed = 0;
function likePanel() {
  const words = opened === "like" ? "Variations of this level that are about as hard." : "New levels of this puzzle.";
  put(sentence(words), made("div", { className: "row" }, button("Make some", makeSome)));
}

async function makeSome() {
  const cost = studio.known().cost ?? null;
  put(sentence("Making levels…"));
  const answer = await ask("like", { ...studio.request(), level: studio.level()?.name, cost, seed: seed++ });
  if (answer.error) put(sentence(answer.error));
}

export function liked(data) {
  if (opened !== "like" && opened !== "new") return;
  if (data.level !== studio.level()?.name) return;
  if (data.error) return put(sentence(data.error), made("div", { className: "row" }, button("Try again", makeSome)));
  const figures = (data.levels || []).map((each, at) => made("figure", {}, made("img", { src: pictureUrl(each.picture), alt: `Level ${at + 1}: ${each.text}` }),
    made("figcaption", { textContent: each.words }), made("button", { textContent: "Take it", "aria-label": `Take level ${at + 1} into the text`, onclick: () => studio.insert(each.text) })));
  const words = !data.done ? "Making levels…" : figures.length ? "" : "No level was found in time.";
  put(...(words ? [sentence(words)] : []), made("div", { className: "grid" }, ...figures), ...(data.done ? [made("div", { className: "row" }, button("Others", makeSome))] : []));
}

// ---- files

const KINDS = { ".html": "Page to play on", ".pdf": "Sheet to print", ".svg": "Picture (SVG)", ".png": "Picture (PNG)", ".gif": "Film of the solution" };

function exportPanel(news) {
  const buttons = Object.entries(KINDS).map(([kind, name]) => {
    const each = button(name, () => exportAs(kind));
    each.disabled = kind === ".gif" && !studio.known().moves?.length;
    return each;
  });
  put(made("p", { textContent: news || "The page and the sheet contain all levels; the pictures and the film show this one. Your browser saves the file.", role: "status" }), made("div", { className: "row" }, ...buttons), choices());
}

// What the sheet and the page may have besides; kept while the studio is open.
const wishes = { title: "", author: "", rules: "", cover: false, solutions: true, debug: false };
function choices() {
  const written = (name, label, element) => made("label", {}, label, Object.assign(element, { value: wishes[name], oninput: () => { wishes[name] = element.value; } }));
  const ticked = (name, label) => {
    const box = made("input", { type: "checkbox", checked: wishes[name], onchange: () => { wishes[name] = box.checked; } });
    return made("label", { className: "tick" }, box, label);
  };
  const sheet = made("fieldset", {}, made("legend", { textContent: "Sheet" }), written("title", "Title", made("input", { maxLength: 200, placeholder: "the game's" })), written("author", "Author", made("input", { maxLength: 200 })),
    written("rules", "Rules, on the cover", made("textarea", { rows: 3, maxLength: 5000 })), ticked("cover", "Cover"), ticked("solutions", "Solutions at the end"));
  const page = offered.includes("rules") ? [made("fieldset", {}, made("legend", { textContent: "Page" }), ticked("debug", "Show which rules fire"))] : [];
  return made("div", { className: "choices" }, sheet, ...page);
}

async function exportAs(kind) {
  const answer = await answerOf("export", { ...(kind === ".pdf" || kind === ".html" ? wishes : {}), debug: kind === ".html" && offered.includes("rules") && wishes.debug, kind, moves: kind === ".gif" ? studio.known().moves : [] }, "Making the file…");
  if (!answer) return;
  download(answer.blob, answer.name);
  exportPanel(`${answer.name} is ready.`);
}
