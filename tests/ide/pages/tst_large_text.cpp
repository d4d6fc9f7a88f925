// SPDX-License-Identifier: GPL-3.0-or-later
// Text of 150 % in a narrow pane: heads and numbers are whole, stages in sight, sentences wrap.
#include "app/ide/kit/actions.h"
#include "app/ide/kit/card.h"
#include "app/ide/kit/figure_table.h"
#include "app/ide/kit/stage_row.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/top_bar.h"
#include "profiler_views/worst_elements_model.h"
#include "tests/ide/pages/page_world.h"
#include "widgets/frame/empty_state.h"
#include "widgets/frame/pane.h"
#include "widgets/look/look.h"

#include <QAbstractButton>
#include <QCoreApplication>
#include <QEvent>
#include <QHeaderView>
#include <QHelpEvent>
#include <QScrollBar>
#include <QTest>
#include <QTextDocumentFragment>
#include <QToolTip>

#include <array>

using namespace warpwright;

namespace {

std::vector<WorstElement> worst() {
    WorstElement element;
    element.output = QStringLiteral("output");
    element.index = QStringLiteral("[1804, 2833]");
    element.expected = 0.01830988;
    element.actual = 0.01830982;
    element.round = 3;
    return {element};
}

} // namespace

class TestLargeText : public QObject {
    Q_OBJECT
private slots:
    void tableScrollsBeforeAHeadIsCut_data() {
        QTest::addColumn<double>("scale");
        QTest::addColumn<int>("width");
        QTest::addColumn<bool>("scrolls");
        QTest::newRow("100 %, a usual pane") << 1.0 << 620 << false;
        QTest::newRow("150 %, a narrow pane") << 1.5 << 420 << true;
        QTest::newRow("150 %, a wide pane") << 1.5 << 1100 << false;
    }

    void tableScrollsBeforeAHeadIsCut() {
        QFETCH(double, scale);
        QFETCH(int, width);
        QFETCH(bool, scrolls);
        Look look;
        look.set(Theme::light(), scale);
        WorstElementsModel model;
        FigureTable table(look, &model);
        table.setShape(WorstElementsModel::Index, 8);
        model.setElements(worst());
        table.resize(width, table.sizeHint().height());
        table.show();
        QTRY_COMPARE(table.horizontalScrollBar()->maximum() > 0, scrolls);
        const QFontMetrics metrics(look.font(TextRole::Small));
        for (int column = 0; column < model.columnCount(); ++column) {
            if (table.isColumnHidden(column))
                continue;
            const QString head = model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
            QVERIFY2(table.columnWidth(column) >= metrics.horizontalAdvance(head), qPrintable(head));
        }
        // The bar below takes nothing from the row.
        table.resize(width, table.sizeHint().height());
        QVERIFY(table.viewport()->height() >= table.rowHeight(0));
    }

    void panesOfALowWindowAreAllInSight() {
        Look look;
        look.set(Theme::light(), 1.5);
        std::array<Pane *, 4> panes{};
        for (Pane *&pane : panes)
            pane = new Pane(look, QStringLiteral("terminal"), QStringLiteral("Pane"), nullptr);
        FourPanes four(look, panes);
        const auto bottomOf = [&four](const Pane *pane) {
            return pane->mapTo(&four, QPoint(0, pane->height())).y();
        };
        four.resize(1280, 534); // what bars and banner leave of 720
        four.show();
        QTRY_VERIFY(bottomOf(panes[2]) <= four.height() && bottomOf(panes[3]) <= four.height());
        QTRY_VERIFY(panes[2]->height() > panes[0]->height()); // charts are below
        four.resize(1280, 320); // lower than two panes of their usual least height
        QTRY_VERIFY(bottomOf(panes[2]) <= four.height() && bottomOf(panes[3]) <= four.height());
        four.resize(1280, 900);
        QTRY_VERIFY(panes[2]->height() < panes[0]->height());
        QVERIFY(bottomOf(panes[2]) <= four.height());
    }

    void theProgressGivesWayBeforeTheWorkspacesName() {
        Look look;
        look.set(Theme::light(), 1.5);
        const Actions actions;
        TopBar bar(look, actions);
        bar.resize(900, look.px(44));
        bar.show();
        const auto *name = bar.findChild<QAbstractButton *>(QStringLiteral("workspaceButton"));
        const auto *meter = bar.findChild<QWidget *>(QStringLiteral("progressMeter"));
        QTRY_COMPARE(name->text(), QStringLiteral("No workspace"));
        QTRY_VERIFY(name->width() >= name->sizeHint().width());
        QVERIFY(meter->isHidden()); // it has nothing to say
        bar.setProgress({}, true, false);
        QTRY_COMPARE(name->text(), QStringLiteral("No workspace"));
        bar.resize(1600, look.px(44));
        QTRY_VERIFY(meter->isVisible());
        bar.setProgress({}, false, false);
        QTRY_VERIFY(meter->isHidden());
    }

