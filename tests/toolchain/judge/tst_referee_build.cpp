// SPDX-License-Identifier: GPL-3.0-or-later
// Builds a tiny judge of two programs with the real g++, without torch.
#include "tests/toolchain/run_test_classes.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/judge/referee_build.h"
#include "toolchain/judge/referee_state.h"
#include "toolchain/progress/stage_progress.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

using namespace warpwright;

class TestRefereeBuild : public QObject {
    Q_OBJECT

private:
    Scratch m_scratch;
    HostCompiler m_compiler;

    void writeSources(
        const QByteArray &judge = "#include \"referee/part.h\"\nint main() { return answer() - 42; }\n") {
        m_scratch.write("sources/referee/build.json", R"({"programs": [
            {"output": "wright-referee", "kind": "executable", "sources": ["main.cpp", "worker/part.cpp"],
             "libraries": [], "cudaLibraries": ["no_such_cuda_library"], "systemLibraries": ["dl"]},
            {"output": "libwarpwright_shim.so", "kind": "shared", "sources": ["worker/part.cpp"]}]})");
        m_scratch.write("sources/referee/main.cpp", judge);
        m_scratch.write("sources/referee/part.h", "int answer();\n");
        m_scratch.write("sources/referee/worker/part.cpp",
                        "#include \"referee/part.h\"\nint answer() { return 42 + WARPWRIGHT_CUDA; }\n");
    }

    [[nodiscard]] Result<RefereePlan> plan(const QString &sources = "sources") const {
        PythonEnvironment python; // no torch at all: its folders are simply empty
        python.version = "3.11.2";
        python.torchVersion = "2.11.0";
        python.torchFolder = m_scratch.path("torch");
        python.includeFolder = m_scratch.path("include");
        return makeRefereePlan(m_scratch.path(sources + "/referee"), python, m_compiler, nullptr);
    }

    [[nodiscard]] QString data() const { return m_scratch.path("data"); }

