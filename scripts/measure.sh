#!/usr/bin/env bash
# scripts/measure.sh CAPTURE [RUNS]
# Times `tshark -r CAPTURE` with the plugin and with its protocol disabled, in turn, and prints the medians of user time
# and memory and their ratio. CAPTURE holds deciphered messages of build 1.0.0.136 as DLT_USER0 (examples/make-load.rs).
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
# shellcheck source=scripts/common.sh
source "$top/scripts/common.sh"
(($# >= 1)) || die "usage: scripts/measure.sh CAPTURE [RUNS]"
runs=${2:-7}

need_packages cmake make gcc libc6-dev tshark wireshark-dev libwireshark-dev python3
# shellcheck disable=SC2119
build_plugin
make_stage
stage_plugin
install -m 644 "$1" "$stage/load.pcap"

cat >"$stage/time.py" <<'PYTHON'
import os, statistics, subprocess, sys

capture, runs = sys.argv[1], int(sys.argv[2])
plain = ["tshark", "-r", capture, "-o", 'uat:user_dlts:"User 0 (DLT=147)","lol","0","","0",""',
         "-o", "lol.build:1.0.0.136", "-o", "lol.user_channel:3", "-o", "lol.user_sender:unknown"]
ways = {"with the plugin": plain, "lol disabled": plain + ["--disable-protocol", "lol"]}
user, memory = {way: [] for way in ways}, {way: [] for way in ways}
for run in range(runs + 1):
    for way, command in ways.items():
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        if status:
            sys.exit(f"{way}: tshark ended with status {status}")
        if run:  # the first is for the caches
            user[way].append(usage.ru_utime)
            memory[way].append(usage.ru_maxrss / 1024)
for way in ways:
    print(f"{way:>16}: user {statistics.median(user[way]):.2f} s, peak {statistics.median(memory[way]):.0f} MiB")
a, b = user.values()
print(f"{'ratio':>16}: {statistics.median(x / y for x, y in zip(a, b)):.3f} x user time (median of {runs} pairs)")
a, b = memory.values()
print(f"{'more memory':>16}: {statistics.median(a) - statistics.median(b):.1f} MiB")
PYTHON
chmod 644 "$stage/time.py"
say "$(as_user tshark -v | sed -n 1p), $runs pairs of runs"
as_user python3 "$stage/time.py" "$stage/load.pcap" "$runs"
