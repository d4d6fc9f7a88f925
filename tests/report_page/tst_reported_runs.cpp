// SPDX-License-Identifier: GPL-3.0-or-later
// Proposals, answers and measurements of recorded runs, as a page tells them.
#include "agent/record/reported_runs.h"
#include "agent/record/trajectory_event.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"

#include <QTest>

using namespace warpwright;

namespace {

/// A state folder with a recording as its run.
void addRecording(const Scratch &scratch, const QString &name) {
    scratch.write(
        QStringLiteral("runs/%1/trajectory.jsonl").arg(name),
        textOf(sourceFolder("/resources/recordings/") + name + QStringLiteral("/trajectory.jsonl")));
}

QByteArray lineWith(qint64 number, const QString &kind, const Json &body) {
    TrajectoryEvent event;
    event.number = number;
    event.at = QDateTime(QDate(2026, 11, 29), QTime(0, 0), Qt::UTC);
    event.kind = kind;
    event.body = body;
    return lineOf(event);
}

} // namespace

class TestReportedRuns : public QObject {
    Q_OBJECT

private slots:
    void tellsWhoDecidedWhat() {
        const Scratch scratch;
        addRecording(scratch, QStringLiteral("softmax"));
        const ReportedRuns all = reportedRuns(scratch.path(), 100);
        QCOMPARE(all.problems, QStringList());
        QCOMPARE(all.runs.size(), std::size_t(1));
        const ReportedRun &run = all.runs.front();
        QVERIFY2(run.ending.startsWith("ended"), qPrintable(run.ending));
        QCOMPARE(run.proposals.size(), std::size_t(7));
        const ReportedProposal &first = run.proposals[0];
        QCOMPARE(first.outcome, QString("applied"));
        QCOMPARE(first.answers, QStringList("all 8 hunks: accepted by person"));
        QVERIFY2(first.measured.contains("of the time before"), qPrintable(first.measured));
        QVERIFY(first.iteration > 0);
        const ReportedProposal &fourth = run.proposals[3];
        QCOMPARE(fourth.answers.size(), 7);
        QVERIFY2(fourth.answers[1].contains("rejected by person, «Partial sums of floats"),
                 qPrintable(fourth.answers[1]));
        const ReportedProposal &last = run.proposals[6];
        QCOMPARE(last.outcome, QString("rejected"));
        QVERIFY2(
            last.answers.join(' ').contains("ow is close already, and each element has one exponential more"),
            qPrintable(last.answers.join('\n')));
        QCOMPARE(last.iteration, 0);
    }

    void tellsTheModelsAndTheExpertsRuns() {
        const Scratch scratch;
        addRecording(scratch, QStringLiteral("model-softmax-cuda"));
        addRecording(scratch, QStringLiteral("playbook-pointwise-chain-cuda"));
        const ReportedRuns all = reportedRuns(scratch.path(), 100);
        QCOMPARE(all.runs.size(), std::size_t(2));
        QVERIFY2(all.runs[0].agent.contains("engineer"), qPrintable(all.runs[0].agent));
        QCOMPARE(all.runs[0].proposals.size(), std::size_t(7));
        QVERIFY(
            all.runs[0].proposals[1].answers.join(' ').contains("because our style guide has no such thing"));
        QCOMPARE(all.runs[1].proposals.size(), std::size_t(4));
        for (const ReportedProposal &proposal : all.runs[1].proposals)
            QVERIFY2(proposal.answers.join(' ').contains("by policy"),
                     qPrintable(proposal.answers.join('\n')));
    }

    void tellsTheNewestAndCountsTheOthers() {
        const Scratch scratch;
        addRecording(scratch, QStringLiteral("model-softmax-cuda"));
        addRecording(scratch, QStringLiteral("softmax"));
        const ReportedRuns all = reportedRuns(scratch.path(), 9);
        QCOMPARE(all.runs[1].proposals.size(), std::size_t(7));
        QCOMPARE(all.runs[1].proposalsLeftOut, 0);
        QCOMPARE(all.runs[0].proposals.size(), std::size_t(2));
        QCOMPARE(all.runs[0].proposalsLeftOut, 5);
        QCOMPARE(all.runs[0].proposals.back().id, QString("p7"));
    }