    void stagesTakeASecondLine() {
        Look look;
        look.set(Theme::light(), 1.5);
        StageRow row(look);
        row.setStages(
            {{QStringLiteral("Stale"), QStringLiteral("of the text before"), QStringLiteral("clock")},
             {QStringLiteral("Compile"), QStringLiteral("1.05 s"), QStringLiteral("pass")},
             {QStringLiteral("Verify"), QStringLiteral("5 of 5, 0.77 s"), QStringLiteral("pass")},
             {QStringLiteral("Profile"), QStringLiteral("22.3 s"), QStringLiteral("inconclusive")}});
        const int one = look.px(32);
        QCOMPARE(row.heightForWidth(1200), one);
        const int two = row.heightForWidth(look.px(280));
        QVERIFY(two > one && two < 2 * one);
        row.resize(look.px(280), row.heightForWidth(look.px(280)));
        QVERIFY(!row.grab().isNull());
    }

    void wordsKeepTheirMarginsWhenTheStyleIsSet() {
        Look look;
        look.set(Theme::light(), 1.5);
        QWidget window;
        Words words(look, TextRole::Body, "text.secondary", &window);
        const QMargins margins(look.px(16), look.px(12), look.px(16), look.px(12));
        words.setContentsMargins(margins);
        QEvent style(QEvent::StyleChange);
        QCoreApplication::sendEvent(&words, &style);
        QCOMPARE(words.contentsMargins(), margins);
    }

    void wordsElideWithDots() {
        Look look;
        Words words(look, TextRole::Small, "text.primary", nullptr);
        words.setText(QStringLiteral("a slow kernel made fast, one reviewed idea at a time"));
        const QSize whole = words.sizeHint();
        words.resize(whole);
        const QImage full = words.grab().toImage();
        words.setElides();
        QCOMPARE(words.grab().toImage().size(), full.size());
        words.resize(whole.width() / 2, whole.height());
        const QImage cut = words.grab().toImage();
        // The end of what is cut looks other than the same place of the whole.
        const QRect end(cut.width() - look.px(10), 0, look.px(10), cut.height());
        QVERIFY(cut.copy(end) != full.copy(end));
    }

    void whatIsCutIsWholeInItsTip() {
        Words words(houseLook(), TextRole::Small, "text.primary", nullptr);
        words.setElides();
        words.setText(QStringLiteral("Recorded lesson: A GEMM with bias and GELU"));
        showAt(words, 120, 20);
        QVERIFY2(words.shownText().endsWith(QStringLiteral("…")), qPrintable(words.shownText()));
        const auto tip = [&words] {
            QHelpEvent asked(QEvent::ToolTip, {4, 4}, words.mapToGlobal(QPoint(4, 4)));
            QCoreApplication::sendEvent(&words, &asked);
            return QTextDocumentFragment::fromHtml(QToolTip::text()).toPlainText();
        };
        QCOMPARE(tip(), words.text());
        words.resize(900, 20);
        QCOMPARE(words.shownText(), words.text());
        words.resize(120, 20);
        words.setToolTip(QStringLiteral("The owner's"));
        QCOMPARE(tip(), QStringLiteral("The owner's"));
    }

    void emptyPlaceKeepsItsSentence() {
        Look look;
        look.set(Theme::light(), 1.5);
        EmptyState state(look);
        const QString words = QStringLiteral("Kernels, diagnostics and compiler output appear here");
        state.say(QStringLiteral("terminal"), words, QStringLiteral("with the first check"));
        const auto inked = [&state](int width) {
            state.resize(width, 300);
            const QImage image = state.grab().toImage();
            int rows = 0;
            for (int y = 0; y < image.height(); ++y) {
                const QRgb ground = image.pixel(0, y);
                for (int x = 1; x < image.width(); ++x)
                    if (image.pixel(x, y) != ground) {
                        ++rows;
                        break;
                    }
            }
            return rows;
        };
        QVERIFY(inked(300) > inked(900)); // it takes more lines where it is narrow
    }
};

QObject *makeTestLargeText() {
    return new TestLargeText;
}

#include "tst_large_text.moc"
