# shellcheck shell=bash disable=SC2154,SC2034 # build_dir, stage and plugin are those of common.sh
# The Wireshark window under a virtual screen, and what a hand does there. Sourced by the scripts that make pictures, which
# have sourced common.sh before. Needs nothing but Debian's packages, which open_screen installs.

# Size of the window, and of its packet list and tree, in pixels; set before open_window.
width=1600 height=1000 list_height=160 tree_width=1000
list_top=104 # where the first row of the packet list begins

xvfb='' gui=''

# wait_for SECONDS COMMAND...
wait_for() {
  local until=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < until)) || die "waited in vain for: $*"
    sleep 0.2
  done
}

# open_screen: a virtual screen and a place for the plugin in build/, if there is one; all of it is removed at the end.
open_screen() {
  need_packages wireshark tshark xvfb xdotool imagemagick
  make_stage
  if [[ -f $build_dir/plugin-path ]]; then
    plugin=$(<"$build_dir/plugin-path")
    stage_plugin
  fi
  write_settings
  exec 3>"$stage/display"
  Xvfb -screen 0 "${width}x${height}x24" -nolisten tcp -ac -displayfd 3 >/dev/null 2>&1 &
  xvfb=$!
  exec 3>&-
  trap 'close_window; kill $xvfb 2>/dev/null || true; wait 2>/dev/null || true; rm -rf "$stage"' EXIT
  wait_for 20 test -s "$stage/display"
  DISPLAY=:$(<"$stage/display")
  export DISPLAY
}

# write_settings: no update check; the packet list on top, below it the tree, wide, and the bytes, narrow.
write_settings() {
  local settings=$stage/home/.config/wireshark
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
}

# open_window CAPTURE FILTER [WIRESHARK OPTION...]: the main window, with the first packet chosen.
open_window() {
  local capture=$1 filter=$2
  shift 2
  install -m 644 "$capture" "$stage/capture.pcap"
  [[ $(as_user tshark -n -r "$stage/capture.pcap" -Y "$filter" "$@" 2>/dev/null) ]] || die "no packet matches $filter"
  as_user DISPLAY="$DISPLAY" QT_QPA_PLATFORM=xcb wireshark -n -r "$stage/capture.pcap" -Y "$filter" "$@" >"$stage/log" 2>&1 &
  gui=$!
  find_window 'capture\.pcap'
  sleep 3 # the list is filled and laid out after the window is there
  click 600 $((list_top + 15))
  press Home
}

close_window() {
  [[ -z $gui ]] || kill "$gui" 2>/dev/null || true
  [[ -z $gui ]] || wait "$gui" 2>/dev/null || true
  gui=''
}

# find_window NAME: waits for a window with such a title, gives it the keyboard and leaves its number in `window`.
find_window() {
  wait_for 60 xdotool search --onlyvisible --name "$1"
  window=$(xdotool search --onlyvisible --name "$1" | tail -n 1)
  sleep 0.5
  xdotool windowfocus "$window"
  sleep 0.5
}

# press KEY...: one key after another, as xdotool names them.
press() {
  local key
  for key in "$@"; do
    xdotool key "$key"
    sleep 0.3
  done
}

# write TEXT: types it.
write() { xdotool type --delay 30 "$1"; sleep 0.5; }

# click X Y: and away, so that no row and no line of a menu is lit by the mouse.
click() {
  xdotool mousemove "$1" "$2" click 1
  sleep 0.4
  xdotool mousemove $((width - 1)) $((height - 1))
  sleep 0.4
}

# expand_trees COUNT: opens the last trees of the packet whole, from the last one upwards.
expand_trees() {
  local i
  click 600 $((list_top + list_height + 15))
  press End
  for ((i = 0; i < $1; i++)); do
    ((i == 0)) || press Up
    press shift+Right
  done
}

# shoot OUT.png [GEOMETRY]: the screen, or a part of it, in few colours so that the file is small.
shoot() {
  local part=()
  (($# < 2)) || part=(-crop "$2" +repage)
  sleep 0.7
  import -window root "${part[@]}" -dither None -colors 64 "png8:$1"
  echo "$1: $(identify -format '%wx%h' "$1"), $(stat -c %s "$1") bytes"
}
