// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/history/replay_bar.h"
#include "app/ide/kit/card.h"

#include <QAbstractButton>
#include <QAction>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

struct ScaledLook : Look {
    explicit ScaledLook(double scale) { set(Theme::light(), scale); }
};

/// In a window that does not lay it out: it is as wide as it is told to be.
struct Bar {
    explicit Bar(double scale = 1) : look(scale) {
        goOn.setEnabled(false);
        bar.setPlace(QStringLiteral("Replay: run of 29 Nov, 21:12"),
                     {QStringLiteral("event 91 of 95, 21:13:46, read-only"), QStringLiteral("event 91 of 95"),
                      QStringLiteral("91 of 95")},
                     {});
        bar.scrubber().setLast(95);
        bar.show();
        window.resize(1600, 200);
        window.show();
    }
    [[nodiscard]] Words *place() const { return bar.findChild<Words *>(QStringLiteral("replayPlace")); }

    ScaledLook look;
    QAction play, back, forward, goOn, leave;
    QAction branch{QStringLiteral("Branch")};
    QWidget window;
    ReplayBar bar{look, {&play, &back, &forward, &branch, &goOn, &leave}, &window};
};

} // namespace

class TestReplayBar : public QObject {
    Q_OBJECT

private slots:
    // However narrow it is: the way through the run can be used, and no word is cut.
    void fits_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<double>("scale");
        QTest::addColumn<QString>("place");
        const QString whole = QStringLiteral("event 91 of 95, 21:13:46, read-only");
        QTest::newRow("wide") << 1400 << 1.0 << whole;
        QTest::newRow("1280 px at 125 %") << 890 << 1.25 << QString();
        QTest::newRow("1280 px at 150 %") << 830 << 1.5 << QString();
        QTest::newRow("narrow at 150 %") << 640 << 1.5 << QStringLiteral("91 of 95");
    }
    void fits() {
        QFETCH(int, width);
        QFETCH(double, scale);
        QFETCH(QString, place);
        Bar world(scale);
        world.bar.resize(width, world.bar.sizeHint().height());
        QTest::qWait(50);
        if (!place.isEmpty())
            QCOMPARE(world.place()->text(), place);
        QVERIFY2(world.place()->width() >= world.place()->sizeHint().width(),
                 qPrintable(world.place()->text()));
        QVERIFY2(world.bar.scrubber().width() >= world.look.px(100),
                 qPrintable(QString::number(world.bar.scrubber().width())));
        for (const QAbstractButton *button : world.bar.findChildren<QAbstractButton *>())
            QVERIFY2(button->isHidden() || button->geometry().right() < width,
                     qPrintable(button->objectName()));
        QVERIFY(world.place()->toolTip().contains("run of 29 Nov") &&
                world.place()->toolTip().contains("21:13:46"));
        // What is wrong is said at any width.
        world.bar.setPlace(QStringLiteral("Replay"), {QStringLiteral("91 of 95")}, QStringLiteral("why"));
        QVERIFY(world.place()->text().contains("NOT the recorded text"));
    }

    void pagesFromMarkToMark() {
        Bar world;
        ReplayScrubber &scrubber = world.bar.scrubber();
        QSignalSpy moved(&scrubber, &ReplayScrubber::moved);
        const auto press = [&](Qt::Key key) {
            QTest::keyClick(&scrubber, key);
            return moved.isEmpty() ? qint64{0} : moved.takeLast().front().toLongLong();
        };
        scrubber.setNumber(10);
        QCOMPARE(press(Qt::Key_PageDown), 60); // while no marks are known
        scrubber.setMarks({{6, true}, {11, false}, {17, true}});
        scrubber.setNumber(10);
        QCOMPARE(press(Qt::Key_PageDown), 11);
        QCOMPARE(press(Qt::Key_PageDown), 17); // at once, whether or not the first is there
        QCOMPARE(press(Qt::Key_PageDown), 95);
        QCOMPARE(press(Qt::Key_PageUp), 17);
        QCOMPARE(press(Qt::Key_Right), 18);
        QCOMPARE(press(Qt::Key_Left), 17);
        scrubber.setNumber(3);
        QCOMPARE(press(Qt::Key_PageUp), 1);
        QCOMPARE(press(Qt::Key_Left), 1);
        // A button of it takes Space for itself and leaves the rest to the way through the run.
        moved.clear();
        auto *play = world.bar.findChild<QAbstractButton *>(QStringLiteral("replayPlayButton"));
        QSignalSpy played(&world.play, &QAction::triggered);
        QTest::keyClick(play, Qt::Key_PageDown);
        QCOMPARE(moved.takeLast().front().toLongLong(), 6);
        QTest::keyClick(play, Qt::Key_Space);
        QCOMPARE(played.count(), 1);
        QSignalSpy asked(&scrubber, &ReplayScrubber::playAsked);
        QTest::keyClick(&scrubber, Qt::Key_Space);
        QCOMPARE(asked.count(), 1);
    }

    void offersSpeedsToReadBy() {
        Bar world;
        QSignalSpy picked(&world.bar, &ReplayBar::speedPicked);
        auto *speeds = world.bar.findChild<QAction *>(QStringLiteral("speed0.25"));
        QVERIFY(speeds != nullptr);
        QCOMPARE(speeds->text(), QStringLiteral("¼×"));
        speeds->trigger();
        QCOMPARE(picked.takeFirst().front().toDouble(), 0.25);
        world.bar.setSpeed(0.5);
        QCOMPARE(world.bar.findChild<QAbstractButton *>(QStringLiteral("replaySpeedButton"))->text(),
                 QStringLiteral("½×"));
        world.bar.setSpeed(0);
        QCOMPARE(world.bar.findChild<QAbstractButton *>(QStringLiteral("replaySpeedButton"))->text(),
                 QStringLiteral("fastest"));
        QVERIFY(world.bar.stopsAtProposals()->isCheckable() && !world.bar.stopsAtProposals()->isChecked());
    }
};

QObject *makeTestReplayBar() {
    return new TestReplayBar;
}

#include "tst_replay_bar.moc"
