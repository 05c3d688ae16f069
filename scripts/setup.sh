#!/bin/sh
# Makes everything ready on a machine that has only git, make and Python.
#
#   scripts/setup.sh run     what the studio needs
#   scripts/setup.sh test    what its tests and checks need in addition
#
# In order: find a Python (PYTHON=… chooses one), see to the system packages on Debian and Ubuntu, make .venv
# and install the project into it. A stamp in .venv makes every later call return at once, until pyproject.toml or
# the set-up itself changes.
set -eu

case "${1:-}" in
    run) purpose=run requirement="." ;;
    test) purpose=test requirement=".[test]" ;;
    *) echo "usage: scripts/setup.sh run|test" >&2; exit 2 ;;
esac
cd "$(dirname "$0")/.."
venv_python=.venv/bin/python
stamp=.venv/.stamp-$purpose

say() { printf '%s\n' "$*"; }
stop() { printf '%s\n' "$*" >&2; exit 1; }

# A moved checkout breaks the links inside .venv, so the place is part of the key.
key() { { cat pyproject.toml scripts/setup.sh scripts/missing_packages.py; pwd; } | cksum; }

is_new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }
version_of() { "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null; }

is_the_python_asked_for() {
    [ -z "${PYTHON:-}" ] || [ "$(version_of $venv_python)" = "$(version_of "$PYTHON")" ]
}

find_python() {
    older=
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11; do
        if command -v "$candidate" >/dev/null 2>&1; then
            if is_new_enough "$candidate"; then
                python=$candidate
                return
            fi
            [ -n "$older" ] || older=$(version_of "$candidate" || true)
        fi
        # Whoever names a Python wants that one or none.
        [ -z "${PYTHON:-}" ] || break
    done
    stop "Roofline Studio needs Python 3.11 or newer, but ${PYTHON:-python3} here is ${older:-missing}:" \
        "install a newer one, or name it as in \`make $purpose PYTHON=/path/to/python3.11\`."
}

is_root() { [ "$(id -u)" = 0 ]; }
can_be_root() { is_root || { command -v sudo && sudo -n true; } >/dev/null 2>&1; }
as_root() { if is_root; then "$@"; else sudo -n "$@"; fi; }

# apt-get tells a line for each step of each package; it is shown only when something went wrong.
quietly() {
    log=$(mktemp)
    if "$@" >"$log" 2>&1; then rm -f "$log"; return 0; fi
    cat "$log" >&2
    rm -f "$log"
    return 1
}

update_package_lists() {
    [ -z "${lists_updated:-}" ] || return 0
    quietly as_root apt-get update || say "Going on with the package lists that are there."
    lists_updated=yes
}
install_packages() {
    update_package_lists
    quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

see_to_system_packages() {
    if ! command -v apt-get >/dev/null 2>&1; then
        say "This is not Debian or Ubuntu, so Qt's system libraries and the fonts are left as they are (README.md)."
        return
    fi
    needed=$("$python" scripts/missing_packages.py needed "$purpose")
    wanted=$("$python" scripts/missing_packages.py wanted "$purpose")
    [ -n "$needed$wanted" ] || return 0
    if can_be_root; then
        install_what_is_missing
    elif [ -n "$needed" ]; then
        say "System packages are missing, and only root can install them. Run this line, then the same command again:" >&2
        # shellcheck disable=SC2086  # the lists are lists of words
        stop "sudo apt-get update && sudo apt-get install -y --no-install-recommends" $needed $wanted
    else
        say "Going on without $wanted: another font is used, and tests that need what is missing are skipped."
    fi
}

# shellcheck disable=SC2086  # the lists are lists of words
install_what_is_missing() {
    if [ -n "$needed" ]; then
        say "Installing system packages: $needed"
        # With the lists fetched, the names can be judged by what there is.
        update_package_lists
        needed=$("$python" scripts/missing_packages.py needed "$purpose")
        install_packages $needed || stop "apt-get could not install these packages: $needed"
    fi
    for package in $wanted; do
        say "Installing $package"
        install_packages "$package" || say "Going on without $package: apt-get could not install it."
    done
}

make_environment() {
    if [ -x $venv_python ] && is_new_enough $venv_python && is_the_python_asked_for; then return; fi
    say "Making the virtual environment .venv with $python ($(version_of "$python"))"
    "$python" -m venv --clear .venv || stop "$python could not make a virtual environment (see above)."
}

install_project() {
    $venv_python -m pip --version >/dev/null 2>&1 || $venv_python -m ensurepip --upgrade >/dev/null
    say "Installing the studio and what it needs into .venv (some 100 MB to download the first time)"
    $venv_python -m pip install --quiet --disable-pip-version-check --editable "$requirement" ||
        stop "pip could not install the project (see above)."
    QT_QPA_PLATFORM=offscreen $venv_python -c 'import PySide6.QtWidgets' ||
        stop "Qt does not load (see above): install the system library it names; README.md lists them."
}

is_done() {
    [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(key)" ] && is_new_enough $venv_python && is_the_python_asked_for
}

! is_done || exit 0
find_python
see_to_system_packages
make_environment
install_project
key >"$stamp"
if [ $purpose = test ]; then key >.venv/.stamp-run; fi
