// SPDX-License-Identifier: GPL-3.0-or-later
//
// `wright check` on a CUDA device: each row lays one fault over a small workspace that passes.
#include "tests/gpu/gpu_world.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QTextStream>

#include <algorithm>
#include <utility>
#include <vector>

namespace warpwright {

class GpuTest : public QObject {
    Q_OBJECT

private slots:
    void saysWhatIsWrong_data() {
        QTest::addColumn<QString>("overlay");
        QTest::addColumn<QString>("settings");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("verdict");
        QTest::addColumn<QString>("words");
        const QString none;
        QTest::newRow("the base passes") << none << none << 0 << QStringLiteral("pass") << none;
        QTest::newRow("a kernel that faults")
            << QStringLiteral("gpu-faults") << none << 1
            << QStringLiteral("run-failed")
            // Which of its words the driver takes depends on where the address happens to lie.
            << QStringLiteral("CUDA error");
        QTest::newRow("a result on the wrong device") << QStringLiteral("gpu-wrong-device") << none << 1
                                                      << QStringLiteral("wrong") << QStringLiteral("on cpu");
        QTest::newRow("a result of BF16")
            << QStringLiteral("gpu-bf16") << none << 1 << QStringLiteral("wrong") << QStringLiteral("BF16");
        QTest::newRow("BF16 where it is allowed")
            << QStringLiteral("gpu-bf16") << QStringLiteral(R"json({"allow":["FP32","BF16"]})json") << 0
            << QStringLiteral("pass") << none;
        QTest::newRow("too little memory for the candidate")
            << QStringLiteral("gpu-out-of-memory") << none << 1 << QStringLiteral("run-failed")
            << QStringLiteral("out of memory");
        QTest::newRow("too little memory for the task")
            << QStringLiteral("gpu-large-task") << none << 2 << QStringLiteral("environment")
            << QStringLiteral("too little memory");
        QTest::newRow("the input itself as the result")
            << QStringLiteral("gpu-outside-arena") << none << 1 << QStringLiteral("wrong") << none;
    }
    void saysWhatIsWrong() {
        QFETCH(QString, overlay);
        QFETCH(QString, settings);
        QFETCH(int, exitCode);
        QFETCH(QString, verdict);
        QFETCH(QString, words);
        const QTemporaryDir folder;
        copyOver(workspaces() + QStringLiteral("/base"), folder.path());
        if (!overlay.isEmpty())
            copyOver(workspaces() + QLatin1Char('/') + overlay, folder.path());
        if (!settings.isEmpty()) {
            QDir(folder.path()).mkdir(QStringLiteral(".warpwright"));
            QFile file(folder.filePath(QStringLiteral(".warpwright/task.json")));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(settings.toUtf8());
        }
        const Check result = check(folder.path());
        QVERIFY2(result.document.is_object(), qPrintable(result.words));
        const QByteArray said = QByteArray::fromStdString(result.document.value("verdict", "") + ": " +
                                                          result.document["message"].dump())
                                    .left(1800);
        QVERIFY2(result.document.value("verdict", "") == verdict.toStdString(), said.constData());
        QCOMPARE(result.exitCode, exitCode);
        if (!words.isEmpty())
            QVERIFY2(QString::fromUtf8(said).contains(words, Qt::CaseInsensitive), said.constData());
    }

    void checksACudaAgentFolderWithoutTouchingIt() {
        const QTemporaryDir folder;
        copyOver(workspaces() + QStringLiteral("/cuda-agent"), folder.path());
        const QByteArray before = hashOfFiles(folder.path());
        const Check result = check(folder.path());
        QVERIFY2(result.document.is_object(), qPrintable(result.words));
        QVERIFY2(result.document.value("verdict", "") == "pass", result.document.dump(1).c_str());
        QCOMPARE(hashOfFiles(folder.path()), before);
    }

    // On the device the outputs of all arms lie where the judge reads them: no copy was timed.
    void readsResultsWhereTheyWereWritten() {
        const QTemporaryDir folder;
        copyOver(workspaces() + QStringLiteral("/base"), folder.path());
        const Check result = check(folder.path());
        QVERIFY2(result.document.is_object(), qPrintable(result.words));
        for (const Json &doubt : result.document.value("doubts", Json::array()))
            QVERIFY2(doubt.dump().find("memory that torch allocated") == std::string::npos,
                     doubt.dump().c_str());
        QVERIFY(result.document["profile"]["timedOutputsChecked"].get<int>() > 0);
    }

    // A proposal of three hunks: one gains, one slows down, one does nothing.
    void tellsHunksApart() {
        const QTemporaryDir folder;
        copyOver(workspaces() + QStringLiteral("/base"), folder.path());
        copyOver(workspaces() + QStringLiteral("/hunks-apart"), folder.path());
        const QString said = measureHunksApart(folder.path(), folder.filePath(QStringLiteral("script-cuda")));
        QTextStream(stdout) << said.right(1500) << Qt::endl;
        const QString words = said.right(3000);
        QVERIFY2(said.contains(QLatin1String("Hunk 2 slows down")), qPrintable(words));
        QVERIFY2(said.contains(QLatin1String("Hunk 1 carries the gain")) ||
                     said.contains(QLatin1String("Hunk 1 gains most")),
                 qPrintable(words));
        // Hunk 3 is a comment.
        for (const char *what : {"carries", "gains", "slows", "takes"})
            QVERIFY2(!said.contains(QStringLiteral("Hunk 3 ") + QLatin1String(what)), qPrintable(words));
    }

    void agreesWithItself() {
        const QTemporaryDir folder;
        copyOver(workspaces() + QStringLiteral("/base"), folder.path());
        check(folder.path()); // measures the baselines, which later runs keep
        // Two of three: a 95 % interval misses one time in twenty, and this is no measurement of how often.
        // tests/bench/agreement.py is.
        std::vector<std::pair<double, double>> intervals;
        for (int run = 0; run < 3; ++run) {
            const Check result = check(folder.path());
            QVERIFY2(result.document.is_object(), qPrintable(result.words));
            const Json speedup = result.document["profile"]["speedup"]["eager"];
            QVERIFY2(speedup.is_object(), result.document.dump(1).c_str());
            intervals.emplace_back(speedup["low"].get<double>(), speedup["high"].get<double>());
        }
        int meeting = 0;
        QString words;
        for (std::size_t i = 0; i < 3; ++i) {
            const auto &[low, high] = intervals[i];
            const auto &[otherLow, otherHigh] = intervals[(i + 1) % 3];
            meeting += std::max(low, otherLow) <= std::min(high, otherHigh) ? 1 : 0;
            words += QStringLiteral("[%1, %2] ").arg(low).arg(high);
        }
        QVERIFY2(meeting >= 1, qPrintable(QStringLiteral("no two intervals meet: ") + words));
    }
};

} // namespace warpwright

int main(int argc, char **argv) {
    QCoreApplication application(argc, argv);
    warpwright::GpuTest test;
    return warpwright::runOnGpu(test, argc, argv);
}

#include "tst_gpu.moc"
