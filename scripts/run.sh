#!/bin/sh
# Starts the studio with its example study; where there is no screen, runs the same study headless.
set -eu
cd "$(dirname "$0")/.."
python=.venv/bin/python

# A DISPLAY can be left over from a session that is gone: ask it. Where Xlib is missing, Qt itself will say so.
display_answers() {
    $python - <<'PROBE'
import ctypes, sys

try:
    xlib = ctypes.CDLL("libX11.so.6")
except OSError:
    sys.exit(0)
xlib.XOpenDisplay.restype = ctypes.c_void_p
sys.exit(0 if xlib.XOpenDisplay(None) else 1)
PROBE
}

why_no_screen() {
    if [ "$(uname -s)" = Darwin ] || [ -n "${WAYLAND_DISPLAY:-}" ]; then
        return
    elif [ -z "${DISPLAY:-}" ]; then
        echo "neither DISPLAY nor WAYLAND_DISPLAY is set"
    elif ! display_answers; then
        echo "DISPLAY=$DISPLAY does not answer"
    fi
}

reason=$(why_no_screen)
if [ -n "$reason" ]; then
    echo "There is no screen here ($reason), so the example study runs headless; its picture and table go to out/."
    QT_QPA_PLATFORM=offscreen exec $python -m rooflinestudio render --example --out out/
fi
exec $python -m rooflinestudio --example "$@"
