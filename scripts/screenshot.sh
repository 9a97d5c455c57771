#!/usr/bin/env bash
# scripts/screenshot.sh CAPTURE OUT.png FILTER [WIRESHARK OPTION...]
# A picture of the Wireshark window on a capture, filtered, with the first packet's last tree expanded; TREES=2 expands
# the last two (ENet and the message), and so on. Uses the plugin in build/ if there is one.
# Needs wireshark, xvfb, xdotool and imagemagick.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
# shellcheck source=scripts/common.sh
source "$top/scripts/common.sh"
(($# >= 3)) || die "usage: scripts/screenshot.sh CAPTURE OUT.png FILTER [WIRESHARK OPTION...]"
capture=$1 out=$2 filter=$3
shift 3
width=1600 height=1000 list_height=160 tree_width=1000 list_top=104 # pixels

need_packages wireshark tshark xvfb xdotool imagemagick
make_stage
if [[ -f $build_dir/plugin-path ]]; then
  plugin=$(<"$build_dir/plugin-path")
  stage_plugin
fi
install -m 644 "$capture" "$stage/capture.pcap"

# No update check; the packet list on top, below it the tree, wide, and the bytes, narrow.
settings=$stage/home/.config/wireshark
as_user mkdir -p "$settings"
as_user tee "$settings/preferences" >/dev/null <<<"gui.update.enabled: FALSE"
as_user tee "$settings/recent_common" >/dev/null <<WINDOW
gui.geometry_main_x: 0
gui.geometry_main_y: 0
gui.geometry_main_width: $width
gui.geometry_main_height: $height
WINDOW
as_user tee "$settings/recent" >/dev/null <<PANES
gui.geometry_main_upper_pane: $list_height
gui.geometry_main_lower_pane: $tree_width
PANES

[[ $(as_user tshark -n -r "$stage/capture.pcap" -Y "$filter" "$@" 2>/dev/null) ]] || die "no packet matches $filter"

exec 3>"$stage/display"
Xvfb -screen 0 "${width}x${height}x24" -nolisten tcp -ac -displayfd 3 >/dev/null 2>&1 &
xvfb=$!
exec 3>&-
gui=
trap 'kill $gui $xvfb 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$stage"' EXIT
wait_for() { # wait_for SECONDS COMMAND...
  local until=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < until)) || die "waited in vain for: $*"
    sleep 0.2
  done
}
wait_for 20 test -s "$stage/display"
DISPLAY=:$(<"$stage/display")
export DISPLAY

as_user DISPLAY="$DISPLAY" QT_QPA_PLATFORM=xcb wireshark -n -r "$stage/capture.pcap" -Y "$filter" "$@" >"$stage/log" 2>&1 &
gui=$!
wait_for 60 xdotool search --onlyvisible --name 'capture\.pcap'
window=$(xdotool search --onlyvisible --name 'capture\.pcap' | tail -n 1)
sleep 3 # the list is filled and laid out after the window is there
xdotool windowfocus "$window"
# The first packet, then the tree below it, from its last line upwards.
xdotool mousemove 600 $((list_top + 15)) click 1 key Home
sleep 1
xdotool mousemove 600 $((list_top + list_height + 15)) click 1 key End
for ((i = 0; i < ${TREES:-1}; i++)); do
  ((i == 0)) || xdotool key Up
  xdotool key shift+Right
  sleep 0.3
done
sleep 1
xdotool mousemove $((width - 1)) $((height - 1)) # no row under the mouse is lit
sleep 0.5
import -window root "$out"
echo "$out: $(identify -format '%wx%h' "$out")"
