// SPDX-License-Identifier: GPL-3.0-or-later
//
// The certify tier's sanitizers on a CUDA device: what is planted in a kernel is found, with its line, and a
// clean one passes all three. Planted is what verification cannot see: no result depends on it.
#include "tests/gpu/gpu_world.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>

namespace warpwright {

class GpuSanitizersTest : public QObject {
    Q_OBJECT

private slots:
    void findsWhatIsPlanted_data() {
        QTest::addColumn<QString>("overlay");
        QTest::addColumn<QString>("verdict");
        QTest::addColumn<QString>("memcheck");
        QTest::addColumn<QString>("racecheck");
        QTest::addColumn<QString>("initcheck");
        const auto row = [](const char *name, const char *overlay, const char *verdict, const char *memcheck,
                            const char *racecheck, const char *initcheck) {
            QTest::newRow(name) << QString(overlay) << QString(verdict) << QString(memcheck)
                                << QString(racecheck) << QString(initcheck);
        };
        // A word of the message where the tool is to find something; "passed" where it is not.
        row("nothing", "", "pass", "passed", "passed", "passed");
        row("a read beyond the input", "gpu-reads-beyond", "run-failed", "__global__ read", "", "");
        row("a write beyond the shared memory", "gpu-shared-overflow", "run-failed", "__shared__ write", "",
            "");
        row("a race and a read of what nobody wrote", "gpu-race", "pass", "passed", "race between",
            "Uninitialized __global__");
    }
    void findsWhatIsPlanted() {
        QFETCH(QString, overlay);
        QFETCH(QString, verdict);
        const QTemporaryDir folder;
        copyOver(workspaces() + QStringLiteral("/base"), folder.path());
        if (!overlay.isEmpty())
            copyOver(workspaces() + QLatin1Char('/') + overlay, folder.path());
        const Check result = check(folder.path(), {QStringLiteral("--tier"), QStringLiteral("certify")});
        QVERIFY2(result.document.is_object(), qPrintable(result.words));
        const Json section = result.document.value("sanitizers", Json());
        const std::string said = result.document.value("verdict", "") + ": " +
                                 result.document["message"].dump() + "\n" + section.dump(1);
        QVERIFY2(result.document.value("verdict", "") == verdict.toStdString(), said.c_str());
        QVERIFY2(section["wall"] == "namespaces" || section["wall"] == "landlock", said.c_str());
        for (const Json &tool : section["tools"]) {
            const std::string name = tool["tool"].get<std::string>();
            QFETCH(QString, memcheck);
            QFETCH(QString, racecheck);
            QFETCH(QString, initcheck);
            const QString wanted = name == "memcheck"    ? memcheck
                                   : name == "racecheck" ? racecheck
                                                         : initcheck;
            if (wanted.isEmpty())
                continue;
            const bool isClean = wanted == QLatin1String("passed");
            QVERIFY2(tool["status"] == (isClean ? "passed" : "failed"), said.c_str());
            if (isClean)
                continue;
            const Json first = tool["first"][0];
            QVERIFY2(first["message"].get<std::string>().find(wanted.toStdString()) != std::string::npos,
                     said.c_str());
            QVERIFY2(first["file"] == "kernels/gate.cu" && first["line"].is_number(), said.c_str());
            QVERIFY2(first["kernel"] == "gateKernel", said.c_str());
        }
        QCOMPARE(section["tools"].size(), std::size_t(3));
    }
};

} // namespace warpwright

int main(int argc, char **argv) {
    QCoreApplication application(argc, argv);
    warpwright::GpuSanitizersTest test;
    return warpwright::runOnGpu(test, argc, argv);
}

#include "tst_gpu_sanitizers.moc"
