// SPDX-License-Identifier: GPL-3.0-or-later
// A report of an H200, read by ncu-report and by ncu's printed pages; and reports that are none.
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/base/text_file.h"
#include "toolchain/counters/counters_lines.h"
#include "toolchain/counters/import_pages.h"
#include "toolchain/counters/kernel_figures.h"
#include "toolchain/counters/report_reader.h"
#include "toolchain/report/counters_report.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QThread>

#include <memory>

using namespace warpwright;

namespace {

QString reportPath() {
    return testData("/ncu/h200-three-kernels.ncu-rep");
}

QByteArray bytesOf(const QString &path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no %s", qPrintable(path));
    return file.readAll();
}

/// A Python with ncu-report: that of the tests, else our own environment's.
QString interpreter() {
    const QString named = qEnvironmentVariable("WARPWRIGHT_TEST_PYTHON");
    return named.isEmpty() ? DataFolders::find().pythonEnvironment + QStringLiteral("/bin/python3") : named;
}

bool hasModule() {
    QProcess python;
    python.start(interpreter(), {QStringLiteral("-c"), QStringLiteral("import ncu_report")});
    return python.waitForFinished(60'000) && python.exitStatus() == QProcess::NormalExit &&
           python.exitCode() == 0;
}

struct Read {
    std::optional<Counters> counters;
    QString message;
    int steps = 0;
};

Read read(ReportReading reading) {
    ReportReader reader(std::move(reading));
    Read answer;
    QEventLoop loop;
    QObject::connect(&reader, &ReportReader::progress, &loop, [&](int, int) { ++answer.steps; });
    QObject::connect(&reader, &ReportReader::finished, &loop, [&](const SharedCounters &counters) {
        answer.counters = *counters;
        loop.quit();
    });
    QObject::connect(&reader, &ReportReader::failed, &loop, [&](const QString &message) {
        answer.message = message;
        loop.quit();
    });
    reader.start();
    loop.exec();
    return answer;
}

} // namespace

class TestReportReader : public QObject {
    Q_OBJECT
    Scratch m_scratch;

    [[nodiscard]] ReportReading reading(const QString &path) const {
        ReportReading reading;
        reading.report = path;
        reading.interpreters = {interpreter()};
        reading.script = sourceFolder("/resources/read_ncu_report.py");
        reading.scratchFolder = m_scratch.path(QStringLiteral("scratch"));
        return reading;
    }

private slots:
    void readsAReport() {
        NEED_TOOL(hasModule(), QStringLiteral("ncu-report"));
        const Read answer = read(reading(reportPath()));
        QVERIFY2(answer.counters.has_value(), qPrintable(answer.message));
        const Counters &counters = *answer.counters;
        QCOMPARE(counters.device, QStringLiteral("NVIDIA H200"));
        QCOMPARE(counters.multiprocessors, 132);
        QCOMPARE(counters.tool, QStringLiteral("Nsight Compute 2025.3.1"));
        QCOMPARE(counters.kernels.size(), std::size_t(3));
        QVERIFY(counters.problems.isEmpty());
        QVERIFY(answer.steps > 0);
        QCOMPARE(counters.sources.size(), std::size_t(1));
        const KernelCounters &strided = counters.kernels[1];
        QCOMPARE(strided.function, QStringLiteral("strided"));
        QCOMPARE(strided.grid, (std::array<int, 3>{65536, 1, 1}));
        // Eight times the sectors that would do, on the line that reads and writes down columns.
        const std::vector<HotLine> lines = hotLines(strided);
        const auto access =
            std::find_if(lines.begin(), lines.end(), [](const HotLine &line) { return line.sectors > 0; });
        QVERIFY(access != lines.end());
        QCOMPARE(access->line, 10);
        QCOMPARE(access->sectors / access->sectorsIdeal, 8.0);
        const std::vector<HotLine> banks = hotLines(counters.kernels[2]);
        QVERIFY(std::any_of(banks.begin(), banks.end(), [](const HotLine &line) {
            return line.wavefrontsIdeal > 0 && line.wavefronts / line.wavefrontsIdeal > 1.9;
        }));
    }

