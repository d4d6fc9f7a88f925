# SPDX-License-Identifier: GPL-3.0-or-later
"""count_tests.py REPORT: what the rows that failed said, and the closing line of a test run, from ctest's JUnit report.

A Qt Test program counts its own rows ("Totals: 12 passed, 0 failed, 1 skipped, ..."); any other program is one row.
Exits with 1 when a row failed or none ran.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

TOTALS = re.compile(r"^Totals: (\d+) passed, (\d+) failed, (\d+) skipped", re.MULTILINE)


ROW = re.compile(r"^(PASS|FAIL!|XPASS|QFATAL|QSYSTEM|SKIP|BFAIL|BPASS|Totals:|\*{3})")
WORDS_OF_A_ROW = 40  # lines
LAST_WORDS = 60


def complaints(output):
    """What a Qt Test program said of the rows that failed; of any other program its last words."""
    said, isComplaint, lines = [], False, output.splitlines()
    for line in lines:
        if ROW.match(line):
            isComplaint = line.startswith(("FAIL!", "XPASS", "QFATAL"))
            left = WORDS_OF_A_ROW
        if isComplaint and left > 0:
            said.append(line)
            left -= 1
    return said or lines[-LAST_WORDS:]


def count(report):
    passed = failed = skipped = 0
    for case in ElementTree.parse(report).getroot().iter("testcase"):
        rows = [tuple(map(int, row)) for row in TOTALS.findall(case.findtext("system-out") or "")]
        did_fail = case.find("failure") is not None or case.get("status") == "fail"
        if did_fail:
            print("\n".join([f"== {case.get('name')} failed"] + complaints(case.findtext("system-out") or "")))
        if rows:
            passed += sum(row[0] for row in rows)
            failed += sum(row[1] for row in rows)
            skipped += sum(row[2] for row in rows)
            # A program that crashed or ran out of time after its last count has failed all the same.
            if did_fail and not any(row[1] for row in rows):
                failed += 1
        elif did_fail:
            failed += 1
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def main():
    try:
        passed, failed, skipped = count(sys.argv[1])
    except (OSError, ElementTree.ParseError) as problem:
        print(f"No report of the tests: {problem}", file=sys.stderr)
        return 1
    print(f"rows: {passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


sys.exit(main())
