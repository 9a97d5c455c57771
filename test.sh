#!/usr/bin/env bash
# Every check there is, stopping at the first that fails. Installs what is missing, as demo.sh does.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=scripts/common.sh
source "$top/scripts/common.sh"
cd "$top"

done_steps=()
# step NAME COMMAND...: runs it, and says how long it took or that it failed.
step() {
  local name=$1 start=$SECONDS status=0
  shift
  say "$name"
  # A shell of its own with -e: inside `||` bash would go on after a failing line.
  set +e
  (set -e; "$@")
  status=$?
  set -e
  ((status == 0)) || { echo "test.sh: \"$name\" failed (status $status)" >&2; exit "$status"; }
  done_steps+=("$(printf '%4d s  %s' $((SECONDS - start)) "$name")")
}

exports_only_the_five() {
  local found
  found=$(nm -D --defined-only "$(<"$build_dir/plugin-path")" | awk '{ print $3 }' | sort | xargs)
  echo "exported: $found"
  [[ $found == "plugin_describe plugin_register plugin_version plugin_want_major plugin_want_minor" ]]
}

names_no_place() {
  local plugin found
  if [[ -n ${RUSTFLAGS-}${CARGO_ENCODED_RUSTFLAGS-} ]]; then
    echo "skipped: RUSTFLAGS are set, and go before those that leave the paths out"
    return 0
  fi
  plugin=$(<"$build_dir/plugin-path")
  # a path of the machine that built it, in what a panic or a warning would say
  if found=$(strings -n 8 "$plugin" | grep -F -e "$top/" -e "/registry/src/" | head -n 3) && [[ -n $found ]]; then
    echo "the plugin tells where it was built: $found" >&2
    return 1
  fi
}

end_to_end_env() {
  # A bug in the shim must end tshark, not hide in a packet.
  export WIRESHARK_ABORT_ON_DISSECTOR_BUG=1
  # Here nothing is missing, so an end-to-end test that would skip has failed.
  export RIFTSHARK_REQUIRE_E2E=1
  RIFTSHARK_PLUGIN=$(<"$build_dir/plugin-path")
  export RIFTSHARK_PLUGIN
  RIFTSHARK_PYTHON=$(python_at_hand)
  export RIFTSHARK_PYTHON
  # Root's tshark takes no plugin from a folder the tests may write, so they run it as this user.
  if [[ $(id -u) == 0 ]]; then export RIFTSHARK_TEST_USER=nobody; fi
}

step "packages" need_packages cmake make gcc g++ libc6-dev binutils tshark wireshark-common wireshark-dev libwireshark-dev libclang-dev curl
step "toolchain" need_rust rustfmt clippy
step "cargo fmt" cargo fmt --all --check
step "cargo clippy" cargo clippy --workspace --all-targets --locked -- -D warnings
step "Python packages" need_python
step "plugin, with warnings as errors" build_plugin -DRIFTSHARK_WERROR=ON
step "exported symbols" exports_only_the_five
step "no paths of this machine in the plugin" names_no_place
end_to_end_env
step "cargo test" cargo test --workspace --locked

say "All passed, in $SECONDS s, with $(tshark --version 2>/dev/null | sed -n 1p)"
printf '%s\n' "${done_steps[@]}"