    // What the module reads and what `ncu --import --print-units base` prints are one and the same.
    void pagesSayTheSame() {
        NEED_TOOL(hasModule(), QStringLiteral("ncu-report"));
        const Read answer = read(reading(reportPath()));
        QVERIFY2(answer.counters.has_value(), qPrintable(answer.message));
        const QString pages = testData("/ncu/h200-three-kernels");
        const Result<Counters> imported = importedCounters(bytesOf(pages + QStringLiteral(".raw.csv")),
                                                           bytesOf(pages + QStringLiteral(".details.csv")),
                                                           bytesOf(pages + QStringLiteral(".source.csv")));
        QVERIFY2(imported.hasValue(), qPrintable(imported.message()));
        QCOMPARE(imported.value().kernels.size(), answer.counters->kernels.size());
        for (std::size_t i = 0; i < imported.value().kernels.size(); ++i) {
            const KernelCounters &one = answer.counters->kernels[i];
            const KernelCounters &other = imported.value().kernels[i];
            QCOMPARE(other.function, one.function); // the names differ in casts: f<32>, f<(int)32>
            QCOMPARE(other.grid, one.grid);
            int compared = 0;
            for (const auto &[name, value] : other.metrics) {
                const auto read = one.number(name);
                if (!value.number || !read)
                    continue;
                ++compared;
                // Many are printed with two digits after the point.
                QVERIFY2(
                    std::abs(*read - *value.number) <= std::max(0.0051, 1e-6 * std::abs(*read)),
                    qPrintable(QStringLiteral("%1: %2, printed %3").arg(name).arg(*read).arg(*value.number)));
            }
            QVERIFY(compared > 900);
            QCOMPARE(other.instructions.size(), one.instructions.size());
            for (std::size_t at = 0; at < one.instructions.size(); ++at)
                QCOMPARE(other.instructions[at].value(QStringLiteral("samples")),
                         one.instructions[at].value(QStringLiteral("samples")));
        }
    }

    void fallsBackToPrintedPages() {
        ReportReading way = reading(reportPath());
        way.interpreters = {QStringLiteral("/usr/bin/false")};
        way.ncu = NsightCompute{
            sourceFolder("/tests/tools/fake_ncu/ncu"), sourceFolder("/tests/tools/fake_ncu"), {}, {}};
        qputenv("FAKE_NCU_REPORT", reportPath().toUtf8());
        const Read answer = read(way);
        QVERIFY2(answer.counters.has_value(), qPrintable(answer.message));
        QVERIFY(answer.counters->readBy.startsWith(QStringLiteral("ncu --import")));
        QCOMPARE(answer.counters->kernels[1].function, QStringLiteral("strided"));
    }

