#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A language model's server that plays an engineer by rules: three dialects, streamed, and strict about them.

    engineer.py --lesson resources/lessons/softmax [--port 0] [--key KEY] [--pace TOKENS_PER_SECOND]

It knows a lesson's steps as an engineer knows ideas. It reads the skill and the workspace, makes an edit with a
mistake in it, reads the compiler's words, mends it, verifies, profiles, submits, reads what became of it, and goes
on; what a person rejected it does not want again. All that it goes by stands in the conversation: it can be killed
at any moment, and another one goes on. Prints «listening on PORT» first.
"""

import argparse
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import dialects  # noqa: E402
from rules import Engineer  # noqa: E402


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):  # noqa: N802
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        dialect = dialects.BY_PATH.get(self.path)
        if dialect is None:
            return self.refuse(404, {"error": {"message": f"no such path: {self.path}"}})
        given = self.headers.get("x-api-key") or self.headers.get("Authorization", "").removeprefix("Bearer ")
        if self.server.key and given != self.server.key:
            return self.refuse(401, dialect.error("authentication_error", "invalid key"))
        try:
            asked = dialect.read(json.loads(body), self.server.secret)
        except dialects.Refused as problem:
            self.server.tell(f"refused: {problem}")
            return self.refuse(400, dialect.error("invalid_request_error", str(problem)))
        answer = self.server.engineer.answer(asked)
        self.server.count += 1
        self.server.tell(f"turn {self.server.count}: {answer.note()}")
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            for event in dialect.stream(answer, asked, self.server.secret):
                self.wfile.write(event.encode())
                self.wfile.flush()
                if self.server.pace:
                    time.sleep(1 / self.server.pace)
        except (BrokenPipeError, ConnectionResetError):
            self.server.tell("the client went away")
        self.close_connection = True

    def refuse(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, options):
        super().__init__(("127.0.0.1", options.port), Handler)
        self.key = options.key
        self.pace = options.pace
        self.secret = options.secret
        self.engineer = Engineer(Path(options.lesson), options.ideas)
        self.count = 0
        self.lock = threading.Lock()

    def tell(self, words):
        with self.lock:
            print(words, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lesson", required=True)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--key", default="")
    parser.add_argument("--pace", type=float, default=0)
    parser.add_argument("--ideas", type=int, default=99, help="so many steps of the lesson at most")
    parser.add_argument("--secret", default="sealed", help="of signatures: another server's are refused")
    options = parser.parse_args()
    server = Server(options)
    print(f"listening on {server.server_address[1]}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
