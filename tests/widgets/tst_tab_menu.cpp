// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/pane.h"
#include "widgets/frame/tab_menu.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/look/look.h"

#include <QImage>
#include <QMenu>
#include <QTest>

using namespace warpwright;

namespace {

struct PagedPane {
    Look look;
    Pane pane{look, QStringLiteral("chart"), QStringLiteral("Profile")};

    PagedPane() {
        for (const char *name : {"Overview", "Times", "Why", "Roofline", "Timeline", "Counters", "Occupancy",
                                 "Heat", "Assembly"})
            pane.addPage(new QWidget(&pane), QString::fromLatin1(name));
        pane.setTitleYields();
        pane.resize(1400, 300);
        pane.show();
    }
    [[nodiscard]] TabMenu *more() const { return pane.findChild<TabMenu *>(); }
};

} // namespace

class TestTabMenu : public QObject {
    Q_OBJECT

private slots:
    void isThereOnlyWhereTabsFindNoRoom() {
        PagedPane world;
        QTRY_VERIFY(!world.more()->isVisible());
        world.pane.resize(400, 300);
        QTRY_VERIFY(world.more()->isVisible());
        QVERIFY(world.more()->geometry().right() <= world.pane.width());
        world.pane.resize(1400, 300);
        QTRY_VERIFY(!world.more()->isVisible());
    }

    // Its icon would lie over the first tab.
    void nothingIsPaintedOfATabThatHasNoPlace() {
        PagedPane world;
        TabStrip *tabs = world.pane.tabs();
        world.pane.setCurrentPage(8);
        world.pane.resize(400, 300);
        QTRY_VERIFY(!tabs->isTabVisible(7));
        const QImage before = tabs->grab().toImage();
        tabs->setTabMark(7, QStringLiteral("warning"), "verdict.wrong");
        QTRY_VERIFY(!tabs->isTabVisible(7));
        QCOMPARE(tabs->grab().toImage(), before);
    }

    void showsNoTabInPart() {
        PagedPane world;
        world.pane.setCurrentPage(8);
        world.pane.resize(500, 300);
        QTRY_VERIFY(world.more()->isVisible());
        TabStrip *tabs = world.pane.tabs();
        QTRY_VERIFY(!tabs->isTabVisible(7));
        QVERIFY(tabs->isTabVisible(0));
        QVERIFY(tabs->isTabVisible(8)); // the current one
        for (int index = 0; index < tabs->count(); ++index)
            QVERIFY2(!tabs->isTabVisible(index) || tabs->rect().contains(tabs->tabRect(index)),
                     qPrintable(tabs->tabText(index)));
        world.pane.resize(1400, 300);
        QTRY_VERIFY(tabs->isTabVisible(7));
    }

    void reachesEveryPage() {
        PagedPane world;
        world.pane.resize(400, 300);
        QTRY_VERIFY(world.more()->isVisible());
        QTest::mouseClick(world.more(), Qt::LeftButton);
        auto *menu = world.more()->findChild<QMenu *>();
        QVERIFY(menu != nullptr);
        QCOMPARE(menu->actions().size(), 9);
        QVERIFY(menu->actions().first()->isChecked());
        menu->actions().last()->trigger();
        QCOMPARE(world.pane.currentPage(), 8);
        QCOMPARE(world.pane.tabs()->currentIndex(), 8);
    }
};

QObject *makeTestTabMenu() {
    return new TestTabMenu;
}

#include "tst_tab_menu.moc"
