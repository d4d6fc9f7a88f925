# SPDX-License-Identifier: GPL-3.0-or-later
"""One answer as the stream of each dialect: what real servers send, field by field."""

import json

USAGE = {"in": 120, "cached": 100, "stored": 0, "out": 30}


def event(data, name=None):
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return ((f"event: {name}\n" if name else "") + f"data: {text}\n\n").encode()


def pieces(text, size=5):
    return [text[at:at + size] for at in range(0, len(text), size)] if text else []


def chat(answer):
    made = []

    def chunk(delta, why=None, **more):
        made.append(event({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m",
                           "choices": [{"index": 0, "delta": delta, "finish_reason": why}], **more}))

    chunk({"role": "assistant", "content": ""})
    for piece in pieces(answer.get("thinking")):
        chunk({answer.get("thinking_field", "reasoning_content"): piece})
    for piece in pieces(answer.get("text")):
        chunk({"content": piece})
    for index, call in enumerate(answer.get("calls", [])):
        first = {"index": index, "id": call.get("id", f"call_{index}"), "type": "function",
                 "function": {"name": call["name"], "arguments": ""}, **call.get("extra", {})}
        chunk({"tool_calls": [first]})
        for piece in pieces(call["arguments"], max(5, len(call["arguments"]) // 50)):
            chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    chunk({}, answer.get("stop") or ("tool_calls" if answer.get("calls") else "stop"))
    usage = answer.get("usage", USAGE)
    if usage:
        made.append(event({"object": "chat.completion.chunk", "choices": [], "usage": {
            "prompt_tokens": usage["in"], "completion_tokens": usage["out"], "total_tokens": usage["in"] + usage["out"],
            "prompt_tokens_details": {"cached_tokens": usage["cached"]}}}))
    made.append(event("[DONE]"))
    return made


def anthropic(answer):
    usage = answer.get("usage", USAGE)
    start = {"input_tokens": usage["in"] - usage["cached"] - usage["stored"], "output_tokens": 1,
             "cache_read_input_tokens": usage["cached"], "cache_creation_input_tokens": usage["stored"]} if usage else {}
    made = []

    def say(kind, **more):
        made.append(event({"type": kind, **more}, kind))

    def block(opening, deltas):
        index = block.count
        block.count += 1
        say("content_block_start", index=index, content_block=opening)
        for delta in deltas:
            say("content_block_delta", index=index, delta=delta)
        say("content_block_stop", index=index)

    block.count = 0
    say("message_start", message={"id": "msg_1", "type": "message", "role": "assistant", "content": [], "usage": start})
    say("ping")
    if answer.get("thinking"):
        block({"type": "thinking", "thinking": "", "signature": ""},
              [{"type": "thinking_delta", "thinking": piece} for piece in pieces(answer["thinking"])]
              + ([] if answer.get("unsigned") else [{"type": "signature_delta", "signature": "sig-of-thinking=="}]))
    if answer.get("thinking") and not answer.get("unsigned"):
        block({"type": "redacted_thinking", "data": "redacted-bytes=="}, [])
    if answer.get("text"):
        block({"type": "text", "text": ""}, [{"type": "text_delta", "text": piece} for piece in pieces(answer["text"])])
    for number, call in enumerate(answer.get("calls", [])):
        block({"type": "tool_use", "id": call.get("id", f"toolu_{number}"), "name": call["name"], "input": {}},
              [{"type": "input_json_delta", "partial_json": piece}
               for piece in [""] + pieces(call["arguments"], max(5, len(call["arguments"]) // 50))])
    why = {"length": "max_tokens", "content_filter": "refusal"}.get(answer.get("stop"), answer.get("stop"))
    say("message_delta", delta={"stop_reason": why or ("tool_use" if answer.get("calls") else "end_turn"),
                                "stop_sequence": None}, **({"usage": {"output_tokens": usage["out"]}} if usage else {}))
    say("message_stop")
    return made


def responses(answer):
    made = []
    output = []

    def say(kind, **more):
        made.append(event({"type": kind, "sequence_number": len(made), **more}, kind))

    def item(opening, events, done):
        index = len(output)
        say("response.output_item.added", output_index=index, item=opening)
        for kind, more in events:
            say(kind, output_index=index, item_id=done["id"], **more)
        say("response.output_item.done", output_index=index, item=done)
        output.append(done)

    say("response.created", response={"id": "resp_1", "status": "in_progress"})
    say("response.in_progress", response={"id": "resp_1", "status": "in_progress"})
    cut = answer.get("stop") == "length"
    if answer.get("thinking"):
        done = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": answer["thinking"]}],
                "encrypted_content": "encrypted-bytes=="}
        item({"type": "reasoning", "id": "rs_1", "summary": []},
             [("response.reasoning_summary_text.delta", {"summary_index": 0, "delta": piece})
              for piece in pieces(answer["thinking"])], done)
    if answer.get("text"):
        done = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": answer["text"], "annotations": []}]}
        item({"type": "message", "id": "msg_1", "role": "assistant", "content": []},
             [("response.output_text.delta", {"content_index": 0, "delta": piece}) for piece in pieces(answer["text"])], done)
    for number, call in enumerate(answer.get("calls", [])):
        last = number + 1 == len(answer["calls"])
        done = {"type": "function_call", "id": f"fc_{number}", "call_id": call.get("id", f"call_{number}"),
                "name": call["name"], "arguments": call["arguments"], "status": "incomplete" if cut and last else "completed"}
        item({**done, "arguments": "", "status": "in_progress"},
             [("response.function_call_arguments.delta", {"delta": piece})
              for piece in pieces(call["arguments"], max(5, len(call["arguments"]) // 50))], done)
    usage = answer.get("usage", USAGE)
    end = {"id": "resp_1", "status": "incomplete" if answer.get("stop") else "completed", "output": output}
    if answer.get("stop"):
        reason = {"length": "max_output_tokens"}.get(answer["stop"], answer["stop"])
        end["incomplete_details"] = {"reason": reason}
    if usage:
        end["usage"] = {"input_tokens": usage["in"], "output_tokens": usage["out"],
                        "input_tokens_details": {"cached_tokens": usage["cached"]}}
    say("response.incomplete" if answer.get("stop") else "response.completed", response=end)
    return made


STREAMS = {"openai-chat": chat, "anthropic": anthropic, "openai-responses": responses}


def whole(dialect, answer):
    """The same answer, not streamed."""
    usage = answer.get("usage", USAGE)
    calls = answer.get("calls", [])
    if dialect == "openai-chat":
        message = {"role": "assistant", "content": answer.get("text")}
        if calls:
            message["tool_calls"] = [{"id": f"call_{at}", "type": "function", "function": call} for at, call in enumerate(calls)]
        return {"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": usage["in"], "completion_tokens": usage["out"]}}
    if dialect == "anthropic":
        blocks = [{"type": "text", "text": answer["text"]}] if answer.get("text") else []
        blocks += [{"type": "tool_use", "id": f"toolu_{at}", "name": call["name"], "input": json.loads(call["arguments"])}
                   for at, call in enumerate(calls)]
        return {"type": "message", "role": "assistant", "content": blocks, "stop_reason": "end_turn",
                "usage": {"input_tokens": usage["in"], "output_tokens": usage["out"]}}
    items = [{"type": "message", "id": "msg_1", "role": "assistant",
              "content": [{"type": "output_text", "text": answer["text"]}]}] if answer.get("text") else []
    items += [{"type": "function_call", "id": f"fc_{at}", "call_id": f"call_{at}", **call} for at, call in enumerate(calls)]
    return {"object": "response", "status": "completed", "output": items,
            "usage": {"input_tokens": usage["in"], "output_tokens": usage["out"]}}
