// SPDX-License-Identifier: GPL-3.0-or-later
// Bets and what came of them in a pane that is narrow, at each scale that is offered: nothing is cut.
#include "app/ide/agent/ledger_model.h"
#include "app/ide/agent/ledger_section.h"
#include "app/ide/agent/proposal_card.h"
#include "app/ide/kit/figure_table.h"
#include "tests/ide/pages/page_world.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

class TestBetsInPane : public QObject {
    Q_OBJECT

private slots:
    void init() { failOnOurWarnings(); }
    void cleanup() { houseLook().set(Theme::light(), 1); }

    void howABetIsWrittenIsNotCut() {
        Look &look = houseLook();
        look.set(Theme::light(), 1.5);
        ProposalView proposal;
        proposal.number = 1;
        proposal.unit = QStringLiteral("ms");
        proposal.asksBet = true;
        proposal.nowMicroseconds = 113000;
        ProposalCard card(look, QStringLiteral("Alt+Shift+Y"));
        card.setProposal(proposal);
        for (const int wide : {240, 292, 480}) {
            showAt(card, look.px(wide), look.px(600));
            const auto *field = child<QLineEdit>(card, "betField");
            const auto *without = child<QAbstractButton>(card, "revealButton");
            QTRY_VERIFY2(field->width() - look.px(16) >=
                             field->fontMetrics().horizontalAdvance(field->placeholderText()),
                         qPrintable(QString::number(wide)));
            QVERIFY(without->width() >= without->sizeHint().width());
        }
    }

    void aNumberAloneIsAskedAboutAndABetCanBeTakenBack() {
        ProposalView proposal;
        proposal.number = 1;
        proposal.unit = QStringLiteral("ms");
        proposal.unitMicroseconds = 1000;
        proposal.asksBet = true;
        proposal.nowMicroseconds = 21600;
        ProposalCard card(houseLook(), QStringLiteral("Alt+Shift+Y"));
        card.setProposal(proposal);
        showAt(card, 400, 600);
        auto *field = child<QLineEdit>(card, "betField");
        const auto *remark = child<QLabel>(card, "betRemark");
        QSignalSpy placed(&card, &ProposalCard::betPlaced);
        QSignalSpy back(&card, &ProposalCard::betTakenBack);
        const auto types = [field](const char *text) {
            field->clear();
            QTest::keyClicks(field, QLatin1String(text));
            QTest::keyClick(field, Qt::Key_Return);
        };
        types("1.5");
        QVERIFY(placed.isEmpty());
        QCOMPARE(remark->text(), QStringLiteral("1.5 what? 1.5x, 1.5 ms"));
        types("");
        QVERIFY(placed.isEmpty() && back.isEmpty());
        types("1.5x");
        QCOMPARE(placed.size(), 1);
        QCOMPARE(placed[0][0].toDouble(), 21600 / 1.5 - 21600);
        // Until the result is shown another takes its place, or it is taken back.
        proposal.bet = QStringLiteral("14.4 ms of 21.6 ms");
        card.setProposal(proposal);
        QVERIFY(child<QWidget>(card, "revealButton")->isHidden());
        types("1.5");
        QCOMPARE(placed.size(), 1);
        types("2x");
        QCOMPARE(placed.size(), 2);
        types("");
        QVERIFY(placed.size() == 2 && back.size() == 1);
        proposal.bet.clear();
        card.setProposal(proposal);
        QVERIFY(!child<QWidget>(card, "revealButton")->isHidden());
    }

    void aNarrowLedgerIsReadableAtEachScale_data() {
        QTest::addColumn<double>("scale");
        for (const double scale : {1.0, 1.25, 1.3, 1.5})
            QTest::addRow("%.0f %%", 100 * scale) << scale;
    }
    void aNarrowLedgerIsReadableAtEachScale() {
        QFETCH(const double, scale);
        Look &look = houseLook();
        look.set(Theme::light(), scale);
        LedgerLine first;
        first.number = 2;
        first.move = QStringLiteral("warp-shuffle");
        first.expected = QStringLiteral("1.18×");
        first.range = QStringLiteral("1.08–1.31×");
        first.measured = QStringLiteral("1.55×");
        first.mark = LedgerLine::Off;
        first.who = QStringLiteral("script");
        first.isOfAgent = true;
        LedgerLine mine = first;
        mine.who = QStringLiteral("you");
        mine.isOfAgent = false;
        mine.mark = LedgerLine::Hit;
        LedgerLine next = first;
        next.number = 3;
        next.move = QStringLiteral("shared-memory");
        next.expected = next.range = next.measured = QStringLiteral("hidden");
        next.mark = LedgerLine::Open;
        LedgerSection ledger(look, 4);
        ledger.setLedger({first, mine, next}, QStringLiteral("times faster"));
        showAt(ledger, look.px(292), look.px(260));
        const auto *table = child<FigureTable>(ledger, "ledgerTable");
        const QAbstractItemModel &model = *table->model();
        const QFontMetrics letters(look.font(TextRole::Small));
        const auto textOf = [&](int row, int column) {
            return model.index(row, column).data().toString();
        };
        QTRY_COMPARE(textOf(1, LedgerModel::Move), QStringLiteral("you")); // its move stands above
        for (int row = 0; row < model.rowCount(); ++row) {
            // Its icon says it, in room of its own; the tip and a reader have the word.
            QVERIFY(textOf(row, LedgerModel::Outcome).isEmpty());
            QVERIFY(table->columnWidth(LedgerModel::Outcome) >= look.px(4 + 14 + 12));
            QVERIFY(
                !model.index(row, LedgerModel::Outcome).data(Qt::AccessibleTextRole).toString().isEmpty());
            QVERIFY(table->columnWidth(LedgerModel::Move) - look.px(12 + 4) >=
                    letters.horizontalAdvance(textOf(row, LedgerModel::Move)));
            for (const int column : {LedgerModel::Range, LedgerModel::Measured})
                QVERIFY(table->columnWidth(column) - look.px(4 + 4) >=
                        letters.horizontalAdvance(textOf(row, column)));
        }
        // With room it says the word as well.
        ledger.resize(look.px(500), look.px(260));
        QTRY_COMPARE(textOf(0, LedgerModel::Outcome), QStringLiteral("outside"));
        QTRY_VERIFY(table->columnWidth(LedgerModel::Outcome) >=
                    look.px(4 + 14 + 6 + 12) + letters.horizontalAdvance(QStringLiteral("outside")));
    }
};

QObject *makeTestBetsInPane() {
    return new TestBetsInPane;
}

#include "tst_bets_in_pane.moc"
