#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A server of language models that thinks nothing: it plays the answer that the address names, with its fault.

    model_server.py [--log FILE] [--turns FILE] [--tls CERTIFICATE KEY]

It prints «port N» and serves http://127.0.0.1:N/SCRIPT/v1 in three dialects: chat/completions, responses, messages.
SCRIPT is a name out of scripts.py with options behind semicolons: «status-429;retry-after=1;times=2» fails twice and
then answers. FILE of --log gets each request as a line of JSON: path, names of headers, body; never the key.
FILE of --turns: a list of answers {"text", "thinking", "calls": [{"name", "arguments"}]}; the script «turns» plays
the next one at each request, and after the last one says «done»; {"play": SCRIPT} plays that one in its place.
GET SCRIPT/v1/models lists the names of the option «models» ("a,b"); without it there is no such page.
GET SCRIPT/api/ps is Ollama's: the model «m» with the window of the option «window»; without it there is no such page.
"""

import argparse
import json
import os
import ssl
import sys
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import scripts  # noqa: E402

DIALECTS = {"chat/completions": "openai-chat", "responses": "openai-responses", "messages": "anthropic"}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "model_server"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        words, _, rest = urllib.parse.unquote(self.path).lstrip("/").partition("/")
        name, *options = words.split(";")
        options = dict((option.partition("=")[0], option.partition("=")[2]) for option in options)
        dialect = DIALECTS.get(rest.partition("/")[2])
        with self.server.lock:
            count = self.server.counts[words] = self.server.counts.get(words, 0) + 1
            if self.server.log:
                entry = {"path": self.path, "headers": sorted(key.lower() for key in self.headers), "body": json.loads(body)}
                self.server.log.write(json.dumps(entry) + "\n")
                self.server.log.flush()
            turn = None
            if name == "turns" and self.server.turns:
                turn = self.server.turns.pop(0)
        self.close_connection = True
        if "times" in options and count > int(options["times"]):
            name = "plain"
        if name == "after-first":
            name = "plain" if count == 1 else options["do"]
        try:
            scripts.play(self, name, options, dialect, json.loads(body), turn)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def do_GET(self):
        words, _, rest = urllib.parse.unquote(self.path).lstrip("/").partition("/")
        options = dict((option.partition("=")[0], option.partition("=")[2]) for option in words.split(";")[1:])
        self.close_connection = True
        if rest == "api/ps" and "window" in options:
            self.refuse(200, {"models": [{"name": "other:latest", "context_length": 9},
                                         {"name": "m:latest", "model": "m:latest", "context_length": int(options["window"])}]})
        elif rest == "v1/models" and "models" in options:
            self.refuse(200, {"object": "list", "data": [{"id": name} for name in options["models"].split(",")]})
        else:
            self.refuse(404, b"404 page not found", (), "text/plain")

    def log_message(self, *words):
        pass

    def start_stream(self, kind="text/event-stream; charset=utf-8"):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.flush()

    def say(self, data):
        self.wfile.write(data)
        self.wfile.flush()

    def refuse(self, status, body, headers=(), kind="application/json"):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for header in headers:
            self.send_header(*header)
        self.end_headers()
        self.say(data)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--log")
    parser.add_argument("--turns")
    parser.add_argument("--tls", nargs=2)
    told = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if told.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*told.tls)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    server.lock = threading.Lock()
    server.counts = {}
    server.log = open(told.log, "a", encoding="utf-8") if told.log else None
    server.turns = []
    if told.turns:
        with open(told.turns, encoding="utf-8") as file:
            server.turns = json.load(file)
    print("port", server.server_address[1], flush=True)
    # Gone with whoever started us.
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    server.serve_forever()


main()
