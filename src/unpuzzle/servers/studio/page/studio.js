// The page: files, the text, and what is told about it. The level beside it is in bench.js.
import { $, ask, made, windowName } from "./ask.js";
import * as bench from "./bench.js";
import * as editor from "./editor.js";

const PAUSE = 120; // milliseconds without typing after which the text is looked at
const files = new Map(); // by path: {text (saved), version, locked, puzzle, unsaved, gone, theirs}
let all = { files: [], puzzles: [], beginnings: [] };
let path = "", revision = 0, timer = 0, quietly = false;

const file = () => files.get(path);
const unsaved = () => [...files.values()].some((each) => each.unsaved);

// ---- the text

function changed() {
  if (quietly || !path) return;
  file().unsaved = editor.text() !== file().text;
  showState();
  clearTimeout(timer);
  timer = setTimeout(send, PAUSE);
}

async function send() {
  if (!path) return;
  const asked = path;
  const answer = await ask("edit", { ...request(), revision: ++revision });
  if (asked !== path) return;
  if (answer.error) return say(answer.error);
  showPuzzle(answer.puzzle || "");
}

// Domains and problems beside this one count as they are typed.
function typedBeside() {
  if (!path.endsWith(".pddl")) return {};
  const others = [...files.entries()].filter(([name, each]) => name !== path && each.unsaved && name.endsWith(".pddl"));
  return Object.fromEntries(others.map(([name]) => [name, editor.textOf(name) ?? files.get(name).text]));
}

export const request = () => ({ path, text: editor.text(), puzzle: file().puzzle || "", chosen: bench.chosenName(), unsaved: typedBeside() });

function looked(data) {
  if (data.revision !== revision) return; // of a text before this one
  if (data.levels) {
    editor.colour(data.kind, path);
    bench.showLevels(data);
    $("puzzle-of").hidden = !(data.kind === "levels" || (data.kind === "other" && /\.(txt|sok|xsb)$/.test(path)));
    bench.follow(currentLine);
  }
  if (data.faults) showFaults(data.faults, data.more);
  if (data.done && data.error && !data.faults) showFaults([{ line: 1, column: 1, severity: "error", message: data.error }], 0);
}

function showFaults(faults, more) {
  editor.squiggle(faults);
  const errors = faults.filter((fault) => fault.severity === "error").length, warnings = faults.length - errors;
  const many = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
  const words = [errors && many(errors, "error"), warnings && many(warnings, "warning")].filter(Boolean).join(", ");
  $("fault-count").textContent = (words || "No faults") + (more ? ` and ${more} more` : "");
  $("faults").querySelector("ol").replaceChildren(...faults.slice(0, 100).map((fault) => {
    const place = made("button", { onclick: () => { editor.goTo(fault.line || 1, fault.column || 1); editor.focus(); } },
      made("span", { className: "place", textContent: `Line ${fault.line || 1}` }));
    const item = made("li", { className: fault.severity, title: fault.code || "" },
      made("span", { className: "mark", textContent: fault.severity === "error" ? "✕" : "!" }), made("span", { className: "unseen", textContent: fault.severity }), place, made("span", { textContent: fault.message }));
    if (fault.fix) item.append(made("button", { className: "fix", textContent: fault.guess ? "Try" : "Fix", title: `Write ${fault.fix[4]}${fault.guess ? ": a guess, which may change the meaning" : ""}`, onclick: () => editor.edit(fault.fix), "aria-label": `${fault.guess ? "Try" : "Fix"}: ${fault.message}` }));
    return item;
  }));
}

let currentLine = 1;
function moved(line) {
  currentLine = line;
  bench.follow(line);
}

// ---- files

async function refresh() {
  const answer = await ask("files");
  if (answer.error) return say(answer.error);
  all = answer;
  $("folder").textContent = all.folder;
  showFiles();
  return answer;
}

function showFiles() {
  const names = [...new Set([...all.files, ...files.keys()])];
  $("files").querySelector("ul").replaceChildren(...names.map((name) => {
    const button = made("button", { textContent: name, title: name, onclick: () => open(name) });
    if (name === path) button.setAttribute("aria-current", "true");
    if (files.get(name)?.unsaved) button.className = "unsaved";
    return made("li", {}, button);
  }));
  $("empty").hidden = Boolean(path) || names.length > 0;
}

