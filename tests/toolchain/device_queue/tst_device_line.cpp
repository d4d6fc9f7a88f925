// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for a device are programs, and they are killed: so they are programs here.
#include "tests/toolchain/scratch.h"
#include "toolchain/device_queue/device_turn.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

#include <csignal>
#include <memory>
#include <vector>

using namespace warpwright;

namespace {

constexpr int waitMs = 30000;

QStringList namesOf(const DeviceLine &line) {
    QStringList names;
    for (const DeviceLine::Place &place : line.places())
        names << (place.isHeld() ? QStringLiteral("(%1)").arg(place.use.workspace) : place.use.workspace);
    return names;
}

DeviceUse use(const char *name, bool isForWindow = false, const char *owner = "") {
    DeviceUse made;
    made.workspace = QString::fromLatin1(name);
    made.isForWindow = isForWindow;
    made.owner = *owner == 0 ? made.workspace : QString::fromLatin1(owner);
    return made;
}

/// A place that a test stands in itself.
std::unique_ptr<DeviceLine> standing(const QString &folder, const DeviceUse &use) {
    auto line = std::make_unique<DeviceLine>(folder);
    return line->join(use) == DeviceLine::Joined::Yes ? std::move(line) : nullptr;
}

/// Another program that takes the device as soon as it gets it, writes its name down and holds it a while.
class Waiter {
public:
    Waiter(const Scratch &scratch, const QString &name, int holdMs = 20) {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(
            QCoreApplication::applicationFilePath(),
            {"--stand-in-line", scratch.path(), name, scratch.path("story"), QString::number(holdMs)});
    }
    ~Waiter() {
        signal(SIGKILL);
        m_process.waitForFinished();
    }

    void signal(int number) const {
        if (m_process.processId() > 0)
            ::kill(static_cast<pid_t>(m_process.processId()), number);
    }
    [[nodiscard]] qint64 pid() const { return m_process.processId(); }

private:
    QProcess m_process;
};

} // namespace

int standInLine(int argc, char **argv) {
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("wright"));
    const QString name = QString::fromLocal8Bit(argv[3]);
    DeviceTurn turn(QString::fromLocal8Bit(argv[2]), QStringLiteral("cpu"), use(argv[3]));
    QObject::connect(&turn, &DeviceTurn::taken, &application, [&] {
        QFile story(QString::fromLocal8Bit(argv[4]));
        if (!story.open(QIODevice::WriteOnly | QIODevice::Append))
            return QCoreApplication::exit(2);
        story.write(name.toUtf8() + '\n');
        story.close();
        QTimer::singleShot(QByteArray(argv[5]).toInt(), &application, [] { QCoreApplication::exit(0); });
    });
    turn.take();
    return QCoreApplication::exec();
}

class TestDeviceLine : public QObject {
    Q_OBJECT

    static QStringList storyIn(const Scratch &scratch) {
        return QString::fromUtf8(textOf(scratch.path("story"))).split('\n', Qt::SkipEmptyParts);
    }

    static qsizetype lengthOf(const Scratch &scratch) {
        DeviceLine line(scratch.path("devices/cpu.line"));
        line.look();
        return static_cast<qsizetype>(line.places().size());
    }

private slots:
    void servesFirstWhoCameFirst() {
        const Scratch scratch;
        const QString folder = scratch.path("line");
        const auto first = standing(folder, use("first"));
        QVERIFY(first);
        QVERIFY(first->hold());
        const auto second = standing(folder, use("second")), third = standing(folder, use("third"));
        QVERIFY(second && third);
        QCOMPARE(namesOf(*third), (QStringList{"(first)", "second", "third"}));
        QCOMPARE(third->position(), 2);
        QCOMPARE(second->position(), 1);
        QVERIFY(third->holder() != nullptr);
        QCOMPARE(third->holder()->use.workspace, QString("first"));
        first->leave();
        third->look();
        QCOMPARE(namesOf(*third), (QStringList{"second", "third"}));
        second->leave();
        third->look();
        QCOMPARE(third->position(), 1);
    }

    void aWindowPassesEachWaitingProgramOnce() {
        const Scratch scratch;
        const QString folder = scratch.path("line");
        const auto holder = standing(folder, use("holder"));
        QVERIFY(holder && holder->hold());
        const auto a = standing(folder, use("a")), b = standing(folder, use("b"));
        const auto window = standing(folder, use("window", true));
        QVERIFY(a && b && window);
        QCOMPARE(namesOf(*window), (QStringList{"(holder)", "window", "a", "b"}));
        const auto second = standing(folder, use("second window", true));
        QVERIFY(second);
        QCOMPARE(namesOf(*second), (QStringList{"(holder)", "window", "a", "b", "second window"}));
        const auto c = standing(folder, use("c"));
        const auto third = standing(folder, use("third window", true));
        QVERIFY(c && third);
        QCOMPARE(namesOf(*third),
                 (QStringList{"(holder)", "window", "a", "b", "second window", "third window", "c"}));
        // The next turn of the same check may pass again those whom its first has passed.
        window->leave();
        const auto again = standing(folder, use("window again", true, "window"));
        QVERIFY(again);
        QCOMPARE(namesOf(*again),
                 (QStringList{"(holder)", "a", "b", "second window", "third window", "c", "window again"}));
        second->leave();
        third->leave();
        c->leave();
        again->leave();
        const auto last = standing(folder, use("window at last", true, "window"));
        QVERIFY(last);
        QCOMPARE(namesOf(*last), (QStringList{"(holder)", "window at last", "a", "b"}));
    }

