# SPDX-License-Identifier: GPL-3.0-or-later
"""The answers that model_server.py plays, by name: good ones, odd ones, broken ones."""

import email.utils
import json
import time

import streams
from streams import STREAMS, event

TEXT = "Grüße 👋 from the model"
SUM = {"name": "report_sum", "arguments": '{"sum": 5}'}

# Answers that come whole, in each dialect.
ANSWERS = {
    "plain": {"text": TEXT},
    "tool": {"text": "Calling.", "calls": [SUM]},
    "thinking": {"thinking": "Two and three … five.", "text": "Calling.", "calls": [SUM]},
    "unsigned": {"thinking": "Two and three.", "unsigned": True, "calls": [SUM]},
    "unsigned-cut": {"thinking": "Two and", "unsigned": True, "calls": [SUM], "stop": "length"},
    "reasoning": {"thinking": "Two and three … five.", "thinking_field": "reasoning", "text": "Five."},
    "stored": {"text": TEXT, "usage": {"in": 1000, "cached": 600, "stored": 300, "out": 50}},
    "no-usage": {"text": TEXT, "usage": None},
    "arguments-broken": {"calls": [{"name": "report_sum", "arguments": '{"sum": 5'}]},
    "arguments-list": {"calls": [{"name": "report_sum", "arguments": "[1, 2]"}]},
    "arguments-empty": {"calls": [{"name": "report_sum", "arguments": ""}]},
    "arguments-2mb": {"calls": [{"name": "report_sum", "arguments": json.dumps({"text": "x" * 2_000_000})}]},
    "calls-40": {"calls": [{"name": f"tool_{at}", "arguments": json.dumps({"at": at})} for at in range(40)]},
    "same-ids": {"calls": [{"name": f"tool_{at}", "id": "same", "arguments": "{}"} for at in range(3)]},
    "signed-call": {"calls": [{**SUM, "extra": {"extra_content": {"google": {"thought_signature": "sig"}}}}]},
    "length": {"text": "I begin", "calls": [SUM, {"name": "report_sum", "arguments": '{"sum": '}], "stop": "length"},
    "refusal": {"text": "I will not", "stop": "content_filter"},
    "no-answer": {},
    "window-full": {"text": "It is", "stop": "model_context_window_exceeded"},
    "long-text": {"text": "0123456789" * 10_000},
}


def error_of(dialect, kind, message, code=None):
    if dialect == "anthropic":
        return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def stream_error(dialect, kind, message):
    if dialect == "openai-responses":
        return event({"type": "error", "code": kind, "message": message, "sequence_number": 3}, "error")
    return event(error_of(dialect, kind, message), "error" if dialect == "anthropic" else None)


REFUSALS = {
    "overflow-openai": (400, error_of("openai-chat", "invalid_request_error",
                                      "This model's maximum context length is 8192 tokens. However, your messages resulted "
                                      "in 9001 tokens. Please reduce the length of the messages.", "context_length_exceeded")),
    "overflow-anthropic": (400, error_of("anthropic", "invalid_request_error",
                                         "prompt is too long: 209000 tokens > 200000 maximum")),
    "overflow-llamacpp": (400, {"error": {"code": 400, "type": "exceed_context_size_error", "n_prompt_tokens": 4476,
                                          "n_ctx": 4096, "message": "the request exceeds the available context size, "
                                          "try increasing it"}}),
    "overflow-vllm": (400, {"object": "error", "message": "This model's maximum context length is 4096 tokens. However, you "
                            "requested 5000 tokens (4500 in the messages, 500 in the completion). Please reduce the length "
                            "of the messages or completion.", "type": "BadRequestError", "param": None, "code": 400}),
    "overflow-12000": (400, {"error": {"code": 400, "type": "exceed_context_size_error", "n_prompt_tokens": 13000,
                                       "n_ctx": 12000, "message": "the request exceeds the available context size"}}),
    "answer-too-long": (400, {"object": "error", "message": "'max_tokens' or 'max_completion_tokens' is too large: 16384. "
                              "This model's maximum context length is 4096 tokens and your request has 500 input tokens "
                              "(16384 > 4096 - 500).", "type": "BadRequestError", "code": 400}),
    "no-tools-vllm": (400, {"object": "error", "message": '"auto" tool choice requires --enable-auto-tool-choice and '
                            "--tool-call-parser to be set", "type": "BadRequestError", "code": 400}),
    "no-tools-llamacpp": (500, {"error": {"code": 500, "message": "tools param requires --jinja flag", "type": "server_error"}}),
    "no-tools-ollama": (400, {"error": {"message": "registry.ollama.ai/library/gemma:2b does not support tools",
                                        "type": "api_error", "param": None, "code": None}}),
    "quota": (429, error_of("openai-chat", "insufficient_quota", "You exceeded your current quota.", "insufficient_quota")),
    "credit": (400, error_of("anthropic", "invalid_request_error", "Your credit balance is too low.")),
    "no-model": (404, error_of("openai-chat", "invalid_request_error", "The model `m` does not exist", "model_not_found")),
    "bad-model": (400, {"error": {"message": "m is not a valid model ID", "code": 400}}),
}


