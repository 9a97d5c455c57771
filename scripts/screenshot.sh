#!/usr/bin/env bash
# scripts/screenshot.sh CAPTURE OUT.png FILTER [WIRESHARK OPTION...]
# A picture of the Wireshark window on a capture, filtered, with the first packet's last tree expanded; TREES=2 expands
# the last two (ENet and the message), and so on, TREES=0 none. Uses the plugin in build/ if there is one.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
# shellcheck source=scripts/common.sh
source "$top/scripts/common.sh"
# shellcheck source=scripts/window.sh
source "$top/scripts/window.sh"
(($# >= 3)) || die "usage: scripts/screenshot.sh CAPTURE OUT.png FILTER [WIRESHARK OPTION...]"
capture=$1 out=$2 filter=$3
shift 3

open_screen
open_window "$capture" "$filter" "$@"
expand_trees "${TREES:-1}"
shoot "$out"
