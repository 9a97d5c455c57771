# shellcheck shell=bash
# What the scripts share: installing what is missing, building the plugin, and running Wireshark as a user it trusts.
# Sourced, never run. The sourcing script has set `top` to the checkout.

export PATH="$PATH:$HOME/.cargo/bin"
# shellcheck disable=SC2154 # top: set by the sourcing script
build_dir="$top/build"

say() { printf '\n==> %s\n' "$*"; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# Stops with status 2: something must be installed first, and these are the lines that do it.
must_type() {
  printf '%s: %s Type this, then start again:\n\n' "${0##*/}" "$1" >&2
  shift
  printf '    %s\n' "$@" >&2
  exit 2
}

# need_packages PACKAGE...: installs the missing Debian packages; elsewhere only looks for the programs and headers.
need_packages() {
  if ! command -v dpkg-query >/dev/null; then
    need_programs
    return
  fi
  local missing=() package
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q) # wireshark-common would ask a question; its default is fine
  if [[ $(id -u) != 0 ]]; then
    apt=(sudo -n "${apt[@]}")
    sudo -n true 2>/dev/null ||
      must_type "packages are missing." "sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}"
  fi
  say "Installing ${missing[*]}"
  "${apt[@]}" update >/dev/null || echo "apt-get update failed; going on with the package lists at hand" >&2
  "${apt[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null >/dev/null ||
    die "apt-get could not install ${missing[*]}"
}

# need_programs: for systems without dpkg.
need_programs() {
  local lines=()
  if command -v dnf >/dev/null; then
    lines=("sudo dnf install cmake gcc gcc-c++ make wireshark-cli wireshark-devel clang-libs")
  elif command -v pacman >/dev/null; then
    lines=("sudo pacman -S cmake gcc make wireshark-cli clang")
  elif command -v brew >/dev/null; then
    lines=("brew install cmake wireshark")
  else
    lines=("(install CMake, a C compiler, make, tshark and Wireshark's development files)")
  fi
  local program
  for program in cmake cc make tshark; do
    command -v "$program" >/dev/null || must_type "$program is missing." "${lines[@]}"
  done
}

# need_rust [COMPONENT...]: cargo, and the named rustup components. The toolchain is the user's own: never installed unasked.
need_rust() {
  command -v cargo >/dev/null ||
    must_type "Rust is missing." "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh"
  local component
  for component in "$@"; do
    cargo "${component/rustfmt/fmt}" --version >/dev/null 2>&1 ||
      must_type "cargo ${component/rustfmt/fmt} is missing." "rustup component add $component"
  done
}

# need_python: a Python under build/ with the packages that docs/scripting.md uses. Where they cannot be had it says so,
# and fails only where RIFTSHARK_REQUIRE_E2E=1.
need_python() {
  local wanted="$top/scripts/requirements.txt" folder="$build_dir/python" python=python3
  [[ $(python_at_hand) == none ]] || return 0
  if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    need_packages python3-venv
    [[ ! -x /usr/bin/python3 ]] || python=/usr/bin/python3
  fi
  rm -rf "$folder"
  if "$python" -m venv "$folder" &&
    "$folder/bin/python" -m pip install -q --disable-pip-version-check --retries 1 --timeout 60 -r "$wanted"; then
    cp "$wanted" "$folder/installed.txt"
    return 0
  fi
  [[ ${RIFTSHARK_REQUIRE_E2E-} != 1 ]] || die "the Python packages of scripts/requirements.txt could not be installed"
  echo "The Python packages of scripts/requirements.txt could not be installed: docs/scripting.md stays untested" >&2
}

# python_at_hand: the path of that Python for RIFTSHARK_PYTHON, or "none".
python_at_hand() {
  local folder="$build_dir/python" all='import importlib.util as i, sys; sys.exit(not all(map(i.find_spec, sys.argv[1:])))'
  # The list of what was installed may outlive it: Python is upgraded, a checkout moved.
  if cmp -s "$top/scripts/requirements.txt" "$folder/installed.txt" &&
    "$folder/bin/python" -c "$all" duckdb pandas pyshark 2>/dev/null; then
    echo "$folder/bin/python"
  else
    echo none
  fi
}

# build_plugin [CMAKE OPTION...]: leaves the path of the plugin in `plugin`.
build_plugin() {
  local cache="$build_dir/CMakeCache.txt"
  # A checkout that was moved or copied carries a cache that CMake would refuse.
  if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$top" "$cache"; then
    rm -f "$cache"
  fi
  cmake -S "$top" -B "$build_dir" "$@" | sed -n '/Riftshark/p' || die "CMake could not set up the build"
  cmake --build "$build_dir" || die "the plugin could not be built"
  plugin=$(<"$build_dir/plugin-path")
}

# make_stage: a temporary folder that every user can read, removed at the end; leaves its path in `stage`.
# Root's own folders are closed to the user that tshark runs as, so root takes /tmp whatever TMPDIR says.
make_stage() {
  local base=/tmp
  [[ $(id -u) == 0 ]] || base=${TMPDIR:-/tmp}
  stage=$(mktemp -d "$base/riftshark.XXXXXX")
  trap 'rm -rf "$stage"' EXIT
  chmod 755 "$stage"
  mkdir -m 700 "$stage/home"
  if [[ $(id -u) == 0 ]]; then chown "$(unprivileged)" "$stage/home"; fi
}

# stage_plugin: puts `plugin` where WIRESHARK_PLUGIN_DIR=$stage/plugins makes Wireshark find it.
stage_plugin() {
  local version_dir
  version_dir=$(basename "$(dirname "$(dirname "$plugin")")")
  install -d -m 755 "$stage/plugins/$version_dir/epan"
  install -m 755 "$plugin" "$stage/plugins/$version_dir/epan/riftshark.so"
}

# The user and group, as numbers, for programs that root starts: Wireshark loads no plugin from these folders as root.
unprivileged() { printf '%s:%s' "$(id -u nobody)" "$(id -g nobody)"; }

# as_user VAR=VALUE... COMMAND...: runs COMMAND without privileges, in a home of its own, with the staged plugin.
as_user() {
  set -- env -i PATH="$PATH" LANG=C.UTF-8 TERM="${TERM:-dumb}" HOME="$stage/home" \
    XDG_CONFIG_HOME="$stage/home/.config" WIRESHARK_PLUGIN_DIR="$stage/plugins" "$@"
  if [[ $(id -u) == 0 ]]; then
    local ids
    ids=$(unprivileged)
    set -- setpriv --reuid="${ids%:*}" --regid="${ids#*:}" --clear-groups "$@"
  fi
  (cd / && exec "$@")
}
