// SPDX-License-Identifier: GPL-3.0-or-later
// One at a time on a device where nothing can be written: by programs, for the lock is between programs.
#include "tests/toolchain/scratch.h"
#include "tests/toolchain/tiny_disk.h"
#include "toolchain/device_queue/device_turn.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

using namespace warpwright;

namespace {

constexpr int programs = 20;
constexpr int holdMs = 100;
constexpr int waitMs = 60000;

// The same clock in all programs.
qint64 now() {
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

void fill(const QString &file) {
    QFile filler(file);
    if (!filler.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
        return;
    for (qint64 piece = 4096; piece > 0; piece /= 2)
        while (filler.write(QByteArray(piece, 'x')) == piece) {
        }
}

} // namespace

/// Says on its output when it had the device, and what it was told while it waited.
int holdDevice(int argc, char **argv) {
    QCoreApplication application(argc, argv);
    if (QByteArray(argv[3]) == "limited") {
        const rlimit none{0, 0};
        std::signal(SIGXFSZ, SIG_IGN);
        if (setrlimit(RLIMIT_FSIZE, &none) != 0)
            return 2;
    }
    QByteArray told = "nothing";
    DeviceTurn turn(QString::fromLocal8Bit(argv[2]), QStringLiteral("cpu"));
    QObject::connect(&turn, &DeviceTurn::waiting, &application, [&](const DeviceWait &wait) {
        told = waitText(wait, QDateTime::currentDateTimeUtc()).toUtf8();
    });
    QObject::connect(&turn, &DeviceTurn::taken, &application, [&] {
        QTimer::singleShot(holdMs, &application, [&, began = now()] {
            std::printf("%lld %lld %s\n", static_cast<long long>(began), static_cast<long long>(now()),
                        told.constData());
            std::fflush(stdout);
            QCoreApplication::exit(turn.trouble().isEmpty() ? 0 : 3);
        });
    });
    turn.take();
    return QCoreApplication::exec();
}

class TestDeviceGate : public QObject {
    Q_OBJECT

private slots:
    void oneAtATimeWhereNothingCanBeWritten_data() {
        QTest::addColumn<QString>("how");
        QTest::addColumn<QString>("reason");
        QTest::newRow("a full disk") << "full"
                                     << "No space left on device";
        QTest::newRow("a folder that cannot be written")
            << "read-only" << (::geteuid() == 0 ? "Read-only file system" : "Permission denied");
        QTest::newRow("files that cannot grow") << "limited"
                                                << "File too large";
    }

    void oneAtATimeWhereNothingCanBeWritten() {
        QFETCH(QString, how);
        QFETCH(QString, reason);
        const Scratch scratch;
        const QString cache = scratch.path("cache");
        const QString devices = cache + "/devices";
        std::unique_ptr<TinyDisk> disk;
        std::unique_ptr<ReadOnlyFolder> readOnly;
        if (how == QLatin1String("full")) {
            disk = std::make_unique<TinyDisk>(cache, 64);
            if (!disk->isMounted())
                QSKIP("a disk of a few kilobytes needs root");
        }
        QVERIFY(QDir().mkpath(devices));
        if (how == QLatin1String("full"))
            fill(cache + "/filler");
        if (how == QLatin1String("read-only") && ::geteuid() == 0) {
            readOnly = std::make_unique<ReadOnlyFolder>(devices);
            if (!readOnly->isMounted())
                QSKIP("this machine lets nobody mount");
        } else if (how == QLatin1String("read-only")) {
            QVERIFY(QFile::setPermissions(devices, QFile::ReadOwner | QFile::ExeOwner));
        }

        std::vector<std::unique_ptr<QProcess>> waiters;
        for (int i = 0; i < programs; ++i) {
            waiters.push_back(std::make_unique<QProcess>());
            waiters.back()->setProcessChannelMode(QProcess::ForwardedErrorChannel);
            waiters.back()->start(QCoreApplication::applicationFilePath(), {"--hold-device", cache, how});
        }
        std::vector<std::pair<qint64, qint64>> held;
        int toldWhy = 0;
        for (const auto &waiter : waiters) {
            QTRY_COMPARE_WITH_TIMEOUT(waiter->state(), QProcess::NotRunning, waitMs);
            QCOMPARE(waiter->exitCode(), 0);
            const QString said = QString::fromUtf8(waiter->readAllStandardOutput()).trimmed();
            const QStringList words = said.split(' ');
            QVERIFY2(words.size() >= 3, qPrintable(said));
            held.emplace_back(words[0].toLongLong(), words[1].toLongLong());
            toldWhy += said.contains("in no order") && said.contains(reason) ? 1 : 0;
            QVERIFY2(said.endsWith("nothing") || said.contains(reason), qPrintable(said));
        }
        std::sort(held.begin(), held.end());
        for (std::size_t i = 1; i < held.size(); ++i)
            QVERIFY2(held[i].first >= held[i - 1].second, qPrintable(QString::number(i)));
        QVERIFY(toldWhy > 0);
        if (how == QLatin1String("read-only"))
            QFile::setPermissions(devices, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

    // With the whole cache folder, as people do.
    void whoWaitsIsKeptOffAlthoughTheFileIsRemoved() {
        const Scratch scratch;
        const QString folder = scratch.path("cache/devices");
        QVERIFY(QDir().mkpath(folder));
        DeviceGate holder(folder, "cpu"), waiter(folder, "cpu"), later(folder, "cpu");
        QCOMPARE(holder.tryTake(), DeviceGate::Answer::Held);
        QCOMPARE(waiter.tryTake(), DeviceGate::Answer::Taken);
        QVERIFY(QDir(scratch.path("cache")).removeRecursively());
        QCOMPARE(waiter.tryTake(), DeviceGate::Answer::Taken);
        holder.stay();
        QCOMPARE(later.tryTake(), DeviceGate::Answer::Taken); // never saw the old one
        QCOMPARE(waiter.tryTake(), DeviceGate::Answer::Taken);
        holder.release();
        QCOMPARE(waiter.tryTake(), DeviceGate::Answer::Held);
        QCOMPARE(later.tryTake(), DeviceGate::Answer::Taken);
        waiter.release();
        QCOMPARE(later.tryTake(), DeviceGate::Answer::Held);
    }

    // A file of the one's own that can be neither made nor opened.
    void theFolderKeepsThoseWithAFileOff() {
        const Scratch scratch;
        const QString folder = scratch.path("devices");
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(QFile::link("/proc/nowhere/gate", folder + "/cpu.gate"));
        DeviceGate cpu(folder, "cpu"), card(folder, "GPU-1"), other(folder, "GPU-2");
        QCOMPARE(card.tryTake(), DeviceGate::Answer::Held);
        QCOMPARE(other.tryTake(), DeviceGate::Answer::Held); // another device
        QCOMPARE(cpu.tryTake(), DeviceGate::Answer::Taken);
        card.release();
        QCOMPARE(cpu.tryTake(), DeviceGate::Answer::Taken);
        other.release();
        QCOMPARE(cpu.tryTake(), DeviceGate::Answer::Held);
        QCOMPARE(card.tryTake(), DeviceGate::Answer::Taken);
        cpu.release();
        QCOMPARE(card.tryTake(), DeviceGate::Answer::Held);
        DeviceGate second(folder, "GPU-1");
        QCOMPARE(second.tryTake(), DeviceGate::Answer::Taken);
    }
};

QObject *makeTestDeviceGate() {
    return new TestDeviceGate;
}

#include "tst_device_gate.moc"
