// SPDX-License-Identifier: GPL-3.0-or-later
// The trajectory under kill -9 and on a full disk: what append() has acknowledged is there, numbers have no
// gaps, and work goes on. WARPWRIGHT_KILLS says how many kills (default 12).
#include "agent/record/live_run.h"
#include "agent/record/trajectory_reader.h"
#include "agent/record/trajectory_writer.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QRandomGenerator>
#include <QTest>

#include <csignal>
#include <sys/resource.h>

using namespace warpwright;

namespace {

/// How many events the whole file holds; -1: a gap, a torn line, or an event that is not the one written.
qint64 wholeEvents(const QString &file) {
    qint64 seen = 0;
    qint64 offset = 0;
    for (bool isLast = false; !isLast;) {
        const auto page = TrajectoryReader(file).page(offset, 1000);
        if (!page.hasValue() || page.value().passedOver > 0)
            return -1;
        for (const TrajectoryEvent &event : page.value().events)
            if (event.number != ++seen || event.integer("check") != seen * 7)
                return -1;
        offset = page.value().next;
        isLast = page.value().isLast;
    }
    return seen;
}

} // namespace

class TestTrajectoryCrash : public QObject {
    Q_OBJECT

private slots:
    // By its record a run that goes on looks like one whose program died.
    void aRunIsKnownToLiveElsewhere() {
        const Scratch scratch;
        const QString state = scratch.path("state");
        QProcess process;
        process.start(programBeside("endless_run"), {"begin", state});
        QVERIFY(process.waitForStarted() && process.waitForReadyRead(20000));
        const QString folder = QString::fromLocal8Bit(process.readLine().trimmed());
        const QString run = QFileInfo(folder).fileName();
        QCOMPARE(otherProcessAt(state, run), std::optional<qint64>(0)); // it takes no workspace's lock
        QCOMPARE(otherProcessAt(state), std::optional<qint64>(0));
        process.kill();
        QVERIFY(process.waitForFinished());
        QTRY_COMPARE(otherProcessAt(state, run), std::optional<qint64>());
        // Nor is a run of this process another's.
        auto writer = TrajectoryWriter::continueRun(folder);
        QVERIFY2(writer.hasValue(), qPrintable(writer.message()));
        QCOMPARE(otherProcessAt(state, run), std::optional<qint64>());
        QVERIFY(runsElsewhereWords(22727).contains("(process 22727)"));
    }

    void outlivesKill_data() {
        QTest::addColumn<QStringList>("how");
        QTest::newRow("each event is synced") << QStringList();
        QTest::newRow("synced in the pool") << QStringList{"later"};
    }
    void outlivesKill() {
        QFETCH(const QStringList, how);
        const Scratch scratch;
        const int kills = std::max(1, qEnvironmentVariableIntValue("WARPWRIGHT_KILLS"));
        const int rounds = qEnvironmentVariableIsSet("WARPWRIGHT_KILLS") ? kills : 12;
        int torn = 0;
        QString folder;
        for (int round = 0; round < rounds; ++round) {
            if (round % 25 == 0)
                folder.clear(); // another run, before one gets too large
            QProcess process;
            process.start(programBeside("endless_run"),
                          (folder.isEmpty() ? QStringList{"begin", scratch.path("state")}
                                            : QStringList{"continue", folder}) +
                              how);
            QVERIFY(process.waitForStarted() && process.waitForReadyRead(20000));
            QTest::qSleep(static_cast<int>(QRandomGenerator::global()->bounded(60)));
            process.kill();
            QVERIFY(process.waitForFinished());
            const QByteArray said = process.readAllStandardOutput();
            const QByteArrayList lines = said.left(said.lastIndexOf('\n')).split('\n');
            folder = QString::fromLocal8Bit(lines.front());
            const qint64 acknowledged = lines.size() > 1 ? lines.back().toLongLong() : 0;
            const QString file = trajectoryFile(folder);
            const qint64 there = wholeEvents(file);
            QVERIFY2(there >= acknowledged && there >= 0,
                     qPrintable(QString("%1 of %2").arg(there).arg(acknowledged)));
            torn += textOf(file).endsWith('\n') || QFileInfo(file).size() == 0 ? 0 : 1;
            auto writer = TrajectoryWriter::continueRun(folder);
            QVERIFY2(writer.hasValue(), qPrintable(writer.message()));
            QCOMPARE(writer.value().lastNumber(), there);
        }
        qInfo("%d kills, %d of them left half a line", rounds, torn);
    }

    void outlivesAFullDisk() {
        const Scratch scratch;
        auto opened = TrajectoryWriter::beginRun(scratch.path("state"));
        QVERIFY(opened.hasValue());
        TrajectoryWriter writer = std::move(opened).value();
        QVERIFY(writer.append("message", {{"check", 7}}).hasValue());
        const QByteArray before = textOf(writer.file());
        rlimit limit{};
        getrlimit(RLIMIT_FSIZE, &limit);
        const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{static_cast<rlim_t>(before.size()) + 100, limit.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
        const auto refused = writer.append("message", {{"check", 14}, {"text", std::string(500, 'x')}});
        const QByteArray meanwhile = textOf(writer.file());
        setrlimit(RLIMIT_FSIZE, &limit);
        std::signal(SIGXFSZ, ignored);
        QCOMPARE(
            refused.message(),
            QString("Cannot write the trajectory \"%1\": File too large. Free some space on the disk that "
                    "holds \"%2\" and try again.")
                .arg(writer.file(), writer.folder()));
        QCOMPARE(meanwhile, before); // the hundred bytes that fitted are gone again
        QCOMPARE(writer.lastNumber(), 1);
        QVERIFY(writer.append("message", {{"check", 14}}).hasValue());
        QCOMPARE(wholeEvents(writer.file()), 2);
    }
};

QObject *makeTestTrajectoryCrash() {
    return new TestTrajectoryCrash;
}

#include "tst_trajectory_crash.moc"
