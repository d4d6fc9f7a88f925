# SPDX-License-Identifier: GPL-3.0-or-later
"""Chat Completions, Responses and Messages from the server's side, as strict as the real ones.

What a server may rely on is checked, and refused with 400: each call has exactly one result, in the next message;
what was given to be sent back (a signature, encrypted reasoning) comes back as it was.
"""

import hashlib
import itertools
import json
from dataclasses import dataclass, field

PIECE = 24  # characters in one event


class Refused(Exception):
    pass


@dataclass
class Asked:
    model: str
    tools: list
    last_calls: list = field(default_factory=list)  # (id, result) of the last answer
    tokens: int = 0
    cached: int = 0


def pieces(text):
    return [text[i:i + PIECE] for i in range(0, len(text), PIECE)]


def seal(text, secret):
    return hashlib.sha256(f"{secret}:{text}".encode()).hexdigest()


def pair(calls, results):
    """Each call exactly one result, and no result without a call."""
    if sorted(calls) != sorted(name for name, _ in results):
        raise Refused(f"tool calls {sorted(calls)} have results {sorted(name for name, _ in results)}")
    by_name = dict(results)
    return [(name, by_name[name]) for name in calls]


def tokens_of(body):
    return len(json.dumps(body)) // 4


def data(event, name=None):
    line = f"data: {json.dumps(event, ensure_ascii=False)}\n\n"
    return f"event: {name}\n{line}" if name else line


