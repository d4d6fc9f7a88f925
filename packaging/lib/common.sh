# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Phases that show their name and time, and a failure that says what failed, where, and what to do.
# Sourced, after `root` is set. All of our own words go to stderr: stdout belongs to the program that is started.

logs="$root/build/logs"
data_folder="${WARPWRIGHT_DATA:-${XDG_DATA_HOME:-$HOME/.local/share}/warpwright}"
environment="${WARPWRIGHT_ENV:-$data_folder/env}"
settings_file="${XDG_CONFIG_HOME:-$HOME/.config}/warpwright/settings.json"
export LC_ALL=C.UTF-8

say() { printf '%s\n' "$*" >&2; }

# fail WHAT [ADVICE]
fail() {
    say ""
    say "$(basename "$0"): $1"
    [ -z "${2:-}" ] || say "What to do: $2"
    exit 2
}

# require_space GIB FOR FOLDER...: says so now where less is free, and not in a thousand failures later.
require_space() {
    local gib=$1 purpose=$2 folder free
    shift 2
    for folder in "$@"; do
        free=$(df --output=avail -B 1M -- "$folder" | tail -n 1)
        [ "$free" -ge $((gib * 1024)) ] || fail "$purpose needs $gib GiB of disk, and \"$folder\" has $free MiB free." \
            "Free some space on that disk (old build folders are the largest), then start this again."
    done
}

# Seconds with one digit since $1, a value of seconds_now.
seconds_now() { printf '%s' "${EPOCHREALTIME/,/.}"; }
seconds_since() {
    local now start
    now=${EPOCHREALTIME//[.,]/} start=${1//[.,]/}
    local tenths=$(((now - start) / 100000))
    printf '%d.%d s' $((tenths / 10)) $((tenths % 10))
}

# While a phase runs: on a terminal one line that is written over, in a pipe one line a minute.
show_progress() {
    local name=$1 log=$2 start=$3 last never every=60
    [ ! -t 2 ] || every=1
    # Waits by a read that never ends: a `sleep` would live on after us, and hold stderr and the lock open.
    exec {never}<> <(:)
    while ! read -r -t "$every" -u "$never"; do
        last=$(tail -c 400 "$log" 2>/dev/null | tr '\r' '\n' | grep -v '^ *$' | tail -n 1 | cut -c 1-70)
        if [ -t 2 ]; then
            printf '\r\033[K  %s, %s: %s' "$name" "$(seconds_since "$start")" "$last" >&2
        else
            say "  $name, $(seconds_since "$start"): $last"
        fi
    done
}

phase_ticker=
stop_progress() {
    if [ -n "$phase_ticker" ]; then
        kill "$phase_ticker" 2>/dev/null || true
        wait "$phase_ticker" 2>/dev/null || true
        phase_ticker=
        [ ! -t 2 ] || printf '\r\033[K' >&2
    fi
}
trap stop_progress EXIT
trap 'stop_progress; say "Interrupted. Run the same command again: it goes on where it stopped."; exit 130' INT TERM

# step COMMAND...: one command of a phase; the log shows it, and a failure names it.
step() {
    printf '+ %s\n' "$(printf '%q ' "$@")"
    "$@"
}

# What the words of a log mean, where they are known.
cause_in() {
    if grep -qE 'Temporary failure (in name resolution|resolving)|Could not resolve|Failed to establish a new connection|Network is unreachable|Connection timed out|Unable to connect' "$1"; then
        say "Cause: the network, or the host that has the files, cannot be reached."
    elif grep -qE 'No space left on device|ENOSPC' "$1"; then
        say "Cause: the disk is full ($(df -h --output=avail,target "$root" | tail -n 1 | xargs) free)."
    elif grep -qE 'Unable to locate package|has no installation candidate|No matching distribution found' "$1"; then
        say "Cause: the machine's package sources do not have it: $(grep -oE '(Unable to locate package .*|Package .* has no installation candidate|No matching distribution found .*)' "$1" | head -n 1)"
    fi
}

# phase NAME ADVICE COMMAND...: runs the command with its output in a log, says how long it took.
phase() {
    local name=$1 advice=$2 start log status=0
    shift 2
    mkdir -p "$logs" || fail "Cannot make the folder \"$logs\"." "Check the rights of the clone and the disk."
    log="$logs/$(printf '%s' "$name" | tr -c 'A-Za-z0-9' '-').log"
    start=$(seconds_now)
    : > "$log"
    show_progress "$name" "$log" "$start" 9>&- &
    phase_ticker=$!
    "$@" >> "$log" 2>&1 < /dev/null || status=$?
    stop_progress
    if [ "$status" -ne 0 ]; then
        say "$name: failed after $(seconds_since "$start") (exit code $status)"
        say "  command: $(sed -n 's/^+ //p' "$log" | tail -n 1 | grep . || printf '%q ' "$@")"
        say "  log:     $log"
        say "  its last lines:"
        tail -n 15 "$log" | sed 's/^/  | /' >&2
        cause_in "$log"
        fail "$name failed." "$advice"
    fi
    say "$name: $(seconds_since "$start")"
}

# with_lock FILE: one set-up at a time for what FILE stands for; the lock goes with this process.
with_lock() {
    mkdir -p "$(dirname "$1")" || fail "Cannot make the folder \"$(dirname "$1")\"." "Check its rights and the disk."
    exec 9> "$1"
    if ! flock -n 9; then
        say "Another set-up is at work here ($1); waiting for it."
        flock 9
    fi
}
release_lock() { exec 9>&-; }

# Lines of a list file without comments.
list_of() { sed -e 's/#.*//' -e 's/[[:space:]]*$//' -e '/^$/d' "$@"; }
