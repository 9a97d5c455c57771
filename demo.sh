#!/usr/bin/env bash
# Builds the plugin and opens the bundled capture with it. Touches nothing of the system's Wireshark.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=scripts/common.sh
source "$top/scripts/common.sh"
# shellcheck source=captures/session.env disable=SC1091
source "$top/captures/session.env" # KEY, SYNC

need_packages cmake make gcc libc6-dev tshark wireshark-dev libwireshark-dev
# shellcheck disable=SC2119
need_rust

say "Building the plugin into ${build_dir#"$top"/}/"
# shellcheck disable=SC2119
build_plugin

say "Laying out the plugin and the capture in a temporary folder"
make_stage
stage_plugin
install -m 644 "$top/captures/session.pcap" "$stage/session.pcap"
shark() { as_user tshark -n -r "$stage/session.pcap" -o "lol.key:$KEY" "$@"; }
as_user tshark -G plugins | grep riftshark.so || die "tshark does not load the plugin"

say "The session's first 40 packets"
shark -c 40

group="waypoint.syncId == $SYNC && lol.message == \"WaypointGroup\""
frame=$(shark -Y "$group" -T fields -e frame.number | sed -n 1p)
[[ $frame ]] || die "no packet matches $group"
say "One WaypointGroup in full: frame $frame"
shark -2 -Y "frame.number == $frame" -O lol,waypoint

say "Everything about that group, by filter: waypoint.syncId == $SYNC"
shark -2 -Y "waypoint.syncId == $SYNC"

say "The same in Wireshark's window, nothing installed (as an ordinary user: root's Wireshark takes no plugin from there)"
printf "\n    WIRESHARK_PLUGIN_DIR=%q wireshark -r %q -o lol.key:%s -Y '%s'\n\n" \
  "$build_dir/plugins" "$top/captures/session.pcap" "$KEY" "waypoint.syncId == $SYNC"
