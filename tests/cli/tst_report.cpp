// SPDX-License-Identifier: GPL-3.0-or-later
// `wright report`: of a text that nobody has checked, of a checked iteration with counters; where it writes.
#include "tests/cli/cli_world.h"
#include "tests/report_page/read_page.h"
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
#include <QTest>

using namespace warpwright;

class TestReportCommand : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;

    QString threeKernels() const {
        const QString folder = m_world.workspace("base", "shared");
        QFile::copy(testData("/ncu/three_kernels.cu"), folder + "/kernels/k.cu");
        return folder;
    }

    /// Its text as iteration 1, with a recorded check and counters of it.
    static void keepAll(const QString &folder) {
        const Workspace workspace = Workspace::open(folder, DataFolders::find()).value();
        const CandidateTexts texts = readCandidateTexts(workspace).value();
        const IterationStore history(workspace.state);
        QVERIFY(history.commit(texts, 0, {AuthorKind::You, {}}, QStringLiteral("three kernels")).hasValue());
        const auto check =
            evaluationFromJson(readTextFile(testData("/evaluations/h200-softmax-rows.json")).value());
        QVERIFY(EvaluationStore(workspace.state).store(check.value()).hasValue());
        QVERIFY(history.link(1, check.value().id).hasValue());
        Counters counters =
            countersFromJson(
                parseJson(readTextFile(testData("/ncu/h200-three-kernels.json")).value()).value())
                .value();
        counters.id.clear();
        for (KernelCounters &kernel : counters.kernels)
            kernel.arm = QStringLiteral("candidate");
        counters.textHash = textHashOf(texts);
        QVERIFY(CounterStore(workspace.state).store(counters, {}).hasValue());
    }

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment"); }

    void writesWhatIsThere() {
        const QString folder = threeKernels();
        const CliOutcome said = m_world.run({"report", folder});
        QVERIFY2(said.exitCode == 0, said.words());
        QVERIFY2(said.output.contains("which is no iteration yet") &&
                     said.output.contains(folder + "/report.html"),
                 said.words());
        const ReadPage page = readPage(readTextFile(folder + "/report.html").value());
        QCOMPARE(page.problem, QString());
        QVERIFY(page.words("verdict").contains("not checked"));
        QVERIFY2(page.words("findings").contains("host-sync"), qPrintable(page.words("findings")));
        QVERIFY(page.words("sources").contains("__global__ void strided"));
        QVERIFY(page.words("asked").contains("get_inputs"));
    }

    void writesOneIterationElsewhere() {
        const QString folder = threeKernels();
        keepAll(folder);
        const QString file = m_world.path("made/here/page.html");
        const CliOutcome said = m_world.run({"report", folder, "--iteration", "1", "--html", file});
        QVERIFY2(said.exitCode == 0 && said.output.contains("Report of iteration 1,"), said.words());
        const QByteArray bytes = readTextFile(file).value();
        const ReadPage page = readPage(bytes);
        QCOMPARE(page.problem, QString());
        QCOMPARE(page.first("title")->text, QString("shared, iteration 1: pass"));
        QVERIFY(!page.ofClass("heat").empty());
        QVERIFY(page.words("findings").contains("uncoalesced"));
        QVERIFY(page.words("tried").contains("three kernels"));
        QVERIFY(!bytes.contains(folder.toUtf8()));
    }

    // As log, show and compare take it.
    void tellsOfARecord() {
        const QString recorded = sourceFolder("/resources/recordings/gemm");
        const QString file = m_world.path("made/of-record.html");
        for (const QString &path : {recorded, recorded + "/trajectory.jsonl"}) {
            const CliOutcome said = m_world.run({"report", path, "--html", file});
            QVERIFY2(said.exitCode == 0 && said.output.contains("Report of run 2026"), said.words());
            const QByteArray bytes = readTextFile(file).value();
            const ReadPage page = readPage(bytes);
            QCOMPARE(page.problem, QString());
            QVERIFY(bytes.contains("are of iteration 7, the last that the run made."));
            QVERIFY(page.first("title")->text.startsWith("gemm, run "));
            QVERIFY(page.words("sources").contains("gemm_bias_gelu"));
        }
        const CliOutcome other = m_world.run({"report", recorded, "--run", "another"});
        QVERIFY2(other.exitCode == 2 && other.errors.contains("is the record of the run"), other.words());
    }

    void saysWhyItCannot_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("why");
        const QString folder = threeKernels();
        QTest::newRow("no such iteration")
            << QStringList{folder, "--iteration", "9"} << "There is no iteration 9";
        QTest::newRow("no workspace") << QStringList{m_world.path("nowhere")} << "nowhere";
        QTest::newRow("no place") << QStringList{folder, "--html", "/proc/nothing/page.html"}
                                  << "/proc/nothing";
        QTest::newRow("a source") << QStringList{folder, "--html", folder + "/model.py"}
                                  << "a file is there that is no page";
        QTest::newRow("a device") << QStringList{folder, "--html", "/dev/null"} << "it is no regular file";
    }
    void saysWhyItCannot() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, why);
        const CliOutcome said = m_world.run(QStringList{"report"} + arguments);
        QVERIFY2(said.exitCode == 2 && said.errors.contains(why), said.words());
    }
};

QObject *makeTestReportCommand() {
    return new TestReportCommand;
}

#include "tst_report.moc"
