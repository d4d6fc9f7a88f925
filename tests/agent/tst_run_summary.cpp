// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/run_summary.h"

#include <QTest>

using namespace warpwright;

namespace {

/// The events of a small run, as a recorder would get them.
class Told {
public:
    void take(const char *kind, const Json &body) {
        summary.take(QString::fromLatin1(kind), body);
        ledger.take(QString::fromLatin1(kind), body);
    }
    void measure(int iteration, double microseconds, const char *proposal = "") {
        EvaluationSummary measured;
        measured.id = QStringLiteral("e%1").arg(iteration);
        measured.verdict = Verdict::Pass;
        measured.candidate = ArmTiming{microseconds, 0.99 * microseconds, 1.01 * microseconds, 12, true};
        const double overEager = 1000 / microseconds;
        measured.eager = SpeedUp{overEager, 0.99 * overEager, 1.01 * overEager, QStringLiteral("eager")};
        take("evaluation", Json{{"of", "iteration"},
                                {"iteration", iteration},
                                {"proposal", proposal},
                                {"summary", summaryToJson(measured)}});
    }
    RunSummary summary;
    PredictionLedger ledger;
};

} // namespace

class TestRunSummary : public QObject {
    Q_OBJECT

private slots:
    void tellsEachProposalAndTheWhole() {
        Told told;
        told.take("run-began", Json{{"iteration", 1}, {"agent", {{"kind", "script"}, {"name", "script"}}}});
        told.measure(1, 100);
        const Json hunks = Json::array({{{"id", "1"}}, {{"id", "2"}}});
        told.take("proposal",
                  Json{{"proposal", "p1"}, {"title", "Fuse"}, {"iteration", 1}, {"hunks", hunks}});
        told.take("decision",
                  Json{{"proposal", "p1"}, {"hunk", "1"}, {"answer", "reject"}, {"by", "person"}});
        told.take("decision", Json{{"proposal", "p1"}, {"answer", "accept"}, {"by", "person"}});
        told.take("applied", Json{{"proposal", "p1"}, {"uncalled", {"fused_rows"}}});
        told.take("iteration", Json{{"number", 2}, {"parent", 1}});
        told.measure(2, 50, "p1");
        told.take("proposal",
                  Json{{"proposal", "p2"}, {"title", "Wide loads"}, {"iteration", 2}, {"hunks", hunks}});
        told.take("policy", Json{{"proposal", "p2"}, {"answer", "discard"}});
        const QStringList lines = told.summary.lines(told.ledger);
        QCOMPARE(lines.size(), 3);
        QVERIFY2(
            lines[0].startsWith("p1, Fuse: 1 of 2 hunks accepted, 1 rejected (its new kernel is not called) "
                                "by person; "),
            qPrintable(lines[0]));
        QVERIFY2(lines[1].startsWith("p2, Wide loads: left out by policy; "), qPrintable(lines[1]));
        QVERIFY2(lines[2].startsWith("2 proposals, 1 kept (1 in part): iteration 1, 100"),
                 qPrintable(lines[2]));
        QVERIFY2(lines[2].contains(QStringLiteral("(2.0")), qPrintable(lines[2]));
        QVERIFY2(lines[2].contains(QStringLiteral("became iteration 2, 50")), qPrintable(lines[2]));
    }

    void aRunThatProposedNothingHasNone() {
        Told told;
        told.take("run-began", Json{{"iteration", 1}});
        told.measure(1, 100);
        QVERIFY(told.summary.lines(told.ledger).isEmpty());
    }
};

QObject *makeTestRunSummary() {
    return new TestRunSummary;
}

#include "tst_run_summary.moc"
