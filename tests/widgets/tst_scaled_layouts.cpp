// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/look.h"
#include "widgets/look/scaled_layouts.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QTest>
#include <QVBoxLayout>

using namespace warpwright;

/// Margins and gaps of widgets that exist when the text is enlarged.
class TestScaledLayouts : public QObject {
    Q_OBJECT

private slots:
    void marginsAndGapsFollowTheText() {
        Look look;
        look.set(Theme::light(), 1);
        QWidget window;
        new ScaledLayouts(look, window);
        auto *column = new QVBoxLayout(&window);
        column->setContentsMargins(look.px(24), look.px(8), look.px(12), 1);
        column->setSpacing(look.px(6));
        auto *label = new QLabel(QStringLiteral("words"), &window);
        label->setContentsMargins(look.px(12), 0, look.px(12), look.px(4));
        column->addWidget(label);
        column->addSpacing(look.px(16));
        auto *within = new QHBoxLayout; // its gap is the column's
        column->addLayout(within);
        auto *grid = new QGridLayout;
        grid->setHorizontalSpacing(look.px(10));
        grid->setVerticalSpacing(look.px(5));
        column->addLayout(grid);
        column->addStretch(1);
        for (const double scale : {1.5, 2.0, 1.1, 1.3, 1.0}) {
            look.set(look.theme(), scale);
            QCOMPARE(column->contentsMargins(), QMargins(look.px(24), look.px(8), look.px(12), 1));
            QCOMPARE(column->spacing(), look.px(6));
            QCOMPARE(within->spacing(), look.px(6));
            QCOMPARE(label->contentsMargins(), QMargins(look.px(12), 0, look.px(12), look.px(4)));
            QCOMPARE(column->itemAt(1)->spacerItem()->sizeHint().height(), look.px(16));
            QCOMPARE(grid->horizontalSpacing(), look.px(10));
            QCOMPARE(grid->verticalSpacing(), look.px(5));
            QCOMPARE(column->itemAt(column->count() - 1)->spacerItem()->sizeHint(), QSize(0, 0));
        }
    }

    void whoSetsItsOwnHasTheLastWord() {
        Look look;
        look.set(Theme::light(), 1);
        QWidget window;
        new ScaledLayouts(look, window);
        auto *row = new QHBoxLayout(&window);
        const auto restyle = [&look, row] {
            row->setContentsMargins(look.px(12), 0, look.px(8), 0);
        };
        restyle();
        connect(&look, &Look::changed, row, restyle);
        look.set(look.theme(), 1.5);
        QCOMPARE(row->contentsMargins(), QMargins(look.px(12), 0, look.px(8), 0));
    }

    void anotherThemeMovesNothing() {
        Look look;
        look.set(Theme::light(), 1);
        QWidget window;
        new ScaledLayouts(look, window);
        auto *row = new QHBoxLayout(&window);
        row->setContentsMargins(7, 7, 7, 7);
        look.set(Theme::dark(), 1);
        QCOMPARE(row->contentsMargins(), QMargins(7, 7, 7, 7));
    }
};

QObject *makeTestScaledLayouts() {
    return new TestScaledLayouts;
}

#include "tst_scaled_layouts.moc"
