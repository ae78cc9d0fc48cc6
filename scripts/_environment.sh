# Sourced by the scripts beside it: `prepare EXTRA` makes .venv if it is missing and installs this clone into it,
# plainly (mypy and the tests see what a user would get), again whenever a source has changed. Sets $bin.

cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin="$PWD/.venv/bin"

fingerprint() {
    find pyproject.toml CMakeLists.txt README.md src pddl planners translators -type f ! -name '*.pyc' -print0 |
        sort -z | xargs -0 cat | cksum
}

# A path that must not be tried again and again is no reason to fail: pip's own messages say what is wrong.
prepare() {
    local extra=$1 stamp=".venv/unpuzzle-$1.stamp" wanted
    wanted="$extra native=${UNPUZZLE_REQUIRE_NATIVE:-0} $(fingerprint)"
    if [ ! -x "$bin/python" ]; then
        "${PYTHON:-python3}" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
            echo "unpuzzle needs Python 3.11 or newer; name one with PYTHON=..." >&2
            exit 1
        }
        "${PYTHON:-python3}" -m venv .venv
    fi
    if [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ]; then
        echo "installing unpuzzle[$extra] into .venv ..." >&2
        "$bin/python" -m pip install --quiet --disable-pip-version-check ".[$extra]"
        rm -f .venv/unpuzzle-*.stamp
        echo "$wanted" >"$stamp"
    fi
}