let wanted = ""; // the file that was asked for last: it is shown, even if an earlier one is read later
export async function open(name) {
  wanted = name;
  if (!files.has(name)) {
    const answer = await ask("open", { path: name });
    if (answer.error) return say(answer.error);
    files.set(name, { ...answer, puzzle: "", unsaved: false });
  }
  if (wanted === name) shown(name);
}

function shown(name) {
  path = name;
  quietly = true;
  editor.show(path, file().text);
  quietly = false;
  editor.lock(Boolean(file().locked));
  showFaults([], 0);
  bench.clear();
  $("puzzle-of").hidden = true;
  if (matchMedia("(max-width: 60rem)").matches) toggleFiles(false);
  showFiles();
  showState();
  send();
  document.title = `${path} · Studio`;
}

function showState() {
  const now = file();
  $("name").textContent = path || "Studio";
  $("save").disabled = !now || now.locked || (!now.unsaved && !now.gone);
  $("save").className = now && (now.unsaved || now.gone) ? "unsaved" : "";
  $("state").textContent = !now ? "" : now.locked ? `Only to read: ${now.locked}` : now.unsaved ? "Not saved" : "Saved";
  for (const button of $("files").querySelectorAll("button")) button.className = files.get(button.title)?.unsaved ? "unsaved" : "";
  showNotice();
}

async function save() {
  const now = file(), name = path;
  if (!now || now.locked) return;
  const text = editor.text();
  const answer = await ask("save", { path: name, text, base: now.gone ? null : now.version });
  if (answer.status === 409) {
    now.theirs = answer.file;
    now.gone = !answer.file;
    return showState();
  }
  if (answer.error) return say(answer.error);
  Object.assign(now, { text, version: answer.version, gone: false, theirs: null, unsaved: path === name && editor.text() !== text });
  if (!all.files.includes(name)) refresh();
  showState();
}

// ---- files that somebody else changes

async function filesChanged(data) {
  all.files = data.files;
  showFiles();
  for (const [name, version] of Object.entries(data.changed)) {
    const known = files.get(name);
    if (!known || version === known.version) continue;
    if (version === null) known.gone = true;
    else {
      const answer = await ask("open", { path: name });
      if (answer.error || answer.version === known.version) continue;
      if (known.unsaved) known.theirs = answer;
      else take(name, answer);
    }
  }
  showState();
}

// Take the file as it is now; the editor's undo has what was there before.
function take(name, theirs) {
  const now = files.get(name);
  Object.assign(now, { ...theirs, path: name, theirs: null, gone: false, unsaved: false });
  if (name !== path) return editor.forget(name);
  const line = currentLine;
  quietly = true;
  editor.replace(now.text);
  quietly = false;
  editor.goTo(Math.min(line, editor.lines()));
  send();
}

async function keepBoth() {
  const at = path.lastIndexOf("."), now = file();
  for (let number = 2; number < 100; number++) {
    const name = `${path.slice(0, at)}-${number}${path.slice(at)}`;
    const answer = await ask("new", { path: name, text: editor.text() });
    if (answer.status === 409) continue;
    if (answer.error) return say(answer.error);
    const theirs = now.theirs;
    files.set(name, { ...answer, puzzle: now.puzzle, unsaved: false });
    take(path, theirs);
    await refresh();
    return shown(name);
  }
}

let said = "";
export function say(sentence) {
  said = sentence;
  showNotice();
}

function showNotice() {
  const now = file(), act = (textContent, onclick) => made("button", { textContent, onclick });
  let parts = [];
  if (now?.theirs) {
    parts = [made("p", { textContent: "This file was changed elsewhere, and here, too." }),
      act("Take theirs", () => { take(path, file().theirs); showState(); }),
      act("Keep mine", () => { Object.assign(now, { version: now.theirs.version, theirs: null, unsaved: true }); showState(); }),
      act("Keep both", keepBoth)];
  } else if (now?.gone) {
    parts = [made("p", { textContent: "This file was deleted. Its text is still here." }), act("Save it again", save)];
  } else if (said) {
    parts = [made("p", { textContent: said }), act("Close", () => say(""))];
  }
  $("notice").replaceChildren(...parts);
  $("notice").hidden = !parts.length;
}

