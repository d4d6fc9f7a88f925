// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/process/child_process.h"

#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>

#include <csignal>

using namespace warpwright;

namespace {

ProcessRequest request(const QStringList &arguments) {
    ProcessRequest request;
    request.program = fakeTool();
    request.arguments = arguments;
    return request;
}

/// Runs to the end and gives the outcome; a failed start gives none.
std::optional<ProcessOutcome> outcomeOf(const ProcessRequest &request) {
    ChildProcess process;
    QSignalSpy finished(&process, &ChildProcess::finished);
    QSignalSpy failed(&process, &ChildProcess::failed);
    process.start(request);
    if (!QTest::qWaitFor([&] { return finished.count() + failed.count() > 0; }, 20000) ||
        finished.count() != 1)
        return std::nullopt;
    QTest::qWait(20);
    return finished.count() + failed.count() == 1 ? std::optional(finished[0][0].value<ProcessOutcome>())
                                                  : std::nullopt;
}

} // namespace

class TestChildProcess : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void tellsHowAProcessEnded_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<int>("signal");
        QTest::addColumn<QByteArray>("output");
        QTest::addColumn<QByteArray>("error");
        const QStringList none;
        QTest::newRow("well") << none << 0 << 0 << QByteArray() << QByteArray();
        QTest::newRow("with words") << QStringList{"--print", "out", "--error", "wrong"} << 0 << 0
                                    << QByteArray("out\n") << QByteArray("wrong\n");
        QTest::newRow("with a code") << QStringList{"--print", "out", "--exit", "3"} << 3 << 0
                                     << QByteArray("out\n") << QByteArray();
        QTest::newRow("by a crash") << QStringList{"--error", "x", "--crash"} << 0 << SIGSEGV << QByteArray()
                                    << QByteArray("x\n");
    }

    void tellsHowAProcessEnded() {
        QFETCH(QStringList, arguments);
        const auto outcome = outcomeOf(request(arguments));
        QVERIFY(outcome);
        QTEST(outcome->exitCode, "exitCode");
        QTEST(outcome->signal, "signal");
        QTEST(outcome->standardOutput, "output");
        QTEST(outcome->standardError, "error");
        QVERIFY(!outcome->cancelled && !outcome->timedOut && !outcome->outputTruncated);
        QVERIFY(outcome->seconds > 0);
    }

    void saysWhatCannotBeStarted_data() {
        QTest::addColumn<QString>("program");
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("reason");
        QTest::newRow("missing") << "/no/such/program"
                                 << ""
                                 << "No such file or directory";
        QTest::newRow("not executable") << "/etc/passwd"
                                        << ""
                                        << "Permission denied";
        QTest::newRow("a folder") << "/etc"
                                  << ""
                                  << "Permission denied";
        QTest::newRow("nowhere to run") << fakeTool() << "/no/such/folder"
                                        << "the folder to run it in, \"/no/such/folder\", is not there";
    }

    void saysWhatCannotBeStarted() {
        QFETCH(QString, program);
        QFETCH(QString, folder);
        QFETCH(QString, reason);
        ChildProcess process;
        QSignalSpy finished(&process, &ChildProcess::finished);
        QSignalSpy failed(&process, &ChildProcess::failed);
        ProcessRequest request;
        request.program = program;
        request.workingFolder = folder;
        process.start(request);
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed[0][0].toString(), QStringLiteral("Cannot start \"%1\": %2.").arg(program, reason));
        QTest::qWait(20);
        QCOMPARE(finished.count(), 0);
    }

    void givesExactlyTheEnvironmentFolderAndInput() {
        const Scratch scratch;
        ProcessRequest wanted =
            request({"--environment", "HOME", "--environment", "ONLY", "--folder", "--echo"});
        wanted.environment = QProcessEnvironment();
        wanted.environment.insert(QStringLiteral("ONLY"), QStringLiteral("this"));
        wanted.workingFolder = scratch.path();
        wanted.hasInput = true;
        ChildProcess process;
        QSignalSpy finished(&process, &ChildProcess::finished);
        process.start(wanted);
        process.writeInput("hello");
        process.closeInput();
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(finished[0][0].value<ProcessOutcome>().standardOutput,
                 "(unset)\nthis\n" + scratch.path().toUtf8() + "\nhello");
    }

    void endsTheInputOfOneThatGetsNone() {
        const auto outcome = outcomeOf(request({"--echo", "--print", "end"}));
        QVERIFY(outcome);
        QCOMPARE(outcome->standardOutput, QByteArray("end\n"));
    }

    void stopsReadingAtTheLimitButNotTheProcess() {
        ProcessRequest wanted = request({"--flood", "8", "--error", "done"});
        wanted.outputLimitBytes = 100 * 1000;
        const auto outcome = outcomeOf(wanted);
        QVERIFY(outcome);
        QVERIFY(outcome->succeeded());
        QVERIFY(outcome->outputTruncated);
        QCOMPARE(outcome->standardOutput.size(), 100 * 1000);
        QCOMPARE(outcome->standardError, QByteArray("done\n"));
    }

    void endsAtTheTimeLimit() {
        ProcessRequest wanted = request({"--print", "before", "--hang"});
        wanted.timeLimitMs = 200;
        const auto outcome = outcomeOf(wanted);
        QVERIFY(outcome);
        QVERIFY(outcome->timedOut && !outcome->cancelled);
        QCOMPARE(outcome->signal, SIGTERM);
        QCOMPARE(outcome->standardOutput, QByteArray("before\n"));
    }

    void cancelsWhatIgnoresTheFirstSignalAndItsChildren() {
        const Scratch scratch;
        const QString file = scratch.path(QStringLiteral("pid"));
        ChildProcess process;
        QSignalSpy finished(&process, &ChildProcess::finished);
        process.start(request({"--ignore-term", "--spawn-child", file, "--hang"}));
        const qint64 child = pidFrom(file);
        QVERIFY(isAlive(child));
        process.cancel();
        process.cancel();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 5000);
        const auto outcome = finished[0][0].value<ProcessOutcome>();
        QVERIFY(outcome.cancelled);
        QCOMPARE(outcome.signal, SIGKILL);
        QTRY_VERIFY(!isAlive(child));
    }

    void cancelsInEveryState_data() {
        QTest::addColumn<int>("delayMs");
        QTest::newRow("before the start") << -1;
        QTest::newRow("while it starts") << 0;
        QTest::newRow("while it runs") << 100;
    }

    void cancelsInEveryState() {
        QFETCH(int, delayMs);
        ChildProcess process;
        QSignalSpy finished(&process, &ChildProcess::finished);
        if (delayMs < 0)
            process.cancel();
        process.start(request({"--hang"}));
        if (delayMs > 0)
            QTest::qWait(delayMs);
        process.cancel();
        QTRY_COMPARE(finished.count(), 1);
        QVERIFY(finished[0][0].value<ProcessOutcome>().cancelled);
        process.cancel(); // and after the end it does nothing
        QTest::qWait(20);
        QCOMPARE(finished.count(), 1);
    }

    void leavesNoHelperBehind() {
        const Scratch scratch;
        const QString file = scratch.path(QStringLiteral("pid"));
        QVERIFY(outcomeOf(request({"--spawn-child", file})));
        QTRY_VERIFY(!isAlive(pidFrom(file)));
    }

    void killsWhenDestroyed() {
        const Scratch scratch;
        const QString file = scratch.path(QStringLiteral("pid"));
        qint64 itself = 0;
        {
            ChildProcess process;
            process.start(request({"--ignore-term", "--spawn-child", file, "--hang"}));
            QVERIFY(isAlive(pidFrom(file)));
            itself = process.processId();
        }
        QTRY_VERIFY(!isAlive(itself) && !isAlive(pidFrom(file)));
    }

    void diesWithItsParent() {
        const Scratch scratch;
        const QString file = scratch.path(QStringLiteral("pid"));
        QProcess parent;
        parent.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--start-child"), file});
        const qint64 child = pidFrom(file);
        QVERIFY(isAlive(child));
        parent.kill(); // SIGKILL: it cannot tell its child
        QVERIFY(parent.waitForFinished());
        QTRY_VERIFY(!isAlive(child));
    }
};

/// Starts a child that ignores SIGTERM, writes its pid into the file argv[2], and waits to be killed.
int startChildAndWait(int argc, char **argv) {
    QCoreApplication application(argc, argv);
    ChildProcess process;
    QObject::connect(&process, &ChildProcess::started, &application,
                     [&process, file = QString::fromLocal8Bit(argv[2])] {
                         QFile out(file + QStringLiteral(".part"));
                         if (out.open(QIODevice::WriteOnly))
                             out.write(QByteArray::number(process.processId()));
                         out.close();
                         QFile::rename(out.fileName(), file);
                     });
    process.start(request({"--ignore-term", "--hang"}));
    return QCoreApplication::exec();
}

QObject *makeTestChildProcess() {
    return new TestChildProcess;
}

#include "tst_child_process.moc"
