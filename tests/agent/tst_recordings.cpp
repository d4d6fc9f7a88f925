// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/recordings.h"

#include "agent/record/run_index.h"
#include "agent/record/run_iterations.h"
#include "agent/report/stored_report.h"
#include "tests/agent/recorded_run.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/workspace/candidate_texts.h"
#include "toolchain/workspace/workspace.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <algorithm>

using namespace warpwright;

/// The runs that ship: listed with their figures, and opened as workspaces of the person's own.
class TestRecordings : public QObject {
    Q_OBJECT

private slots:
    void listsThemWithTheirFigures() {
        const Scratch scratch;
        const std::vector<Recording> found = listRecordings(scratch.folders().resources);
        QVERIFY(found.size() >= 4);
        QStringList devices;
        int order = 0;
        for (const Recording &recording : found) {
            QCOMPARE(recording.order, ++order);
            QVERIFY2(recording.title != recording.name && recording.iterations > 1,
                     qPrintable(recording.name));
            QVERIFY2(recording.firstMicroseconds && recording.bestMicroseconds && recording.bestOverEager &&
                         *recording.bestMicroseconds < *recording.firstMicroseconds,
                     qPrintable(recording.name));
            devices << recording.device;
            // A text that was kept took less time than the best: then it is said why it is not the best.
            if (recording.name == QLatin1String("softmax") || recording.name == QLatin1String("gemm"))
                QCOMPARE(undecidedWords(recording), QString());
        }
        QVERIFY(devices.contains("AMD EPYC") && devices.contains("NVIDIA H100 80GB HBM3"));
        QVERIFY(listRecordings(scratch.path()).empty());
    }

