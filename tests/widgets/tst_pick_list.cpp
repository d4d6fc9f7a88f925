// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/look.h"
#include "widgets/popups/pick_list.h"

#include <QAbstractItemModel>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

struct Shown {
    explicit Shown(const Look &look)
        : before(&window), list(look, &window), picked(&list, &PickList::picked) {
        field = list.findChild<QLineEdit *>(QStringLiteral("pickField"));
        view = list.findChild<QListView *>(QStringLiteral("pickRows"));
        foot = list.findChild<QLabel *>(QStringLiteral("pickFoot"));
        window.resize(900, 600);
        window.show();
        window.activateWindow();
        (void)QTest::qWaitForWindowActive(&window);
        before.setFocus();
    }
    [[nodiscard]] QStringList names() const {
        QStringList names;
        for (int i = 0; i < view->model()->rowCount(); ++i)
            names << view->model()->index(i, 0).data().toString();
        return names;
    }

    QWidget window;
    QLineEdit before;
    PickList list;
    QSignalSpy picked;
    QLineEdit *field;
    QListView *view;
    QLabel *foot;
};

std::vector<PickRow> symbols() {
    const auto row = [](const char *name, const char *behind, int depth) {
        return PickRow{QStringLiteral("run"), QString::fromLatin1(name), QString::fromLatin1(behind), false,
                       depth};
    };
    return {row("Softmax", "class", 0), row("rowMax", "float (const float *)", 1), row("rowSum", "float", 1),
            row("launchSoftmax", "void", 0)};
}

} // namespace

class TestPickList : public QObject {
    Q_OBJECT

private:
    Look m_look;

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void filtersAndPicks() {
        Shown shown(m_look);
        shown.list.open(QStringLiteral("Go to a symbol"), symbols(), 2);
        QVERIFY(shown.list.isVisible() && shown.field->hasFocus());
        QCOMPARE(shown.names().size(), 4);
        QCOMPARE(shown.view->currentIndex().row(), 2); // where one is
        QTest::keyClicks(shown.field, QStringLiteral("softmax"));
        QCOMPARE(shown.names(), (QStringList{QStringLiteral("Softmax"), QStringLiteral("launchSoftmax")}));
        QCOMPARE(shown.foot->text(), QStringLiteral("2 of 4"));
        QTest::keyClick(shown.field, Qt::Key_Down);
        QTest::keyClick(shown.field, Qt::Key_Return);
        QCOMPARE(shown.picked.size(), 1);
        QCOMPARE(shown.picked.front().front().toInt(), 3); // of the rows as they were given
        QVERIFY(!shown.list.isVisible() && shown.before.hasFocus());
    }

    void findsByWhatStandsBehind() {
        Shown shown(m_look);
        shown.list.open({}, symbols());
        QTest::keyClicks(shown.field, QStringLiteral("class"));
        QCOMPARE(shown.names(), QStringList{QStringLiteral("Softmax")});
    }

    void picksNothingOfNothing() {
        Shown shown(m_look);
        shown.list.open({}, symbols());
        QTest::keyClicks(shown.field, QStringLiteral("zzz"));
        QVERIFY(shown.names().isEmpty());
        QTest::keyClick(shown.field, Qt::Key_Return);
        QVERIFY(shown.picked.isEmpty() && shown.list.isVisible());
        QTest::keyClick(shown.field, Qt::Key_Escape);
        QVERIFY(!shown.list.isVisible() && shown.before.hasFocus());
    }

    void cutsWhatIsLong() {
        Shown shown(m_look);
        std::vector<PickRow> many;
        for (int i = 0; i < 5000; ++i)
            many.push_back({{}, QStringLiteral("name%1").arg(i), QStringLiteral("line"), true, 0});
        shown.list.open({}, many);
        QCOMPARE(shown.names().size(), 200);
        QVERIFY2(shown.foot->text().contains(QStringLiteral("200 of 5000")), qPrintable(shown.foot->text()));
        QTest::keyClicks(shown.field, QStringLiteral("name4999"));
        QCOMPARE(shown.names(), QStringList{QStringLiteral("name4999")});
    }
};

QObject *makeTestPickList() {
    return new TestPickList;
}

#include "tst_pick_list.moc"