def status(handler, name, options, dialect):
    code = int(name.partition("-")[2])
    headers = [(key, options[key]) for key in ("retry-after", "retry-after-ms", "x-should-retry") if key in options]
    if "date" in options:
        headers = [("retry-after", email.utils.formatdate(time.time() + float(options["date"]), usegmt=True))]
    handler.refuse(code, error_of(dialect, options.get("type", "some_error"), f"it is status {code}"), headers)


def odd_chat(name):
    """Chat Completions as some servers speak it."""
    def chunk(delta, why=None, **more):
        return event({"choices": [{"index": 0, "delta": delta, "finish_reason": why, "logprobs": None}], **more})
    function = {"name": "report_sum", "arguments": '{"sum": 5}'}
    if name == "object-arguments":  # Ollama, some versions
        return [chunk({"tool_calls": [{"id": "a", "index": 0, "function": {"name": "report_sum", "arguments": {"sum": 5}}}]}),
                chunk({"content": ""}, "stop"), event("[DONE]")]
    if name == "index-zero":  # Ollama: each call whole, all at 0
        return [chunk({"tool_calls": [{"id": f"c{at}", "index": 0, "type": "function", "function": function}]})
                for at in range(3)] + [chunk({}, "tool_calls"), event("[DONE]")]
    if name == "no-ids-at-zero":
        return [chunk({"tool_calls": [{"index": 0, "function": {"name": "report_sum", "arguments": '{"sum"'}}]}),
                chunk({"tool_calls": [{"index": 0, "function": {"arguments": ": 5}"}}]}),
                chunk({"tool_calls": [{"index": 0, "function": function}]}), chunk({}, "tool_calls"), event("[DONE]")]
    if name == "no-ids":
        return [chunk({"tool_calls": [{"function": function}, {"function": function}]}), chunk({}, "tool_calls"), event("[DONE]")]
    if name == "choice-error":  # OpenRouter: the model's own endpoint broke off
        error = {"error": {"code": 502, "message": "Upstream idle timeout exceeded"}}
        return [chunk({"content": "half"}), event({"choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "error", **error}]}),
                event("[DONE]")]
    if name == "finish-error":
        return [chunk({"content": "half"}), chunk({}, "error"), event("[DONE]")]
    if name == "object-error":  # vLLM, in the stream
        return [chunk({"content": "half"}), event({"object": "error", "message": "EngineCore encountered an issue",
                                                   "type": "InternalServerError", "param": None, "code": 500}), event("[DONE]")]
    if name == "old-function":  # before there were tools
        return [chunk({"role": "assistant", "content": None, "function_call": {"name": "report_sum", "arguments": '{"sum"'}}),
                chunk({"function_call": {"arguments": ": 5}"}}), chunk({}, "function_call"), event("[DONE]")]
    if name == "error-line":  # llama-server before it wrote data lines
        return [chunk({"content": "half"}), b'error: {"code":500,"message":"context shift is disabled","type":"server_error"}\n\n']
    if name in ("thinking-blocks", "thinking-blocks-cut"):  # LiteLLM before Claude: in pieces, the signature apart
        blocks = [{"type": "thinking", "thinking": "I lo"}, {"type": "thinking", "thinking": "ok", "signature": None, "index": 0},
                  {"type": "thinking", "thinking": "", "signature": "SIG"}, {"type": "redacted_thinking", "data": "ENC=="},
                  {"type": "thinking", "thinking": "Again", "signature": "SIG2"}]
        if name.endswith("cut"):
            return [chunk({"reasoning_content": "I lo", "thinking_blocks": blocks[:1]}), chunk({}, "length"), event("[DONE]")]
        return [chunk({"reasoning_content": one.get("thinking", ""), "thinking_blocks": [one]}) for one in blocks] + [
            chunk({"tool_calls": [{"index": 0, "id": "c0", "function": function}]}), chunk({}, "tool_calls"), event("[DONE]")]
    if name == "no-done":
        return [chunk({"content": "all of it"}), chunk({}, "stop")]
    if name == "half-pair":  # each half of a surrogate pair in an event of its own
        return [b'data: {"choices":[{"delta":{"content":"a\\ud83d"}}]}\n\n', chunk({"content": "b"}, "stop"), event("[DONE]")]
    return [event({"future": {"deep": [1, {"x": None}]}, "object": "something.new"}, "new.event"), b": keep-alive\r\n\r\n",
            b"id: 7\nretry: 3\n\n", event("no json at all"), event([1, 2, 3]),
            chunk({"role": "assistant", "content": "all", "obfuscation": "x7", "annotations": [None]}, provider="P", usage=None),
            chunk({"content": " of it", "tool_calls": None, "function_call": None}, "stop", system_fingerprint=None),
            event("[DONE]")]


def unknown_events(dialect):
    known = STREAMS[dialect]({"text": "all of it"})
    made = []
    for one in known:
        made += [one, event({"type": "brand.new", "delta": {"type": "newer"}, "index": 9, "output_index": 9}, "brand.new")]
    return made[:-1]


def play(handler, name, options, dialect, body, turn=None):
    if turn and "play" in turn:  # a fault in the place of an answer
        name, turn = turn["play"], None
    if name in REFUSALS:
        handler.refuse(*REFUSALS[name])
    elif name.startswith("status-"):
        status(handler, name, options, dialect)
    elif name == "refuse-field":
        if options["field"] in body:
            handler.refuse(400, error_of(dialect, "invalid_request_error", options["words"].replace("+", " ")))
        else:
            play(handler, "plain", {}, dialect, body)
    elif name == "echo-key":
        key = (handler.headers.get("Authorization", "") + handler.headers.get("x-api-key", "")).replace("Bearer ", "")
        handler.refuse(401, error_of(dialect, "authentication_error", f"Incorrect API key provided: {key}. Or {key[:20]}?"))
    elif name == "redirect":
        handler.refuse(int(options.get("status", "307")), b"", [("Location", options["to"].replace("!", "/"))], "text/plain")
    elif name == "hints":  # before the answer, for browsers
        handler.say(b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n")
        stream(handler, "plain", options, dialect, turn)
    elif name == "no-choices":
        handler.refuse(200, {"id": "x", "object": "chat.completion", "choices": []})
    elif name == "html":
        handler.refuse(200, b"<html><head><title>Log in</title></head><body>Welcome to the hotel</body></html>", (), "text/html")
    elif name == "whole":
        handler.refuse(200, streams.whole(dialect, ANSWERS["tool"]))
    elif name == "drop":
        handler.connection.close()
    elif name == "hang":
        time.sleep(30)
    else:
        stream(handler, name, options, dialect, turn)


def stream(handler, name, options, dialect, turn):
    if name == "empty":
        handler.start_stream()
        return
    if name == "silent":
        handler.start_stream()
        handler.say(STREAMS[dialect](ANSWERS["plain"])[0])
        time.sleep(30)
        return
    if name == "flood":
        handler.start_stream()
        line = event({"type": "ping", "object": "chat.completion.chunk", "choices": [], "filler": "x" * 100_000})
        for _ in range(400):
            handler.say(line)
        return
    if name == "long-line":
        handler.start_stream()
        handler.say(b"data: " + b"x" * (17 * 1024 * 1024) + b"\n\n")
        return
    if name in ("error-first", "error-after-text"):
        handler.start_stream()
        events = STREAMS[dialect](ANSWERS["plain"])
        for one in events[:1 if name == "error-first" else len(events) // 2]:
            handler.say(one)
        kind = options.get("type", "overloaded_error")
        handler.say(stream_error(dialect, kind, options.get("words", "Overloaded").replace("+", " ")))
        return
    if name == "unknown" and dialect != "openai-chat":
        events = unknown_events(dialect)
    elif name in ("object-arguments", "index-zero", "no-ids", "no-ids-at-zero", "no-done", "half-pair", "unknown", "choice-error",
                  "old-function", "error-line", "thinking-blocks", "thinking-blocks-cut",
                  "finish-error", "object-error"):
        events = odd_chat(name)
    elif name == "input-at-once":  # of Messages: nothing of it comes behind the beginning of its block
        events = [one.replace(b'"input": {}', b'"input": {"sum": 5}') for one in STREAMS[dialect](ANSWERS["tool"])
                  if b"input_json_delta" not in one]
    elif name in ("cut-character", "cut-call"):
        data = b"".join(STREAMS[dialect](ANSWERS["plain" if name == "cut-character" else "tool"]))
        at = data.index("👋".encode()) + 2 if name == "cut-character" else data.index(b'{\\"su') + 4
        events = [data[:at]]
    elif name == "turns":
        events = STREAMS[dialect](turn or {"text": "done"})
    else:
        events = STREAMS[dialect](ANSWERS[options.get("as", "plain") if name in ("bytewise", "slow", "crlf") else name])
    handler.start_stream()
    if name == "bytewise":
        for byte in b"".join(events):
            handler.say(bytes([byte]))
    elif name == "slow":
        for byte in b"".join(events):
            handler.say(bytes([byte]))
            time.sleep(float(options.get("seconds", "1")))
    elif name == "crlf":
        handler.say(b"".join(events).replace(b"\n", options.get("end", "rn").replace("r", "\r").replace("n", "\n").encode()))
    else:
        for one in events:
            handler.say(one)
            if "pause" in options:
                time.sleep(float(options["pause"]))
