// SPDX-License-Identifier: GPL-3.0-or-later
// The mouse wheel over the settings page: it scrolls, and changes a setting only where a person put the
// focus; a changed setting is told, with the way back.
#include "app/ide/kit/actions.h"
#include "app/ide/settings/setting_row.h"
#include "app/ide/settings/settings_page.h"
#include "tests/gui/window_world.h"
#include "toolchain/base/settings.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>
#include <QtTest/qtestspontaneevent.h>

using namespace warpwright;

namespace {

/// As the window system sends it: Qt hands it on from a widget that does not want it to the one below.
void turnWheel(QWidget *over, int steps) {
    const QPointF place = over->rect().center();
    QWheelEvent event(place, over->mapToGlobal(place), {}, QPoint(0, -120 * steps), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&event);
    qApp->notify(over, &event);
}

struct SettingsWorld : WindowWorld {
    SettingsWorld() {
        if (!QTest::qWaitForWindowActive(window.get()))
            qWarning("the window is not active"); // which fails the test
        window->actions().settings->trigger();
        page = window->findChild<SettingsPage *>();
        QTest::qWait(50); // laid out
        scroll = page->findChild<QScrollArea *>()->verticalScrollBar();
    }
    [[nodiscard]] QComboBox *box(const char *row) const {
        return qobject_cast<QComboBox *>(page->row(QString::fromLatin1(row))->field());
    }
    [[nodiscard]] Settings stored() const {
        return Settings::load(cli.folder + QStringLiteral("/config/warpwright/settings.json")).value();
    }
    [[nodiscard]] QAbstractButton *undo() const {
        for (const QWidget *toast : window->findChildren<QWidget *>(QStringLiteral("toast")))
            for (auto *button : toast->findChildren<QAbstractButton *>())
                if (button->text() == QLatin1String("Undo"))
                    return button;
        return nullptr;
    }

    SettingsPage *page;
    QScrollBar *scroll;
};

} // namespace

class TestWheel : public QObject {
    Q_OBJECT

private slots:
    void scrollsPastAFieldWithoutChangingIt_data() {
        QTest::addColumn<int>("reason"); // -1: it has no focus
        QTest::newRow("no focus") << -1;
        QTest::newRow("focus that the program gave") << int(Qt::OtherFocusReason);
        QTest::newRow("focus that came with the window") << int(Qt::ActiveWindowFocusReason);
    }

    void scrollsPastAFieldWithoutChangingIt() {
        QFETCH(int, reason);
        const SettingsWorld world;
        for (const char *row : {"Device", "Compile", "Jobs", "Tier", "Font"}) {
            QComboBox *box = world.box(row);
            const int before = box->currentIndex();
            if (reason >= 0)
                box->setFocus(static_cast<Qt::FocusReason>(reason));
            world.scroll->setValue(0);
            turnWheel(box, 1);
            QVERIFY2(box->currentIndex() == before, row);
            QVERIFY2(world.scroll->value() > 0, row);
            turnWheel(box, 1); // the first one gave no focus either
            QVERIFY2(box->currentIndex() == before, row);
        }
        QVERIFY(world.stored().compileOn.isEmpty());
        QVERIFY(!world.stored().tier);
        QVERIFY(world.toasts().isEmpty());
    }

    // «Settings > Tier» in a message: the row is shown and has the focus, and nobody asked for another tier.
    void scrollsPastTheRowThatALinkShows() {
        const SettingsWorld world;
        QVERIFY(world.page->reveal(QStringLiteral("Tier")));
        QTRY_VERIFY(world.box("Tier")->hasFocus());
        turnWheel(world.box("Tier"), 1);
        QCOMPARE(world.box("Tier")->currentIndex(), 0);
    }

    void turnsTheFieldThatWasClicked_data() {
        QTest::addColumn<bool>("isClick");
        QTest::newRow("by a click") << true;
        QTest::newRow("by Tab") << false;
    }

    void turnsTheFieldThatWasClicked() {
        QFETCH(bool, isClick);
        const SettingsWorld world;
        QComboBox *box = world.box("Compile");
        if (isClick) {
            world.scroll->setValue(box->mapTo(world.page, QPoint()).y());
            QTest::mouseClick(box, Qt::LeftButton);
            box->hidePopup();
            QTRY_VERIFY(QApplication::activePopupWidget() == nullptr);
        } else {
            world.box("Jobs")->setFocus(Qt::OtherFocusReason);
            QTest::keyClick(world.box("Jobs"), Qt::Key_Tab);
        }
        QVERIFY(box->hasFocus());
        turnWheel(box, 1);
        QCOMPARE(box->currentIndex(), 1);
    }

    void saysWhatChangedAndTakesItBack() {
        const SettingsWorld world;
        QComboBox *box = world.box("Compile");
        box->setFocus(Qt::TabFocusReason);
        QTest::keyClick(box, Qt::Key_Down);
        QTest::keyClick(box, Qt::Key_Down);
        QTRY_COMPARE(world.stored().compileOn, QStringLiteral("never"));
        const QString said = world.toasts();
        QVERIFY2(said.contains("Compile changed. Was «On save», is «With a check only» now."),
                 qPrintable(said));
        // Meanwhile the window chose something else: that stays.
        world.window->actions().larger->trigger();
        QTRY_VERIFY(world.stored().fontScale > 1);
        const double scale = world.stored().fontScale;
        QVERIFY(world.undo() != nullptr);
        QTest::mouseClick(world.undo(), Qt::LeftButton);
        QTRY_VERIFY(world.stored().compileOn.isEmpty());
        QCOMPARE(box->currentIndex(), 0);
        QCOMPARE(world.stored().fontScale, scale);
        QCOMPARE(world.window->bench().settings().fontScale, scale);
        QVERIFY(world.window->bench().settings().compileOn.isEmpty());
        QTRY_VERIFY(world.undo() == nullptr);
        QVERIFY2(world.toasts().contains("«On save» again"), qPrintable(world.toasts()));
    }
};

QObject *makeTestWheel() {
    return new TestWheel;
}

#include "tst_wheel.moc"
