#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A small agent of the Agent Client Protocol, version 1, that works by rules and misbehaves on request.

    acp_agent.py [--edit protocol|folder|none] [--steps N] [--log FILE] [switches, see main()]

Each prompt puts one line into kernels/a.cu (--file, --line), «// time N» with N smaller from step to step, until its
steps are used up; then it says DONE. Which step comes next stands in the file itself: another one goes on from there.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import threading
import time


class Stopped(Exception):
    pass


class Agent:
    def __init__(self, options):
        self.options = options
        self.next_id = 100
        self.answers = {}
        self.arrived = threading.Condition()
        self.session = None
        self.folder = ""
        self.servers = []
        self.cancelled = threading.Event()
        self.writing = threading.Lock()
        self.calls = 0

    # --- the wire ---
    def send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False)
        with self.writing:
            sys.stdout.buffer.write(text.encode() + b"\n")
            sys.stdout.buffer.flush()

    def ask(self, method, params):
        with self.arrived:
            self.next_id += 1
            number = self.next_id
        self.send({"id": number, "method": method, "params": {"sessionId": self.session, **params}})
        with self.arrived:
            while number not in self.answers:
                self.arrived.wait()
            return self.answers.pop(number)

    def update(self, variant, **fields):
        self.send({"method": "session/update",
                   "params": {"sessionId": self.session, "update": {"sessionUpdate": variant, **fields}}})

    def say(self, text, kind="agent_message_chunk"):
        for at in range(0, len(text), 12 if len(text) < 1000 else 400_000):
            piece = text[at:at + (12 if len(text) < 1000 else 400_000)]
            self.update(kind, content={"type": "text", "text": piece})

    def note(self, **what):
        if self.options.log:
            with open(self.options.log, "a") as log:
                log.write(json.dumps(what) + "\n")

    # --- what it is asked ---
    def run(self):
        for line in sys.stdin.buffer:
            message = json.loads(line)
            if "method" not in message:
                with self.arrived:
                    self.answers[message["id"]] = message
                    self.arrived.notify_all()
            elif message["method"] == "session/cancel":
                self.note(cancel=True)
                if not self.options.ignore_cancel:
                    self.cancelled.set()
                    with self.arrived:
                        self.arrived.notify_all()
            else:
                threading.Thread(target=self.take, args=(message,), daemon=True).start()

    def take(self, message):
        method, params, options = message["method"], message["params"], self.options
        if options.die == method:
            print("about to die", file=sys.stderr, flush=True)
            if options.signal:
                os.kill(os.getpid(), options.signal)
                time.sleep(10)  # it is for another thread
            os._exit(7)
        if method == "initialize":
            self.note(greeting=params)
            self.reply(message, {"protocolVersion": options.version,
                                 "agentCapabilities": {"loadSession": options.load},
                                 "agentInfo": {"name": "rules", "title": "Rules", "version": "1.2"},
                                 "authMethods": self.ways_in() if options.sign_in else []})
        elif method == "authenticate":
            self.note(authenticate=params["methodId"])
            if options.sign_in == "elsewhere":
                return self.send({"id": message["id"], "error": {"code": -32601, "message": "Method not found"}})
            options.sign_in = options.sign_in if options.sign_in == "never" else ""
            self.reply(message, {})
        elif method in ("session/new", "session/load"):
            if options.no_session:
                return self.send({"id": message["id"], "error": {"code": -32602, "message": "Invalid params",
                                                                 "data": json.loads(options.no_session)}})
            if options.sign_in == "session":
                return self.send({"id": message["id"], "error": {"code": -32000, "message": "Authentication required"}})
            self.note(method=method, cwd=params["cwd"], servers=params["mcpServers"], session=params.get("sessionId"))
            self.folder, self.servers = params["cwd"], params["mcpServers"]
            self.session = params.get("sessionId", f"s-{os.getpid()}")
            if method == "session/load":
                self.say("what was said before")
            self.reply(message, {"sessionId": self.session} if method == "session/new" else {})
        elif method == "session/prompt":
            self.note(prompt=params["prompt"][0]["text"])
            if options.sign_in and not (options.signed_in and os.path.getsize(options.signed_in)):
                return self.send({"id": message["id"], "error": {"code": -32000, "message": "Authentication required"}})
            self.cancelled.clear()
            try:
                reason = self.turn(params["prompt"][0]["text"])
            except Stopped:
                reason = "cancelled"
            self.calls += 1
            usage = {"totalTokens": 150 * self.calls, "inputTokens": 100 * self.calls, "outputTokens": 50 * self.calls}
            self.reply(message, {"stopReason": reason, "usage": usage})
        else:
            self.send({"id": message["id"], "error": {"code": -32601, "message": "no such method"}})

    def ways_in(self):
        if not self.options.signed_in:
            return [{"id": "browser", "name": "With a browser", **({"description": "Run `rules login`"} if self.options.sign_in == "elsewhere" else {})}]
        return [{"id": "login", "name": "By a command", "type": "terminal", "args": ["--login", "a b"], "env": {"A": "1"}}]

    def reply(self, message, result):
        self.send({"id": message["id"], "result": result})

    def turn(self, text):
        options = self.options
        if options.refuse:
            self.say("I would rather not.")
            return "refusal"
        if options.once and "What became of your proposal" in text:
            self.say("DONE: I had one idea.")
            return "end_turn"
        if options.cut and self.calls < options.cut:
            return "max_tokens"
        if options.think:
            self.say("which line is slow?", "agent_thought_chunk")
        if options.plan:
            self.update("plan", entries=[{"content": "edit", "priority": "high", "status": "in_progress"},
                                         {"content": "measure", "priority": "low", "status": "pending"}])
        if options.big:
            self.say("x" * options.big)
        if options.linger:
            self.say("I think long")
            while not self.cancelled.is_set() or options.ignore_cancel:
                time.sleep(0.01)
            raise Stopped
        if options.outside:
            self.note(outside=[self.ask("fs/write_text_file", {"path": path, "content": "mine"})
                               for path in (options.outside, self.folder + "/../escaped.txt", self.folder + "/model.py")],
                      read=self.ask("fs/read_text_file", {"path": options.outside}),
                      itself=self.ask("fs/read_text_file", {"path": self.folder}))
            try:
                with open(options.outside, "w") as file:
                    file.write("mine")
                self.note(wrote=True)
            except OSError as problem:
                self.note(wrote=False, why=str(problem))
        if options.protected:
            with open(self.folder + "/model.py", "a") as file:
                file.write("# mine\n")
        if options.terminal:
            self.terminal()
        for name in self.clutter():
            path = f"{self.folder}/kernels/{name}"
            if "cannot be proposed" in text:
                os.unlink(path)
            else:
                with open(path, "w") as file:
                    file.write("// clutter\n")
        if self.clutter() and "cannot be proposed" in text:
            return "end_turn"
        return self.edit()

    def clutter(self):
        return {"": [], "many": [f"f{number}.h" for number in range(2001)], "odd": ["od\nd.cu"]}[self.options.clutter]

    def done_in(self, text):
        """How many of its steps stand in the text."""
        if not self.options.judge:
            return len(re.findall(re.escape(self.options.line).replace(r"\{\}", r"(-?\d+)"), text))
        found = re.search(r"// fake judge: times=(\d+)", text)
        return self.options.judge.index(found[1]) + 1 if found and found[1] in self.options.judge else 0

    def with_step(self, text, done):
        if not self.options.judge:
            lines = text.split("\n")
            line = self.options.line.format(self.options.start - 10 * (done + 1))
            lines[2 + done:2 + done + (0 if self.options.insert else 1)] = [line]
            return "\n".join(lines)
        line = f"// fake judge: times={self.options.judge[done]},220,150"
        changed, count = re.subn(r"// fake judge: times=.*", line, text)
        return changed if count else f"{text}# {line}\n"

    def edit(self):
        options = self.options
        path = f"{self.folder}/{options.file}"
        read = self.ask("fs/read_text_file", {"path": path})
        text = read["result"]["content"]
        done = self.done_in(text)
        name = f"Edit {options.file}"
        if options.edit == "none":
            self.say("I looked, and I like it as it is.")
            return "end_turn"
        if done >= options.steps:
            self.say("DONE: there is nothing more in my rules.")
            return "end_turn"
        if options.ask:
            self.update("tool_call", toolCallId=f"edit-{done}", title=name, kind="edit", status="pending",
                        locations=[{"path": path}], rawInput={"command": "sed -i '1d'"} if options.by_id else {})
            call = {} if options.by_id else {"title": name, "locations": [{"path": path}]}
            answer = self.ask("session/request_permission", {
                "toolCall": {"toolCallId": f"edit-{done}", **call},
                "options": ([] if options.only_no else [{"optionId": "yes", "name": "Allow", "kind": "allow_once"}]) +
                           [{"optionId": "no", "name": "Reject", "kind": "reject_once"}]})
            outcome = answer["result"]["outcome"]
            self.note(permission=outcome)
            if outcome["outcome"] == "cancelled":
                raise Stopped
            if outcome["optionId"] != "yes":
                self.update("tool_call_update", toolCallId=f"edit-{done}", status="failed")
                self.say("Then I will not.")
                return "end_turn"
        else:
            self.update("tool_call", toolCallId=f"edit-{done}", title=name, kind="edit",
                        status="in_progress", rawInput={"path": path})
        changed = self.with_step(text, done)
        if options.edit == "protocol":
            written = self.ask("fs/write_text_file", {"path": path, "content": changed})
            self.note(written=written.get("error"))
        else:
            with open(path, "w") as file:
                file.write(changed)
        self.update("tool_call_update", toolCallId=f"edit-{done}", status="completed",
                    content=[{"type": "diff", "path": path, "oldText": text, "newText": changed}])
        if options.tools:
            self.tools()
        self.update("usage_update", used=1000, size=8000, cost={"amount": 0.01 * (done + 1), "currency": "USD"})
        self.say(f"**Step {done + 1} of my rules.**\n\nThe line {3 + done} was slow.")
        return self.then()

    def then(self):
        """How the turn of an edit ends."""
        if self.options.then == "die":
            print("about to die", file=sys.stderr, flush=True)
            os._exit(7)
        while self.options.then == "linger":
            if self.cancelled.wait(0.01):
                raise Stopped
        return self.options.then

    def terminal(self):
        made = self.ask("terminal/create", {"command": "sh", "args": ["-c", "echo from $(pwd); exit 3"]})
        if "error" in made:
            return self.note(terminal=made["error"])
        name = made["result"]["terminalId"]
        end = self.ask("terminal/wait_for_exit", {"terminalId": name})
        output = self.ask("terminal/output", {"terminalId": name})
        self.ask("terminal/release", {"terminalId": name})
        self.note(terminal=output["result"], end=end["result"], gone=self.ask("terminal/output", {"terminalId": name}))

    def tools(self):
        """Starts the first tool server as a host of MCP does, and calls what --tools names."""
        server = self.servers[0]
        child = subprocess.Popen([server["command"], *server["args"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

        def call(number, method, params):
            child.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n")
            child.stdin.flush()
            while True:
                answer = json.loads(child.stdout.readline())
                if answer.get("id") == number:
                    return answer

        call(0, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "rules", "version": "1"}})
        names = [tool["name"] for tool in call(1, "tools/list", {})["result"]["tools"]]
        self.note(tools=names)
        for number, (name, arguments) in enumerate(json.loads(self.options.tools), 2):
            self.note(tool=name, answer=call(number, "tools/call", {"name": name, "arguments": arguments}))
        child.stdin.close()
        child.wait(10)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--edit", default="protocol")
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--judge", default=[], type=lambda times: times.split(","),
                        help="its steps are these times of the fake judge's")
    parser.add_argument("--log", default="")
    parser.add_argument("--file", default="kernels/a.cu")
    parser.add_argument("--line", default="// time {}")
    parser.add_argument("--start", type=int, default=0, help="of its numbers, which fall by 10 a step")
    parser.add_argument("--insert", action="store_true", help="its lines take no other's place")
    parser.add_argument("--version", type=int, default=1)
    parser.add_argument("--load", action="store_true", help="takes old sessions up again")
    parser.add_argument("--sign-in", nargs="?", default="", const="session", choices=["session", "prompt", "never", "elsewhere"],
                        help="wants authenticate before a session, or a prompt; or is never content; or knows no authenticate")
    parser.add_argument("--signed-in", default="", help="is signed in once something stands in this file, by a command")
    parser.add_argument("--ask", action="store_true", help="asks for permission before it edits")
    parser.add_argument("--only-no", action="store_true", help="and offers nothing but a refusal")
    parser.add_argument("--by-id", action="store_true", help="names a call that it asks about by its id alone")
    parser.add_argument("--think", action="store_true")
    parser.add_argument("--once", action="store_true", help="has one idea, whatever becomes of it")
    parser.add_argument("--plan", action="store_true")
    parser.add_argument("--refuse", action="store_true")
    parser.add_argument("--cut", type=int, default=0, help="so many turns end at a limit of tokens")
    parser.add_argument("--big", type=int, default=0, help="a message of so many bytes")
    parser.add_argument("--linger", action="store_true", help="a turn that ends only by a cancel")
    parser.add_argument("--then", default="end_turn", help="after an edit: die, linger, or a reason to stop")
    parser.add_argument("--ignore-cancel", action="store_true")
    parser.add_argument("--outside", default="", help="a file outside that it tries to write")
    parser.add_argument("--protected", action="store_true", help="changes model.py")
    parser.add_argument("--terminal", action="store_true")
    parser.add_argument("--tools", default="", help='calls these of our tools after its edit: [["verify", {}], …]')
    parser.add_argument("--die", default="", help="at this method")
    parser.add_argument("--signal", type=int, default=0, help="and by this signal")
    parser.add_argument("--no-session", default="", help="opens none, with this data of an error")
    parser.add_argument("--clutter", default="", choices=["", "many", "odd"],
                        help="files in kernels/ that no candidate may have, until it is told so")
    parser.add_argument("--flood", type=int, default=0, help="bytes to standard error first")
    parser.add_argument("--no-json", action="store_true")
    options = parser.parse_args()
    options.steps = len(options.judge) if options.judge else options.steps
    if options.no_json:
        for _ in range(1000):
            print("Welcome! Type a message to begin.", flush=True)
        time.sleep(60)
    for _ in range(options.flood // 1000):
        sys.stderr.write("noise " * 166 + "\n")
    Agent(options).run()


if __name__ == "__main__":
    main()
