// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/run_summary.h"

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
    void measure(int iteration, double microseconds, const char *proposal = "",
                 Verdict verdict = Verdict::Pass) {
        EvaluationSummary measured;
        measured.id = QStringLiteral("e%1").arg(iteration);
        measured.verdict = verdict;
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
        QVERIFY2(lines[2].contains(QStringLiteral("(2.00× as fast)")), qPrintable(lines[2]));
        QVERIFY2(lines[2].contains(QStringLiteral("became iteration 2, 50")), qPrintable(lines[2]));
    }

    /// In Step the program accepts the hunks, and the record of the step's answer names nobody.
    void aTriedStepIsOfWhoAnsweredItsHunks() {
        Told told;
        told.take("run-began", Json{{"iteration", 1}});
        told.measure(1, 100);
        const Json hunks = Json::array({{{"id", "1"}}, {{"id", "2"}}});
        const auto tryStep = [&](int number, const char *answer) {
            const std::string id = "p" + std::to_string(number);
            told.take("proposal",
                      Json{{"proposal", id}, {"title", "Fuse"}, {"iteration", 1}, {"hunks", hunks}});
            told.take("decision",
                      Json{{"proposal", id}, {"answer", "accept"}, {"by", "policy"}, {"reason", "step"}});
            told.take("applied", Json{{"proposal", id}});
            told.take("iteration", Json{{"number", number + 1}, {"parent", 1}});
            told.measure(number + 1, 100 - 10.0 * number, id.c_str());
            told.take("step", Json{{"answer", answer}});
        };
        tryStep(1, "keep");
        tryStep(2, "undo");
        tryStep(3, "branch");
        const QStringList lines = told.summary.lines(told.ledger);
        QCOMPARE(lines.size(), 4);
        QVERIFY2(lines[0].startsWith("p1, Fuse: 2 of 2 hunks accepted by policy, then kept; "),
                 qPrintable(lines[0]));
        QVERIFY2(lines[1].startsWith("p2, Fuse: 2 of 2 hunks accepted by policy, then taken back; "),
                 qPrintable(lines[1]));
        QVERIFY2(lines[2].startsWith("p3, Fuse: 2 of 2 hunks accepted by policy, then kept as a branch; "),
                 qPrintable(lines[2]));
        QVERIFY2(!lines.join(QLatin1Char(' ')).contains("person"), qPrintable(lines.join(QLatin1Char('\n'))));
    }

    /// What is judged is the whole; what was written of it has a result of its own.
    void onePartlyTakenSaysWhatWasJudgedAndWhatTheKeptTextGave() {
        Told told;
        told.take("run-began", Json{{"iteration", 1}});
        told.measure(1, 100);
        const Json hunks = Json::array({{{"id", "1"}}, {{"id", "2"}}});
        told.take("proposal",
                  Json{{"proposal", "p1"}, {"title", "Fuse"}, {"iteration", 1}, {"hunks", hunks}});
        EvaluationSummary wrong;
        wrong.id = QStringLiteral("w");
        wrong.verdict = Verdict::Wrong;
        told.take("evaluation", Json{{"of", "proposal"},
                                     {"iteration", 1},
                                     {"proposal", "p1"},
                                     {"summary", summaryToJson(wrong)}});
        told.take("decision",
                  Json{{"proposal", "p1"}, {"hunk", "1"}, {"answer", "reject"}, {"by", "person"}});
        told.take("decision", Json{{"proposal", "p1"}, {"answer", "accept"}, {"by", "person"}});
        told.take("applied", Json{{"proposal", "p1"}});
        told.take("iteration", Json{{"number", 2}, {"parent", 1}});
        QCOMPARE(told.summary.openWords(), QStringLiteral("iteration 2, of p1, was not measured"));
        told.measure(2, 50, "p1");
        QCOMPARE(told.summary.openWords(), QString());
        const QStringList lines = told.summary.lines(told.ledger);
        QVERIFY2(lines[0].contains(QStringLiteral("by person; the whole proposal: wrong; what was kept, "
                                                  "iteration 2: 50.00 µs, ")) &&
                     lines[0].endsWith(QStringLiteral(", faster")),
                 qPrintable(lines[0]));
    }

    void theWholeNamesTheBestAndWhatTheClockLeftOpen() {
        Told told;
        told.take("run-began", Json{{"iteration", 1}});
        told.measure(1, 100);
        for (const auto &[number, time, verdict] :
             {std::tuple{2, 20.0, Verdict::Pass}, std::tuple{3, 40.0, Verdict::Pass},
              std::tuple{4, 19.9, Verdict::Inconclusive}}) {
            const std::string id = "p" + std::to_string(number);
            told.take("proposal", Json{{"proposal", id},
                                       {"title", "Step"},
                                       {"iteration", number - 1},
                                       {"hunks", Json::array({{{"id", "1"}}})}});
            told.take("decision", Json{{"proposal", id}, {"answer", "accept"}, {"by", "person"}});
            QCOMPARE(told.summary.openWords(),
                     QStringLiteral("p%1 was accepted and never written").arg(number));
            told.take("applied", Json{{"proposal", id}});
            told.take("iteration", Json{{"number", number}, {"parent", number - 1}});
            told.measure(number, time, id.c_str(), verdict);
            const QString whole = told.summary.lines(told.ledger).last();
            const QString best = number == 2 ? QStringLiteral("(5.00× as fast); best: iteration 2")
                                 : number == 3
                                     ? QStringLiteral("; best: iteration 2, 20.00 µs (5.00× as fast)")
                                     : QStringLiteral("iteration 4, 19.90 µs, inconclusive; best: "
                                                      "iteration 2, 20.00 µs (5.00× as fast), of "
                                                      "those that passed");
            QVERIFY2(whole.endsWith(best), qPrintable(whole));
        }
        QVERIFY(!told.summary.hasEnded());
        told.take("run-ended", Json{{"why", "done"}});
        QVERIFY(told.summary.hasEnded());
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
