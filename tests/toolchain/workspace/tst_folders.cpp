// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/base/folder_copy.h"
#include "toolchain/base/scratch_folders.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/history/recent_workspaces.h"
#include "toolchain/workspace/candidate_texts.h"
#include "toolchain/workspace/kernelbench_folder.h"
#include "toolchain/workspace/samples.h"
#include "toolchain/workspace/workspace.h"

#include <QDir>
#include <QTest>

#include <thread>

using namespace warpwright;

namespace {

const char *task = "import torch\nclass Model(torch.nn.Module):\n    pass\ndef get_inputs(): return []\n"
                   "def get_init_inputs(): return []\n";

} // namespace

/// What the start page lists: samples, problems of a folder, workspaces of before.
class TestFolders : public QObject {
    Q_OBJECT

private slots:
    void listsTheSamples() {
        const Scratch scratch;
        const auto samples = listSamples(scratch.folders().resources);
        QVERIFY2(samples.hasValue(), qPrintable(samples.message()));
        QCOMPARE(samples.value().size(), 9U);
        QCOMPARE(samples.value().front().name, QString("pointwise-chain"));
        int order = 0;
        for (const Sample &sample : samples.value()) {
            QCOMPARE(sample.order, ++order);
            QVERIFY2(sample.title != sample.name && sample.description.endsWith('.') && sample.hasCuda &&
                         sample.hasTwin,
                     qPrintable(sample.name));
            QVERIFY(sample.bound == "memory" || sample.bound == "compute");
            QCOMPARE(sample.isBroken(), sample.name.startsWith("broken-"));
        }
        QVERIFY(listSamples(scratch.path()).message().startsWith("Cannot find the samples in \""));
    }

