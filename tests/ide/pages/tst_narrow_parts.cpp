// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the window where there is little room: what is looked at first stays in sight.
#include "app/ide/history/iteration_delegate.h"
#include "app/ide/history/iteration_model.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/figure_table.h"
#include "app/ide/kit/run_buttons.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/menu_places.h"
#include "app/ide/layout/mode_switch.h"
#include "app/ide/layout/text_scales.h"
#include "app/ide/layout/top_bar.h"
#include "profiler_views/kernel_resources_model.h"
#include "profiler_views/opcode_mix_view.h"
#include "tests/ide/pages/page_world.h"
#include "widgets/frame/action_button.h"
#include "widgets/frame/pane.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/look/theme.h"

#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QScrollBar>
#include <QTest>

#include <array>

using namespace warpwright;

namespace {

std::vector<KernelResources> oneKernel() {
    KernelResources kernel;
    kernel.name = "swiglu_l2norm_of_long_rows(float const*, float const*, float*, float, int)";
    kernel.arch = "sm_90a";
    kernel.registers = 21;
    kernel.staticSharedBytes = 1024;
    kernel.maxThreads = 1024;
    return {kernel};
}

} // namespace

class TestNarrowParts : public QObject {
    Q_OBJECT

private slots:
    void init() { failOnOurWarnings(); }

    void theTextStepsThroughTheSizesThatTheSettingsOffer_data() {
        QTest::addColumn<double>("scale");
        QTest::addColumn<int>("steps");
        QTest::addColumn<double>("wanted");
        QTest::newRow("to 125 %") << 1.2 << 1 << 1.25;
        QTest::newRow("and on") << 1.25 << 1 << 1.3;
        QTest::newRow("down") << 1.5 << -1 << 1.4;
        QTest::newRow("from between, up") << 1.37 << 1 << 1.4;
        QTest::newRow("from between, down") << 1.37 << -1 << 1.3;
        QTest::newRow("the largest stays") << 2.0 << 1 << 2.0;
        QTest::newRow("the smallest stays") << 0.75 << -1 << 0.75;
        QTest::newRow("beyond the largest") << 2.5 << 1 << 2.0;
        QTest::newRow("several") << 1.0 << 3 << 1.25;
    }

    void theTextStepsThroughTheSizesThatTheSettingsOffer() {
        QFETCH(double, scale);
        QFETCH(int, steps);
        QTEST(steppedTextScale(scale, steps), "wanted");
    }

    void whatAKernelNeedsIsInSight_data() {
        QTest::addColumn<double>("scale");
        QTest::addColumn<int>("width");
        QTest::addColumn<bool>("scrolls");
        QTest::addColumn<int>("last"); ///< column in sight
        QTest::newRow("1600x1000") << 1.0 << 424 << false << int(KernelResourcesModel::MaxThreads);
        QTest::newRow("1280x720 at 125 %") << 1.25 << 485 << true << int(KernelResourcesModel::Occupied);
        QTest::newRow("1280x720 at 150 %") << 1.5 << 485 << true << int(KernelResourcesModel::Shared);
        QTest::newRow("900x700") << 1.0 << 330 << true << int(KernelResourcesModel::Shared);
    }

    void whatAKernelNeedsIsInSight() {
        QFETCH(double, scale);
        QFETCH(int, width);
        QFETCH(bool, scrolls);
        QFETCH(int, last);
        Look look;
        look.set(Theme::light(), scale);
        KernelResourcesModel model;
        FigureTable table(look, &model);
        table.setShape(KernelResourcesModel::Kernel, 5);
        table.setKeepsInSight(KernelResourcesModel::MaxThreads);
        table.setColumnShown(KernelResourcesModel::Stack, false); // as where no kernel has one
        model.setKernels(oneKernel());
        table.resize(width, table.sizeHint().height());
        table.show();
        QTRY_VERIFY(table.viewport()->width() > 0);
        // The name is what one points at: it is read before the numbers behind it.
        const int letters =
            QFontMetrics(look.font(TextRole::Log)).horizontalAdvance(QStringLiteral("swiglu_l2norm_"));
        QVERIFY2(table.columnWidth(KernelResourcesModel::Kernel) >= letters + look.px(16),
                 qPrintable(QString::number(table.columnWidth(KernelResourcesModel::Kernel))));
        for (int column = KernelResourcesModel::Registers; column <= last; ++column) {
            const int right = table.columnViewportPosition(column) + table.columnWidth(column);
            QVERIFY2(right <= table.viewport()->width() + 1,
                     qPrintable(QStringLiteral("column %1 ends at %2 of %3")
                                    .arg(column)
                                    .arg(right)
                                    .arg(table.viewport()->width())));
        }
        QVERIFY(table.isColumnHidden(KernelResourcesModel::Stack));
        QCOMPARE(table.horizontalScrollBar()->maximum() > 0, scrolls);
    }

