// The Python face of the search core: converts buffers, releases the GIL, maps statuses. No algorithm lives here.
#include <nanobind/nanobind.h>

NB_MODULE(_core, m) { m.doc() = "Search core of the native planner."; }
