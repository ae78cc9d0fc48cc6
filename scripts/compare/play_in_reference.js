// Plays games in the reference engine of PuzzleScript: one JSON object a line from standard input, one a line out.
//   node scripts/compare/play_in_reference.js FOLDER < GAMES
// FOLDER contains the engine's `trace.js`, not part of this project. A game is {text, level, inputs, seed}; inputs are
// u l d r x, t a tick, z undo, ! restart. An answer is {errors, warnings, failure, said, start, boards, won, capped, moved}: numbers of
// errors and warnings, the sentence of a failure, those of the errors and warnings, the board at the start and after each input, and the number of the input
// that won, counted from 1; `moved`: the level was won before the first input. Without a game `start` is null. With a `log` in
// the game the answer has one, too: by input, the start first, what the verbose log says of rules, `31 right` and `31 queues again`.
'use strict';
const path = require('path'), vm = require('vm'), fs = require('fs'), os = require('os');

// trace.js plays a game when it is loaded; its output is not needed.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'puzzlescript-')), empty = path.join(folder, 'empty.txt');
fs.writeFileSync(empty, 'title Nothing\n\nOBJECTS\n\nBackground\nblack\n\nPlayer .\nred\n\nLEGEND\n\nSOUNDS\n\n' +
  'COLLISIONLAYERS\n\nBackground\nPlayer\n\nRULES\n\nWINCONDITIONS\n\nLEVELS\n\n.\n');
const arguments_ = process.argv, write = process.stdout.write, complain = console.error;
process.argv = [arguments_[0], arguments_[1], empty, '0', ''];
process.stdout.write = () => true;
require(path.resolve(arguments_[2], 'trace.js'));
process.stdout.write = write;
fs.rmSync(folder, { recursive: true });
console.error = console.warn = console.log = () => {};

const MOST_MILLISECONDS = 10000;

vm.runInThisContext(`
// A win is recorded, and no next level loaded: after the last level, the engine does not show that it was won.
DoWin = function () { againing = false; winning = true; };
let logged = null;
consolePrint = function (text) {
  const fired = /Rule <a[^>]*>(\\d+)<\\/a> (\\w* ?applied|triggers command (\\w+))/.exec(String(text));
  if (fired && logged) logged[logged.length - 1].push(fired[3] ? fired[1] + ' queues ' + fired[3] : (fired[1] + ' ' + fired[2].replace('applied', '')).trim());
};
const listen = () => { verbose_logging = true; debug_visualisation_array = new Proxy([], { get: (t, k) => (k in t ? t[k] : []) }); };
function playInReference(text, number, inputs, seed, log) {
  logged = log ? [[]] : null;
  const keys = { u: 0, l: 1, d: 2, r: 3, x: 4, t: -1 };
  const out = { errors: 0, warnings: 0, failure: null, said: [], start: null, boards: [], won: null, capped: false, moved: false };
  const settle = () => {
    for (let turns = 1; againing; turns++) {
      againing = false; processInput(-1);
      if (turns > 500) { out.capped = true; return; }
    }
  };
  unitTesting = true; lazyFunctionGeneration = false; levelString = text; againing = false; winning = false; restarting = false;
  hasUsedCheckpoint = false; titleScreen = false; textMode = false; curlevel = -1;
  const before = state;
  const loaded = loadLevelFromState;
  // Compiling turns the log off, after which the level starts.
  if (log) loadLevelFromState = function () { listen(); return loaded.apply(this, arguments); };
  try { compile(['loadLevel', number], text, seed); } finally {
    loadLevelFromState = loaded;
    out.errors = errorCount; out.warnings = errorStrings.length - errorCount;
    out.said = errorStrings.map(text => String(text).replace(/<[^>]*>/g, '').trim());
  }
  if (state === before) { out.errors = out.errors || 1; return out; }
  settle();
  out.moved = winning;
  out.start = boardText();
  for (let i = 0; i < inputs.length && !out.capped && !out.moved; i++) {
    if (log) logged.push([]);
    if (inputs[i] === 'z') DoUndo(false, true);
    else if (inputs[i] === '!') DoRestart();
    else if (!(inputs[i] === 'x' && 'noaction' in state.metadata)) processInput(keys[inputs[i]]);
    settle();
    if (winning) { out.won = i + 1; break; }
    if (!out.capped) out.boards.push(boardText());
  }
  verbose_logging = false;
  if (log) out.log = logged;
  return out;
}`);

const lines = require('readline').createInterface({ input: process.stdin, terminal: false });
lines.on('line', line => {
  const game = JSON.parse(line);
  let answer;
  try {
    global.gameToPlay = [game.text, game.level, game.inputs, game.seed || '1', Boolean(game.log)];
    answer = vm.runInThisContext('playInReference(...gameToPlay)', { timeout: MOST_MILLISECONDS });
  } catch (error) {
    answer = { errors: null, failure: String(error && error.message) };
  }
  write.call(process.stdout, JSON.stringify(answer) + '\n');
});