    // They come after the pane was laid out, one by one.
    void theTitleYieldsToTabsThatComeLater() {
        Look look;
        Pane pane(look, QStringLiteral("edit"), QStringLiteral("Candidate"));
        pane.setContent(new QWidget);
        pane.setTitleYields();
        pane.tabs()->setOthersYield();
        showAt(pane, 1200, 300);
        for (const char *name :
             {"swiglu_norm.cu", "swiglu_norm_binding.cpp", "model_new.py", "swiglu_norm.cpp", "binding.cpp"})
            pane.tabs()->addTab(QString::fromLatin1(name));
        // Room for them alone, and not for the title as well.
        pane.resize(pane.tabs()->leastWidth() + look.px(70), 300);
        for (int tab = 0; tab < pane.tabs()->count(); ++tab)
            QTRY_COMPARE(pane.tabs()->shownText(tab), pane.tabs()->tabText(tab));
        while (pane.tabs()->count() > 1)
            pane.tabs()->removeTab(1);
        const QLabel *title = nullptr;
        for (const QLabel *label : pane.findChildren<QLabel *>())
            if (label->text() == pane.title())
                title = label;
        QVERIFY(title != nullptr);
        QTRY_VERIFY(title->isVisible()); // it has room again
    }

    // «Running» is longer than «Run», which it was when there was room.
    void theTopBarFitsAnewWhenARunBegins() {
        Look look;
        look.set(Theme::dark(), 1.5);
        Actions actions;
        TopBar bar(look, actions);
        bar.setWorkspace(QStringLiteral("softmax"), QStringLiteral("/softmax"));
        bar.setDevice(QStringLiteral("CPU"), false, {});
        bar.setSession(true);
        actions.setNoSession({});
        actions.modeReview->setChecked(true);
        for (int width = 1280; width <= 1500; width += 20) {
            bar.runButtons().setState(RunButtons::Idle);
            showAt(bar, width, 66);
            bar.runButtons().setState(RunButtons::Running);
            auto *modes = child<ModeSwitch>(bar, "modeSwitch");
            auto *run = child<ActionButton>(bar, "runButton");
            QTRY_VERIFY2(modes->width() >= modes->sizeHint().width(), qPrintable(QString::number(width)));
            QTRY_VERIFY2(run->width() >= run->sizeHint().width(), qPrintable(QString::number(width)));
        }
    }

    void theBestIsMarkedInANarrowList() {
        Look look;
        std::vector<IterationRecord> records(2);
        for (int i = 0; i < 2; ++i) {
            IterationRecord &record = records[static_cast<std::size_t>(i)];
            record.iteration.number = i + 1;
            EvaluationSummary summary;
            summary.id = QStringLiteral("20261121T20150%1.900Z-abcdef").arg(i);
            summary.verdict = Verdict::Pass;
            summary.reward = 3;
            summary.candidate = ArmTiming{50.0 - 20 * i, 49.0 - 20 * i, 51.0 - 20 * i, 1600, true};
            summary.eager = SpeedUp{2.17 + i, 2.1 + i, 2.2 + i, QStringLiteral("eager")};
            record.evaluations << summary.id;
            record.latest = summary;
        }
        IterationModel model;
        model.setTree(makeIterationTree(records));
        QCOMPARE(model.best(), 2);
        const IterationDelegate delegate(look, model, nullptr);
        std::array<int, 2> inks{};
        for (int number : {1, 2}) {
            QImage image(190, look.px(40), QImage::Format_RGB32);
            image.fill(look.color("bg.bar"));
            QPainter painter(&image);
            QStyleOptionViewItem option;
            option.rect = image.rect();
            delegate.paint(&painter, option, model.indexOf(number));
            painter.end();
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    inks[static_cast<std::size_t>(number - 1)] +=
                        image.pixel(x, y) == look.color("accent.text").rgb() ? 1 : 0;
        }
        QVERIFY2(inks[1] > inks[0] + 40, qPrintable(QStringLiteral("%1, %2").arg(inks[0]).arg(inks[1])));
    }

