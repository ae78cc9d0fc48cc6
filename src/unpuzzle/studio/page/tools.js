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
  if (!rules) return put(sentence("No rule was asked: that is no move."));
  const turns = rules.turns.map((turn) => {
    const steps = turn.steps.map((step) => made("li", {},
      step.line ? made("button", { textContent: `Line ${step.line}`, onclick: () => { studio.editor.goTo(step.line); } }) : "",
      made("span", { textContent: ` ${step.words}` }), step.rule ? made("code", { textContent: step.rule }) : "",
      step.changes.length ? made("small", { className: "quiet", textContent: step.changes.join(" · ") }) : ""));
    const words = { start: "At the start", again: "A turn of again", restart: "After the restart" }[turn.why];
    return made("div", {}, words ? made("h3", { textContent: words }) : "", steps.length ? made("ol", {}, ...steps) : sentence("No rule fires."),
      turn.left ? sentence(`${turn.left} further steps are left out.`) : "", turn.ends ? sentence({ cancel: "Cancelled: all is as before.", "no player moved": "No player moved: all is as before.", win: "The level is won.", restart: "Restart." }[turn.ends] || "") : "");
  });
  put(...(turns.length ? turns : [sentence("Nothing happened.")]));
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
  const words = opened === "like" ? "Levels that are changes of this one, about as hard." : "New levels of this puzzle.";
  put(sentence(words), made("div", { className: "row" }, button("Make some", makeSome)));
}

async function makeSome() {
  const cost = studio.known().facts?.cost ?? null;
  put(sentence("Making levels…"));
  const answer = await ask("like", { ...studio.request(), level: studio.level()?.name, cost, seed: seed++ });
  if (answer.error) put(sentence(answer.error));
}

export function liked(data) {
  if (opened !== "like" && opened !== "new") return;
  if (data.level !== studio.level()?.name) return;
  if (data.error) return put(sentence(data.error), made("div", { className: "row" }, button("Try again", makeSome)));
  const figures = (data.levels || []).map((each, at) => made("figure", {}, made("img", { src: pictureUrl(each.picture), alt: `Level ${at + 1}: ${each.text}` }),
    made("figcaption", { textContent: `${each.cost} move${each.cost === 1 ? "" : "s"}` }), made("button", { textContent: "Take it", "aria-label": `Take level ${at + 1} into the text`, onclick: () => studio.insert(each.text) })));
  const words = !data.done ? "Making levels…" : figures.length ? "" : "No level was found in time.";
  put(...(words ? [sentence(words)] : []), made("div", { className: "grid" }, ...figures), ...(data.done ? [made("div", { className: "row" }, button("Others", makeSome))] : []));
}

// ---- files

const KINDS = { ".html": "Page to play on", ".pdf": "Sheet to print", ".svg": "Picture (SVG)", ".png": "Picture (PNG)", ".gif": "Film of the solution" };

function exportPanel() {
  const buttons = Object.entries(KINDS).map(([kind, name]) => {
    const each = button(name, () => exportAs(kind));
    each.disabled = kind === ".gif" && !studio.known().moves?.length;
    return each;
  });
  put(sentence("The page and the sheet have all levels, the others this one. Your browser keeps the file."), made("div", { className: "row" }, ...buttons));
}

async function exportAs(kind) {
  const answer = await answerOf("export", { kind, moves: kind === ".gif" ? studio.known().moves : [] }, "Making the file…");
  if (!answer) return;
  exportPanel();
  download(answer.blob, answer.name);
  $("panel").append(sentence(`${answer.name} is ready.`));
}
