#!/usr/bin/env bash
# scripts/screenshots.sh [FOLDER [NAME...]]
# The pictures of the guides, made with the plugin in build/ and the captures of this checkout: all of them, or those named.
# Look at each before handing it in. The menus and dialogues are those of Wireshark 4.0, the one Debian 12 has.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
# shellcheck source=scripts/common.sh
source "$top/scripts/common.sh"
# shellcheck source=scripts/window.sh
source "$top/scripts/window.sh"
folder=${1:-$top/docs}
shift || true
pictures=(message tree keys follow filters conversation)
(($# == 0)) || pictures=("$@")
key=lol.key:52696674736861726b2073616d706c65
capture=$top/captures/session.pcap

# The last tree of the packet is chosen: that of the game.
choose_last_tree() {
  click 300 $((list_top + list_height + 15))
  press End
}

# A message opened whole.
message() {
  open_window "$capture" "waypoint.syncId == 984" -o "$key"
  choose_last_tree
  press Right End Right End shift+Right # the game, its last message, that message's body with all that is in it
  shoot "$folder/wireshark.png"
}

# What the headings of closed trees say.
tree() {
  open_window "$capture" "frame.number == 53" -o "$key"
  choose_last_tree
  press Right End Right End Right # the game, its last message, that message's body
  shoot "$folder/tree.png" 1280x600+0+0
}

# The table of keys.
keys() {
  as_user tee "$stage/home/.config/wireshark/lol_keys" >/dev/null <<'KEYS'
"198.51.100.20","5119","52696674736861726b2073616d706c65","1.0.0.136","1",""
"203.0.113.7","","52696674736861726b207365636f6e64","","",""
"192.0.2.11","50001","00112233445566778899aabbccddeeff","4.17.0.268","11","7375,7433"
KEYS
  open_window "$capture" "lol.message"
  choose_last_tree
  press Menu Up Up Right Down Down Return # Protocol Preferences, Keys by session
  find_window 'keys'
  xdotool windowsize "$window" 900 300 windowmove "$window" 100 200
  shoot "$folder/keys.png" 900x300+100+200
  # where the table lies is a folder of this run
  mogrify -fill '#efefef' -draw 'rectangle 500,235 890,258' "$folder/keys.png"
}

# A session as text.
follow() {
  open_window "$capture" "lol.message" -o "$key"
  choose_last_tree
  press alt+t Up Right Return # Tools, Riftshark, Follow LoL session
  find_window 'LoL session'
  xdotool windowsize "$window" 860 560 windowmove "$window" 100 100
  shoot "$folder/follow.png" 860x560+100+100
}

# The filter dialogue with a family open.
filters() {
  open_window "$capture" "waypoint" -o "$key"
  press alt+a e # Analyze, Display Filter Expression
  find_window 'Display Filter Expression'
  xdotool windowsize "$window" 853 800 windowmove "$window" 0 0
  sleep 1
  click 250 700 # Search
  write '^waypoint'
  sleep 20 # each letter is looked for in every field there is
  click 130 43
  press Right
  write 'waypoint.ackTime' # leads to the field
  click 460 128 # >
  click 640 372 # Value
  write 0.1
  shoot "$folder/filters.png" 853x800+0+0
}

# The menu of conversation filters.
conversation() {
  open_window "$capture" "lol.message" -o "$key"
  choose_last_tree
  press alt+a Down Down Down Down Down Down Right # Analyze, Conversation Filter
  press Down Down Down Down
  shoot "$folder/conversation.png" 780x600+0+0
}

width=1280 height=1020 list_height=75 tree_width=860
open_screen
for picture in "${pictures[@]}"; do
  [[ $picture =~ ^(message|tree|keys|follow|filters|conversation)$ ]] || die "no picture called $picture"
  "$picture"
  close_window
done
