// SPDX-License-Identifier: GPL-3.0-or-later
// A proposal of three hunks, of which one gains, one slows down and one does nothing: the real judge, on the
// CPU, tells them apart. tst_gpu does the same on a GPU.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTest>

class TestHunksApart : public QObject {
    Q_OBJECT

private slots:
    void tellsThemApart() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        const CliWorld world;
        const QString folder = world.workspace("hunks-apart");
        QProcess process;
        process.setProcessEnvironment(world.environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(wrightProgram(),
                      {"tune", folder, "--script", folder + "/script-cpu", "--device", "cpu"});
        QByteArray said;
        const auto waitFor = [&](const QByteArray &words) {
            QElapsedTimer patience;
            patience.start();
            while (!said.contains(words) && patience.elapsed() < 300000 &&
                   process.state() != QProcess::NotRunning) {
                process.waitForReadyRead(50);
                said += process.readAll();
            }
            return said.contains(words);
        };
        QVERIFY2(waitFor("[h]unks measured apart"), said);
        process.write("h\n");
        QVERIFY2(waitFor("6 measurements"), said);
        QVERIFY2(waitFor("\nHunk "), said);
        process.write("q\n");
        QVERIFY2(process.waitForFinished(60000), said);
        said += process.readAll();
        // A failed check's words are cut after some lines, and what matters is said last.
        qInfo().noquote() << said.right(said.size() - said.lastIndexOf("measured ahead"));
        // Each hunk alone, and all but it: in one run with the text before.
        int sideBySide = 0;
        const QDir kept(folder + "/.warpwright/evaluations");
        for (const QString &name : kept.entryList({"*.json"}, QDir::Files)) {
            QFile file(kept.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray document = file.readAll();
            sideBySide += document.contains("\"ratio\"") ? 1 : 0;
            if (document.contains("\"verdict\": \"inconclusive\""))
                QSKIP("the machine is too busy to time anything");
        }
        QVERIFY2(said.contains("Hunk 3 slows down"), said);
        QVERIFY2(!said.contains("Hunk 1 slows down"), said);
        QVERIFY2(!said.contains("of two runs"), said);
        QVERIFY2(sideBySide >= 6, qPrintable(QString::number(sideBySide)));
    }
};

QObject *makeTestHunksApart() {
    return new TestHunksApart;
}

#include "tst_hunks_apart.moc"