    void saysWhatIsWrong_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("words");
        const QByteArray whole = bytesOf(reportPath());
        QTest::newRow("empty") << QByteArray() << QStringLiteral("it is empty");
        QTest::newRow("another file") << QByteArray(5000, 'x') << QStringLiteral("it does not begin as one");
        QTest::newRow("cut in its first launch")
            << whole.left(100'000) << QStringLiteral("missing at its end, and no launch can be read");
        QTest::newRow("the header alone") << whole.left(10) << QStringLiteral("it holds no launch");
        QByteArray garbled = whole;
        for (qsizetype at = 30'000; at < garbled.size(); at += 7)
            garbled[at] = 'z';
        QTest::newRow("garbled") << garbled << QString();
    }
    void saysWhatIsWrong() {
        NEED_TOOL(hasModule(), QStringLiteral("ncu-report"));
        QFETCH(QByteArray, bytes);
        QFETCH(QString, words);
        const QString path = m_scratch.write(QStringLiteral("bad.ncu-rep"), bytes);
        const Read answer = read(reading(path));
        QVERIFY(!answer.counters);
        QVERIFY2(answer.message.contains(words), qPrintable(answer.message));
        QVERIFY2(answer.message.contains(path), qPrintable(answer.message));
    }

    // As a report of thousands is read, at three launches.
    void ofManyTheLongestAreInFull() {
        NEED_TOOL(hasModule(), QStringLiteral("ncu-report"));
        ReportReading few = reading(reportPath());
        few.mostWhole = 2;
        few.mostKernels = 2;
        const Read answer = read(few);
        QVERIFY2(answer.counters.has_value(), qPrintable(answer.message));
        const Counters &counters = *answer.counters;
        QCOMPARE(counters.kernels.size(), std::size_t(2));
        QVERIFY(counters.hasSelectedMetrics);
        QCOMPARE(counters.launchesLeftOut, 1);
        QCOMPARE(counters.leftOut.size(), std::size_t(1));
        QCOMPARE(counters.leftOut[0].function, QStringLiteral("banks"));
        QCOMPARE(counters.leftOut[0].microseconds, std::vector<double>{80.128});
        QVERIFY2(counters.problems.value(0).contains(QStringLiteral("The report has 3 launches. In full:")),
                 qPrintable(counters.problems.value(0)));
        QVERIFY(!counters.kernels[1].isBrief && !counters.kernels[1].instructions.empty());
        few.launch = 1;
        const Read one = read(few);
        QVERIFY(!one.counters->kernels[0].isBrief && one.counters->kernels[1].isBrief);
        const KernelCounters &brief = one.counters->kernels[1];
        QVERIFY(brief.instructions.empty() && brief.rules.empty());
        QVERIFY(brief.metrics.size() > 40 && brief.metrics.size() < 140);
        QCOMPARE(brief.microseconds(), counters.kernels[1].microseconds());
        // Every number that our texts and views show of a launch is among them.
        for (std::size_t i = 0; i < launchFigures(brief).size(); ++i)
            QCOMPARE(launchFigures(brief)[i], launchFigures(counters.kernels[1])[i]);
        QCOMPARE(brief.metrics.count(QStringLiteral("dram__bytes_read.sum")), std::size_t(1));
    }

    void saysThatItIsNewer() {
        NEED_TOOL(hasModule(), QStringLiteral("ncu-report"));
        const QByteArray newer = bytesOf(reportPath()).replace("2025.3.1.0 (build", "2099.9.1.0 (build");
        const Read answer = read(reading(m_scratch.write(QStringLiteral("newer.ncu-rep"), newer)));
        QVERIFY2(answer.counters.has_value(), qPrintable(answer.message));
        QVERIFY2(answer.counters->problems.value(0).contains(
                     QStringLiteral("Nsight Compute 2099.9.1 and read by")),
                 qPrintable(answer.counters->problems.join(QLatin1Char('|'))));
    }

    // The module tells by the name whether it is compressed.
    void anotherNameIsNoHindrance() {
        NEED_TOOL(hasModule(), QStringLiteral("ncu-report"));
        const Read answer =
            read(reading(m_scratch.write(QStringLiteral("plain.ncu-repz"), bytesOf(reportPath()))));
        QVERIFY2(answer.counters.has_value(), qPrintable(answer.message));
        QCOMPARE(answer.counters->kernels.size(), std::size_t(3));
    }

    // One launch of it: the others are read, whatever the module makes of that one.
    void aDamagedLaunchTakesNoOtherWithIt() {
        NEED_TOOL(hasModule(), QStringLiteral("ncu-report"));
        QByteArray damaged = bytesOf(reportPath());
        const qsizetype at = damaged.lastIndexOf("strided(const float *");
        QVERIFY(at > 0);
        damaged[at - 1] = '\xff'; // the name's length: its message cannot be read on
        const Read answer = read(reading(m_scratch.write(QStringLiteral("damaged.ncu-rep"), damaged)));
        QVERIFY2(answer.counters.has_value(), qPrintable(answer.message));
        QCOMPARE(answer.counters->kernels.size(), std::size_t(2));
        for (const KernelCounters &kernel : answer.counters->kernels)
            QVERIFY2(kernel.grid[0] > 0, "a launch that holds nothing");
        QVERIFY2(answer.counters->problems.value(0).contains(QStringLiteral("The report is damaged")),
                 qPrintable(answer.counters->problems.join(QLatin1Char('|'))));
    }

    void aNamedPythonHasToBeOne() {
        ReportReading way = reading(reportPath());
        way.interpreters = {QStringLiteral("/bin/ls"), interpreter()};
        way.isPythonNamed = true;
        QVERIFY(read(way).message.contains(QStringLiteral("\"/bin/ls\" was named for a Python")));
    }

    void aNameThatIsNoTextIsSaid() {
        const Read answer = read(reading(QStringLiteral("/tmp/caf\uFFFD.ncu-rep")));
        QVERIFY2(answer.message.contains(QStringLiteral("no UTF-8")), qPrintable(answer.message));
    }

    void linesThatAreNoneAreRefused_data() {
        QTest::addColumn<QByteArray>("lines");
        QTest::newRow("no end") << QByteArray("{\"launch\": 0}\n");
        QTest::newRow("cut") << QByteArray("{\"launch\": 0}\n{\"schema\": \"warpwright.cou");
        QTest::newRow("a number") << QByteArray("7\n");
        QTest::newRow("nothing") << QByteArray();
    }
    void linesThatAreNoneAreRefused() {
        QFETCH(QByteArray, lines);
        const QString path = m_scratch.write(QStringLiteral("lines.jsonl"), lines);
        const Result<Counters> read = countersFromLines(path);
        QVERIFY(!read.hasValue());
        QVERIFY2(read.message().contains(path), qPrintable(read.message()));
    }

    // The module takes it for a whole report with fewer launches.
    void tellsWhatIsMissing() {
        NEED_TOOL(hasModule(), QStringLiteral("ncu-report"));
        const QString path =
            m_scratch.write(QStringLiteral("cut.ncu-rep"), bytesOf(reportPath()).left(300'000));
        const Read answer = read(reading(path));
        QVERIFY2(answer.counters.has_value(), qPrintable(answer.message));
        QVERIFY(answer.counters->kernels.size() < 3);
        QVERIFY(answer.counters->problems.value(0).contains(QStringLiteral("The report is cut")));
    }

    void saysThatTheModuleIsMissing() {
        ReportReading way = reading(reportPath());
        way.interpreters = {QStringLiteral("/no/such/python")};
        const Read answer = read(way);
        QVERIFY(answer.message.contains(QStringLiteral("pip install ncu-report")));
    }

    // As at the end of the program, which waits for the thread of a run.
    void readsInAThreadWhileTheApplicationWaits() {
        NEED_TOOL(hasModule(), QStringLiteral("ncu-report"));
        Read answer;
        const std::unique_ptr<QThread> thread(
            QThread::create([this, &answer] { answer = read(reading(reportPath())); }));
        thread->start();
        if (!thread->wait(60'000))
            qFatal("It waits for the application, which waits for it."); // what it uses goes with this test
        QVERIFY2(answer.counters.has_value(), qPrintable(answer.message));
    }

    void stops() {
        ReportReading way = reading(reportPath());
        ReportReader reader(way);
        QSignalSpy failed(&reader, &ReportReader::failed);
        reader.start();
        reader.cancel();
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(failed[0][0].toString().contains(QStringLiteral("stopped")));
    }

    void readsRecordsOfACsv() {
        const QByteArray text = "\"a, b\",c,\"d\"\"e\nf\"\r\ng\n";
        qsizetype next = 0;
        QCOMPARE(csvRecord(text, 0, next),
                 (QStringList{QStringLiteral("a, b"), QStringLiteral("c"), QStringLiteral("d\"e\nf")}));
        QCOMPARE(csvRecord(text, next, next), QStringList{QStringLiteral("g")});
        QCOMPARE(next, text.size());
    }
};

QObject *makeTestReportReader() {
    return new TestReportReader;
}

#include "tst_report_reader.moc"