// ---- the puzzle of a file of levels

function showPuzzle(name) {
  const own = all.files.filter((each) => each.endsWith(".py")), known = [...own, ...all.puzzles];
  $("puzzle").replaceChildren(made("option", { value: "", textContent: "which one?" }), ...known.map((each) => made("option", { value: each, textContent: each })));
  $("puzzle").value = known.includes(name) ? name : "";
}

// ---- a new file

function create() {
  $("beginning").replaceChildren(...all.beginnings.map((each, at) => made("option", { value: at, textContent: each.title })));
  suggest();
  $("creating-error").textContent = "";
  $("creating").showModal();
}

function suggest() {
  const { path: name } = all.beginnings[$("beginning").value || 0], at = name.lastIndexOf(".");
  let free = name;
  for (let number = 2; all.files.includes(free); number++) free = `${name.slice(0, at)}-${number}${name.slice(at)}`;
  $("file-name").value = free;
}

async function createFile(event) {
  event.preventDefault();
  const name = $("file-name").value.trim();
  const answer = await ask("new", { path: name, beginning: all.beginnings[$("beginning").value].beginning });
  if (answer.error) {
    $("creating-error").textContent = answer.status === 409 ? "There is a file of that name." : answer.error;
    return;
  }
  $("creating").close();
  files.set(name, { ...answer, puzzle: "", unsaved: false });
  await refresh();
  shown(name);
}

export async function saveNew(name, text) {
  const answer = await ask("new", { path: name, text });
  if (answer.error) return say(answer.status === 409 ? `There is a file ${name} already.` : answer.error);
  await refresh();
  return open(name);
}

// ---- the page

function toggleFiles(shownNow) {
  document.querySelector("main").classList.toggle("bare", !shownNow);
  $("show-files").setAttribute("aria-expanded", shownNow);
}

function view(name) {
  document.querySelector("main").classList.toggle("level", name === "level");
  $("view-text").setAttribute("aria-pressed", name === "text");
  $("view-level").setAttribute("aria-pressed", name === "level");
}

async function stop() {
  if (unsaved() && !confirm("There are texts that are not saved. End the studio?")) return;
  await ask("stop");
  events.close();
  files.forEach((each) => (each.unsaved = false));
  document.body.replaceChildren(made("main", { className: "bare" }, made("p", { textContent: "The studio has ended. This page can be closed." })));
}

let events;
function listen() {
  events = new EventSource(`events?window=${windowName}`);
  const on = (name, act) => events.addEventListener(name, (event) => act(JSON.parse(event.data)));
  on("hello", () => { if ($("notice").textContent.startsWith("The studio does not answer")) say(""); send(); });
  on("look", looked);
  on("level", bench.told);
  on("like", bench.liked);
  on("files", filesChanged);
  events.onerror = () => say("The studio does not answer. Has it ended? Your text is still here.");
}

async function begin() {
  editor.start($("editor"), changed, moved, [
    ["save", "Ctrl-S", save],
    ["play", "Ctrl-Enter", () => { view("level"); $("board").focus(); }],
  ]);
  bench.start({ request, editor, say, open, saveNew, path: () => path, files: () => all.files });
  $("save").onclick = save;
  $("new").onclick = $("begin").onclick = create;
  $("stop").onclick = stop;
  $("beginning").onchange = suggest;
  $("creating").querySelector("form").onsubmit = (event) => (event.submitter?.value === "create" ? createFile(event) : null);
  $("show-files").onclick = () => toggleFiles(document.querySelector("main").classList.contains("bare"));
  $("view-text").onclick = () => view("text");
  $("view-level").onclick = () => view("level");
  $("puzzle").onchange = () => { file().puzzle = $("puzzle").value; send(); };
  addEventListener("beforeunload", (event) => { if (unsaved()) event.preventDefault(); });
  addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "s") { event.preventDefault(); save(); }
  });
  const answer = await refresh();
  const narrow = matchMedia("(max-width: 60rem)").matches;
  toggleFiles(!(narrow || all.first));
  listen();
  const first = answer && (all.first || all.files[0]);
  if (first) await open(first);
  document.body.dataset.ready = "1";
}

begin();
