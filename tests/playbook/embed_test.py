# SPDX-License-Identifier: GPL-3.0-or-later
"""embed_test.py CMAKE: what cmake/embed.cmake makes of a template, and which it refuses."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

EMBED = pathlib.Path(__file__).resolve().parents[2] / "cmake/embed.cmake"
CMAKE = sys.argv.pop(1) if len(sys.argv) > 1 else "cmake"
HEAD = "// SPDX\n// what it is\n\n"


def embedded(text):
    """(status, what is said, header, source)"""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "a.cu.in").write_text(text)
        done = subprocess.run([CMAKE, "-DINPUT=a.cu.in", f"-DSOURCE={name}", f"-DHEADER={name}/a.h", f"-DOUTPUT={name}/a.cpp", "-P", str(EMBED)],
                              capture_output=True, text=True, check=False)
        made = [path.read_text() if path.exists() else "" for path in (folder / "a.h", folder / "a.cpp")]
    return done.returncode, " ".join(done.stderr.split()), *made


class TestEmbed(unittest.TestCase):
    def check_made(self, text, header, source):
        status, said, made_header, made_source = embedded(text)
        self.assertEqual((status, said), (0, ""))
        self.assertIn(header, made_header)
        self.assertIn("namespace warpwright {\n\n" + source + "\n} // namespace warpwright\n", made_source)

    def test_sections_become_strings(self):
        self.check_made(HEAD + "//! section one: the [first]; of two\nint a[@N@];\n@B@\\\n//! section two: b\n",
                        "/// the [first]; of two\nextern const QString one;\n/// b\nextern const QString two;\n",
                        'const QString one = QStringLiteral(R"in(int a[@N@];\n@B@)in");\n\nconst QString two = QStringLiteral(R"in()in");\n')

    def test_the_first_section_may_be_empty(self):
        self.check_made(HEAD + "//! section one: a\n//! section two: b\nint a;\n", "extern const QString one;",
                        'const QString one = QStringLiteral(R"in()in");\n\nconst QString two = QStringLiteral(R"in(int a;\n)in");\n')

    def test_what_would_be_another_text_is_refused(self):
        for text, why in (("int a;\n", "begins with a line «//! section NAME: what it is»"),
                          ("//! section one\nint a;\n", "is not «//! section NAME: what it is»"),
                          ("//! section 1: a\nint a;\n", "is not «//! section NAME: what it is»"),
                          ("//! section one: a\nint a;\n//! section one: b\n", "there are two sections one"),
                          ('//! section one: a\nf(")in");\n', "would end the string"),
                          ("//! section one: a\nint a; //! section two: b\n", "within a line"),
                          ("//! section one: a\n    //! section two: b\n", "within a line"),
                          ("//! section one: a\\\nint a;\n", "ends in a backslash"),
                          ("//! section one: a\nint a;", "its last line has no line break")):
            with self.subTest(text):
                status, said, header, source = embedded(HEAD + text)
                self.assertNotEqual(status, 0)
                self.assertIn(why, said)
                self.assertEqual(header + source, "")


if __name__ == "__main__":
    unittest.main()
