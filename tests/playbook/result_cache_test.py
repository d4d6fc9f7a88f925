# SPDX-License-Identifier: GPL-3.0-or-later
"""The key of a cached pass: the same facts find it, other facts do not. Needs no torch."""

import os
import pathlib
import sys
import tempfile
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import result_cache  # noqa: E402


class TestKeptPasses(unittest.TestCase):
    def setUp(self):
        self.cache = tempfile.TemporaryDirectory()
        self.addCleanup(self.cache.cleanup)
        self.before = dict(os.environ)
        self.addCleanup(self.restore)
        for name in result_cache.VARIABLES:
            os.environ.pop(name, None)
        os.environ["XDG_CACHE_HOME"] = self.cache.name
        self.torch("2.11")

    def restore(self):
        os.environ.clear()
        os.environ.update(self.before)
        sys.modules.pop("torch", None)

    def torch(self, version):
        sys.modules["torch"] = types.SimpleNamespace(__version__=version, version=types.SimpleNamespace(git_version="0"))

    def path(self, facts=("-O2",), text="text"):
        return result_cache.ResultCache(list(facts), []).path(text)

    def test_the_same_is_found(self):
        self.assertEqual(self.path(), self.path())

    def test_other_flags_texts_and_torches_are_told_apart(self):
        first = self.path()
        self.assertNotEqual(first, self.path(facts=("-O3",)))
        self.assertNotEqual(first, self.path(text="other"))
        self.torch("2.12")
        self.assertNotEqual(first, self.path())

    def test_what_the_compiler_takes_from_the_environment_is_told_apart(self):
        first = self.path()
        for name, value in (("CPATH", "/nowhere"), ("CPLUS_INCLUDE_PATH", "/nowhere"), ("OMP_NUM_THREADS", "1"),
                            ("LD_LIBRARY_PATH", "/nowhere"), ("MKL_CBWR", "COMPATIBLE")):
            with self.subTest(name):
                os.environ[name] = value
                self.assertNotEqual(first, self.path())
                del os.environ[name]
        self.assertEqual(first, self.path())


if __name__ == "__main__":
    unittest.main()
