// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/toasts.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QApplication>
#include <QCursor>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <QTimer>

using namespace warpwright;

namespace {

Notice about(const QString &title, const QString &text) {
    Notice notice;
    notice.title = title;
    notice.text = text;
    notice.needsReading = true;
    return notice;
}

struct Ground {
    Look look;
    QWidget page;
    Toasts toasts{look, &page};

    Ground() {
        page.resize(1000, 700);
        page.show();
    }
    [[nodiscard]] QList<QWidget *> shown() const {
        QList<QWidget *> seen;
        for (QWidget *toast : page.findChildren<QWidget *>(QStringLiteral("toast")))
            if (toast->isVisible())
                seen << toast;
        return seen;
    }
};

} // namespace

class TestNotices : public QObject {
    Q_OBJECT

private slots:
    void theSameIsToldOnce() {
        Ground ground;
        for (int key = 0; key < 5; ++key)
            ground.toasts.show(about("Read-only", "open in process 7"));
        QCOMPARE(ground.shown().size(), 1);
        QCOMPARE(ground.toasts.kept().size(), std::size_t(1));
        ground.toasts.show(about("Read-only", "open in process 8"));
        QCOMPARE(ground.shown().size(), 2);
    }

    void atMostThreeAreShownAndAllAreKept() {
        Ground ground;
        for (int number = 0; number < 5; ++number)
            ground.toasts.show(about("Notice", QString::number(number)));
        QTRY_COMPARE(ground.shown().size(), 3);
        QCOMPARE(ground.toasts.kept().size(), std::size_t(5));
    }

    // Told while the window opens, when the page has no size of its own yet.
    void oneToldEarlyIsAsWideAsTheOthers() {
        Ground ground;
        ground.page.resize(100, 60);
        ground.toasts.show(
            about("No Python with torch", "Install one into it, or name another interpreter."));
        QCOMPARE(ground.shown().size(), 1);
        QVERIFY(ground.shown().first()->width() < 100);
        ground.page.resize(1000, 700);
        QTRY_COMPARE(ground.shown().first()->width(), ground.look.px(400));
        QVERIFY(ground.page.rect().contains(ground.shown().first()->geometry()));
    }

    void thoseOfAWorkspaceGoWithIt() {
        Ground ground;
        ground.toasts.show(about("Not saved", "gate.cu"));
        Notice program = about("No Python with torch", "set it up");
        program.isOfProgram = true;
        ground.toasts.show(program);
        ground.toasts.closeOfWorkspace();
        QTRY_COMPARE(ground.shown().size(), 1);
        QVERIFY(ground.shown().first()->accessibleName().startsWith("No Python"));
        QCOMPARE(ground.toasts.kept().size(), std::size_t(2));
    }

    void noneStaysForGood() {
        QCursor::setPos(0, 0); // what is pointed at stays
        Ground ground;
        QLineEdit field(&ground.page); // where the keys are, as in a window
        field.show();
        field.setFocus();
        Notice button = about("Renamed", "gate.cu");
        button.actionName = QStringLiteral("Undo");
        ground.toasts.show(button);
        auto *ends = ground.shown().first()->findChild<QTimer *>(QStringLiteral("ends"));
        QVERIFY(ends != nullptr && ends->isActive());
        QCOMPARE(ends->interval(), Toasts::readForMs);
        if (QWidget *focused = QApplication::focusWidget())
            focused->clearFocus(); // what has the keys stays
        ends->start(1);
        QTRY_COMPARE(ground.shown().size(), 0);
        QCOMPARE(ground.toasts.kept().size(), std::size_t(1)); // the bell has it
    }

    void thoseOfThePageBeforeGo() {
        Ground ground;
        ground.toasts.show(about("Not saved", "gate.cu"));
        ground.shown().first()->setProperty("at", QDateTime::currentDateTime().addSecs(-3));
        ground.toasts.show(about("Cannot open", "it is not there"));
        ground.toasts.closeOlder();
        QTRY_COMPARE(ground.shown().size(), 1);
        QVERIFY(ground.shown().first()->accessibleName().startsWith("Cannot open"));
    }

    void theCursorIsNotCovered() {
        Ground ground;
        QPlainTextEdit text(QStringLiteral("line\n").repeated(60), &ground.page);
        text.setGeometry(0, 0, 1000, 700);
        text.show();
        QVERIFY(QTest::qWaitForWindowActive(&ground.page));
        text.setFocus();
        ground.toasts.show(about("Cannot open", "it is not there"));
        const QPoint below = ground.shown().first()->geometry().center();
        text.setTextCursor(text.cursorForPosition(below));
        QTextCursor cursor = text.textCursor();
        cursor.insertText(QStringLiteral("x").repeated(90)); // to below the notice
        text.setTextCursor(cursor);
        QTRY_VERIFY(!ground.shown().first()->geometry().intersects(text.cursorRect()));
    }

    // Without its axis a chart tells nothing.
    void noChartIsCovered() {
        Ground ground;
        Plot plot(ground.look, &ground.page);
        plot.setGeometry(500, 300, 500, 400);
        plot.show();
        ground.toasts.show(about("The page is written", "/tmp/run.html"));
        QVERIFY(!ground.shown().first()->geometry().intersects(plot.geometry()));
    }

    void nothingThatIsPressedIsCovered_data() {
        QTest::addColumn<QRect>("button");
        QTest::newRow("at the bottom right") << QRect(800, 640, 150, 40);
        QTest::newRow("in the middle of the right") << QRect(800, 560, 150, 40);
        QTest::newRow("all along the bottom") << QRect(0, 640, 1000, 40);
    }
    void nothingThatIsPressedIsCovered() {
        QFETCH(QRect, button);
        Ground ground;
        QPushButton pressed(&ground.page);
        pressed.setGeometry(button);
        pressed.show();
        ground.toasts.show(about("Cannot open", "it is not there"));
        QCOMPARE(ground.shown().size(), 1);
        QVERIFY(!ground.shown().first()->geometry().intersects(button));
        QVERIFY(ground.page.rect().contains(ground.shown().first()->geometry()));
    }

    void aButtonThatComesLaterIsLeftFree() {
        Ground ground;
        ground.toasts.show(about("Cannot open", "it is not there"));
        QPushButton later(&ground.page);
        later.setGeometry(ground.shown().first()->geometry());
        later.show();
        QTRY_VERIFY(!ground.shown().first()->geometry().intersects(later.geometry()));
    }
};

QObject *makeTestNotices() {
    return new TestNotices;
}

#include "tst_notices.moc"
