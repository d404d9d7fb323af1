#!/bin/sh
# Prints a Python that can make the virtual environment: 3.11 or later, with venv and ensurepip ($PYTHON goes first).
# With --explain: says which were found instead, and what to do.
check='import sys; assert sys.version_info >= (3, 11); import venv, ensurepip'
for python in "${PYTHON:-}" python3 python3.13 python3.12 python3.11 python3.14 python; do
    [ -n "$python" ] || continue
    if "$python" -c "$check" >/dev/null 2>&1; then
        [ "$1" = "--explain" ] || { echo "$python"; exit 0; }
    elif [ "$1" = "--explain" ]; then
        version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
        case $version in
            2.*|3.?|3.10) echo "$python is Python $version: too old" ;;
            *) echo "$python is Python $version, without venv or ensurepip (on Debian: apt-get install python3-venv)" ;;
        esac
    fi
done
[ "$1" != "--explain" ] || echo "wengert needs Python 3.11 or later with venv; to name one: make PYTHON=/path/to/python3 ..."