    void tellsOneRunWithItsChanges() {
        const Scratch scratch;
        addRecording(scratch, QStringLiteral("softmax"));
        addRecording(scratch, QStringLiteral("model-softmax-cuda"));
        QCOMPARE(runNames(scratch.path()), QStringList({"model-softmax-cuda", "softmax"}));
        const ReportedRuns all = reportedRuns(scratch.path(), 100, QStringLiteral("softmax"));
        QCOMPARE(all.runs.size(), std::size_t(1));
        const ReportedRun &run = all.runs.front();
        QVERIFY(run.isWhole);
        QCOMPARE(run.beganFrom, 1);
        QVERIFY(!run.iterations.empty());
        for (const ReportedProposal &proposal : run.proposals) {
            QVERIFY2(!proposal.hunks.empty() && proposal.linesLeftOut == 0, qPrintable(proposal.id));
            QVERIFY(!proposal.evaluation.isEmpty());
        }
        const ReportedHunk &first = run.proposals[0].hunks[0];
        QCOMPARE(first.file, QString("kernels/softmax_rows.cpp"));
        QCOMPARE(first.line, 2);
        QVERIFY2(first.oldLines[0].startsWith("// The CPU twin") && !first.oldLines[0].endsWith('\n'),
                 qPrintable(first.oldLines[0]));
        // Among others changes would be too much.
        for (const ReportedRun &other : reportedRuns(scratch.path(), 100).runs) {
            QVERIFY(!other.isWhole);
            for (const ReportedProposal &proposal : other.proposals)
                QVERIFY(proposal.hunks.empty());
        }
        QVERIFY(reportedRuns(scratch.path(), 100, QStringLiteral("another")).runs.empty());
    }

    void boundsWhatARunChanged() {
        const Scratch scratch;
        Json lines = Json::array();
        for (int i = 0; i < 1500; ++i)
            lines.push_back("line " + std::to_string(i) + "\n");
        QByteArray text;
        qint64 n = 0;
        text += lineWith(++n, QStringLiteral("run-began"),
                         {{"agent", {{"kind", "script"}}},
                          {"mode", "auto"},
                          {"device", "cpu"},
                          {"iteration", 4},
                          {"budgets", {{"iterations", 3}, {"minutes", 30.0}}}});
        text += lineWith(++n, QStringLiteral("message"), {{"role", "person"}, {"text", "Mind the tail."}});
        text += lineWith(++n, QStringLiteral("message"), {{"role", "agent"}, {"text", "I do."}});
        for (int i = 0; i < 40; ++i)
            text += lineWith(++n, QStringLiteral("proposal"),
                             {{"proposal", "p" + std::to_string(i)},
                              {"title", "t"},
                              {"hunks",
                               {{{"id", "1"},
                                 {"file", "kernels/a.cu"},
                                 {"oldStart", 0},
                                 {"oldLines", Json::array()},
                                 {"newLines", lines},
                                 {"oldFile", false}}}},
                              {"baseHash", "h0"},
                              {"resultHash", "h" + std::to_string(i + 1)}});
        scratch.write(QStringLiteral("runs/r/trajectory.jsonl"), text);
        const ReportedRuns all = reportedRuns(scratch.path(), 100, QStringLiteral("r"));
        const ReportedRun &run = all.runs.at(0);
        QCOMPARE(run.budgets, QString("3 proposals, 30 minutes"));
        QCOMPARE(run.messages, QStringList("Mind the tail."));
        QCOMPARE(run.beganFrom, 4);
        qsizetype told = 0;
        for (const ReportedProposal &proposal : run.proposals) {
            qsizetype own = 0;
            for (const ReportedHunk &hunk : proposal.hunks)
                own += hunk.oldLines.size() + hunk.newLines.size();
            QVERIFY(own <= 1000);
            QCOMPARE(own + proposal.linesLeftOut, qsizetype(1500));
            told += own;
        }
        QVERIFY2(told <= 20'000 && told >= 19'000, qPrintable(QString::number(told)));
        QVERIFY(run.proposals.front().hunks.empty()); // the newest ones are told
        QCOMPARE(run.proposals.back().hunks.size(), std::size_t(1));
        QCOMPARE(run.proposals.back().hunks[0].line, 0);
    }

