# SPDX-License-Identifier: GPL-3.0-or-later
"""Forks a worker in a sandbox. The sandbox itself is C++ (../sandbox); here is only who forks whom.

In namespaces there are two processes: the first of them is no Python any more, it reaps and watches; the
second is the worker. When the first one ends, the kernel kills everything that is left in there.
"""

import ctypes
import os
import struct
import sys
import tempfile

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER, SIGKILL = 1, 36, 9


class Sandbox:
    def __init__(self, library, kind, words, user, folder):
        self._library = ctypes.CDLL(library)
        for name in ("ww_sandbox_leave", "ww_sandbox_root", "ww_sandbox_enclose", "ww_sandbox_try"):
            getattr(self._library, name).restype = ctypes.c_char_p
        self.kind, self.folder, self._words, self._user = kind, folder, words.encode(), user

    def leave(self):
        return self._library.ww_sandbox_leave().decode()

    def root(self):
        return self._library.ww_sandbox_root(self._words).decode()

    def enclose(self, kept):
        kept = sorted(kept)
        return self._library.ww_sandbox_enclose(self._words, (ctypes.c_int * len(kept))(*kept), len(kept)).decode()

    def watch(self, child, report):
        self._library.ww_sandbox_watch(child, report, self._user)

    def attempts(self, secret, folder, port, process):
        lines = self._library.ww_sandbox_try(secret.encode(), folder.encode(), port, process).decode().splitlines()
        return [dict(zip(("name", "result", "answer"), line.split("\t"))) for line in lines]


def prctl(option, value):
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def readable_paths():
    """What this interpreter and its torch are made of: where modules and libraries are loaded from, now and later."""
    paths = {sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(os.path.abspath(__file__))}
    paths.update(path for path in sys.path if path)
    paths.update(path for path in os.environ.get("LD_LIBRARY_PATH", "").split(":") if path)
    with open("/proc/self/maps") as maps:
        for line in maps:
            path = line.rstrip("\n").partition("/")[2]
            if ".so" in path and not path.endswith(" (deleted)"):
                paths.add("/" + os.path.dirname(path))
    both = paths | {os.path.realpath(path) for path in paths}
    return sorted(path for path in both if os.path.isabs(path) and os.path.exists(path))


class Fork:
    """What the fork server keeps of a worker in a sandbox."""

    def __init__(self, pid, report):
        self.pid, self._report = pid, report

    def end(self, status):
        """How the worker ended; `status` is its watcher's. Exit code or None, signal or None."""
        words = os.read(self._report, 8) if self._report is not None else b""
        if self._report is not None:
            os.close(self._report)
        if len(words) == 8:
            code, number = struct.unpack("ii", words)
            return (None, number) if number else (code, None)
        return (None, os.WTERMSIG(status)) if os.WIFSIGNALED(status) else (os.WEXITSTATUS(status), None)


def fork_sandboxed(sandbox, descriptors, become_worker):
    """Forks a worker that calls become_worker(descriptors) once the sandbox stands. Returns (Fork, problem)."""
    listen, say = os.pipe()
    if sandbox.kind != "namespaces":
        child = os.fork()
        if child == 0:
            _stand(sandbox, descriptors, say, become_worker)
        os.close(say)
        return _heard(Fork(child, None), listen)

    go, allow = os.pipe()
    report, tell = os.pipe()
    helper = os.fork()
    if helper == 0:
        problem = sandbox.leave()
        if problem:
            _say(say, problem)
            os._exit(1)
        first = os.fork()
        if first == 0:
            for descriptor in (allow, report, listen):
                os.close(descriptor)
            _rule(sandbox, descriptors, go, tell, say, become_worker)
        os.write(say, f"{first}\n".encode())
        os._exit(0)
    for descriptor in (go, tell, say):
        os.close(descriptor)
    os.waitpid(helper, 0)
    first = _line(listen)
    if not first.isdigit():
        for descriptor in (allow, report, listen):
            os.close(descriptor)
        return Fork(-1, None), first or "no namespaces"
    # The first process is ours now (we are a subreaper), so its wish to die with its parent means us.
    os.write(allow, b"x")
    os.close(allow)
    return _heard(Fork(int(first), report), listen)


def _children():
    """Of this process, also those that were adopted."""
    me = os.getpid()
    try:
        with open(f"/proc/{me}/task/{me}/children") as file:
            return [int(word) for word in file.read().split()]
    except OSError:  # not every kernel has that file
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat") as file:
                    parent = file.read().rpartition(")")[2].split()[1]
            except OSError:
                continue
            if int(parent) == me:
                found.append(int(name))
        return found


def end_strangers(workers):
    """Where no namespace ends what a worker left behind: it became ours when its parent died, and ends here."""
    for _ in range(1000):  # one may start another while it is killed
        strangers = [child for child in _children() if child not in workers]
        if not strangers:
            return
        for child in strangers:
            try:
                os.kill(child, SIGKILL)
                os.waitpid(child, 0)
            except (ProcessLookupError, ChildProcessError):
                pass


def _say(descriptor, problem):
    os.write(descriptor, (problem.replace("\n", " ") + "\n").encode())


def _line(descriptor):
    text = b""
    while not text.endswith(b"\n"):
        part = os.read(descriptor, 1)
        if not part:
            break
        text += part
    return text.decode().strip()


def _heard(fork, listen):
    word = _line(listen)
    os.close(listen)
    if word == "standing":
        return fork, ""
    os.kill(fork.pid, SIGKILL)
    fork.end(os.waitpid(fork.pid, 0)[1])
    return Fork(-1, None), word or "the process ended"


def _rule(sandbox, descriptors, go, tell, say, become_worker):
    """The first process of a namespace."""
    try:
        prctl(PR_SET_PDEATHSIG, SIGKILL) if os.read(go, 1) else os._exit(1)
        os.setsid()
        problem = sandbox.root()
        if problem:
            _say(say, problem)
            os._exit(1)
        worker = os.fork()
        if worker == 0:
            os.close(tell)
            _stand(sandbox, descriptors, say, become_worker)
        sandbox.watch(worker, tell)
    finally:
        os._exit(1)


def _stand(sandbox, descriptors, say, become_worker):
    """The worker: ready for the candidate, which it does not know yet."""
    try:
        if sandbox.kind != "namespaces":
            os.setsid()
        prctl(PR_SET_PDEATHSIG, SIGKILL)
        os.environ.update(HOME=sandbox.folder, TMPDIR=sandbox.folder, USER="candidate")
        os.environ.update(TORCHINDUCTOR_CACHE_DIR=sandbox.folder + "/inductor", TRITON_CACHE_DIR=sandbox.folder + "/triton")
        tempfile.tempdir = None
        problem = sandbox.enclose([*descriptors, say])
        _say(say, problem or "standing")
        os.close(say)
        if not problem:
            become_worker(descriptors, sandbox)
    finally:
        os._exit(1)
