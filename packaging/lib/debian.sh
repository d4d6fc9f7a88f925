# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Debian packages: looks first, and touches the system only for what is missing.

missing_packages() {
    local wanted installed
    wanted=$(list_of "$@" | sort -u)
    # shellcheck disable=SC2086  # a list of words
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
        sed -n 's/^installed //p' | sort -u)
    comm -23 <(printf '%s\n' "$wanted") <(printf '%s\n' "$installed")
}

install_packages() {
    export DEBIAN_FRONTEND=noninteractive
    local as_root=(env DEBIAN_FRONTEND=noninteractive)
    [ "$(id -u)" -eq 0 ] || as_root=(sudo "${as_root[@]}")
    # An install that was cut off leaves packages half set up: apt refuses everything until they are done.
    if [ -n "$(dpkg --audit 2>/dev/null)" ]; then
        step "${as_root[@]}" dpkg --configure -a || return 1
    fi
    # A broken foreign source must not stop us: only a package that cannot be had does.
    step "${as_root[@]}" apt-get -q update -o Acquire::Retries=2 -o DPkg::Lock::Timeout=120 || true
    step "${as_root[@]}" apt-get -q install -y --no-install-recommends \
        -o Acquire::Retries=2 -o DPkg::Lock::Timeout=120 "$@"
}

# ensure_packages LIST_FILE...
ensure_packages() {
    local missing
    if ! command -v dpkg-query > /dev/null; then
        [ -z "${WARPWRIGHT_SKIP_PACKAGES:-}" ] || return 0
        fail "This system has no dpkg: it is neither Debian 12 nor Ubuntu 24.04." \
            "Install the counterparts of packaging/debian-packages.txt, then set WARPWRIGHT_SKIP_PACKAGES=1."
    fi
    missing=$(missing_packages "$@" | tr '\n' ' ')
    missing=${missing% }
    [ -n "$missing" ] || return 0
    say "Missing Debian packages: $missing"
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo > /dev/null; then
            fail "Cannot install Debian packages: you are not root, and there is no sudo." \
                "Run as root: apt-get install -y --no-install-recommends $missing"
        fi
        if ! sudo -n true 2>/dev/null && { [ ! -t 0 ] || ! sudo -v; }; then
            fail "Cannot install Debian packages: sudo wants a password." \
                "Run: sudo apt-get install -y --no-install-recommends $missing"
        fi
    fi
    # shellcheck disable=SC2086  # a list of words
    phase "Debian packages" \
        "If they could not be fetched, check the network, or install from a mirror you reach: apt-get install -y --no-install-recommends $missing" \
        install_packages $missing
}
