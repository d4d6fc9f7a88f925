// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/look.h"
#include "widgets/popups/completion_list.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QTextEdit>

using namespace warpwright;

namespace {

CompletionRow row(const char *label, const char *documentation = "") {
    CompletionRow made;
    made.letter = QStringLiteral("f");
    made.kind = QStringLiteral("function");
    made.label = QString::fromLatin1(label);
    made.signature = QStringLiteral("(const float *)");
    made.type = QStringLiteral("float");
    made.documentation = QString::fromLatin1(documentation);
    return made;
}

struct Shown {
    explicit Shown(const Look &look) : list(look, &window) {
        field.setParent(&window);
        window.resize(900, 600);
        window.show();
        window.activateWindow();
        (void)QTest::qWaitForWindowActive(&window);
        field.setFocus();
    }
    void show(std::vector<CompletionRow> rows, const QPoint &at = {100, 100}) {
        list.showRows(std::move(rows), QStringLiteral("__l"), &window,
                      QRect(window.mapToGlobal(at), QSize(30, 20)));
    }
    bool press(int key, Qt::KeyboardModifiers modifiers = {}) {
        return list.handleKey(QKeyEvent(QEvent::KeyPress, key, modifiers));
    }

    QWidget window;
    QLineEdit field;
    CompletionList list;
};

} // namespace

class TestCompletionList : public QObject {
    Q_OBJECT

private:
    Look m_look;

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void ranksNames_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<int>("fit");
        const auto fits = [](const char *row, const char *name, const char *typed, int fit) {
            QTest::newRow(row) << QString::fromLatin1(name) << QString::fromLatin1(typed) << fit;
        };
        fits("nothing typed", "blockIdx", "", 0);
        fits("begins with it", "blockIdx", "blo", 0);
        fits("in other case", "blockIdx", "Blo", 1);
        fits("a later word", "__shfl_xor_sync", "xor", 2);
        fits("at a capital", "cudaMemcpyAsync", "async", 2);
        fits("second time at a capital", "gatherGate", "gate", 2);
        fits("letters in order", "cudaMemcpyAsync", "cma", 3);
        fits("inside of a word", "blockIdx", "lock", 3);
        fits("other letters", "blockIdx", "grid", -1);
        fits("longer than the name", "x", "xy", -1);
    }
    void ranksNames() {
        QFETCH(QString, name);
        QFETCH(QString, typed);
        QTEST(completionFit(name, typed), "fit");
    }

    void leavesTheFocusAlone() {
        Shown shown(m_look);
        shown.show({row("__ldcs"), row("__ldg")});
        QVERIFY(shown.list.isVisible() && shown.field.hasFocus());
        auto *rows = shown.list.findChild<QListView *>(QStringLiteral("completionRows"));
        const QSignalSpy taken(&shown.list, &CompletionList::taken);
        QTest::mouseClick(rows->viewport(), Qt::LeftButton, {},
                          rows->visualRect(rows->model()->index(1, 0)).center());
        QCOMPARE(taken.size(), 1);
        QCOMPARE(taken.front().front().toInt(), 1);
        QVERIFY(shown.field.hasFocus());
    }

    void hearsItsKeys() {
        Shown shown(m_look);
        std::vector<CompletionRow> rows;
        for (int i = 0; i < 30; ++i)
            rows.push_back(row("__ldcs"));
        QVERIFY(!shown.press(Qt::Key_Down)); // not shown yet
        shown.show(rows);
        QCOMPARE(shown.list.current(), 0);
        QVERIFY(shown.press(Qt::Key_Up));
        QCOMPARE(shown.list.current(), 29);
        QVERIFY(shown.press(Qt::Key_Down));
        QCOMPARE(shown.list.current(), 0);
        QVERIFY(shown.press(Qt::Key_PageDown));
        QCOMPARE(shown.list.current(), 9);
        QVERIFY(shown.press(Qt::Key_PageUp));
        QCOMPARE(shown.list.current(), 0);
        QVERIFY(!shown.press(Qt::Key_Down, Qt::ControlModifier));
        QVERIFY(!shown.press(Qt::Key_A));
        const QSignalSpy taken(&shown.list, &CompletionList::taken);
        const QSignalSpy dismissed(&shown.list, &CompletionList::dismissed);
        QVERIFY(shown.press(Qt::Key_Tab));
        QVERIFY(shown.press(Qt::Key_Return));
        QVERIFY(shown.press(Qt::Key_Escape));
        QCOMPARE(taken.size(), 2);
        QCOMPARE(dismissed.size(), 1);
    }

    void hidesWhenNothingFits() {
        Shown shown(m_look);
        shown.show({row("__ldcs")});
        QVERIFY(shown.list.isVisible());
        shown.show({});
        QVERIFY(!shown.list.isVisible());
    }

    void showsTheDocumentationOfTheChosenRow() {
        Shown shown(m_look);
        shown.show({row("__ldcs", "Loads `float` once."), row("__ldg")});
        auto *text = shown.list.findChild<QTextEdit *>();
        QCOMPARE(text->toPlainText(), QStringLiteral("Loads float once."));
        const QRect before = shown.list.geometry();
        (void)shown.press(Qt::Key_Down);
        QCOMPARE(text->toPlainText(), QString());
        QCOMPARE(shown.list.geometry(), before); // nothing jumps
        shown.show({row("__ldg")});
        QVERIFY(!text->isVisible());
        QVERIFY(shown.list.width() < before.width());
    }

    void staysWithinTheWindow_data() {
        QTest::addColumn<QPoint>("at");
        QTest::newRow("in the middle") << QPoint(300, 200);
        QTest::newRow("at the right") << QPoint(890, 200);
        QTest::newRow("at the bottom") << QPoint(300, 580);
        QTest::newRow("in the corner") << QPoint(890, 590);
    }
    void staysWithinTheWindow() {
        QFETCH(QPoint, at);
        Shown shown(m_look);
        std::vector<CompletionRow> rows(40, row("__ldcs", "Loads."));
        shown.show(rows, at);
        QVERIFY(shown.window.rect().contains(shown.list.geometry()));
        QVERIFY(!shown.list.geometry().intersects(QRect(at, QSize(1, 20)))); // the word stays in sight
    }
};

QObject *makeTestCompletionList() {
    return new TestCompletionList;
}

#include "tst_completion_list.moc"