    void isListedWithoutItsWords() {
        const Scratch scratch;
        scratch.write("recordings/bare/trajectory.jsonl", "");
        scratch.write("recordings/bare/history.json", "{\"iterations\": [1, {\"evaluation\": 2}]}");
        scratch.write("recordings/empty/history.json", "{}");
        const std::vector<Recording> found = listRecordings(scratch.path());
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found.front().title, QString("bare"));
        QVERIFY(!openRecordingCopy(found.front(), scratch.path("data")).hasValue());
    }

    // Charts are drawn from them; one that was opened before gets them as well, and keeps what was made of
    // it.
    void bringsItsEvaluationsAlong() {
        const Scratch scratch;
        const std::vector<Recording> found = listRecordings(scratch.folders().resources);
        Recording recording = found.front();
        const QString shipped = recording.folder;
        recording.folder = scratch.path("shipped");
        scratch.write("shipped/trajectory.jsonl", textOf(shipped + "/trajectory.jsonl"));
        const auto first = openRecordingCopy(recording, scratch.path("data"));
        QVERIFY2(first.hasValue(), qPrintable(first.message()));
        const QString kept = first.value().folder + "/.warpwright/evaluations/";
        QVERIFY(!QFile::exists(kept + "20261122T000000.000Z-aaaaaa.json"));
        scratch.write("shipped/evaluations/20261122T000000.000Z-aaaaaa.json", "{}");
        scratch.write("data/recordings/" + recording.name + "/model_new.py", "mine");
        QVERIFY(openRecordingCopy(recording, scratch.path("data")).hasValue());
        QCOMPARE(textOf(kept + "20261122T000000.000Z-aaaaaa.json"), QByteArray("{}"));
        // Recorded anew, under another id: what a person made of the text is not written over.
        QByteArray again = textOf(shipped + "/trajectory.jsonl");
        again.replace(first.value().run.toUtf8(), "another-run");
        scratch.write("shipped/trajectory.jsonl", again);
        const auto second = openRecordingCopy(recording, scratch.path("data"));
        QVERIFY2(second.hasValue(), qPrintable(second.message()));
        QCOMPARE(second.value().run, QString("another-run"));
        QCOMPARE(textOf(second.value().folder + "/model_new.py"), QByteArray("mine"));
    }

    // It has no history: what the run itself recorded is what a page tells.
    void isToldAsAPage() {
        const Scratch scratch;
        for (const Recording &recording : listRecordings(scratch.folders().resources)) {
            const auto opened = openRecordingCopy(recording, scratch.path("data"));
            QVERIFY2(opened.hasValue(), qPrintable(opened.message()));
            const Workspace workspace = Workspace::open(opened.value().folder, scratch.folders()).value();
            const auto page = storedReport(workspace, 0, opened.value().run);
            QVERIFY2(page.hasValue(), qPrintable(recording.name + ": " + page.message()));
            const ReportInput &input = page.value();
            QVERIFY2(input.iteration > 0 && input.iterations.size() > 1, qPrintable(recording.name));
            QVERIFY(input.findings.missing.filter(QStringLiteral("wright ")).isEmpty());
            const auto read = runIterations(workspace.state, opened.value().run, {input.iteration});
            QVERIFY2(read.hasValue(), qPrintable(read.message()));
            const IterationRecord *record = read.value().record(input.iteration);
            QVERIFY(record != nullptr);
            QCOMPARE(textHashOf(read.value().texts.at(input.iteration)), record->iteration.textHash);
            QCOMPARE(textHashOf(input.known.texts), record->iteration.textHash);
            const QString shipped = recording.folder + "/evaluations/" +
                                    (record->latest ? record->latest->id : QString()) + ".json";
            QCOMPARE(input.known.evaluation.has_value(), QFile::exists(shipped));
            QVERIFY(!runIterations(workspace.state, opened.value().run, {4711}).hasValue());
        }
    }

    // It is not the run's own, but says of its first steps what no time of another check can.
    void namesNoBestThatWasSlowerThanItsStart() {
        const Scratch scratch;
        RecordedRun recorded(scratch.path("state"));
        recorded.begin(textSaying("0"), 4);
        const auto measure = [&](int iteration, EvaluationSummary summary) {
            summary.id = QStringLiteral("20261121T201500.900Z-abcdef");
            summary.verdict = Verdict::Pass;
            recorded.append("evaluation", {{"of", "iteration"},
                                           {"iteration", iteration},
                                           {"evaluation", toJson(summary.id)},
                                           {"summary", summaryToJson(summary)}});
        };
        EvaluationSummary start;
        start.textHash = QStringLiteral("start");
        start.candidate = ArmTiming{100, 99, 101, 1600, true};
        measure(4, start);
        const int slower = recorded.accept(textSaying("1"), 1.02);
        EvaluationSummary step = start;
        step.textHash = QStringLiteral("step");
        step.candidate = ArmTiming{90, 89, 91, 1600, true};
        step.beside = BesideTiming{start.textHash, *start.candidate, 1.2, 1.1, 1.3};
        measure(slower, step);
        const auto best = [&scratch] {
            Result<RunIndex> index = RunIndex::open(scratch.path("state"));
            return index.hasValue() ? std::move(index).value().runs().value().front().bestIteration : -1;
        };
        QCOMPARE(best(), 0);
        step.beside->low = 0.9;
        measure(slower, step);
        QCOMPARE(best(), slower);
    }

    void opensAsAWorkspaceWithTheRunAmongItsPastOnes() {
        const Scratch scratch;
        for (const Recording &recording : listRecordings(scratch.folders().resources)) {
            const auto opened = openRecordingCopy(recording, scratch.path("data"));
            QVERIFY2(opened.hasValue(), qPrintable(opened.message()));
            const auto workspace = Workspace::open(opened.value().folder, scratch.folders());
            QVERIFY2(workspace.hasValue(), qPrintable(workspace.message()));
            QVERIFY(!workspace.value().modelNewFile.isEmpty());
            auto index = RunIndex::open(workspace.value().state);
            QVERIFY2(index.hasValue(), qPrintable(index.message()));
            RunIndex runs = std::move(index).value();
            QCOMPARE(runs.runs().value().size(), std::size_t(1));
            const IndexedRun run = runs.runs().value().front();
            QCOMPARE(run.run, opened.value().run);
            // The list says the best that the run itself came to.
            QVERIFY2(run.best && run.best->candidate, qPrintable(recording.name));
            QCOMPARE(run.best->candidate->medianMicroseconds, recording.bestMicroseconds.value_or(0));
            // Who shows it to others stops at what was measured and rejected as well as at its marks.
            const std::vector<qint64> stops = runs.numbers(run.run, EventFilter::Stops).value();
            for (const RunMark &mark : runs.marks(run.run).value())
                QVERIFY(std::find(stops.begin(), stops.end(), mark.number) != stops.end());
            if (recording.name == QLatin1String("gemm"))
                QCOMPARE(std::vector<qint64>(stops.end() - 5, stops.end()),
                         (std::vector<qint64>{86, 90, 91, 92, 95})); // p7, wrong, rejected, the end
            // What a person made of it stays.
            scratch.write("data/recordings/" + recording.name + "/model_new.py", "mine");
            QCOMPARE(openRecordingCopy(recording, scratch.path("data")).value().folder,
                     opened.value().folder);
            QCOMPARE(textOf(opened.value().folder + "/model_new.py"), QByteArray("mine"));
        }
    }
};

QObject *makeTestRecordings() {
    return new TestRecordings;
}
#include "tst_recordings.moc"
