// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/run_index.h"
#include "agent/record/trajectory_reader.h"
#include "tests/agent/recorded_run.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"

#include <QTest>

#include <algorithm>

using namespace warpwright;

namespace {

RunIndex opened(const Scratch &scratch) {
    Result<RunIndex> index = RunIndex::open(scratch.path("state"));
    if (!index.hasValue())
        qFatal("%s", qPrintable(index.message()));
    return std::move(index).value();
}

} // namespace

class TestRunFilters : public QObject {
    Q_OBJECT

private slots:
    void leavesWhatWasDecidedOrHasFailed() {
        const Scratch scratch;
        writeTwoRuns(scratch.path("state"));
        RunIndex index = opened(scratch);
        const QString run = index.runs().value()[0].run;
        QCOMPARE(index.numbers(run, EventFilter::All).value().size(), 20U);
        QCOMPARE(index.numbers(run, EventFilter::Failures).value(), std::vector<qint64>{20}); // the stop
        const std::vector<qint64> decided = index.numbers(run, EventFilter::Decisions).value();
        QVERIFY(decided.size() >= 7 && decided.size() < 20); // three proposals, three texts, and the stop
        for (const RunMark &mark : index.marks(run).value())
            QVERIFY(std::find(decided.begin(), decided.end(), mark.number) != decided.end());
        QVERIFY(index.numbers("none", EventFilter::All).value().empty());
    }

    void whatAnAgentKeepsForItselfIsNotTold() {
        const Scratch scratch;
        RecordedRun recorded(scratch.path("state"));
        recorded.begin(textSaying("0"));
        recorded.append("message", {{"role", "agent"}, {"text", "words"}});
        recorded.append("agent-memory", {{"memory", {{"session", "1"}}}});
        recorded.append("message", {{"role", "agent"}, {"text", "more"}});
        RunIndex index = opened(scratch);
        const QString run = index.runs().value()[0].run;
        const std::vector<qint64> all = index.numbers(run, EventFilter::All).value();
        std::vector<qint64> told = index.numbers(run, EventFilter::Told).value();
        QCOMPARE(told.size(), all.size() - 1);
        QCOMPARE(told.back(), all.back());
        QVERIFY(std::find(told.begin(), told.end(), all[all.size() - 2]) == told.end());
    }

    // An answer whose reason was given behind it is recorded twice.
    void anAnswerIsListedOnceWithItsReason() {
        const Scratch scratch;
        RecordedRun recorded(scratch.path("state"));
        recorded.begin(textSaying("0"));
        const auto answer = [&recorded](const char *hunk, const char *reason) {
            recorded.append("decision", {{"proposal", "p1"},
                                         {"hunk", hunk},
                                         {"answer", "reject"},
                                         {"by", "person"},
                                         {"reason", reason}});
        };
        answer("1", "");
        answer("2", "");
        answer("1", "it loses digits");
        recorded.append("decision-undone", {{"proposal", "p1"}, {"hunk", "2"}});
        answer("2", "slower");
        RunIndex index = opened(scratch);
        const QString run = index.runs().value()[0].run;
        const std::vector<qint64> listed = index.numbers(run, EventFilter::Decisions).value();
        const auto events = index.events(run, 1, 10).value();
        QStringList told;
        for (const IndexedEvent &event : events)
            if (std::find(listed.begin(), listed.end(), event.number) != listed.end())
                told << event.summary;
        QCOMPARE(told.filter(QStringLiteral("hunk 1")).size(), 1);
        QVERIFY2(told.filter(QStringLiteral("hunk 1"))[0].endsWith(QLatin1String("reject: it loses digits")),
                 qPrintable(told.join(QLatin1Char('\n'))));
        QCOMPARE(told.filter(QStringLiteral("by person: reject")).size(), 3); // 2 was taken back between
    }

    // Too noisy to decide, not run, cancelled, no machine for it: nothing has failed.
    void whatWasNotDecidedHasNotFailed_data() {
        QTest::addColumn<QString>("verdict");
        QTest::addColumn<bool>("isFailure");
        for (const char *name : {"wrong", "rejected", "run-failed", "impossible", "build-failed"})
            QTest::newRow(name) << QString::fromLatin1(name) << true;
        for (const char *name : {"pass", "inconclusive", "not-run", "cancelled", "environment", "usage",
                                 "task-failed", "unverifiable"})
            QTest::newRow(name) << QString::fromLatin1(name) << false;
    }

    void whatWasNotDecidedHasNotFailed() {
        QFETCH(QString, verdict);
        QFETCH(bool, isFailure);
        const Scratch scratch;
        RecordedRun recorded(scratch.path("state"));
        recorded.begin(textSaying("0"));
        EvaluationSummary summary;
        summary.id = QStringLiteral("20261121T201500.001Z-abcdef");
        summary.startedAt = QDateTime::currentDateTimeUtc();
        summary.verdict = verdictFromName(verdict).value();
        recorded.append("evaluation",
                        {{"of", "iteration"}, {"iteration", 1}, {"summary", summaryToJson(summary)}});
        RunIndex index = opened(scratch);
        const QString run = index.runs().value()[0].run;
        QCOMPARE(index.numbers(run, EventFilter::Failures).value().size(), isFailure ? 1U : 0U);
    }
};

QObject *makeTestRunFilters() {
    return new TestRunFilters;
}

#include "tst_run_filters.moc"