    // A mode's sign is not cut: the word of the one that is on goes before.
    void theModesAreWholeInANarrowBar() {
        Look look;
        look.set(Theme::light(), 1.25);
        Actions actions;
        TopBar bar(look, actions);
        bar.setWorkspace(QStringLiteral("proj"), QStringLiteral("/proj"));
        bar.setDevice(QStringLiteral("CPU"), false, {});
        bar.setSession(true);
        actions.setNoSession({});
        actions.modeReview->setChecked(true);
        bar.runButtons().setState(RunButtons::Running);
        auto *modes = child<ModeSwitch>(bar, "modeSwitch");
        QVERIFY(modes->widthWhen(true, true) < modes->widthWhen(true));
        int bare = 0;
        for (int width = 1280; width >= 500; width -= 20) {
            showAt(bar, width, 55);
            bare += modes->sizeHint().width() == modes->widthWhen(true, true) ? 1 : 0;
            if (bare < 2) // until even the signs alone find no room
                QTRY_VERIFY2(modes->width() >= modes->sizeHint().width(), qPrintable(QString::number(width)));
        }
    }

    void aLowListingHasTheLineOfTheMix() {
        Look look;
        OpcodeMixView mix(look);
        OpcodeMix counted;
        counted.total = 4;
        mix.setMix(counted);
        const int whole = mix.sizeHint().height();
        mix.setBarOnly(true);
        QVERIFY(mix.sizeHint().height() <= look.px(12) && mix.sizeHint().height() < whole);
        QVERIFY(!mix.toolTip().isEmpty()); // nothing is lost
        mix.setBarOnly(false);
        QCOMPARE(mix.sizeHint().height(), whole);
    }

    void onePaneStandsAloneAndTheOthersComeBack() {
        Look look;
        std::array<Pane *, 4> panes{};
        for (Pane *&pane : panes)
            pane = new Pane(look, QStringLiteral("terminal"), QStringLiteral("Pane"), nullptr);
        FourPanes four(look, panes);
        showAt(four, 1280, 534);
        std::array<QSize, 4> before;
        for (std::size_t i = 0; i < 4; ++i)
            before[i] = panes[i]->size();
        const QByteArray state = four.saveState();
        four.showAlone(1);
        QTRY_COMPARE(panes[1]->size(), four.size());
        for (const std::size_t other : {0U, 2U, 3U})
            QVERIFY(!panes[other]->isVisible());
        QCOMPARE(four.saveState(), state); // a window that is killed now comes back with all four
        four.showAlone(3);
        QTRY_COMPARE(panes[3]->size(), four.size());
        QVERIFY(!panes[1]->isVisible());
        four.showAlone(-1);
        for (std::size_t i = 0; i < 4; ++i)
            QTRY_COMPARE(panes[i]->size(), before[i]);
    }

    // With text at 150 % a row is 36 px: 18 of them fill 720 px less the bar.
    void noMenuIsTallerThanASmallScreen() {
        const Actions actions;
        QHash<QString, QStringList> rows;
        for (const QAction *action : actions.all()) {
            const QString group = action->property("group").toString();
            const QString inside = subMenuOf(*action);
            const QString row = inside.isEmpty() ? action->objectName() : inside;
            if (!rows[group].contains(row))
                rows[group] << row;
            if (!inside.isEmpty())
                rows[group + QLatin1Char('/') + inside] << action->objectName();
        }
        for (auto menu = rows.cbegin(); menu != rows.cend(); ++menu)
            QVERIFY2(menu.value().size() <= 18, qPrintable(QStringLiteral("%1: %2").arg(
                                                    menu.key(), menu.value().join(QLatin1Char(' ')))));
        for (const char *sub : {"Edit/Changes", "View/Panes", "Profile/Pages", "Agent/Lesson"})
            QVERIFY2(rows.value(QLatin1String(sub)).size() >= 3, sub);
        QCOMPARE(rows.value(QStringLiteral("Help")),
                 QStringList({"words", "keyboardShortcuts", "judgePromises", "about"}));
    }
};

QObject *makeTestNarrowParts() {
    return new TestNarrowParts;
}
#include "tst_narrow_parts.moc"
