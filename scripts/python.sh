#!/bin/sh
# Start a program with the first Python on this machine that can build this project: 3.11 or newer, with venv.
# Usage: sh scripts/python.sh PROGRAM [ARGUMENT...]. PYTHON names one interpreter and no other is tried then.
# Plain POSIX shell: it is all a fresh machine is sure to have. Candidates are started, not only looked up, because a
# version manager may put a name on the path that does not run.
set -u

fits() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

has_venv() {
    "$1" -c 'import ensurepip, venv' >/dev/null 2>&1
}

advise() {
    echo "make: $1" >&2
    echo "  Debian, Ubuntu:  apt-get install python3 python3-venv" >&2
    echo "  Fedora:          dnf install python3" >&2
    echo "  macOS:           brew install python@3.13" >&2
    echo "  then run the command again; PYTHON=/path/to/python3 picks one interpreter." >&2
    exit 1
}

if [ -n "${PYTHON:-}" ]; then
    fits "$PYTHON" || advise "PYTHON=$PYTHON is no Python 3.11 or newer, so nothing can be set up with it."
    has_venv "$PYTHON" || advise "PYTHON=$PYTHON has no working 'venv' module, so no environment can be made with it."
    exec "$PYTHON" "$@"
fi

without_venv=""
for candidate in python3 python3.13 python3.12 python3.11 python3.14 python; do
    fits "$candidate" || continue
    if has_venv "$candidate"; then
        exec "$candidate" "$@"
    fi
    without_venv="$candidate"
done
if [ -n "$without_venv" ]; then
    advise "$without_venv has no 'venv' module, so no environment can be made. Install it:"
fi
advise "no Python 3.11 or newer was found. Install one:"
