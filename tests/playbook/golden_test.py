# SPDX-License-Identifier: GPL-3.0-or-later
"""golden.py and templates.py with faulty programs, graphs and hashes. Needs neither torch nor a build."""

import contextlib
import io
import lzma
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import golden  # noqa: E402
import templates  # noqa: E402

PROGRAM = """#!/usr/bin/env python3
import json, sys, time
for line in sys.stdin:
    words, graph = line.rstrip("\\n").split("\\t") if sys.argv[1] == "--hashes" else (sys.argv[1], line)
    answer = {word: {"kernels/a.cu": graph, "moves": "1"} for word in words.split()}
    if sys.argv[1] != "--hashes":
        answer = {"files": {"kernels/a.cu": "text of " + words}}
    FAULT
    print(json.dumps(answer), flush=True)
"""
ROWS = (("gemm/one", "plain c", "[1]"), ("long sums: running_sum", "vk", "[2]"))


class TestGolden(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.graphs, self.hashes = self.folder / "graphs.xz", self.folder / "hashes.txt"
        for name, value in (("GRAPHS", self.graphs), ("HASHES", self.hashes), ("sources", dict), ("SECONDS", 60)):
            patch = mock.patch.object(golden, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.store(ROWS)
        self.assertEqual(self.run_golden("--freeze"), (0, ""))
        self.frozen = self.hashes.read_text()

    def store(self, rows):
        self.graphs.write_bytes(lzma.compress("\n".join(["{}", *("\t".join(row) for row in rows)]).encode()))

    def run_golden(self, *options, fault="pass"):
        """(status, output)"""
        program = self.folder / "program"
        program.write_text(PROGRAM.replace("FAULT", fault))
        program.chmod(0o755)
        said = io.StringIO()
        with mock.patch.object(sys, "argv", ["golden.py", str(program), *options]), contextlib.redirect_stderr(said), \
                contextlib.redirect_stdout(io.StringIO() if "--text" not in options else said):
            try:
                return golden.main(), said.getvalue()
            except SystemExit as why:
                return 1, str(why)

    def refuses(self, words, *options, fault="pass"):
        status, said = self.run_golden(*options, fault=fault)
        self.assertIn(words, said)
        self.assertNotIn("Traceback", said)
        self.assertEqual(status, 1)

    def test_the_same_is_no_change(self):
        self.assertEqual(self.run_golden(), (0, ""))

    def test_an_invalid_answer_is_not_frozen(self):
        for fault, words in (("answer = {'fault': 'no graph'}", "gemm/one: no graph"),
                             ("answer.pop('c', None)", "gemm/one: answers for the knobs plain, but was asked for plain c"),
                             ("answer = {}", "gemm/one: answers for the knobs none"),
                             ("answer['vk'] = {}", "answers for the knobs c plain vk"),
                             ("answer = {word: {} for word in answer}", "gemm/one: has no texts for the knobs plain"),
                             ("answer = {word: {'moves': '1'} for word in answer}", "gemm/one: has no texts for the knobs plain"),
                             ("answer = {word: {'kernels/a.cu': ''} for word in answer}", "gemm/one: has no texts for the knobs plain"),
                             ("answer = 3", "gemm/one: answers 3"),
                             ("print('x')", "ended with status 0 at the graph"),
                             ("sys.exit(3)", "ended with status 3 at the graph"),
                             ("print('missing arg: %2', file=sys.stderr)", "missing arg: %2")):
            with self.subTest(fault):
                self.refuses(words, "--freeze", fault=fault)
                self.assertEqual(self.hashes.read_text(), self.frozen)
        self.refuses("gemm/one: no graph", fault="answer = {'fault': 'no graph'}")

    def test_a_program_that_does_not_end_is_reported(self):
        with mock.patch.object(golden, "SECONDS", 0.1):
            self.refuses("did not finish within 0.1 s, at the graph", fault="time.sleep(9)")

    def test_a_reason_is_an_answer(self):
        self.assertEqual(self.run_golden("--freeze", fault="answer = {word: {'cannot': '1'} for word in answer}"), (0, ""))

    def test_a_graph_that_is_gone_is_dropped_on_demand(self):
        self.store(ROWS[:1])
        self.refuses("«long sums: running_sum» is in hashes.txt", "--freeze")
        self.assertEqual(self.hashes.read_text(), self.frozen)
        self.refuses("there is no graph «long sums: running_sum»")
        self.assertEqual(self.run_golden("--freeze", "--drop"), (0, ""))
        self.assertNotIn("running_sum", self.hashes.read_text())

    def test_faulty_graphs_are_reported(self):
        for rows, words in (((*ROWS, ROWS[0]), "there are two graphs «gemm/one»"),
                            ((("gemm/one", "c"),), "line 2 is not a name"),
                            ((("gemm/one", "c", "[1]", "x"),), "line 2 is not a name")):
            with self.subTest(words):
                self.store(rows)
                self.refuses(words, "--freeze")
                self.refuses(words)
        for content in (b"", self.graphs.read_bytes()[:-9], b"{}"):
            self.graphs.write_bytes(content)
            self.refuses("graphs.xz: cannot be read (")
        self.graphs.unlink()
        self.refuses("graphs.xz: cannot be read (")
        self.assertEqual(self.hashes.read_text(), self.frozen)

    def test_faulty_hashes_are_reported(self):
        lines = self.frozen.splitlines()
        for changed, words in ((["<<<<<<< HEAD", *lines], "hashes.txt:1: an unresolved merge conflict"),
                               ([*lines[:2], "=======", *lines[2:]], "hashes.txt:3: an unresolved merge conflict"),
                               (["gemm/two", *lines], "hashes.txt:1: there is no graph «gemm/two»"),
                               ([*lines, lines[0]], "a second graph «gemm/one»"),
                               (lines[1:], "hashes.txt:1: is not a file of a graph"),
                               ([*lines[:-1], lines[-1][:-4]], "is not a file of a graph with its hash")):
            with self.subTest(words):
                self.hashes.write_text("\n".join(changed) + "\n")
                self.refuses(words)
        self.hashes.unlink()
        self.refuses("hashes.txt: cannot be read (")

    def test_freezing_replaces_conflicts(self):
        self.hashes.write_text("<<<<<<< HEAD\n=======\n>>>>>>> other\n" + self.frozen)
        self.assertEqual(self.run_golden("--freeze"), (0, ""))
        self.assertEqual(self.hashes.read_text(), self.frozen)

    def test_the_hint_can_be_called(self):
        status, said = self.run_golden(fault="answer = answer if 'vk' not in answer else {'vk': {'kernels/a.cu': 'other', 'moves': '2'}}")
        self.assertEqual(status, 1)
        self.assertIn("long sums: running_sum: kernels/a.cu has changed", said)
        self.assertIn("--text 'long sums: running_sum' kernels/a.cu vk", said)
        self.assertEqual(self.run_golden("--text", "long sums: running_sum", "kernels/a.cu", "vk"), (0, "text of vk"))
        self.assertEqual(self.run_golden("--text", "gemm/one", "kernels/a.cu"), (0, "text of "))
        self.refuses("has no b.cu with the knobs vk", "--text", "long sums: running_sum", "b.cu")
        self.refuses("There is no graph «gemm/two»", "--text", "gemm/two", "b.cu")

    def test_a_missing_program_is_reported(self):
        with self.assertRaises(SystemExit) as refused:
            golden.answers_to(str(self.folder / "none"), ROWS)
        self.assertIn("does not start", str(refused.exception))


class TestTemplates(unittest.TestCase):
    def test_a_section_of_two_files_is_found(self):
        one, two = (templates.ROOT / f"templates/{name}.cu.in" for name in ("one", "two"))
        self.assertEqual(list(templates.repeated_sections({one: ("", {"a": ""}), two: ("", {"b": "", "a": ""})})),
                         ["templates/two.cu.in: the section a is in templates/one.cu.in too: rename one of them"])
        self.assertEqual(list(templates.repeated_sections(templates.templates())), [])


if __name__ == "__main__":
    unittest.main()
