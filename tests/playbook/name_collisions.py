# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks for name collisions: an input may have the name of a local variable or function of a kernel's text, where one would
shadow the other and silently give wrong numbers."""

import collections
import json
import re

from products import SUMMED as EXTRA_ROWS  # checked too: their texts have names that no task's text has

# A type before a declared name, with its qualifiers: two words side by side.
STATEMENTS = r"(?!(?:return|else|case|goto|throw|new|delete|using|namespace|typename|template|operator|and|or|not)\b)"
TYPE = rf"\b{STATEMENTS}[A-Za-z_][\w:]*(?:<[^<>;(){{}}]*>)?(?:\s+const\b)?[\s*&]+(?:(?:const|__restrict__)\b\s*)*"
DECLARED = re.compile(rf"{TYPE}\b([a-z]\w*)\b(?=\s*[=;,)({{[]|\s+:\s)")
CALLED = re.compile(r"(?<![\w:.>])([a-z]\w*)\(")
KEYWORDS = {"if", "for", "while", "switch", "return", "sizeof", "alignas", "volatile", "asm", "decltype", "defined", "const", "else", "do", "return",
            "case", "new", "delete", "auto", "float", "double", "int", "bool", "char", "short", "long", "unsigned", "void", "true", "false", "nullptr"}
PLAIN = re.compile(r"\bplain\d+\b")


def with_neutral_names(line):
    """The graph with inputs and weights renamed to plain0, plain1..., which no text declares."""
    graph = json.loads(line)
    names = [f"plain{i}" for i in range(len(graph["argumentNames"]))]
    graph["argumentNames"] = list(names)
    of_path = {}
    for node in graph["nodes"]:
        if path := node.get("path"):
            node["path"] = of_path.setdefault(path, f"plain{len(names) + len(of_path)}")
    return json.dumps(graph)


def functions(text):
    """The functions of a file, without comments, pragmas and lambdas without captures."""
    return re.split(r"\n}", re.sub(r"//.*|#pragma.*|\[\]\([^)]*\) {[^}]*}", "", text))


def kernels(answer):
    return {path: text for path, text in answer.get("files", {}).items() if path.endswith((".cu", ".cpp")) and "binding" not in path}


def declared_names(text):
    """Of each function that reads inputs: each input, and the names that the function declares or calls."""
    for part in functions(text):
        inputs = sorted(set(PLAIN.findall(part)))
        words = set(DECLARED.findall(part)) | set(CALLED.findall(part))
        for name in inputs:
            yield name, {word for word in words - KEYWORDS if not PLAIN.match(word) and "_" not in word and len(word) <= 24}


def is_same(before, after, name, word):
    """Whether a function changed only in that its input has the name of something else in it."""
    as_one = lambda text: re.sub(r"\s+", " ", text)
    return any(name in old and re.search(rf"\b{word}\b", old) and as_one(re.sub(rf"\b{name}\b", word, old)) == as_one(new)
               for old, new in zip(functions(before), functions(after)))


def check_name_collisions(answers, program, lines, letters):
    """Yields problems; `lines`: graphs. Each name is tried once in each family of kernels, many in one graph."""
    lines = [with_neutral_names(line) for line in lines]
    plain = answers(program, lines, letters)
    trials, tried = [collections.defaultdict(dict)], set()
    for number, answer in enumerate(plain):
        for path, text in kernels(answer).items():
            for name, words in declared_names(text):
                family = re.sub(r"(_\d+)?\.\w+$", "", path)  # CUDA's and the CPU's text have the same names
                for word in sorted(word for word in words if (family, word) not in tried):
                    tried.add((family, word))
                    trial = next((trial for trial in trials if name not in trial[number]), None)
                    if trial is None:
                        trials.append(trial := collections.defaultdict(dict))
                    trial[number][name] = (path, word)
    for trial in trials:
        numbers = [number for number in trial if trial[number]]
        others = []
        for number in numbers:
            line = lines[number]
            for name, (_, word) in trial[number].items():
                line = line.replace(f'"{name}"', f'"{word}"')
            others.append(line)
        for number, answer in zip(numbers, answers(program, others, letters)):
            for name, (path, word) in trial[number].items():
                before, after = kernels(plain[number])[path], kernels(answer).get(path, "")
                for other, (_, called) in trial[number].items():
                    if other != name:  # other inputs that were renamed
                        before = re.sub(rf"\b{other}\b", f"{called}Values" if f"{called}Values" in after else called, before)
                if is_same(before, after, name, word):
                    yield f"an input called {word} is the same name as one of the text's own in {path}, {letters or 'plain'}"
    print(f"{len(tried)} names of the texts' own were tried as names of inputs, in {letters or 'plain'} texts.")
