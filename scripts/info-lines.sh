#!/usr/bin/env bash
# scripts/info-lines.sh KEY CAPTURE...
# Prints the 40 longest and the 40 commonest Info lines of captures, to be looked at: numbers are taken out of the commonest,
# so that lines of one shape count together. Ends with a failure where a line has more than 220 characters.
# The tshark on PATH must load the plugin (see README), or RIFTSHARK_TSHARK names a command that does.
set -euo pipefail
(($# >= 2)) || { echo "usage: scripts/info-lines.sh KEY CAPTURE..." >&2; exit 2; }
key=$1
shift
read -ra tshark <<<"${RIFTSHARK_TSHARK:-tshark}"
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
for capture in "$@"; do
    "${tshark[@]}" -2 -r "$capture" -o "lol.key:$key" -T fields -e _ws.col.Info >>"$lines"
done
python3 - "$lines" <<'PYTHON'
import collections, re, sys

lines = [line.rstrip("\n") for line in open(sys.argv[1], encoding="utf-8")]
print(f"{len(lines)} lines; the 40 longest:")
for line in sorted(set(lines), key=len, reverse=True)[:40]:
    print(f"{len(line):4} {line}")
shapes = collections.Counter(re.sub(r"0x[0-9a-f]+|\d+(\.\d+)?", "#", line) for line in lines)
print("\nthe 40 commonest:")
for shape, count in shapes.most_common(40):
    print(f"{count:5} {shape}")
longest = max(map(len, lines), default=0)
sys.exit(f"a line has {longest} characters, 220 are the most" if longest > 220 else 0)
PYTHON
