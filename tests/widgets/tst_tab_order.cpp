// SPDX-License-Identifier: GPL-3.0-or-later
// Tab goes as a page is read, also to what was made last.
#include "widgets/frame/tab_order.h"

#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QVBoxLayout>

using namespace warpwright;

namespace {

class Reader : public QWidget {
public:
    QPushButton *add(const char *name, const QRect &place, QWidget *parent = nullptr) {
        auto *button = new QPushButton(parent != nullptr ? parent : this);
        button->setObjectName(QString::fromLatin1(name));
        button->setFocusPolicy(Qt::StrongFocus);
        button->setGeometry(place);
        button->show();
        return button;
    }
    [[nodiscard]] QString order(const QWidget *also = nullptr) const {
        QStringList names;
        for (const QWidget *stop : tabStops(*this, also))
            names << stop->objectName();
        return names.join(QLatin1Char(' '));
    }
    void activate() {
        resize(600, 400);
        show();
        activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(this));
    }

protected:
    bool focusNextPrevChild(bool next) override { return focusNextStop(*this, next); }
};

} // namespace

class TestTabOrder : public QObject {
    Q_OBJECT
private slots:
    void readsRowsFromAboveAndLeft() {
        Reader window;
        window.add("below", QRect(10, 100, 60, 28));
        window.add("right", QRect(200, 12, 60, 24)); // of one row, though not equally high
        window.add("left", QRect(10, 10, 60, 28));
        window.activate();
        QCOMPARE(window.order(), QStringLiteral("left right below"));
    }

    void readsAPartWholeBeforeTheNext() {
        Reader window;
        auto *right = new QWidget(&window);
        right->setGeometry(300, 0, 300, 400);
        auto *left = new QWidget(&window);
        left->setGeometry(0, 0, 300, 400);
        window.add("r1", QRect(10, 10, 60, 28), right);
        window.add("l2", QRect(10, 200, 60, 28), left);
        window.add("l1", QRect(10, 20, 60, 28), left);
        window.add("r2", QRect(10, 60, 60, 28), right);
        window.activate();
        QCOMPARE(window.order(), QStringLiteral("l1 l2 r1 r2"));
    }

    void leavesOutWhatCannotBeUsed() {
        Reader window;
        window.add("hidden", QRect(10, 10, 60, 28))->hide();
        window.add("disabled", QRect(80, 10, 60, 28))->setEnabled(false);
        window.add("clicked", QRect(150, 10, 60, 28))->setFocusPolicy(Qt::ClickFocus);
        window.add("flat", QRect(220, 10, 60, 0));
        window.add("used", QRect(290, 10, 60, 28));
        window.activate();
        QCOMPARE(window.order(), QStringLiteral("used"));
    }

    void tabWalksAroundAndBack() {
        Reader window;
        QPushButton *three = window.add("three", QRect(10, 200, 60, 28));
        QPushButton *one = window.add("one", QRect(10, 10, 60, 28));
        QPushButton *two = window.add("two", QRect(10, 100, 60, 28));
        window.activate();
        one->setFocus();
        for (QWidget *next : {two, three, one}) {
            QTest::keyClick(window.focusWidget(), Qt::Key_Tab);
            QCOMPARE(window.focusWidget(), next);
        }
        QTest::keyClick(one, Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(window.focusWidget(), three);
    }

    // It was pressed and is gone: the keys go on from its place, not from the beginning.
    void whatVanishesGivesTheFocusToItsNeighbour() {
        Reader window;
        window.add("one", QRect(10, 10, 60, 28));
        QPushButton *two = window.add("two", QRect(10, 100, 60, 28));
        QPushButton *three = window.add("three", QRect(10, 200, 60, 28));
        window.activate();
        two->setFocus();
        two->hide();
        QCOMPARE(window.focusWidget(), three);
        three->setEnabled(false);
        QCOMPARE(window.focusWidget()->objectName(), QStringLiteral("one"));
    }

    void aPlaceThatTabDoesNotReachStillHasNeighbours() {
        Reader window;
        window.add("before", QRect(10, 10, 60, 28));
        QPushButton *clicked = window.add("clicked", QRect(10, 100, 60, 28));
        clicked->setFocusPolicy(Qt::ClickFocus);
        window.add("after", QRect(10, 200, 60, 28));
        window.activate();
        clicked->setFocus();
        QCOMPARE(window.order(clicked), QStringLiteral("before clicked after"));
        QVERIFY(focusNextStop(window, true));
        QCOMPARE(window.focusWidget()->objectName(), QStringLiteral("after"));
    }

    void bringsIntoViewWhatItReaches() {
        Reader window;
        QPushButton *above = window.add("above", QRect(10, 0, 60, 28));
        auto *area = new QScrollArea(&window);
        area->setFocusPolicy(Qt::NoFocus);
        area->setGeometry(0, 40, 300, 100);
        auto *content = new QWidget;
        content->resize(200, 2000);
        window.add("deep", QRect(10, 1900, 60, 28), content);
        area->setWidget(content);
        window.activate();
        above->setFocus();
        QVERIFY(focusNextStop(window, true));
        QCOMPARE(window.focusWidget()->objectName(), QStringLiteral("deep"));
        QVERIFY(area->verticalScrollBar()->value() > 1500);
    }

    void saysWhenThereIsNoOther() {
        Reader window;
        window.activate();
        QVERIFY(!focusNextStop(window, true));
        window.add("only", QRect(10, 10, 60, 28))->setFocus();
        QVERIFY(!focusNextStop(window, true));
    }
};

QObject *makeTestTabOrder() {
    return new TestTabOrder;
}

#include "tst_tab_order.moc"