    void tenWaitersKeepTheirOrderWhileSomeAreKilled() {
        const Scratch scratch;
        DeviceTurn turn(scratch.path(), "cpu");
        turn.take();
        QTRY_VERIFY(turn.isHeld());
        std::vector<std::unique_ptr<Waiter>> waiters;
        QStringList expected;
        for (int i = 0; i < 10; ++i) {
            waiters.push_back(std::make_unique<Waiter>(scratch, QString::number(i)));
            expected << QString::number(i);
            QTRY_COMPARE_WITH_TIMEOUT(lengthOf(scratch), i + 2, waitMs);
        }
        for (int killed = 0; killed < 4; ++killed) {
            const int who = QRandomGenerator::global()->bounded(10);
            waiters[static_cast<std::size_t>(who)]->signal(SIGKILL);
            expected.removeAll(QString::number(who));
        }
        turn.release();
        QTRY_COMPARE_WITH_TIMEOUT(storyIn(scratch).size(), expected.size(), waitMs);
        QCOMPARE(storyIn(scratch), expected);
        // Of the dead nothing is left once somebody comes.
        const auto next = standing(scratch.path("devices/cpu.line"), use("next"));
        QVERIFY(next);
        QTRY_COMPARE(lengthOf(scratch), 1);
        QCOMPARE(QDir(scratch.path("devices/cpu.line")).entryList({"ticket-*"}).size(), 1);
    }

    void aKilledHoldersTurnIsOver() {
        const Scratch scratch;
        Waiter holder(scratch, "holder", 600000);
        QTRY_COMPARE_WITH_TIMEOUT(storyIn(scratch).size(), 1, waitMs);
        DeviceTurn turn(scratch.path(), "cpu");
        const QSignalSpy waiting(&turn, &DeviceTurn::waiting);
        turn.take();
        QTRY_VERIFY(waiting.size() > 0);
        const DeviceWait wait = waiting[0][0].value<DeviceWait>();
        QVERIFY(wait.holder);
        QCOMPARE(wait.holder->process, holder.pid());
        QCOMPARE(wait.holder->program, QString("wright"));
        QVERIFY(wait.holder->since.isValid());
        QVERIFY(!turn.isHeld());
        holder.signal(SIGKILL);
        QTRY_VERIFY(turn.isHeld());
    }

    void whoDoesNotTakeAFreeDeviceIsPassedOver() {
        const Scratch scratch;
        DeviceTurn turn(scratch.path(), "cpu"), next(scratch.path(), "cpu");
        turn.take();
        QTRY_VERIFY(turn.isHeld());
        Waiter stopped(scratch, "stopped");
        QTRY_COMPARE_WITH_TIMEOUT(lengthOf(scratch), 2, waitMs);
        stopped.signal(SIGSTOP);
        next.take();
        QTRY_COMPARE(lengthOf(scratch), 3);
        QElapsedTimer clock;
        clock.start();
        turn.release();
        QTRY_VERIFY_WITH_TIMEOUT(next.isHeld(), waitMs);
        QVERIFY(clock.elapsed() >= DeviceTurn::patienceMs);
    }

    void whoIsThrownOutOfTheFolderStandsInLineAgain() {
        const Scratch scratch;
        DeviceTurn first(scratch.path(), "cpu"), second(scratch.path(), "cpu");
        first.take();
        QTRY_VERIFY(first.isHeld());
        second.take();
        QTRY_VERIFY(second.wait().has_value());
        QVERIFY(QDir(scratch.path("devices/cpu.line")).removeRecursively());
        first.release();
        QTRY_VERIFY(second.isHeld());
    }

    void saysForWhomItWaits_data() {
        QTest::addColumn<int>("position");
        QTest::addColumn<double>("expected"); // 0: unknown
        QTest::addColumn<QString>("text");
        QTest::newRow("next") << 1 << 0.0
                              << "0:43 · process 2761 certifies softmax, since 1:12 · next in line";
        QTest::newRow("second") << 2 << 132.0
                                << "0:43 · process 2761 certifies softmax, since 1:12, about 1:00 more · "
                                   "2nd in line";
        QTest::newRow("longer than the last time")
            << 11 << 60.0 << "0:43 · process 2761 certifies softmax, since 1:12 · 11th in line";
    }

    void saysForWhomItWaits() {
        QFETCH(int, position);
        QFETCH(double, expected);
        QFETCH(QString, text);
        const QDateTime now = QDateTime::currentDateTimeUtc();
        DeviceHolder holder;
        holder.process = 2761;
        holder.use = use("softmax");
        holder.use.what = "certifies";
        if (expected > 0)
            holder.use.expectedSeconds = expected;
        holder.since = now.addSecs(-72);
        QCOMPARE(waitText(DeviceWait{position, now.addSecs(-43), holder}, now), text);
    }

    void writesLongWaitsWithHours() {
        QCOMPARE(clockText(3723.4), QString("1:02:03"));
        QCOMPARE(clockText(725), QString("12:05"));
        QCOMPARE(clockText(-1), QString("0:00"));
    }
};

QObject *makeTestDeviceLine() {
    return new TestDeviceLine;
}

#include "tst_device_line.moc"
