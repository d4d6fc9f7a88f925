#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# A language server that knows words: what it answers follows from the texts that are open in it, the same each time.
# argv[1]: a header that defines cudaStream_t. A line with "broken" is an error, one with "doubtful" a warning; a word that
# begins with "gate" brings an #include along; blanks at the ends of lines are what formatting takes away; what begins with "asks" is a call.
# The references of a word that begins with "depends" it knows where the word stands first alone, those of one with "hidden" nowhere.
import json
import re
import sys

texts, versions = {}, {}
HEADER = sys.argv[1] if len(sys.argv) > 1 else ""
NAME = re.compile(r"[A-Za-z_]\w*")


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


def receive():
    length = 0
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            sys.exit(0)
        if line == b"\r\n":
            break
        key, _, value = line.partition(b":")
        if key.lower() == b"content-length":
            length = int(value)
    return json.loads(sys.stdin.buffer.read(length))


def place(line, column):
    return {"line": line, "character": column}


def span(line, begin, end):
    return {"start": place(line, begin), "end": place(line, end)}


def lines_of(uri):
    return texts.get(uri, "").split("\n")


def units(line, at):
    return len(line[:at].encode("utf-16-le")) // 2  # as the protocol counts


def changed(text, change):
    if "range" not in change:
        return change["text"]
    lines = [line.encode("utf-16-le") for line in text.split("\n")]
    start, end = change["range"]["start"], change["range"]["end"]
    before = lines[:start["line"]] + [lines[start["line"]][:2 * start["character"]]]
    after = [lines[end["line"]][2 * end["character"]:]] + lines[end["line"] + 1:]
    return ("\n".encode("utf-16-le").join(before) + change["text"].encode("utf-16-le") + "\n".encode("utf-16-le").join(after)).decode("utf-16-le")


def word_at(params):
    lines = lines_of(params["textDocument"]["uri"])
    at = params["position"]
    for found in NAME.finditer(lines[at["line"]]):
        if found.start() <= at["character"] <= found.end():
            return found
    return None


def occurrences(uri, name):
    return [span(number, units(line, found.start()), units(line, found.end())) for number, line in enumerate(lines_of(uri))
            for found in NAME.finditer(line) if found.group() == name]


def completion(params):
    uri, at = params["textDocument"]["uri"], params["position"]
    before = lines_of(uri)[at["line"]][:at["character"]]
    begun = re.search(r"\w*$", before).group()
    words = []
    # Its own first: in which order the others were opened is by chance.
    for text in [texts.get(uri, "")] + sorted(text for other, text in texts.items() if other != uri):
        for word in NAME.findall(text):
            if word not in words and word != begun:
                words.append(word)
    items = []
    for number, word in enumerate(words):
        item = {"label": word, "kind": 3, "detail": "int", "sortText": "%05d" % number, "filterText": word,
                "documentation": {"kind": "markdown", "value": "About `%s`." % word}, "insertTextFormat": 1,
                "textEdit": {"range": span(at["line"], at["character"] - len(begun), at["character"]), "newText": word}}
        if word.startswith("asks"):
            item["insertTextFormat"] = 2
            item["textEdit"]["newText"] = word + "(${1:int first})"
        if word.startswith("gate"):
            item["additionalTextEdits"] = [{"range": span(0, 0, 0), "newText": "#include <gate.h>\n"}]
        items.append(item)
    return {"isIncomplete": False, "items": items}


def signature(params):
    uri, at = params["textDocument"]["uri"], params["position"]
    before = lines_of(uri)[at["line"]][:at["character"]]
    call = re.search(r"(\w+)\(([^()]*)$", before)
    if call is None:
        return None
    label = call.group(1) + "(int first, int second)"
    begin = label.index("(") + 1
    return {"signatures": [{"label": label, "parameters": [{"label": [begin, begin + 9]}, {"label": [begin + 11, begin + 21]}]}],
            "activeSignature": 0, "activeParameter": call.group(2).count(",")}


