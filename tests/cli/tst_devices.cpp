// SPDX-License-Identifier: GPL-3.0-or-later
// Which card cuda:N is: the one that CUDA shows to the user's own programs under that number. The driver is a
// small library that lists cards as the real one does; the judge is the fake one and says which it was told
// to take.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/device_queue/device_turn.h"

#include <QTest>

#include <csignal>
#include <unistd.h>

using namespace warpwright;

namespace {

const QString first = "GPU-aaaa1111-0000-0000-0000-000000000001"; // in the order of the bus
const QString second = "GPU-bbbb2222-0000-0000-0000-000000000002";
const QString third = "GPU-bbbb3333-0000-0000-0000-000000000003"; // the fastest
const QString slice = "MIG-cccc4444-0000-0000-0000-000000000004";

QString card(const QString &name, const QString &uuid, int speed) {
    return QStringLiteral("%1|%2|%3").arg(name, uuid.mid(4)).arg(speed);
}

} // namespace

class TestDevices : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;

    void setCards(const QStringList &cards, const QString &list, const QString &order = "PCI_BUS_ID") {
        m_world.environment.insert("FAKE_CARDS", cards.join(','));
        m_world.environment.remove("CUDA_VISIBLE_DEVICES");
        m_world.environment.remove("CUDA_DEVICE_ORDER");
        if (list != "unset")
            m_world.environment.insert("CUDA_VISIBLE_DEVICES", list);
        if (!order.isEmpty())
            m_world.environment.insert("CUDA_DEVICE_ORDER", order);
    }

    static QStringList three() {
        return {card("Slow", first, 1), card("Middle", second, 2), card("Fast", third, 3)};
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        m_world.environment.insert("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py"));
        m_world.environment.insert("LD_LIBRARY_PATH", programBeside("fake_driver"));
    }

    void numbersThemAsCudaDoes_data() {
        QTest::addColumn<QString>("list");
        QTest::addColumn<QString>("order");
        QTest::addColumn<QStringList>("shown"); // of cuda:0, cuda:1, …
        const QString bus = "PCI_BUS_ID";
        QTest::newRow("no list") << "unset" << bus << QStringList{first, second, third};
        QTest::newRow("no list, the fastest first") << "unset"
                                                    << "" << QStringList{third, second, first};
        QTest::newRow("out of order") << "1,0" << bus << QStringList{second, first};
        QTest::newRow("out of order, the fastest first") << "1,0"
                                                         << "FASTEST_FIRST" << QStringList{second, third};
        QTest::newRow("some") << "2" << bus << QStringList{third};
        QTest::newRow("by UUID") << third + "," + first << bus << QStringList{third, first};
        QTest::newRow("by the beginning of a UUID") << "GPU-bbbb3"
                                                    << "" << QStringList{third};
        QTest::newRow("cut at what is not there") << "1,7,0" << bus << QStringList{second};
        QTest::newRow("cut at -1") << "0,-1,1" << bus << QStringList{first};
        QTest::newRow("one twice") << "0,1,0" << bus << QStringList{};
        QTest::newRow("empty") << "" << bus << QStringList{};
        QTest::newRow("-1") << "-1" << bus << QStringList{};
    }

    void numbersThemAsCudaDoes() {
        QFETCH(QString, list);
        QFETCH(QString, order);
        QFETCH(QStringList, shown);
        setCards(three(), list, order);
        const CliOutcome outcome = m_world.run({"doctor", "--json"});
        QStringList said;
        for (const OrderedJson &finding : outcome.document["findings"])
            if (const QString name = stringIn(finding, "name"); name.startsWith("device cuda:")) {
                QCOMPARE(name, QString("device cuda:%1").arg(said.size()));
                said << stringIn(finding, "path");
            }
        QVERIFY2(said == shown, outcome.words());
        if (shown.isEmpty())
            QVERIFY2(outcome.output.contains(QString("CUDA_VISIBLE_DEVICES=\\\"%1\\\" shows none").arg(list)),
                     outcome.words());
    }

    void measuresTheOneOfThatNumber_data() {
        QTest::addColumn<QString>("list");
        QTest::addColumn<QString>("asked");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("uuid");
        QTest::newRow("out of order, the first") << "1,0"
                                                 << "cuda:0"
                                                 << "Middle" << second;
        QTest::newRow("out of order, the second") << "1,0"
                                                  << "cuda:1"
                                                  << "Slow" << first;
        QTest::newRow("auto") << "2,0"
                              << "auto"
                              << "Fast" << third;
        QTest::newRow("by UUID") << third << "cuda:0"
                                 << "Fast" << third;
    }

    void measuresTheOneOfThatNumber() {
        QFETCH(QString, list);
        QFETCH(QString, asked);
        QFETCH(QString, name);
        QFETCH(QString, uuid);
        setCards(three(), list);
        // Whoever measures on another card is in nobody's way.
        DeviceTurn other(m_world.environment.value("XDG_CACHE_HOME") + "/warpwright",
                         uuid == first ? second : first);
        other.take();
        QTRY_VERIFY(other.isHeld());
        const CliOutcome outcome =
            m_world.run({"check", m_world.workspace("base"), "--device", asked, "--json"});
        QVERIFY2(outcome.verdict() == "pass", outcome.words());
        QCOMPARE(stringIn(outcome.document["device"], "name"), name);
        QCOMPARE(stringIn(outcome.document["device"], "uuid"), uuid); // which the judge was told
        QCOMPARE(outcome.document["device"]["index"].get<int>(), asked == "cuda:1" ? 1 : 0);
        QVERIFY2(!outcome.errors.contains("wait for the device"), outcome.words());
    }

    void waitsForTheCardItMeasures() {
        setCards(three(), "1,0");
        auto turn =
            std::make_unique<DeviceTurn>(m_world.environment.value("XDG_CACHE_HOME") + "/warpwright", second);
        turn->take();
        QTRY_VERIFY(turn->isHeld());
        const CliOutcome outcome =
            m_world.runAnd({"check", m_world.workspace("base"), "--device", "cuda:0", "--json"},
                           "wait for the device", [&turn](qint64) { turn.reset(); });
        QVERIFY2(outcome.verdict() == "pass", outcome.words());
        QVERIFY2(outcome.errors.contains("wait for the device"), outcome.words());
        QVERIFY2(outcome.errors.contains(QStringLiteral("process %1 measures").arg(getpid())),
                 outcome.words());
        QVERIFY2(outcome.errors.contains("next in line"), outcome.words());
    }

    void stopsAtOnceWhileItWaits() {
        setCards(three(), "1,0");
        DeviceTurn turn(m_world.environment.value("XDG_CACHE_HOME") + "/warpwright", second);
        turn.take();
        QTRY_VERIFY(turn.isHeld());
        const CliOutcome outcome =
            m_world.interrupt({"check", m_world.workspace("base"), "--device", "cuda:0", "--json"},
                              "wait for the device", SIGINT);
        QCOMPARE(outcome.exitCode, 130);
        QVERIFY2(outcome.verdict() == "cancelled", outcome.words());
        QVERIFY2(outcome.endedSeconds < 5, outcome.words());
    }

    // The slice is named and measured, and the card's turn taken: memory and clock are those of the whole
    // card.
    void measuresASliceOfACard() {
        setCards({card("Whole", first, 1), card("Sliced", second, 2) + "|" + slice.mid(4)}, slice);
        auto turn =
            std::make_unique<DeviceTurn>(m_world.environment.value("XDG_CACHE_HOME") + "/warpwright", second);
        turn->take();
        QTRY_VERIFY(turn->isHeld());
        const CliOutcome outcome =
            m_world.runAnd({"check", m_world.workspace("base"), "--device", "cuda:0", "--json"},
                           "wait for the device", [&turn](qint64) { turn.reset(); });
        QVERIFY2(outcome.verdict() == "pass", outcome.words());
        QVERIFY2(outcome.errors.contains("wait for the device"), outcome.words());
        QCOMPARE(stringIn(outcome.document["device"], "name"), QString("Sliced MIG 1g.10gb"));
        QCOMPARE(stringIn(outcome.document["device"], "uuid"), slice);
    }

    void saysThatNoneIsShown() {
        setCards(three(), "-1");
        const CliOutcome outcome =
            m_world.run({"check", m_world.workspace("base"), "--device", "cuda:0", "--json"});
        QCOMPARE(outcome.exitCode, 2);
        QVERIFY2(outcome.output.contains("shows none of this machine's 3 CUDA devices"), outcome.words());
    }
};

QObject *makeTestDevices() {
    return new TestDevices;
}

#include "tst_devices.moc"
