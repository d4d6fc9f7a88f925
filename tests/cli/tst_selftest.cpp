// SPDX-License-Identifier: GPL-3.0-or-later
// A part of the suite of attacks, with the real judge on the CPU: one row for each defence that shows itself
// without timing. The whole suite is `wright selftest`.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/row_share.h"
#include "tests/toolchain/run_test_classes.h"

#include <QTest>

using namespace warpwright;

class TestSelftest : public QObject {
    Q_OBJECT

private slots:
    void eachDefenceHolds() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        const CliWorld world;
        // Of the table in tests/cheats/README.md, and an honest candidate.
        const QStringList all{"stale-weights", "dropped-norm",  "torch-fallback", "decoy-numpy",
                              "static-output", "overrun",       "range-doubt",    "lazy-subclass",
                              "input-zeroing", "constant-mean", "bf16",           "reads-reference",
                              "bf16-allowed",  "faint",         "faint-constant", "faint-mean",
                              "faint-layer",   "machine-code",  "rewritten-code", "renamed-library",
                              "packed",        "numpy-tables"};
        QStringList rows;
        for (qsizetype i = 0; i < all.size(); ++i)
            if (isRowOfCommit(__FILE__, 2, i))
                rows << all[i];
        const CliOutcome outcome =
            world.run(QStringList{"selftest"} + rows + QStringList{"--device", "cpu", "--json"}, 600000);
        QVERIFY2(outcome.document.is_object(), outcome.words());
        QStringList seen;
        for (const OrderedJson &row : outcome.document["rows"]) {
            seen << stringIn(row, "name");
            QVERIFY2(row["ok"] == true, dumpJson(row).constData());
        }
        seen.sort();
        QStringList asked = rows;
        asked.sort();
        QCOMPARE(seen, asked);
        QCOMPARE(outcome.document["notRun"].get<int>(), 0);
        QCOMPARE(outcome.exitCode, 0);
    }
};

QObject *makeTestSelftest() {
    return new TestSelftest;
}

#include "tst_selftest.moc"