private slots:
    void initTestCase() {
        m_compiler.path = QStandardPaths::findExecutable(QStringLiteral("g++"));
        NEED_TOOL(!m_compiler.path.isEmpty(), "g++");
        writeSources();
    }

    void buildsOnceAndThenFindsIt() {
        for (const bool isFirst : {true, false}) {
            RefereeBuild build(plan().value(), data(), 2);
            QSignalSpy finished(&build, &RefereeBuild::finished);
            QSignalSpy failed(&build, &RefereeBuild::failed);
            QSignalSpy progress(&build, &RefereeBuild::progress);
            build.start();
            QVERIFY2(finished.wait(60000),
                     failed.isEmpty() ? "nothing" : qPrintable(failed[0][0].toString()));
            const auto programs = finished[0][0].value<RefereePrograms>();
            QCOMPARE(programs.wasBuiltNow, isFirst);
            QCOMPARE(progress.size(), isFirst ? 5 : 0);
            QVERIFY(programs.judge.endsWith("/wright-referee") &&
                    programs.shim.endsWith("/libwarpwright_shim.so"));
            QCOMPARE(QProcess::execute(programs.judge, {}), 0);
            QCOMPARE(QDir(programs.folder).entryList(QDir::Files).size(), 2);
        }
        QVERIFY(isRefereeBuilt(data(), plan().value()));
    }

    void twoAtOnceBuildItOnce() {
        writeSources("#include \"referee/part.h\"\nint main() { return answer() - 42; } // at once\n");
        RefereeBuild one(plan().value(), data(), 1);
        RefereeBuild two(plan().value(), data(), 1);
        QSignalSpy firstDone(&one, &RefereeBuild::finished);
        QSignalSpy secondDone(&two, &RefereeBuild::finished);
        QSignalSpy told(&two, &RefereeBuild::progress); // while one builds
        one.start();
        two.start();
        QTRY_VERIFY_WITH_TIMEOUT(!firstDone.isEmpty() && !secondDone.isEmpty(), 60000);
        QVERIFY(firstDone[0][0].value<RefereePrograms>().wasBuiltNow !=
                secondDone[0][0].value<RefereePrograms>().wasBuiltNow);
        QVERIFY(!told.isEmpty());
        QVERIFY(isOfJudgeBuild({"open", told[0][0].toString(), 0, 0, 0, {}}));
    }

    // A check that is stopped while another process builds: what is known of that build stays known.
    void whoOnlyWaitedLeavesTheBuildAlone() {
        writeSources("#include <regex>\n#include <map>\n#include \"referee/part.h\"\n"
                     "int main() { std::regex r(\"a\"); return answer() - 42; }\n");
        const RefereePlan planned = plan().value();
        const QString folder = refereeFolder(data(), planned);
        RefereeBuild one(planned, data(), 1);
        QSignalSpy built(&one, &RefereeBuild::finished);
        one.start();
        QTRY_VERIFY_WITH_TIMEOUT(refereeProgress(folder).isRunning, 20000);
        {
            RefereeBuild two(planned, data(), 1);
            QSignalSpy told(&two, &RefereeBuild::progress);
            QSignalSpy failed(&two, &RefereeBuild::failed);
            two.start();
            QTRY_VERIFY_WITH_TIMEOUT(!told.isEmpty(), 20000);
            QCOMPARE(told[0][2].toInt(), 5);
            QVERIFY2(told[0][0].toString().contains("left"), qPrintable(told[0][0].toString()));
            two.cancel();
            QVERIFY(!failed.isEmpty() || failed.wait(5000));
            QCOMPARE(failed[0][0].toString(), QString("cancelled"));
        }
        QVERIFY(built.isEmpty()); // or this proves nothing
        QVERIFY(refereeProgress(folder).isRunning);
        QCOMPARE(refereeProgress(folder).count, 5);
        QVERIFY(unbuiltWords(refereeStateOf(planned, data())).contains("It is being compiled"));
        QVERIFY(!built.isEmpty() || built.wait(60000));
        // One that goes without a word, as with its window, leaves no note that it is at work.
        writeSources("#include <regex>\n#include <set>\nint main() { std::regex r(\"a\"); return 0; }\n");
        const QString other = refereeFolder(data(), plan().value());
        {
            RefereeBuild gone(plan().value(), data(), 1);
            gone.start();
            QTRY_VERIFY_WITH_TIMEOUT(refereeProgress(other).isRunning, 20000);
        }
        QVERIFY(!refereeProgress(other).isRunning);
        QVERIFY(QDir(other + ".building").removeRecursively());
    }

    void tellsHowFarABuildIsAndHowLongStill() {
        const QString folder = m_scratch.path("far.building");
        QDir().mkpath(folder);
        const QDateTime begun = QDateTime::currentDateTimeUtc().addSecs(-1000);
        const auto write = [&](const QString &name, int seconds) {
            QFile file(m_scratch.write("far.building/" + name, "o"));
            return file.open(QIODevice::ReadWrite) &&
                   file.setFileTime(begun.addSecs(seconds), QFileDevice::FileModificationTime);
        };
        QVERIFY(write("of-a-build-before.o", -500));
        const RefereeProgress before = refereeProgressIn(folder, begun);
        QVERIFY(before.done == 1 && before.count == 0 && !before.isRunning);
        QVERIFY(noteRefereeBegun(folder, 10).hasValue());
        QFile note(folder + "/begun");
        QVERIFY(note.open(QIODevice::ReadWrite) &&
                note.setFileTime(begun, QFileDevice::FileModificationTime));
        QVERIFY(write("a.o", 10) && write("b.o", 20) && write("half.o.part", 25));
        const RefereeProgress early = refereeProgressIn(folder, begun.addSecs(25));
        QVERIFY(early.isRunning && early.done == 3 && early.step() == 4 && early.count == 10);
        QVERIFY(!early.secondsLeft); // two steps tell nothing
        // Ten seconds a step, six are left, and of the next four have passed.
        QVERIFY(write("c.o", 30));
        const RefereeProgress now = refereeProgressIn(folder, begun.addSecs(34));
        QVERIFY(now.secondsLeft);
        QCOMPARE(*now.secondsLeft, 56.0);
        QCOMPARE(roughTimeText(*now.secondsLeft), QString("about 1 min"));
        QCOMPARE(roughTimeText(20), QString("less than a minute"));
        forgetRefereeBegun(folder);
        QVERIFY(!refereeProgressIn(folder, begun).isRunning);
    }

    void theStepOfABuildSaysHowLongStill() {
        const StageProgress now{"open", judgeBuildStep("about 3 min left"), 40, 135, 0, {}};
        const QString words = "The judge is compiled once for this machine: step 40 of 135, about 3 min left";
        QCOMPARE(stepText(now), words);
        // Who waits for the device that another builds it on is told both.
        StageProgress waits = now;
        waits.stage = "wait";
        waits.wait = DeviceWait{1, QDateTime::currentDateTimeUtc(), DeviceHolder{4711, "wright", {}, {}}};
        QVERIFY2(stepText(waits).contains("process 4711") && stepText(waits).contains(words),
                 qPrintable(stepText(waits)));
    }

    void aChangedSourceIsAnotherBuild() {
        writeSources();
        const QString before = plan().value().key;
        writeSources("int main() { return 1; }\n");
        QVERIFY(plan().value().key != before);
    }

    /// Or each clone, and the package beside it, would build torch's part for minutes.
    void aCopyElsewhereIsTheSameBuild() {
        writeSources();
        QCOMPARE(QProcess::execute("cp", {"-r", m_scratch.path("sources"), m_scratch.path("copy")}), 0);
        QCOMPARE(plan("copy").value().key, plan().value().key);
        QVERIFY(plan("copy").value().objects.front().arguments != plan().value().objects.front().arguments);
        m_scratch.write("copy/referee/part.h", "int answer(); // otherwise\n");
        QVERIFY(plan("copy").value().key != plan().value().key);
    }

    void showsTheCompilersWords() {
        writeSources("int main() { return undefinedThing; }\n");
        RefereeBuild build(plan().value(), data(), 2);
        QSignalSpy failed(&build, &RefereeBuild::failed);
        build.start();
        QVERIFY(failed.wait(60000));
        const QString message = failed[0][0].toString();
        QVERIFY2(message.contains("Cannot build the judge") && message.contains("undefinedThing"),
                 qPrintable(message));
        QVERIFY2(QFileInfo::exists(refereeFolder(data(), plan().value()) + ".log"), "the whole log is kept");
        QVERIFY(!isRefereeBuilt(data(), plan().value()));
        QVERIFY(QDir(data() + "/referee").entryList({"*.building"}, QDir::Dirs).isEmpty());
    }

    void aCancelledBuildGoesOn() {
        // Its part is done when it is cancelled; its main file is slow enough to be caught.
        writeSources(
            "template <int N> struct S { static constexpr int v = S<N - 1>::v + S<N - 2>::v * 0; };\n"
            "template <> struct S<0> { static constexpr int v = 0; };\n"
            "template <> struct S<1> { static constexpr int v = 1; };\n"
            "#include <algorithm>\n#include <regex>\n#include <map>\nint main() { std::regex r(\"a\"); "
            "return S<800>::v; }\n");
        const QString begun = refereeFolder(data(), plan().value()) + ".building";
        {
            RefereeBuild build(plan().value(), data(), 2);
            QSignalSpy failed(&build, &RefereeBuild::failed);
            build.start();
            QTRY_VERIFY_WITH_TIMEOUT(!QDir(begun).entryList({"*part.cpp.o"}).isEmpty(), 20000);
            build.cancel();
            QVERIFY(!failed.isEmpty() || failed.wait(5000));
            QCOMPARE(failed[0][0].toString(), QString("cancelled"));
        }
        const qsizetype done = QDir(begun).entryList({"*.o"}).size();
        QVERIFY(done == 1 || done == 2);
        m_scratch.write("data/referee/0123456789abcdef.building/old.o", "of other sources");
        RefereeBuild build(plan().value(), data(), 2);
        QSignalSpy finished(&build, &RefereeBuild::finished);
        QSignalSpy progress(&build, &RefereeBuild::progress);
        build.start();
        QVERIFY(finished.wait(60000));
        QCOMPARE(progress.size(), 5 - done);
        QVERIFY(QDir(data() + "/referee").entryList({"*.building"}, QDir::Dirs).isEmpty());
    }

    void saysWhatIsWrongWithThePlan_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("words");
        QTest::newRow("no JSON") << QByteArray("{") << "parse error";
        QTest::newRow("no programs") << QByteArray("{}") << "no list \"programs\"";
        QTest::newRow("a program without sources")
            << QByteArray(R"({"programs": [{"output": "a"}]})") << "no sources";
        QTest::newRow("a program that is a number") << QByteArray(R"({"programs": [3]})") << "no output name";
        QTest::newRow("a way out of the folder")
            << QByteArray(R"({"programs": [{"output": "../a", "sources": ["b"]}]})") << "no output name";
    }

    void saysWhatIsWrongWithThePlan() {
        QFETCH(QByteArray, text);
        QFETCH(QString, words);
        m_scratch.write("sources/referee/build.json", text);
        const Result<RefereePlan> made = plan();
        QVERIFY(!made.hasValue());
        QVERIFY2(made.message().contains(words) && made.message().contains("build.json"),
                 qPrintable(made.message()));
    }
};

QObject *makeTestRefereeBuild() {
    return new TestRefereeBuild;
}

#include "tst_referee_build.moc"
