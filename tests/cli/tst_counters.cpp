// SPDX-License-Identifier: GPL-3.0-or-later
// `wright counters` where there is no GPU: reports of elsewhere, and what was stored. Collecting itself is
// tried on a GPU (tests/gpu/run --only counters) and with a stand-in for ncu (tests/counters).
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/base/text_file.h"
#include "toolchain/counters/counter_store.h"
#include "toolchain/evaluation/evaluation_json.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/workspace/candidate_texts.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTest>

#include <csignal>

using namespace warpwright;

class TestCountersCommand : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;

    static QString report() { return testData("/ncu/h200-three-kernels.ncu-rep"); }

    [[nodiscard]] QStringList importWords() const {
        return {"counters", "--import", report(), "--python", CliWorld::python()};
    }

    /// A workspace whose only iteration is the text on disk, and whose check compiled this kernel.
    [[nodiscard]] QString checkedWorkspace(const QString &as, const QString &kernel) const {
        const QString folder = m_world.workspace("base", as);
        const Workspace workspace = Workspace::open(folder, DataFolders::find()).value();
        const IterationStore store(workspace.state);
        Evaluation checked =
            evaluationFromJson(readTextFile(testData("/evaluations/h200-softmax-rows.json")).value()).value();
        checked.id = newEvaluation().id;
        KernelResources resources;
        resources.name = kernel;
        resources.arch = "sm_90a";
        checked.compile.kernels = {resources};
        if (!store.commit(readCandidateTexts(workspace).value(), 0, Author{}, "as it is").hasValue() ||
            !EvaluationStore(workspace.state).store(checked).hasValue() ||
            !store.link(1, checked.id).hasValue())
            qFatal("cannot keep an iteration in %s", qPrintable(folder));
        return folder;
    }

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with jsonschema"); }

    void readsAReport() {
        const CliOutcome said = m_world.run(importWords());
        QVERIFY2(said.exitCode == 0, said.words());
        for (const char *word : {"NVIDIA H200", "strided, launch 2: 65,536 blocks of 256 threads", "345.6 µs",
                                 "k.cu:10", "8.00×", "Uncoalesced Global Accesses, est. speedup 87\u00a0%",
                                 "waits for global or local memory"})
            QVERIFY2(said.output.contains(QString::fromUtf8(word)), said.words());
    }

    void theDocumentObeysItsSchema() {
        const CliOutcome said = m_world.run(importWords() << "--json");
        QVERIFY2(said.exitCode == 0, said.words());
        QCOMPARE(CliWorld::schemaComplaints(said.document, "counters-1"), QString());
        QCOMPARE(said.document["kernels"].size(), std::size_t(3));
    }

    void onlyOneKernel() {
        const CliOutcome said = m_world.run(importWords() << "--kernel"
                                                          << "banks"
                                                          << "--raw");
        QVERIFY2(said.exitCode == 0, said.words());
        QVERIFY2(said.output.contains("gpu__time_duration.sum 80128 ns"), said.words());
        QVERIFY2(!said.output.contains("strided"), said.words());
        const CliOutcome none = m_world.run(importWords() << "--kernel"
                                                          << "nothing");
        QCOMPARE(none.exitCode, 2);
        QVERIFY2(none.errors.contains("copy4, strided, banks"), none.words());
    }

    void onlyOneLaunch() {
        const CliOutcome said = m_world.run(importWords() << "--launch"
                                                          << "2");
        QVERIFY2(said.exitCode == 0 && said.output.contains("strided, launch 2"), said.words());
        QVERIFY2(!said.output.contains("launch 1:") && !said.output.contains("launch 3:"), said.words());
        const CliOutcome none = m_world.run(importWords() << "--launch"
                                                          << "4");
        QVERIFY2(none.exitCode == 2 && none.errors.contains("they go up to 3"), none.words());
    }

    void anErrorIsADocument() {
        const CliOutcome said = m_world.run({"counters", "--import", "/no/such.ncu-rep", "--json"});
        QCOMPARE(said.exitCode, 2);
        QCOMPARE(CliWorld::schemaComplaints(said.document, "error-1"), QString());
        QVERIFY2(stringIn(said.document, "message").contains("there is no such file"), said.words());
        const CliOutcome words = m_world.run({"counters", "--launches", "x", "--json"});
        QCOMPARE(CliWorld::schemaComplaints(words.document, "error-1"), QString());
    }

    void aFullDiskIsAnError() {
        QProcess process;
        process.setProcessEnvironment(m_world.environment);
        process.setStandardOutputFile("/dev/full");
        process.start(wrightProgram(), importWords());
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 2);
        QVERIFY(process.readAllStandardError().contains("Cannot write to standard output: No space left"));
    }

    void ctrlCEndsWith130() {
        const QString waits = m_world.write("waits",
                                            "#!/bin/sh\ncase \"$*\" in *read_ncu_report*) echo progress 1 2; "
                                            "exec sleep 60 ;; esac\nexec python3 \"$@\"\n",
                                            true);
        const CliOutcome said = m_world.interrupt({"counters", "--import", report(), "--python", waits},
                                                  "counters 1 of 2", SIGINT);
        QCOMPARE(said.exitCode, 130);
        QVERIFY2(said.errors.contains("it was stopped"), said.words());
    }

    void saysWhatNoReportIs() {
        const QString path = m_world.write("a.ncu-rep", "no report");
        const CliOutcome said = m_world.run({"counters", "--import", path, "--python", CliWorld::python()});
        QCOMPARE(said.exitCode, 2);
        QVERIFY2(said.errors.contains(path) && said.errors.contains("does not begin as one"), said.words());
        const CliOutcome missing = m_world.run({"counters", "--import", "/no/such.ncu-rep"});
        QCOMPARE(missing.exitCode, 2);
        QVERIFY2(missing.errors.contains("there is no such file"), missing.words());
    }

    void showsWhatIsStored() {
        const QString folder = m_world.workspace("base", "counted");
        const CliOutcome none = m_world.run({"counters", folder, "--stored"});
        QCOMPARE(none.exitCode, 2);
        QVERIFY2(none.errors.contains("none were collected"), none.words());
        const auto workspace = Workspace::open(folder, DataFolders::find());
        const auto json = parseJson(readTextFile(testData("/ncu/h200-three-kernels.json")).value());
        Counters counters = countersFromJson(json.value()).value();
        counters.textHash = textHashOf(readCandidateTexts(workspace.value()).value());
        QVERIFY(CounterStore(workspace.value().state).store(counters, {}).hasValue());
        const CliOutcome said = m_world.run({"counters", folder, "--stored", "--json"});
        QVERIFY2(said.exitCode == 0, said.words());
        QCOMPARE(CliWorld::schemaComplaints(said.document, "counters-1"), QString());
        const CliOutcome against = m_world.run({"counters", folder, "--stored", "--against", "1"});
        QVERIFY2(against.exitCode == 2 && against.output.isEmpty(), against.words());
        // A document that is cut lies there, and was collected.
        const QString kept = QDir(workspace.value().state + "/counters").entryList({"*.json"}).value(0);
        QVERIFY(QFile(workspace.value().state + "/counters/" + kept).resize(3000));
        const CliOutcome damaged = m_world.run({"counters", folder, "--stored"});
        QVERIFY2(damaged.exitCode == 2 && damaged.errors.contains("it is damaged") &&
                     damaged.errors.contains(kept),
                 damaged.words());
        const CliOutcome timeline = m_world.run({"timeline", folder, "--stored"});
        QCOMPARE(timeline.exitCode, 2);
        QVERIFY2(timeline.errors.contains("none was traced"), timeline.words());
    }

    void attachesAReportToAWorkspace() {
        const QString folder = checkedWorkspace("attached", "strided(float const*, float*, int, int)");
        const CliOutcome said = m_world.run(importWords() << folder);
        QVERIFY2(said.exitCode == 0 && !said.errors.contains("edited since"), said.words());
        const QString words = said.output.simplified(); // sentences go on in the next line
        for (const char *word : {"Imported from \"h200-three-kernels.ncu-rep\", a file of",
                                 "which text it measured is not known to us", "candidate: 1 launch",
                                 "imported: 2 launches", "/.warpwright/counters/"})
            QVERIFY2(words.contains(word), said.words());
        const CliOutcome stored = m_world.run({"counters", folder, "--stored", "--json"});
        QVERIFY2(stored.exitCode == 0, stored.words());
        QCOMPARE(CliWorld::schemaComplaints(stored.document, "counters-1"), QString());
        QCOMPARE(stringIn(stored.document["imported"], "file"), QString("h200-three-kernels.ncu-rep"));
        QCOMPARE(stringIn(stored.document["device"], "name"), QString("NVIDIA H200"));
        QCOMPARE(stored.document["of"]["iteration"].get<int>(), 1);
        QVERIFY(!stringIn(stored.document["of"], "evaluation").isEmpty());
        const QString copy = folder + "/.warpwright/counters/" + stringIn(stored.document["report"], "file");
        QCOMPARE(QFileInfo(copy).size(), QFileInfo(report()).size());
        // The text has changed since: it is the iteration's all the same, and no other text's.
        m_world.write(folder + "/kernels/gate.cpp", "// another text\n");
        const CliOutcome edited = m_world.run(importWords() << folder);
        QVERIFY2(edited.exitCode == 0 && edited.errors.contains("was edited since iteration 1"),
                 edited.words());
        const CliOutcome none = m_world.run({"counters", folder, "--stored"});
        QVERIFY2(none.exitCode == 2 && none.errors.contains("but some of iteration 1"), none.words());
        const CliOutcome first = m_world.run({"counters", folder, "--stored", "--iteration", "1"});
        QVERIFY2(first.exitCode == 0, first.words());
    }

    void attachesNoReportOfOtherKernels() {
        const QString folder = checkedWorkspace("attached-not", "void rows<4>(float const*)");
        const CliOutcome other = m_world.run(importWords() << folder);
        QVERIFY2(other.exitCode == 2 && other.errors.contains("(rows<4>)"), other.words());
        const CliOutcome missing = m_world.run(importWords() << folder << "--iteration"
                                                             << "7");
        QVERIFY2(missing.exitCode == 2 && missing.errors.contains("there is no iteration 7"),
                 missing.words());
        QVERIFY(!QFileInfo::exists(folder + "/.warpwright/counters"));
        const QString unchecked = m_world.workspace("base", "attached-early");
        const CliOutcome early = m_world.run(importWords() << unchecked << "--json");
        QVERIFY2(early.exitCode == 2, early.words());
        QCOMPARE(CliWorld::schemaComplaints(early.document, "error-1"), QString());
        QVERIFY2(stringIn(early.document, "message").contains("it has no iteration yet"), early.words());
    }

    // A profiler that runs again writes another one under the same name.
    void attachesNoReportThatIsAnotherByNow_data() {
        QTest::addColumn<QString>("act");
        QTest::addColumn<QString>("says");
        QTest::newRow("written anew") << "printf x >> \"$report\""
                                      << "it was written anew after it was read";
        QTest::newRow("gone") << "rm \"$report\""
                              << "it is no longer there";
    }
    void attachesNoReportThatIsAnotherByNow() {
        QFETCH(QString, act);
        QFETCH(QString, says);
        const QString folder = checkedWorkspace(QStringLiteral("attached-%1").arg(says.size()),
                                                "strided(float const*, float*, int, int)");
        const QString path = m_world.write("again.ncu-rep", readTextFile(report()).value());
        const QString python =
            m_world.write("reads-and-changes",
                          QStringLiteral("#!/bin/sh\nreport='%1'\n'%2' \"$@\"\nended=$?\n"
                                         "case \"$*\" in *read_ncu_report*) %3 ;; esac\nexit $ended\n")
                              .arg(path, CliWorld::python(), act)
                              .toUtf8(),
                          true);
        const CliOutcome said = m_world.run({"counters", "--import", path, "--python", python, folder});
        QVERIFY2(said.exitCode == 2 && said.errors.simplified().contains(says), said.words());
        QVERIFY2(said.errors.simplified().contains("Cannot keep the report \"" + path + "\""), said.words());
        const QDir kept(folder + "/.warpwright/counters");
        QCOMPARE(kept.entryList(QDir::Files), QStringList());
    }

    void needsAGpu() {
        m_world.environment.insert("CUDA_VISIBLE_DEVICES", "");
        const CliOutcome said = m_world.run({"counters", m_world.workspace("base", "here"), "--json"});
        m_world.environment.remove("CUDA_VISIBLE_DEVICES");
        QCOMPARE(said.exitCode, 2);
        QVERIFY2(said.errors.contains("wright counters --import"), said.words());
    }

    void wordsThatAreNone_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("reason");
        QTest::newRow("set") << QStringList{"--set", "all"} << "basic or full";
        QTest::newRow("launches") << QStringList{"--launches", "-1"} << "no whole number from 0 on";
        QTest::newRow("against") << QStringList{"--against", "0"} << "no whole number from 1 on";
        const QStringList import{"--import", report()};
        QTest::newRow("import of nothing") << QStringList{"--import", ""} << "--import names no file";
        QTest::newRow("import and launches")
            << import + QStringList{"--launches", "3"} << "--launches does not apply";
        QTest::newRow("import and no workspace") << import + QStringList{"/no/such"} << "/no/such";
        QTest::newRow("a part of what is kept")
            << import + QStringList{"--kernel", "banks", "."} << "--kernel does not apply";
        QTest::newRow("a launch of what is kept")
            << import + QStringList{"--launch", "1", "."} << "--launch does not apply";
        QTest::newRow("import and iteration")
            << import + QStringList{"--iteration", "1"} << "--iteration does not apply";
        QTest::newRow("no Python") << import + QStringList{"--python", "/bin/ls"} << "named for a Python";
        QTest::newRow("no program") << import + QStringList{"--python", "/no/python"} << "named for a Python";
        QTest::newRow("both") << QStringList{"--stored", "--import", "x"} << "two different things";
        QTest::newRow("device") << QStringList{"--device", "gpu"} << "not auto or cuda:N";
    }
    void wordsThatAreNone() {
        QFETCH(QStringList, words);
        QFETCH(QString, reason);
        const CliOutcome said = m_world.run(QStringList{"counters"} + words);
        QCOMPARE(said.exitCode, 2);
        QVERIFY2(said.errors.contains(reason), said.words());
    }
};

QObject *makeTestCountersCommand() {
    return new TestCountersCommand;
}

#include "tst_counters.moc"
