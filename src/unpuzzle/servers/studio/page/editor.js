// The text: the editor component, faults as squiggles, the lines of the chosen level.
import { modeOf } from "./modes.js";

let editor, Range, markers = [], frame = null;
const sessions = new Map();
export const dark = matchMedia("(prefers-color-scheme: dark)");

export function start(element, changed, moved, commands) {
  ace.config.set("basePath", "ace");
  ace.config.set("useStrictCSP", true);
  Range = ace.require("ace/range").Range;
  editor = ace.edit(element, { enableKeyboardAccessibility: true, showPrintMargin: false, useWorker: false, fontSize: 14, scrollPastEnd: 0.3, highlightSelectedWord: false, fixedWidthGutter: true });
  const theme = () => editor.setTheme({ cssClass: "ace-studio", isDark: dark.matches, cssText: "" });
  theme();
  dark.addEventListener("change", theme);
  editor.textInput.getElement().setAttribute("aria-label", "Text of the file");
  for (const [name, key, exec] of commands) editor.commands.addCommand({ name, bindKey: { win: key, mac: key.replace("Ctrl", "Command") }, exec });
  editor.on("change", () => changed());
  editor.on("changeSelection", () => moved(editor.getCursorPosition().row + 1));
  new ResizeObserver(() => editor.resize()).observe(element);
}

// Show a file; its text, where it is not open yet. What one has undone stays undone in each file.
export function show(path, text) {
  let session = sessions.get(path);
  if (!session) {
    session = ace.createEditSession(text, modeOf("", path));
    session.setUseWorker(false);
    session.setUseWrapMode(false);
    session.setTabSize(2);
    session.setNewLineMode("unix");
    sessions.set(path, session);
  }
  clear();
  editor.setSession(session);
}

export const forget = (path) => sessions.delete(path);
export const text = () => editor.session.getValue();
export const textOf = (path) => sessions.get(path)?.getValue();
export const focus = () => editor.focus();
export const lock = (locked) => editor.setReadOnly(locked);
export const colour = (kind, path) => {
  const mode = modeOf(kind, path);
  if (editor.session.getMode() !== mode) editor.session.setMode(mode);
};

// Replace all of the text; the editor's undo brings the old one back.
export function replace(value) {
  const last = editor.session.getLength();
  editor.session.replace(new Range(0, 0, last, 0), value);
}

export function insertAfter(line, value) {
  editor.session.insert({ row: line, column: 0 }, value);
}

export const lines = () => editor.session.getLength();
export const lineAt = (line) => editor.session.getLine(line - 1);

export function edit([line, column, endLine, endColumn, value]) {
  editor.session.replace(new Range(line - 1, column - 1, endLine - 1, endColumn - 1), value);
}

export function goTo(line, column = 1) {
  editor.gotoLine(line, column - 1, false);
  editor.scrollToLine(line - 1, true, false);
}

function clear() {
  if (!editor.session) return;
  for (const marker of markers) editor.session.removeMarker(marker);
  if (frame !== null) editor.session.removeMarker(frame);
  markers = [];
  frame = null;
}

export function squiggle(faults) {
  for (const marker of markers) editor.session.removeMarker(marker);
  markers = faults.map((fault) => editor.session.addMarker(rangeOf(fault), `squiggle ${fault.severity}`, "text", true));
  editor.session.setAnnotations(faults.map((fault) => ({ row: (fault.line || 1) - 1, column: (fault.column || 1) - 1, text: fault.message, type: fault.severity })));
}

function rangeOf(fault) {
  const row = (fault.line || 1) - 1, column = (fault.column || 1) - 1;
  const text = editor.session.getLine(row) || "";
  let endRow = fault.end_line ? fault.end_line - 1 : row, end = fault.end_column ? fault.end_column - 1 : 0;
  if (!fault.end_line) {
    const word = /^[\w-]+|^\S/.exec(text.slice(column));
    end = fault.column ? column + (word ? word[0].length : 1) : Math.max(text.length, 1);
  }
  if (endRow === row && end <= column) end = column + 1;
  return new Range(row, column, endRow, end);
}

export function frameLevel(level) {
  if (frame !== null) editor.session.removeMarker(frame);
  frame = level && level.first && (level.first > 1 || level.last < lines() - 1) ? editor.session.addMarker(new Range(level.first - 1, 0, level.last - 1, 1), "chosen-level", "fullLine") : null;
}
