// SPDX-License-Identifier: GPL-3.0-or-later
// What is made of a heat without a window: its place in an edited text, its document, its lines for a
// terminal.
#include "tests/heat/recorded_heat.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/heat/heat_json.h"
#include "toolchain/heat/moved_lines.h"
#include "toolchain/report/heat_report.h"

#include <QTest>

using namespace warpwright;

class TestHeatText : public QObject {
    Q_OBJECT

private slots:
    void followsUnchangedLines_data() {
        QTest::addColumn<QByteArray>("after");
        QTest::addColumn<QList<int>>("lines");
        QTest::newRow("the same") << QByteArray("a\nb\nc\nd\n") << QList{1, 2, 3, 4};
        QTest::newRow("a line more at the top") << QByteArray("x\na\nb\nc\nd\n") << QList{2, 3, 4, 5};
        QTest::newRow("one changed") << QByteArray("a\nB\nc\nd\n") << QList{1, 0, 3, 4};
        QTest::newRow("one gone, one changed") << QByteArray("b\nc\nD\n") << QList{0, 1, 2, 0};
        QTest::newRow("without the last end") << QByteArray("a\nb\nc\nd") << QList{1, 2, 3, 4};
        QTest::newRow("all gone") << QByteArray() << QList{0, 0, 0, 0};
    }

    void followsUnchangedLines() {
        QFETCH(QByteArray, after);
        QFETCH(QList<int>, lines);
        const std::vector<int> found = movedLines("a\nb\nc\nd\n", after);
        QCOMPARE(QList<int>(found.begin(), found.end()), lines);
    }

    void ofNothingThereAreNoLines() { QVERIFY(movedLines({}, "a\n").empty()); }

    void theDocumentHoldsWhatWasFound() {
        const RecordedHeat recorded("sum_by_label");
        const HeatSubject subject{QStringLiteral("wright 0"), QStringLiteral("/w"), {}, true};
        const OrderedJson json = toJson(recorded.heat(), subject);
        QCOMPARE(stringIn(json, "schema"), QStringLiteral("warpwright.heat/1"));
        QCOMPARE(json["samples"].get<double>(), 305510.0);
        const OrderedJson &kernel = json["kernels"][0];
        QCOMPARE(stringIn(kernel, "basis"), QStringLiteral("listing"));
        QVERIFY(kernel["whyNotListing"].is_null());
        QCOMPARE(kernel["instructions"].size(), std::size_t(31));
        QCOMPARE(json["lines"][1]["line"].get<int>(), 18);
        QVERIFY(toJson(recorded.heat(), {})["kernels"][0].count("instructions") == 0);
        QVERIFY(json["asked"]["launch"].is_null());
    }

    void theTerminalShowsTheHottestLines() {
        const RecordedHeat recorded("sum_by_label");
        const QString text = heatText(recorded.heat(), 3, Terminal{});
        const QStringList rows = text.split('\n');
        QVERIFY2(rows[0].contains("sumByLabel") && rows[0].contains("305,510 samples") &&
                     rows[0].contains("lines by the compiler's listing"),
                 qPrintable(text));
        QVERIFY2(rows[2].contains("kernels/sum_by_label.cu:22") && rows[2].contains("waits for its stores"),
                 qPrintable(text));
        QVERIFY2(rows[3].contains("kernels/sum_by_label.cu:18") && rows[3].contains("atomicAdd"),
                 qPrintable(text));
        QVERIFY2(text.contains("more: --lines 0"), qPrintable(text));
        QVERIFY2(!heatText(recorded.heat(), 0, Terminal{}).contains("--lines 0"), "all of them");
    }

    void theListingStandsBesideItsLines() {
        const QString text = heatListingText(RecordedHeat("embed_tokens").heat(), Terminal{});
        QVERIFY2(text.contains("// kernels/embed_tokens.cu:33  v[s][i] = __ldg(words"), qPrintable(text));
        QVERIFY2(text.contains("LDG.E.128.CONSTANT"), qPrintable(text));
        QVERIFY2(text.contains("waits for global or local memory"), qPrintable(text));
    }
};

QObject *makeTestHeatText() {
    return new TestHeatText;
}

#include "tst_heat_text.moc"
