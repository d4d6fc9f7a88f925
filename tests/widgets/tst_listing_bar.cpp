// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/listing/listing_bar.h"
#include "widgets/listing/log_view.h"
#include "widgets/look/look.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QTest>
#include <QThreadPool>
#include <QTreeWidget>
#include <QVBoxLayout>

using namespace warpwright;

namespace {

/// A listing in a column of a window, and the bar that comes to it.
template <typename Listing>
struct Opened {
    Opened(const Look &theLook, Listing *shown) : listing(shown), bar(new ListingBar(theLook, &window)) {
        window.resize(700, 400);
        auto *column = new QVBoxLayout(&window);
        column->addWidget(listing);
        window.show();
        isActive = QTest::qWaitForWindowActive(&window);
        listing->setFocus();
        field = bar->findChild<QLineEdit *>(QStringLiteral("listingField"));
        count = bar->findChild<QLabel *>(QStringLiteral("listingCount"));
        problem = bar->findChild<QLabel *>(QStringLiteral("listingProblem"));
    }
    void check(const QString &option) const {
        for (auto *button : bar->findChildren<QAbstractButton *>())
            if (button->toolTip() == option)
                button->setChecked(true);
    }

    QWidget window;
    Listing *listing;
    ListingBar *bar;
    QLineEdit *field;
    QLabel *count;
    QLabel *problem;
    bool isActive = false;
};

struct OpenedLog : Opened<LogView> {
    explicit OpenedLog(const Look &look, const QString &text) : Opened(look, new LogView(look)) {
        listing->setLog(text);
        isOpen = bar->open(new LogFace(look, listing, nullptr));
    }
    bool isOpen = false;
};

} // namespace

