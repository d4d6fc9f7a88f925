# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# The interpreter whose torch is used: the user's own, or an environment of ours with pinned wheels.

# settings_python: the interpreter named in the settings file, or nothing. Call it in an assignment, so that its
# failure ends the script.
settings_python() {
    local python
    [ -f "$settings_file" ] || return 0
    grep -q '"python"' "$settings_file" || return 0
    python=$(/usr/bin/python3 -I - "$settings_file" <<'PY'
import json, sys
try:
    with open(sys.argv[1], encoding="utf-8") as file:
        print(json.load(file).get("python") or "")
except (OSError, ValueError, AttributeError) as problem:
    sys.exit(f"{type(problem).__name__}: {problem}")
PY
    ) || fail "Cannot read the settings file \"$settings_file\"." "Mend or remove it."
    [ -z "$python" ] || [ -x "$python" ] ||
        fail "The settings file \"$settings_file\" names the interpreter \"$python\", which is not there." \
            "Name another (packaging/start --python PATH), or take the line \"python\" out."
    printf '%s' "$python"
}

# remember_python PATH: into the settings file, other keys kept.
remember_python() {
    /usr/bin/python3 -I - "$settings_file" "$1" <<'PY' || fail "Cannot write the settings file \"$settings_file\"." "Check its rights and the disk, or mend its JSON."
import json, os, sys
path, python = sys.argv[1:]
os.makedirs(os.path.dirname(path), exist_ok=True)
settings = {}
if os.path.exists(path):
    with open(path, encoding="utf-8") as file:
        settings = json.load(file)
settings["python"] = python
with open(path + ".new", "w", encoding="utf-8") as file:
    json.dump(settings, file, indent=4)
    file.write("\n")
os.replace(path + ".new", path)
PY
}

# use_own_python PATH: checks it, keeps it; installs nothing.
use_own_python() {
    local python words
    python=$(command -v -- "$1") || fail "There is no interpreter \"$1\"." "Give --python the whole path of a python3 that has torch."
    case $python in /*) ;; *) python="$PWD/$python" ;; esac
    if ! words=$("$python" -c 'import torch; print(torch.__version__)' 2>&1); then
        fail "\"$python\" cannot import torch: $(printf '%s' "$words" | tail -n 1)" \
            "Install torch there, or leave --python out: an environment is then made for you."
    fi
    remember_python "$python"
    say "Python: $python with torch $words (kept in $settings_file; nothing is installed into it)"
}

# A stamp for each requirements file, written when its wheels are in: it changes with the wheels wanted and with
# the system's Python, so an update of either is seen.
stamp_of() { printf '%s/.stamp-%s' "$environment" "$(basename "$1" .txt)"; }
stamp_text() { { list_of "$1"; /usr/bin/python3 -I -c 'import sys; print(sys.version)'; } | sha256sum | cut -c 1-32; }

has_stamps() {
    local file
    [ -x "$environment/bin/python" ] || return 1
    for file in "$@"; do [ "$(cat "$(stamp_of "$file")" 2>/dev/null)" = "$(stamp_text "$file")" ] || return 1; done
}

write_stamps() {
    local file
    for file in "$@"; do stamp_text "$file" > "$(stamp_of "$file")"; done
}

pip_install() {
    step "$environment/bin/python" -m pip install --disable-pip-version-check --no-input --progress-bar off --retries 3 "$@"
}

loads_torch() { step "$environment/bin/python" -I -c 'import torch, numpy; print("torch", torch.__version__)'; }

make_environment() {
    local python="$environment/bin/python"
    if [ -e "$environment" ] && [ ! -f "$environment/pyvenv.cfg" ] && [ -n "$(ls -A "$environment" 2>/dev/null)" ] \
        && [ ! -f "$environment/.warpwright" ]; then
        echo "\"$environment\" exists and is no Python environment: it is left alone."
        return 1
    fi
    mkdir -p "$environment" && : > "$environment/.warpwright" || return 1
    # Half made, or of a Python that is gone: made anew.
    if ! [ -x "$python" ] || ! "$python" -I -m pip --version; then
        step /usr/bin/python3 -m venv --clear "$environment" || return 1
        : > "$environment/.warpwright"
    fi
    local files=() file
    for file in "$@"; do files+=(-r "$file"); done
    pip_install "${files[@]}" || return 1
    loads_torch && return 0
    # Wheels that were cut off in the middle of unpacking look installed to pip.
    echo "torch does not load: its wheels are unpacked again."
    pip_install --force-reinstall "${files[@]}" && loads_torch
}

# ensure_environment REQUIREMENTS...: does nothing when the stamps fit.
ensure_environment() {
    has_stamps "$@" && return 0
    with_lock "$environment.lock"
    phase "Python environment" \
        "If wheels could not be fetched, check the network and run the same command again (what was fetched is kept). With a torch of your own: --python PATH. Elsewhere: WARPWRIGHT_ENV=FOLDER. It needs 6 GB of disk." \
        make_environment "$@"
    write_stamps "$@"
    release_lock
}

make_environment_of_tests() {
    "$environment/bin/python" -I -m pip --version || step /usr/bin/python3 -m venv --clear "$environment" || return 1
    pip_install -r "$1"
}

# ensure_environment_of_tests REQUIREMENTS: the same for a small environment without torch.
ensure_environment_of_tests() {
    has_stamps "$@" && return 0
    with_lock "$environment.lock"
    phase "Python environment of the tests" "Check the network and run the same command again." \
        make_environment_of_tests "$@"
    write_stamps "$@"
    release_lock
}
