#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets the real `wright models` speak to a server that we did not write: llama-cpp-python's, with a tiny random model.

    python real_server.py WRIGHT        (an interpreter that has llama-cpp-python[server] and gguf)

A random model says nothing sensible, so it calls no tool: what is tried is streaming, a cancel, a full context, a wrong
key and a server that is gone. Exit code 77: the packages are missing.
"""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

try:
    import gguf
    import llama_cpp.server  # noqa: F401
    import numpy
except ImportError as missing:
    print(f"skipped: {missing}. pip install 'llama-cpp-python[server]' gguf")
    sys.exit(77)

KEY = "sk-test-of-a-real-server"


def write_model(path):
    """One layer of llama with a vocabulary of bytes."""
    random = numpy.random.default_rng(7)
    width, inner = 64, 128
    tokens = [b"<unk>", b"<s>", b"</s>"] + [f"<0x{byte:02X}>".encode() for byte in range(256)] + \
        ["\u2581".encode()] + [chr(letter).encode() for letter in range(33, 127)]
    kinds = [2, 3, 3] + [6] * 256 + [1] * 95
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(4096)
    writer.add_embedding_length(width)
    writer.add_block_count(1)
    writer.add_feed_forward_length(inner)
    writer.add_head_count(2)
    writer.add_head_count_kv(2)
    writer.add_rope_dimension_count(width // 2)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(kinds)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)

    def add(name, *shape):
        values = numpy.ones(shape) if len(shape) == 1 else random.normal(0, 0.3, shape)
        writer.add_tensor(name, values.astype(numpy.float32))
    add("token_embd.weight", len(tokens), width)
    add("output_norm.weight", width)
    add("output.weight", len(tokens), width)
    for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
        add(f"blk.0.{name}.weight", width, width)
    add("blk.0.attn_norm.weight", width)
    add("blk.0.ffn_norm.weight", width)
    add("blk.0.ffn_gate.weight", inner, width)
    add("blk.0.ffn_up.weight", inner, width)
    add("blk.0.ffn_down.weight", width, inner)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


class Server:
    """Up as soon as it lists its models."""

    def __init__(self, model, context):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "llama_cpp.server", "--model", model, "--n_ctx", str(context), "--port", str(self.port),
             "--model_alias", "tiny", "--api_key", KEY, "--chat_format", "chatml"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        atexit.register(self.stop)  # also when a check goes wrong
        for _ in range(300):
            time.sleep(0.1)
            if self.process.poll() is not None:
                sys.exit("the server ended: " + self.process.stderr.read().decode(errors="replace")[-2000:])
            if self.answers():
                return
        sys.exit("the server did not start")

    def answers(self):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/v1/models", headers={"Authorization": f"Bearer {KEY}"})
        try:
            with urllib.request.urlopen(request, timeout=2) as answer:
                return answer.status == 200
        except OSError:
            return False

    def stop(self):
        self.process.kill()
        self.process.wait()


def main():
    wright = os.path.abspath(sys.argv[1])
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder, "TINY_KEY": KEY, "OTHER_KEY": "sk-wrong-key"}

        def models(*words):
            done = subprocess.run([wright, "models", *words], env=environment, capture_output=True, text=True, timeout=120)
            return done.returncode, done.stdout, done.stderr

        def expect(name, condition, *said):
            print(("ok   " if condition else "FAIL ") + name + ": " + " ".join(str(one).strip() for one in said))
            if not condition:
                failures.append(name)

        model = os.path.join(folder, "tiny.gguf")
        write_model(model)
        server = Server(model, 4096)
        url = f"http://127.0.0.1:{server.port}/v1"
        add = ("--url", url, "--model", "tiny", "--context", "4096", "--answer", "64")
        models("add", "tiny", *add, "--key-env", "TINY_KEY")
        code, out, errors = models("try", "tiny", "--json")
        outcome = json.loads(out)
        expect("it answers", code == 1 and outcome["hasAnswer"], out, errors)
        expect("it is streamed", outcome.get("isStreamed") is True)
        expect("tokens are known", outcome.get("tokensIn", 0) > 10 and outcome.get("tokensOut", 0) > 5)

        models("add", "wrong", *add, "--key-env", "OTHER_KEY")
        code, out, errors = models("try", "wrong")
        expect("a wrong key", code == 1 and "Check the key in the environment variable OTHER_KEY" in out and "sk-wrong" not in out, out)

        models("add", "long", "--url", url, "--model", "tiny", "--context", "4096", "--answer", "400", "--key-env", "TINY_KEY")
        process = subprocess.Popen([wright, "models", "try", "long"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1.0)
        begun = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        seconds = time.monotonic() - begun
        expect("a cancel", seconds < 1 and process.returncode in (1, 130), f"{seconds:.2f} s, exit code {process.returncode}")
        # The server itself goes on to write for seconds before it takes the next request.
        code, out, errors = models("try", "tiny")
        expect("it answers after the cancel", code == 1 and "first piece after" in out, out)
        server.stop()

        code, out, errors = models("try", "tiny")
        expect("nobody there", code == 1 and "nothing listens at" in out, out)

        server = Server(model, 64)
        url = f"http://127.0.0.1:{server.port}/v1"
        models("add", "full", "--url", url, "--model", "tiny", "--context", "4096", "--answer", "64", "--key-env", "TINY_KEY")
        code, out, errors = models("try", "full")
        # 0.3.36 finds out when it has said 200, and ends the stream without a word.
        expect("a full context", code == 1 and ("maximum context length is 64" in out or "without a word" in out), out)
        server.stop()
    sys.exit(1 if failures else 0)


main()
