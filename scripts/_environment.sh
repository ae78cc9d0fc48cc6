# Sourced by the scripts beside it. `prepare EXTRA` makes .venv if it is missing and installs this clone into it,
# editable: an edited .py or .pddl counts at once, and only pyproject.toml, CMakeLists.txt and the C++ sources ever
# ask for another install, which compiles what changed. Sets $bin, where `python` is.

cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin="$PWD/.venv/bin"
stamp=".venv/unpuzzle.stamp"      # a fingerprint of what was installed, its extras, and `core` if it was compiled
modules=".venv/unpuzzle.modules"  # what the install knows by its path; where one is gone, it has to be made anew
log="build/install.log"

fingerprint() {
    {
        command -v "${CXX:-c++}" || echo "no compiler"
        find pyproject.toml CMakeLists.txt planners/native/core src/unpuzzle/processes/guardian.cpp -type f -print0 | sort -z | xargs -0 cksum
    } | cksum
}

installed() {
    local extra=$1 wanted=$2
    [ "$(sed -n 1p "$stamp" 2>/dev/null)" = "$wanted" ] && grep -qx "$extra" "$stamp" &&
        { [ "${UNPUZZLE_REQUIRE_NATIVE:-0}" = 0 ] || grep -qx core "$stamp"; } &&
        xargs ls -d <"$modules" >/dev/null 2>&1
}

prepare() {
    if installed "$1" "$(fingerprint)"; then return; fi
    locked install_editable "$1"
}

# Two scripts at once take turns, and the second finds nothing left to do.
locked() {
    mkdir -p build
    (
        if command -v flock >/dev/null; then flock 9; fi
        "$@" 9>&-
    ) 9>build/install.lock
}

install_editable() {
    local extra=$1 wanted others=""
    wanted=$(fingerprint)
    if installed "$extra" "$wanted"; then return; fi
    if [ ! -x "$bin/python" ]; then make_environment; fi
    if [ "$(sed -n 1p "$stamp" 2>/dev/null)" = "$wanted" ]; then others=$(sed 1d "$stamp"); fi
    rm -f "$stamp"
    echo "installing unpuzzle[$extra] into .venv ..." >&2
    install_build_tools
    pip_install "$bin/python" -e ".[$extra]"
    find src pddl planners translators puzzlescript -name '*.py' >"$modules"
    if "$bin/python" -c 'import unpuzzle.planners.native._core' 2>/dev/null; then
        others="$others core"
    else
        echo "the core could not be compiled, so planning will be slow: $log says why" >&2
    fi
    printf '%s\n' "$wanted" "$extra" $others >"$stamp.new"
    mv "$stamp.new" "$stamp"
}

make_environment() {
    "${PYTHON:-python3}" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
        echo "unpuzzle needs Python 3.11 or newer; name one with PYTHON=..." >&2
        exit 1
    }
    "${PYTHON:-python3}" -m venv .venv
}

# pip would put these into a new folder each time, and then everything would have to be compiled again.
install_build_tools() {
    local done=".venv/build-tools.stamp" wanted
    wanted=$(cksum <pyproject.toml)
    if [ "$(cat "$done" 2>/dev/null)" = "$wanted" ]; then return; fi
    "$bin/python" -c '
import tomllib
print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' >build/tools.txt
    "$bin/python" -m pip install --quiet --disable-pip-version-check -r build/tools.txt
    "$bin/python" -c '
from scikit_build_core.build import get_requires_for_build_wheel
print(*get_requires_for_build_wheel(), sep="\n")' >build/tools.txt
    "$bin/python" -m pip install --quiet --disable-pip-version-check -r build/tools.txt
    echo "$wanted" >"$done"
}

# Of what pip and CMake say, only what is being compiled: the first time that takes a while.
pip_install() {
    local python=$1
    shift
    export CMAKE_BUILD_PARALLEL_LEVEL="${CMAKE_BUILD_PARALLEL_LEVEL:-$(getconf _NPROCESSORS_ONLN)}"
    PATH="$bin:$PATH" "$python" -m pip install --verbose --disable-pip-version-check --no-build-isolation \
        -C build-dir=build/scripts "$@" 2>&1 | tee "$log" | while IFS= read -r line; do
        case $line in *"] Building "*) echo "${line%%]*}] ${line##*/}" >&2 ;; esac
    done || {
        tail -n 100 "$log" >&2
        exit 1
    }
}