    void copiesASampleOnce() {
        const Scratch scratch;
        const Sample sample = listSamples(scratch.folders().resources).value().front();
        const auto copy = openSampleCopy(sample, scratch.path("data"));
        QVERIFY2(copy.hasValue(), qPrintable(copy.message()));
        QCOMPARE(copy.value(), scratch.path("data/samples/pointwise-chain"));
        QVERIFY(QFileInfo(copy.value() + "/kernels/pointwise_chain.cu").isWritable());
        QVERIFY(!QFileInfo::exists(copy.value() + "/sample.json"));
        QVERIFY(Workspace::open(copy.value(), scratch.folders()).hasValue());
        scratch.write("data/samples/pointwise-chain/model_new.py", "mine");
        QVERIFY(openSampleCopy(sample, scratch.path("data")).hasValue());
        QCOMPARE(textOf(copy.value() + "/model_new.py"), QByteArray("mine"));
        QCOMPARE(QDir(scratch.path("data/samples")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size(),
                 1);
    }

    void copiesNothingOfOurs() {
        const Scratch scratch;
        scratch.writeModel("from");
        for (const char *name : {".warpwright/task.json", ".warpwright/lock", "kernels/__pycache__/a.pyc"})
            scratch.write(QStringLiteral("from/") + name, "{}");
        QVERIFY(copyWorkspace(scratch.path("from"), scratch.path("to")).hasValue());
        QVERIFY(QFileInfo::exists(scratch.path("to/.warpwright/task.json")));
        QVERIFY(!QFileInfo::exists(scratch.path("to/.warpwright/lock")));
        QVERIFY(!QFileInfo::exists(scratch.path("to/kernels")));
        QVERIFY(copyWorkspace(scratch.path("from"), scratch.path("to"))
                    .message()
                    .contains("it is there already"));
    }

    void listsProblemsByLevel() {
        const Scratch scratch;
        scratch.write("kb/level2/3_Gate.py", task);
        scratch.write("kb/level1/10_Scale_and_shift.py", task);
        scratch.write("kb/level1/2_Add__.py", task);
        scratch.write("kb/level1/__init__.py", "");
        scratch.write("kb/docs/4_Other.py", task);
        scratch.write("kb/mine.py", task);
        const auto found = listKernelBench(scratch.path("kb/"));
        QVERIFY2(found.hasValue(), qPrintable(found.message()));
        QStringList rows;
        for (const KernelBenchProblem &problem : found.value().problems)
            rows << QStringLiteral("%1/%2 %3").arg(problem.level).arg(problem.number).arg(problem.title);
        QCOMPARE(rows, (QStringList{"0/0 mine", "1/2 Add", "1/10 Scale and shift", "2/3 Gate"}));
        QCOMPARE(found.value().skipped, QStringList{scratch.path("kb/level1/__init__.py")});
        QVERIFY(Workspace::open(found.value().problems[1].path, scratch.folders()).hasValue());
        // One level alone, and the whole repository around it.
        QCOMPARE(listKernelBench(scratch.path("kb/level2")).value().problems[0].level, 2);
        QDir().rename(scratch.path("kb"), scratch.path("KernelBench"));
        QCOMPARE(listKernelBench(scratch.path()).value().problems.size(), 3U);
    }

    void saysWhyThereAreNoProblems() {
        const Scratch scratch;
        scratch.write("some/a.py", "print()");
        QDir().mkpath(scratch.path("none"));
        QVERIFY(listKernelBench(scratch.path("gone")).message().contains("there is no such folder"));
        QVERIFY(listKernelBench(scratch.path("none")).message().contains("it holds no Python files"));
        QVERIFY(
            listKernelBench(scratch.path("some")).message().contains("none of its 1 Python files is a task"));
        QVERIFY(listKernelBench(scratch.path("some/a.py")).message().contains("it is no folder"));
    }

    void removesScratchThatAKilledProgramLeft() {
        const Scratch scratch;
        const QString mine = scratchFolder(scratch.path("cache"), "mine");
        scratch.write("cache/scratch/mine/output", "1");
        const QDateTime now = QDateTime::currentDateTimeUtc();
        removeForgottenScratch(scratch.path("cache"), now);
        QVERIFY(QDir(mine).exists());
        removeForgottenScratch(scratch.path("cache"), now.addSecs(25 * 3600));
        QVERIFY(!QDir(mine).exists());
        removeForgottenScratch(scratch.path("none"), now);
    }

    void remembersWorkspaces() {
        const Scratch scratch;
        scratch.writeModel("one");
        scratch.writeModel("two");
        const DataFolders folders = scratch.folders();
        const RecentWorkspaces recent(folders);
        QCOMPARE(recent.list().size(), 0U);
        QVERIFY(recent.opened(scratch.path("one/")).hasValue());
        QVERIFY(recent.opened(scratch.path("two")).hasValue());
        QVERIFY(recent.opened(scratch.path("one")).hasValue());
        auto rows = recent.list();
        QCOMPARE(rows.size(), 2U);
        QCOMPARE(rows[0].path, scratch.path("one"));
        QVERIFY(!rows[0].latest && !rows[0].isStale && !rows[0].isMissing);

        const Workspace workspace = Workspace::open(scratch.path("one"), folders).value();
        Evaluation evaluation = newEvaluation();
        evaluation.verdict = Verdict::Wrong;
        evaluation.message.what = "Wrong";
        evaluation.workspace["textHash"] = toJson(textHashOf(readCandidateTexts(workspace).value()));
        QVERIFY(EvaluationStore(workspace.state).store(evaluation).hasValue());
        rows = recent.list();
        QVERIFY(rows[0].latest && !rows[0].isStale);
        QCOMPARE(rows[0].latest->verdict, Verdict::Wrong);
        scratch.write("one/model_new.py", "changed");
        QVERIFY(recent.list()[0].isStale);
        // What was measured of a text counts for it though another was measured later.
        const IterationStore history(workspace.state);
        const auto changed = history.commit(readCandidateTexts(workspace).value(), 0, Author{}).value();
        Evaluation ofChanged = newEvaluation();
        ofChanged.verdict = Verdict::Pass;
        ofChanged.workspace["textHash"] = toJson(changed.iteration.textHash);
        QVERIFY(EvaluationStore(workspace.state).store(ofChanged).hasValue());
        QVERIFY(history.link(changed.iteration.number, ofChanged.id).hasValue());
        Evaluation ofAnother = newEvaluation();
        ofAnother.startedAt = ofChanged.startedAt.addSecs(5);
        ofAnother.id = newEvaluationId(ofAnother.startedAt);
        ofAnother.verdict = Verdict::Wrong;
        ofAnother.workspace["textHash"] = "of another text";
        QVERIFY(EvaluationStore(workspace.state).store(ofAnother).hasValue());
        QVERIFY(!recent.list()[0].isStale);
        QCOMPARE(recent.list()[0].latest->verdict, Verdict::Pass);

        QDir(scratch.path("two")).removeRecursively();
        QVERIFY(recent.list()[1].isMissing);
        QVERIFY(recent.forget(scratch.path("two")).hasValue());
        QCOMPARE(recent.list().size(), 1U);
    }

    void keepsTheLastTwentyOfTwoPrograms() {
        const Scratch scratch;
        const RecentWorkspaces recent(scratch.folders());
        std::vector<std::thread> programs;
        for (int program = 0; program < 4; ++program)
            programs.emplace_back([&, program] {
                for (int at = 0; at < 5; ++at)
                    if (const auto done =
                            recent.opened(scratch.path(QStringLiteral("%1-%2").arg(program).arg(at)));
                        !done.hasValue())
                        qWarning("%s", qPrintable(done.message()));
            });
        for (std::thread &program : programs)
            program.join();
        QCOMPARE(recent.list().size(), 20U);
        QVERIFY(recent.opened(scratch.path("more")).hasValue());
        QCOMPARE(recent.list().size(), 20U);
        QCOMPARE(recent.list()[0].name, QString("more"));
    }

    // Its text is what a run on another machine left: no check of this one is out of date.
    void showsOfARecordingItsBest() {
        const Scratch scratch;
        const DataFolders folders = scratch.folders();
        const QString name = QStringLiteral("data/recordings/gemm");
        scratch.writeModel(name);
        const RecentWorkspaces recent(folders);
        QVERIFY(recent.opened(scratch.path(name)).hasValue());
        const Workspace workspace = Workspace::open(scratch.path(name), folders).value();
        const IterationStore history(workspace.state);
        int parent = 0;
        for (const double overEager : {2.0, 1.2}) {
            scratch.write(name + "/model_new.py", QByteArray::number(overEager));
            const CandidateTexts texts = readCandidateTexts(workspace).value();
            parent = history.commit(texts, parent, Author{}).value().iteration.number;
            Evaluation evaluation = newEvaluation();
            evaluation.verdict = Verdict::Pass;
            evaluation.workspace["textHash"] = toJson(textHashOf(texts));
            evaluation.profile["arms"]["candidate"] = {{"medianMicroseconds", 100 / overEager},
                                                       {"lowMicroseconds", 99 / overEager},
                                                       {"highMicroseconds", 101 / overEager},
                                                       {"samples", 8},
                                                       {"live", true}};
            evaluation.profile["speedup"]["eager"] = {
                {"value", overEager}, {"low", overEager}, {"high", overEager}, {"arm", "eager"}};
            QVERIFY(EvaluationStore(workspace.state).store(evaluation).hasValue());
            QVERIFY(history.link(parent, evaluation.id).hasValue());
        }
        scratch.write(name + "/model_new.py", "what the run ended with");
        const RecentWorkspace row = recent.list()[0];
        QVERIFY(row.isRecording && !row.isStale);
        QVERIFY(row.latest && row.latest->eager);
        QCOMPARE(row.latest->eager->value, 2.0);
    }

    void beginsAnewWithABrokenList() {
        const Scratch scratch;
        const RecentWorkspaces recent(scratch.folders());
        scratch.write("data/recent.json", "[{\"path\": ");
        QCOMPARE(recent.list().size(), 0U);
        QVERIFY(recent.opened(scratch.path("one")).hasValue());
        QCOMPARE(recent.list().size(), 1U);
        QCOMPARE(QDir(scratch.path("data")).entryList({"recent.json.broken-*"}).size(), 1);
    }
};

QObject *makeTestFolders() {
    return new TestFolders;
}

#include "tst_folders.moc"
