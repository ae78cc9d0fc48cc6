// Pieces that are dragged: by any of their cells, to where moves can bring them.

$("board").classList.add("dragged");

// The piece on top of those at a point.
const grabbed = ({ x, y }) => model.pieces(here()).filter((place) => cells(place).some((cell) => inside(x, y, cell))).pop();

// Where an option brings a piece: the nearest new placement of its kind; undefined if the piece stays.
function moved({ target }, place) {
  const before = new Set(model.pieces(here())), after = new Set(model.pieces(target));
  return after.has(place) ? undefined : nearest(new Set([...after].filter((each) => !before.has(each))), place);
}

// One move after the other, as long as it brings the piece nearer to where it is to be. Where moves are directions, a
// drag is one move, as a swipe that begins elsewhere.
more.dragged = (from, to) => {
  let place = grabbed(from), done = false;
  if (place === undefined) return !sided;
  const spot = (of) => level.places[of].slice(1, 3), [row, column] = spot(place);
  const far = (of) => Math.hypot(spot(of)[0] - row - to.y + from.y, spot(of)[1] - column - to.x + from.x);
  while (!(done && sided)) {
    const steps = options.map((option) => ({ move: option.move, target: moved(option, place) })).filter(({ target }) => target !== undefined);
    const best = steps.sort((a, b) => far(a.target) - far(b.target))[0];
    if (!best || far(best.target) > far(place) - 0.01) break;
    done = act(best.move);
    place = best.target;
  }
  return done || !sided;
};
