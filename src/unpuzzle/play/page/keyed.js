// Levels that are played by keys as in the engine that they come from: a clock, no undo, no restart, checkpoints.
//   level.interval      the seconds between two ticks, each of which is the move T; P starts the clock and holds it
//   level.checkpoints   by three: a state, a move, and the state that a restart leads to from then on; -1 is not known
// A restart is a step of its own, which can be undone; what is saved stays saved, as it does there.

const RESTARTED = -1;
let saves, saved, clock = 0;
const ticks = (move) => deed(move) === DEEDS.t;
const pauseButton = button("Start", "Clock", "", () => turnClock(!clock));
$("tools").append(pauseButton);
pauseButton.id = "pause";

more.begun = () => {
  const places = level.checkpoints || [];
  saves = new Map();
  saved = model.start;
  for (let i = 0; i < places.length; i += 3) saves.set(places[i] + " " + places[i + 1], places[i + 2]);
  for (const [id, gone] of [["undo", level.noundo], ["redo", level.noundo], ["restart", level.norestart], ["pause", !level.interval]]) $(id).hidden = Boolean(gone);
  turnClock(false);
};

more.stepped = (move) => (saved = saves.get(here() + " " + move) ?? saved);
more.find = (name) => name === "!" && saved !== -1 && [RESTARTED, saved];
more.restart = () => {
  stop();
  if (saved === model.start) helped = false;
  if (saved !== -1 && saved !== here()) step(RESTARTED, saved);
  refresh(saved === -1 ? BEYOND : "");
  return true;
};

// Undo takes back ticks with the key before them; where there was none, it does nothing.
more.before = () => {
  let to = at - 1;
  while (level.interval && to >= 0 && ticks(done[to])) to--;
  return level.noundo || to < 0 ? at : to;
};

function turnClock(on) {
  clearInterval(clock);
  clock = on && level.interval && !model.solved(here()) ? setInterval(tick, 1000 * level.interval) : 0;
  pauseButton.textContent = clock ? "Pause" : "Start";
}
function tick() {
  play(level.moves.findIndex((_, move) => ticks(move)));
  if (model.solved(here())) turnClock(false);
}
more.acted = () => clock || turnClock(true);
more.held = () => turnClock(false);
more.letters = { p: () => turnClock(!clock) };