class Chat:
    @staticmethod
    def error(kind, message):
        return {"error": {"message": message, "type": kind, "param": None, "code": kind}}

    @staticmethod
    def read(body, _secret):
        asked = Asked(body["model"], body.get("tools") or [], tokens=tokens_of(body["messages"]))
        if not body.get("stream") or not body.get("stream_options", {}).get("include_usage"):
            raise Refused("stream with usage is asked for")
        waiting, results = [], []
        for message in body["messages"] + [{"role": "end"}]:
            if message["role"] == "tool":
                results.append((message["tool_call_id"], message["content"]))
                continue
            if waiting or results:
                asked.last_calls = pair(waiting, results)
                waiting, results = [], []
            if message["role"] == "assistant":
                asked.last_calls = []
                for call in message.get("tool_calls") or []:
                    json.loads(call["function"]["arguments"] or "{}")
                    waiting.append(call["id"])
        return asked

    @staticmethod
    def stream(answer, asked, _secret):
        def chunk(delta, reason=None):
            return data({"id": "c1", "object": "chat.completion.chunk", "model": asked.model,
                         "choices": [{"index": 0, "delta": delta, "finish_reason": reason}], "obfuscation": "x"})
        yield chunk({"role": "assistant", "content": ""})
        for piece in pieces(answer.thinking):
            yield chunk({"reasoning_content": piece})
        for piece in pieces(answer.text):
            yield chunk({"content": piece})
        size = len(answer.text) + len(answer.thinking)
        for number, call in enumerate(answer.calls):
            yield chunk({"tool_calls": [{"index": number, "id": call.id, "type": "function",
                                         "function": {"name": call.name, "arguments": ""}}]})
            arguments = json.dumps(call.arguments)
            size += len(arguments)
            for piece in pieces(arguments):
                yield chunk({"tool_calls": [{"index": number, "function": {"arguments": piece}}]})
        yield chunk({}, "tool_calls" if answer.calls else "stop")
        yield data({"object": "chat.completion.chunk", "choices": [],
                    "usage": {"prompt_tokens": asked.tokens, "completion_tokens": size // 4,
                              "prompt_tokens_details": {"cached_tokens": asked.tokens // 2}}})
        yield "data: [DONE]\n\n"


class Responses:
    error = Chat.error

    @staticmethod
    def read(body, secret):
        asked = Asked(body["model"], body.get("tools") or [], tokens=tokens_of(body["input"]))
        if not body.get("stream") or body.get("store") is not False:
            raise Refused("a stream that is not stored is asked for")
        waiting, results, reasoning = [], [], None
        for item in body["input"] + [{"type": "end"}]:
            kind = item.get("type", "message")
            if kind == "function_call_output":
                results.append((item["call_id"], item["output"]))
                continue
            if results:
                asked.last_calls = pair(waiting, results)
                waiting, results = [], []
            if kind == "reasoning":
                if item.get("encrypted_content") != seal(item["summary"][0]["text"], secret):
                    raise Refused("reasoning does not come back as it was given")
                reasoning = item
            elif kind == "function_call":
                if reasoning is None:
                    raise Refused("a function_call comes back without its reasoning")
                waiting.append(item["call_id"])
                asked.last_calls = []
            elif kind == "message" and item.get("role") == "user" and waiting:
                raise Refused("a function_call has no output")
            elif kind == "message" and item.get("role") == "assistant":
                asked.last_calls = []
        if waiting:
            raise Refused("a function_call has no output")
        return asked

    @staticmethod
    def stream(answer, asked, secret):
        numbers = itertools.count()

        def event(kind, **more):
            return data({"type": kind, "sequence_number": next(numbers), **more}, kind)
        yield event("response.created", response={"id": "r1", "status": "in_progress"})
        output = []
        reasoning = {"type": "reasoning", "id": f"rs_{seal(answer.thinking, secret)[:8]}",
                     "summary": [{"type": "summary_text", "text": answer.thinking}],
                     "encrypted_content": seal(answer.thinking, secret)}
        yield event("response.output_item.added", output_index=0, item={**reasoning, "summary": []})
        for piece in pieces(answer.thinking):
            yield event("response.reasoning_summary_text.delta", item_id=reasoning["id"], output_index=0,
                        summary_index=0, delta=piece)
        yield event("response.output_item.done", output_index=0, item=reasoning)
        output.append(reasoning)
        message = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
                   "content": [{"type": "output_text", "text": answer.text, "annotations": []}]}
        yield event("response.output_item.added", output_index=1, item={**message, "content": []})
        for piece in pieces(answer.text):
            yield event("response.output_text.delta", item_id="msg_1", output_index=1, content_index=0, delta=piece)
        yield event("response.output_item.done", output_index=1, item=message)
        output.append(message)
        size = len(answer.text) + len(answer.thinking)
        for number, call in enumerate(answer.calls, 2):
            arguments = json.dumps(call.arguments)
            size += len(arguments)
            item = {"type": "function_call", "id": f"fc_{number}", "call_id": call.id, "name": call.name,
                    "arguments": arguments, "status": "completed"}
            yield event("response.output_item.added", output_index=number, item={**item, "arguments": ""})
            for piece in pieces(arguments):
                yield event("response.function_call_arguments.delta", item_id=item["id"], output_index=number,
                            delta=piece)
            yield event("response.function_call_arguments.done", item_id=item["id"], output_index=number,
                        arguments=arguments)
            yield event("response.output_item.done", output_index=number, item=item)
            output.append(item)
        yield event("response.completed", response={
            "id": "r1", "status": "completed", "output": output,
            "usage": {"input_tokens": asked.tokens, "input_tokens_details": {"cached_tokens": asked.tokens // 2},
                      "output_tokens": size // 4, "total_tokens": asked.tokens + size // 4}})


class Messages:
    @staticmethod
    def error(kind, message):
        return {"type": "error", "error": {"type": kind, "message": message}}

    @staticmethod
    def read(body, secret):
        asked = Asked(body["model"], body.get("tools") or [], tokens=tokens_of(body["messages"]))
        if not body.get("stream") or not body.get("max_tokens"):
            raise Refused("stream and max_tokens are asked for")
        waiting = []
        for message in body["messages"]:
            content = message["content"]
            blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
            if message["role"] == "assistant":
                if waiting:
                    raise Refused("tool_use blocks were not answered in the next message")
                waiting = [block["id"] for block in blocks if block["type"] == "tool_use"]
                asked.last_calls = []
                for block in blocks:
                    if block["type"] == "thinking" and block.get("signature") != seal(block["thinking"], secret):
                        raise Refused("a thinking block does not come back as it was given")
                if waiting and blocks[0]["type"] != "thinking":
                    raise Refused("a tool_use comes back without its thinking")
                continue
            results = [(block["tool_use_id"], Messages.words(block)) for block in blocks
                       if block["type"] == "tool_result"]
            if waiting or results:
                if any(block["type"] != "tool_result" for block in blocks[:len(results)]):
                    raise Refused("tool_result blocks come first")
                asked.last_calls = pair(waiting, results)
                waiting = []
        if waiting:
            raise Refused("tool_use blocks were not answered in the next message")
        return asked

    @staticmethod
    def words(block):
        content = block.get("content", "")
        return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)

    @staticmethod
    def stream(answer, asked, secret):
        def event(kind, **more):
            return data({"type": kind, **more}, kind)
        fresh = asked.tokens // 4
        yield event("message_start", message={"id": "m1", "role": "assistant", "content": [], "usage": {
            "input_tokens": fresh, "cache_creation_input_tokens": asked.tokens // 4,
            "cache_read_input_tokens": asked.tokens - fresh - asked.tokens // 4, "output_tokens": 1}})
        yield event("ping")
        yield event("content_block_start", index=0, content_block={"type": "thinking", "thinking": ""})
        for piece in pieces(answer.thinking):
            yield event("content_block_delta", index=0, delta={"type": "thinking_delta", "thinking": piece})
        yield event("content_block_delta", index=0,
                    delta={"type": "signature_delta", "signature": seal(answer.thinking, secret)})
        yield event("content_block_stop", index=0)
        yield event("content_block_start", index=1, content_block={"type": "text", "text": ""})
        for piece in pieces(answer.text):
            yield event("content_block_delta", index=1, delta={"type": "text_delta", "text": piece})
        yield event("content_block_stop", index=1)
        size = len(answer.text) + len(answer.thinking)
        for number, call in enumerate(answer.calls, 2):
            yield event("content_block_start", index=number, content_block={
                "type": "tool_use", "id": call.id, "name": call.name, "input": {}})
            arguments = json.dumps(call.arguments)
            size += len(arguments)
            for piece in ["", *pieces(arguments)]:
                yield event("content_block_delta", index=number,
                            delta={"type": "input_json_delta", "partial_json": piece})
            yield event("content_block_stop", index=number)
        yield event("message_delta", delta={"stop_reason": "tool_use" if answer.calls else "end_turn"},
                    usage={"output_tokens": size // 4})
        yield event("message_stop")


BY_PATH = {"/v1/chat/completions": Chat, "/v1/responses": Responses, "/v1/messages": Messages}
