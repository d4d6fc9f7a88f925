# SPDX-License-Identifier: GPL-3.0-or-later
"""A worker of the judge: runs the reference, a baseline or the candidate, and judges nothing.

Started once as a fork server, it imports torch, touches no device and forks a worker on request: a fork reaches its
first operation in a quarter of a second, a new interpreter needs three. PROTOCOL.md lists the messages.
"""

import ctypes
import faulthandler
import gc
import json
import os
import resource
import signal
import socket
import struct
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
MESSAGE_LIMIT = 64 << 20


class Channel:
    """Messages of four bytes of length and JSON text, with descriptors beside them."""

    def __init__(self, descriptor):
        self._socket = socket.socket(fileno=descriptor)

    def _read(self, count, descriptors):
        parts = bytearray()
        while len(parts) < count:
            data, received, _, _ = socket.recv_fds(self._socket, count - len(parts), 8)
            if not data:
                raise EOFError
            parts += data
            descriptors += received
        return bytes(parts)

    def receive(self):
        descriptors = []
        (length,) = struct.unpack("<I", self._read(4, descriptors))
        if length > MESSAGE_LIMIT:
            raise EOFError
        return json.loads(self._read(length, descriptors)), descriptors

    def send(self, message):
        text = json.dumps(message).encode()
        self._socket.sendall(struct.pack("<I", len(text)) + text)


def fork_server():
    channel = Channel(3)
    import torch

    sys.path.insert(0, HERE)
    import warpwright_arms  # noqa: F401 - imported once, for all workers
    import warpwright_sandbox as sandboxes
    import warpwright_libraries

    sys.path.remove(HERE)
    warpwright_libraries.load_ahead()
    warpwright_libraries.prepare_later(sys.argv[1:])
    del sys.argv[1:]
    sandboxes.prctl(sandboxes.PR_SET_PDEATHSIG, signal.SIGKILL)
    sandboxes.prctl(sandboxes.PR_SET_CHILD_SUBREAPER, 1)
    gc.collect()
    gc.freeze()  # what is imported stays: collecting it before each batch would take 50 ms

    channel.send({
        "ready": True, "python": sys.version.split()[0], "torch": torch.__version__, "cuda": torch.version.cuda,
        "paths": sandboxes.readable_paths(),
    })
    forks = {}
    while True:
        try:
            request, descriptors = channel.receive()
        except EOFError:
            return
        if request["op"] == "fork":
            if "sandbox" in request:
                fork, problem = sandboxes.fork_sandboxed(sandboxes.Sandbox(**request["sandbox"]), descriptors, become_worker)
            else:
                child, problem = os.fork(), ""
                if child == 0:
                    os.setsid()  # so that the judge can end it with everything that it started
                    sandboxes.prctl(sandboxes.PR_SET_PDEATHSIG, signal.SIGKILL)
                    channel._socket.close()
                    become_worker(descriptors, None)
                fork = sandboxes.Fork(child, None)
            for descriptor in descriptors:
                os.close(descriptor)
            forks[fork.pid] = fork
            channel.send({"pid": fork.pid, "problem": problem})
        elif request["op"] == "import_compiler":
            import_compiler()
        elif request["op"] == "status":
            fork, code, number = forks.pop(request["pid"], None), None, None
            if fork is not None and fork.pid > 0:
                code, number = fork.end(os.waitpid(fork.pid, 0)[1])
            sandboxes.end_strangers(forks)
            channel.send({"exited": request["pid"], "code": code, "signal": number})


def import_compiler():
    """What torch.compile imports at its first call, so that no arm has to. It touches no device."""
    try:
        import torch._dynamo
        import torch._inductor.compile_fx  # noqa: F401
    except Exception:
        return  # the arm that compiles says why it cannot
    gc.collect()
    gc.freeze()


def become_worker(descriptors, sandbox):
    code = 1
    try:
        control, memory, page, output = descriptors
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.close(output)
        print_at_once()
        faulthandler.enable()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core file would lie in the task's folder
        serve(Channel(control), memory, page, sandbox)
        code = 0
    except EOFError:
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


def print_at_once():
    """A pipe's output waits in buffers, and whoever ends his process by _exit() or a signal loses his last words."""
    libc = ctypes.CDLL(None)
    libc.setvbuf(ctypes.c_void_p.in_dll(libc, "stdout"), None, 1, 0)  # _IOLBF
    sys.stdout.reconfigure(line_buffering=True)


def is_out_of_memory(error):
    # torch's CPU allocator and some libraries raise a plain RuntimeError.
    words = ("can't allocate memory", "CUBLAS_STATUS_ALLOC_FAILED", "CUDNN_STATUS_ALLOC_FAILED", "out of memory")
    return isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError" or any(word in str(error) for word in words)


def serve(channel, memory, page, sandbox):
    from warpwright_arms import Arm

    arm = Arm(channel, memory, page, sandbox)
    while not arm.is_over:
        request, descriptors = channel.receive()
        operation = request.pop("op")
        try:
            reply = getattr(arm, "do_" + operation)(*descriptors, **request)
        except EOFError:
            raise
        except BaseException as error:
            is_told = getattr(error, "is_told", False)  # in words of ours, to which a traceback adds nothing
            reply = {
                "error": {
                    "type": "" if is_told else type(error).__name__,
                    "message": str(error)[:8000],
                    "phase": arm.phase,
                    "traceback": "" if is_told else "".join(traceback.format_exception(error))[-12000:],
                    "outOfMemory": is_out_of_memory(error),
                }
            }
        channel.send(reply)


if __name__ == "__main__":
    fork_server()