def answer(method, params):
    uri = params.get("textDocument", {}).get("uri", "")
    word = word_at(params) if "position" in params and uri in texts else None
    name = word.group() if word else ""
    if method == "initialize":
        return {"serverInfo": {"name": "clangd", "version": "clangd version 22.1.1"},
                "capabilities": {
                    "textDocumentSync": {"openClose": True, "change": 2, "save": True},
                    "completionProvider": {"triggerCharacters": [".", ">", ":"]},
                    "signatureHelpProvider": {"triggerCharacters": ["(", ","]}, "hoverProvider": True,
                    "definitionProvider": True, "referencesProvider": True, "documentSymbolProvider": True,
                    "renameProvider": {"prepareProvider": True}, "documentFormattingProvider": True,
                    "documentRangeFormattingProvider": True}}
    if method == "textDocument/completion":
        return completion(params)
    if method == "textDocument/signatureHelp":
        return signature(params)
    if method == "textDocument/hover":
        return {"contents": {"kind": "markdown", "value": "### word `%s`\n\nIt stands here." % name}} if name else None
    if method == "textDocument/definition":
        if name == "cudaStream_t":
            return [{"uri": "file://" + HEADER, "range": span(2, 0, 5)}]
        found = occurrences(uri, name) if name else []
        return [{"uri": uri, "range": found[0]}] if found else []
    if method == "textDocument/references":
        first = occurrences(uri, name)[:1]
        isFirst = bool(first) and first[0]["start"]["line"] == params["position"]["line"]
        if name.startswith("hidden") or name.startswith("depends") and not isFirst:
            return []
        return [{"uri": one, "range": found} for one in texts for found in occurrences(one, name)] if name else []
    if method == "textDocument/prepareRename":
        number = params["position"]["line"]
        return span(number, word.start(), word.end()) if word else None
    if method == "textDocument/rename":
        changes = {}
        for one in texts:
            found = occurrences(one, name)
            if found:
                changes[one] = [{"range": where, "newText": params["newName"]} for where in found]
        return {"changes": changes}
    if method in ("textDocument/formatting", "textDocument/rangeFormatting"):
        lines = lines_of(uri)
        only = params.get("range")
        first, last = (only["start"]["line"], only["end"]["line"]) if only else (0, len(lines) - 1)
        return [{"range": span(number, len(line.rstrip()), len(line)), "newText": ""}
                for number, line in enumerate(lines) if first <= number <= last and line != line.rstrip()]
    if method == "textDocument/documentSymbol":
        symbols = []
        for number, line in enumerate(lines_of(uri)):
            found = re.search(r"void (\w+)\(", line)
            if found:
                symbols.append({"name": found.group(1), "detail": "void", "kind": 12, "range": span(number, 0, len(line)),
                                "selectionRange": span(number, found.start(1), found.end(1))})
        return symbols
    return None


def diagnose(uri):
    said = []
    for number, line in enumerate(lines_of(uri)):
        for word, severity in (("broken", 1), ("doubtful", 2)):
            at = line.find(word)
            if at >= 0:
                begin = units(line, at)
                said.append({"range": span(number, begin, begin + len(word)), "severity": severity, "code": "by_word",
                             "source": "clangd", "message": "this is %s" % word})
    send({"method": "textDocument/publishDiagnostics",
          "params": {"uri": uri, "version": versions.get(uri, 0), "diagnostics": said}})


while True:
    message = receive()
    method, params = message.get("method", ""), message.get("params") or {}
    if method == "exit":
        sys.exit(0)
    if method == "textDocument/didOpen":
        document = params["textDocument"]
        texts[document["uri"]], versions[document["uri"]] = document["text"], document.get("version", 0)
        diagnose(document["uri"])
    elif method == "textDocument/didChange":
        uri = params["textDocument"]["uri"]
        versions[uri] = params["textDocument"].get("version", 0)
        for change in params["contentChanges"]:
            texts[uri] = changed(texts[uri], change)
        diagnose(uri)
    elif method == "textDocument/didClose":
        texts.pop(params["textDocument"]["uri"], None)
    elif "id" in message and method:
        send({"id": message["id"], "result": answer(method, params)})