class TestListingBar : public QObject {
    Q_OBJECT

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void findsPlacesInLines_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<SearchQuery>("query");
        QTest::addColumn<bool>("once");
        QTest::addColumn<QString>("places"); // line:start+length
        const auto words = [](const char *typed) {
            return SearchQuery{QString::fromUtf8(typed), false, false, false};
        };
        QTest::newRow("two lines") << "a b\nb a b\n" << words("b") << false << "0:2+1 1:0+1 1:4+1";
        QTest::newRow("once a line") << "a b\nb a b\n" << words("b") << true << "0:2+1 1:0+1";
        QTest::newRow("characters, not bytes")
            << QStringLiteral("µs µs\n± µs") << words("µs") << false << "0:0+2 0:3+2 1:2+2";
        QTest::newRow("none") << "a\n" << words("b") << false << "";
        QTest::newRow("nothing asked") << "a\n" << words("") << false << "";
        QTest::newRow("line by line")
            << "ab\ncb\n"
            << SearchQuery{QStringLiteral("^c"), true, false, true} << false << "1:0+1";
        QTest::newRow("over a line's end")
            << "ab\ncd\n"
            << SearchQuery{QStringLiteral("b\\nc"), true, false, true} << false << "0:1+1";
    }

    void findsPlacesInLines() {
        QFETCH(QString, text);
        QFETCH(SearchQuery, query);
        QFETCH(bool, once);
        QStringList found;
        for (const LineHit &hit : findInLines(text, query, once).hits)
            found << QStringLiteral("%1:%2+%3").arg(hit.line).arg(hit.start).arg(hit.length);
        const QString places = found.join(QLatin1Char(' '));
        QTEST(places, "places");
    }

    void goesFromHitToHitOfALog() {
        Look look;
        OpenedLog opened(look, QStringLiteral("one two\ntwo\nthree two\n"));
        QVERIFY(opened.isActive && opened.isOpen);
        QVERIFY(opened.bar->isVisible() && opened.field->hasFocus());
        QTRY_VERIFY(opened.bar->y() > opened.listing->y()); // below it, never over it
        QTest::keyClicks(opened.field, QStringLiteral("two"));
        QTRY_COMPARE(opened.count->text(), QStringLiteral("1 of 3"));
        QCOMPARE(opened.listing->textCursor().selectedText(), QStringLiteral("two"));
        QCOMPARE(opened.listing->extraSelections().size(), 3);
        QTest::keyClick(opened.field, Qt::Key_Return);
        QCOMPARE(opened.count->text(), QStringLiteral("2 of 3"));
        QCOMPARE(opened.listing->textCursor().blockNumber(), 1);
        QTest::keyClick(opened.field, Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClick(opened.field, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(opened.count->text(), QStringLiteral("3 of 3"));
        opened.listing->setFocus();
        QTest::keyClick(opened.listing, Qt::Key_F3);
        QCOMPARE(opened.count->text(), QStringLiteral("1 of 3"));
    }

    void escapeGivesTheFocusBack() {
        Look look;
        OpenedLog opened(look, QStringLiteral("two\n"));
        QTest::keyClicks(opened.field, QStringLiteral("two"));
        QTRY_COMPARE(opened.count->text(), QStringLiteral("1 of 1"));
        QTest::keyClick(opened.field, Qt::Key_Escape);
        QVERIFY(!opened.bar->isVisible());
        QCOMPARE(opened.window.focusWidget(), opened.listing);
        QVERIFY(opened.listing->extraSelections().isEmpty());
        QCOMPARE(opened.bar->listing(), nullptr);
    }

    void followsALogThatGrows() {
        Look look;
        OpenedLog opened(look, QStringLiteral("two"));
        QTest::keyClicks(opened.field, QStringLiteral("two"));
        QTRY_COMPARE(opened.count->text(), QStringLiteral("1 of 1"));
        opened.listing->appendLine(QStringLiteral("two"));
        QTRY_COMPARE(opened.count->text(), QStringLiteral("1 of 2"));
    }

    void saysWhatIsWrongWithAnExpression() {
        Look look;
        OpenedLog opened(look, QStringLiteral("a(b\n"));
        opened.check(QStringLiteral("Regular expression"));
        opened.field->setText(QStringLiteral("a(b"));
        QTRY_VERIFY(opened.problem->isVisible());
        QVERIFY(opened.problem->text().startsWith(QStringLiteral("No regular expression: ")));
        QVERIFY(opened.count->text().isEmpty());
        opened.field->setText(QStringLiteral("a\\(b"));
        QTRY_COMPARE(opened.count->text(), QStringLiteral("1 of 1"));
        QVERIFY(!opened.problem->isVisible());
    }

    void boundsItsHits() {
        Look look;
        OpenedLog opened(look, QStringLiteral("x\n").repeated(12'000));
        opened.field->setText(QStringLiteral("x"));
        QTRY_COMPARE(opened.count->text(), QStringLiteral("1 of 10,000+"));
        QVERIFY(opened.listing->extraSelections().size() <= 1000);
    }

    void opensWhatATreeHidesTheHitIn() {
        Look look;
        Opened opened(look, new QTreeWidget);
        opened.listing->setColumnCount(2);
        auto *group = new QTreeWidgetItem(opened.listing, {QStringLiteral("Memory"), QString()});
        new QTreeWidgetItem(group, {QStringLiteral("L2 hit rate"), QStringLiteral("98 %")});
        new QTreeWidgetItem(opened.listing, {QStringLiteral("Stall"), QStringLiteral("L2")});
        QVERIFY(opened.bar->open(new ItemFace(opened.listing, nullptr)));
        opened.field->setText(QStringLiteral("l2"));
        QTRY_COMPARE(opened.count->text(), QStringLiteral("1 of 2"));
        QVERIFY(group->isExpanded());
        QCOMPARE(opened.listing->currentItem()->text(1), QStringLiteral("98 %"));
        QTest::keyClick(opened.field, Qt::Key_Return);
        QCOMPARE(opened.listing->currentItem()->text(0), QStringLiteral("Stall"));
        delete group;                                                // its rows are others at once
        QTRY_COMPARE(opened.count->text(), QStringLiteral("1 hit")); // the one that was shown is another
    }

    void comesFromOneListingToTheOther() {
        Look look;
        OpenedLog opened(look, QStringLiteral("two\n"));
        auto *second = new LogView(look, &opened.window);
        second->setLog(QStringLiteral("two two\n"));
        static_cast<QVBoxLayout *>(opened.window.layout())->addWidget(second);
        second->show();
        opened.field->setText(QStringLiteral("two"));
        QTRY_COMPARE(opened.count->text(), QStringLiteral("1 of 1"));
        QVERIFY(opened.bar->open(new LogFace(look, second, nullptr)));
        QTRY_COMPARE(opened.count->text(), QStringLiteral("2 hits"));
        QVERIFY(opened.listing->extraSelections().isEmpty());
        QTRY_VERIFY(opened.bar->y() > second->y());
    }

    void itGoesWithAPageThatIsLeft() {
        Look look;
        OpenedLog opened(look, QStringLiteral("two\n"));
        opened.listing->hide();
        QTRY_VERIFY(!opened.bar->isVisible());
        QCOMPARE(opened.bar->listing(), nullptr);
    }

    void aListingThatGoesTakesItsHitsAlong() {
        Look look;
        OpenedLog opened(look, QStringLiteral("two\n"));
        opened.field->setText(QStringLiteral("two"));
        QTRY_COMPARE(opened.count->text(), QStringLiteral("1 of 1"));
        delete opened.listing;
        QCOMPARE(opened.bar->listing(), nullptr);
        opened.bar->findNext();
        QTest::keyClick(opened.field, Qt::Key_Escape);
        QVERIFY(!opened.bar->isVisible());
    }

    void anAnswerToAListingThatIsGoneIsDropped() {
        Look look;
        OpenedLog opened(look, QStringLiteral("two\n"));
        opened.field->setText(QStringLiteral("two")); // asks at once
        delete opened.listing;
        QVERIFY(QThreadPool::globalInstance()->waitForDone(5000));
        QTRY_VERIFY(!opened.bar->isVisible());
        QVERIFY(opened.bar->hits().hits.empty());
    }
};

QObject *makeTestListingBar() {
    return new TestListingBar;
}

#include "tst_listing_bar.moc"