    // As `wright show` and `wright compare` say it of the same two checks.
    void callsNoDifferenceWhatIsNone() {
        const Scratch scratch;
        QByteArray lines;
        qint64 n = 0;
        const auto add = [&](const char *kind, const Json &body) {
            lines += lineWith(++n, QLatin1String(kind), body);
        };
        const auto addCheck = [&](const char *text, std::optional<SpeedUp> eager, ArmTiming candidate) {
            EvaluationSummary summary;
            summary.id = QStringLiteral("20261129T000000.00%1Z-abcdef").arg(n);
            summary.startedAt = QDateTime(QDate(2026, 11, 29), QTime(0, 0), Qt::UTC);
            summary.verdict = Verdict::Pass;
            summary.eager = std::move(eager);
            summary.candidate = candidate;
            add("evaluation", {{"of", "iteration"},
                               {"iteration", 1},
                               {"textHash", text},
                               {"evaluation", toJson(summary.id)},
                               {"summary", summaryToJson(summary)}});
        };
        const auto addProposal = [&](const char *id, const char *base, const char *result) {
            add("proposal", {{"proposal", id},
                             {"title", id},
                             {"hunks", Json::array({Json{{"id", "1"}, {"file", "kernels/a.cu"}}})},
                             {"baseHash", base},
                             {"resultHash", result}});
        };
        const QString eager = QStringLiteral("eager");
        add("run-began", {{"agent", {{"kind", "script"}}}, {"mode", "auto"}, {"device", "cpu"}});
        addCheck("h0", {}, {100, 99, 101, 8, true});
        addProposal("p1", "h0", "h1");
        addCheck("h1", {}, {110, 102, 130, 8, true});
        addCheck("h2", SpeedUp{1, 0.99, 1.01, eager}, {100, 99, 101, 8, true});
        addProposal("p2", "h2", "h3");
        addCheck("h3", SpeedUp{2, 1.99, 2.01, eager}, {100, 99, 101, 8, true});
        scratch.write(QStringLiteral("runs/r/trajectory.jsonl"), lines);
        const ReportedRuns all = reportedRuns(scratch.path(), 100);
        QCOMPARE(all.runs.size(), std::size_t(1));
        const std::vector<ReportedProposal> &proposals = all.runs[0].proposals;
        QCOMPARE(proposals.size(), std::size_t(2));
        QVERIFY2(proposals[0].measured.contains(
                     "no difference measured: their difference, ± its farther end, holds 0 (by the times"),
                 qPrintable(proposals[0].measured));
        QVERIFY2(proposals[1].measured.contains(
                     "it proves nothing: eager itself took 2.0 times as long in one of the two checks"),
                 qPrintable(proposals[1].measured));
    }

    void knowsEveryEnding() {
        const Scratch scratch;
        const Json hunks = Json::array({Json{{"id", "1"}, {"file", "kernels/a.cu"}}});
        const auto proposal = [&hunks](const char *id, const char *result) {
            return Json{{"proposal", id},
                        {"title", id},
                        {"hunks", hunks},
                        {"baseHash", "h0"},
                        {"resultHash", result}};
        };
        QByteArray lines;
        qint64 n = 0;
        const auto add = [&](const char *kind, const Json &body) {
            lines += lineWith(++n, QLatin1String(kind), body);
        };
        add("run-began", {{"agent", {{"kind", "script"}}}, {"mode", "auto"}, {"device", "cpu"}});
        add("proposal", proposal("p1", "h1"));
        add("policy", {{"proposal", "p1"}, {"answer", "keep-as-branch"}, {"why", "slower"}});
        add("iteration", {{"number", 5}, {"textHash", "h1"}});
        add("proposal", proposal("p2", "h2"));
        add("policy", {{"proposal", "p2"}, {"answer", "discard"}, {"why", "wrong"}});
        add("proposal", proposal("p3", "h3"));
        add("applied", {{"proposal", "p3"}, {"resultHash", "h3"}});
        add("restored", {{"iteration", 1}, {"why", "undo"}});
        add("proposal", proposal("p4", "h4"));
        add("proposal", proposal("p4", "h5")); // made once more
        add("run-stopped", {{"why", "the person asked for it"}});
        scratch.write(QStringLiteral("runs/r/trajectory.jsonl"), lines);
        const ReportedRuns all = reportedRuns(scratch.path(), 100);
        QCOMPARE(all.runs.size(), std::size_t(1));
        const std::vector<ReportedProposal> &proposals = all.runs[0].proposals;
        QCOMPARE(proposals.size(), std::size_t(4));
        QCOMPARE(proposals[0].outcome, QString("kept as a branch by policy"));
        QCOMPARE(proposals[0].why, QString("slower"));
        QCOMPARE(proposals[0].iteration, 5);
        QCOMPARE(proposals[1].outcome, QString("left out by policy"));
        QCOMPARE(proposals[2].outcome, QString("applied, then taken back"));
        QCOMPARE(proposals[3].outcome, QString("not decided"));
        QCOMPARE(proposals[3].measured, QString());
        QCOMPARE(all.runs[0].ending, QString("stopped: the person asked for it"));
        QVERIFY(reportedRuns(scratch.path(QStringLiteral("nothing")), 100).runs.empty());
    }
};

QObject *makeTestReportedRuns() {
    return new TestReportedRuns;
}

#include "tst_reported_runs.moc"
