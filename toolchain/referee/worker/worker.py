# SPDX-License-Identifier: GPL-3.0-or-later
"""A worker of the judge: runs the reference, a baseline or the candidate, and judges nothing.

Started once as a nursery, it imports torch, touches no device and forks a worker on request: a fork reaches its
first operation in a quarter of a second, a new interpreter needs three. PROTOCOL.md lists the messages.
"""

import ctypes
import faulthandler
import gc
import json
import os
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


def die_with_parent():
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def nursery():
    die_with_parent()
    channel = Channel(3)
    import torch

    sys.path.insert(0, HERE)
    import warpwright_arms  # noqa: F401 - imported once, for all workers

    sys.path.remove(HERE)
    gc.collect()
    gc.freeze()  # what is imported stays: collecting it before each batch would take 50 ms

    channel.send({"ready": True, "python": sys.version.split()[0], "torch": torch.__version__, "cuda": torch.version.cuda})
    while True:
        try:
            request, descriptors = channel.receive()
        except EOFError:
            return
        if request["op"] == "fork":
            child = os.fork()
            if child == 0:
                channel._socket.close()
                become_worker(descriptors)
            for descriptor in descriptors:
                os.close(descriptor)
            channel.send({"pid": child})
        elif request["op"] == "status":
            channel.send(exit_of(request["pid"]))


def exit_of(pid):
    try:
        done, status = os.waitpid(pid, 0 if pid > 0 else os.WNOHANG)
    except ChildProcessError:
        return {"exited": True, "code": None, "signal": None}
    if os.WIFSIGNALED(status):
        return {"exited": True, "code": None, "signal": os.WTERMSIG(status)}
    return {"exited": True, "code": os.WEXITSTATUS(status), "signal": None}


def become_worker(descriptors):
    """In the forked child: its own session, so that the judge can end it with everything that it started."""
    code = 1
    try:
        die_with_parent()
        os.setsid()
        control, memory, page, output = descriptors
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.close(output)
        faulthandler.enable()
        serve(Channel(control), memory, page)
        code = 0
    except EOFError:
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)


def is_out_of_memory(error):
    # torch's CPU allocator and some libraries raise a plain RuntimeError.
    words = ("can't allocate memory", "CUBLAS_STATUS_ALLOC_FAILED", "CUDNN_STATUS_ALLOC_FAILED", "out of memory")
    return isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError" or any(word in str(error) for word in words)


def serve(channel, memory, page):
    from warpwright_arms import Arm

    arm = Arm(channel, memory, page)
    while True:
        request, descriptors = channel.receive()
        operation = request.pop("op")
        try:
            reply = getattr(arm, "do_" + operation)(*descriptors, **request)
        except EOFError:
            raise
        except BaseException as error:
            reply = {
                "error": {
                    "type": type(error).__name__,
                    "message": str(error)[:8000],
                    "phase": arm.phase,
                    "traceback": "".join(traceback.format_exception(error))[-12000:],
                    "outOfMemory": is_out_of_memory(error),
                }
            }
        channel.send(reply)


if __name__ == "__main__":
    nursery()
