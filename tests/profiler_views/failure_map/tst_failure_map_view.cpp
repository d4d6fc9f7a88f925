// SPDX-License-Identifier: GPL-3.0-or-later
// Where a wrong result is wrong: tiles as text, keys, the picture offscreen.
#include "profiler_views/csv_text.h"
#include "profiler_views/failure_map/failure_map_view.h"
#include "widgets/look/look.h"
#include "widgets/plot/plot.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>
#include <QtTest/qtestspontaneevent.h>

#include <cmath>
#include <functional>
#include <limits>

using namespace warpwright;

extern QString picturesFolder;

namespace {

constexpr double noNumber = std::numeric_limits<double>::quiet_NaN();

/// The error over what is allowed of one element; NaN: so is the element; at most 1: right.
using Ratio = std::function<double(const std::vector<qint64> &index)>;

/// What the judge would count of it, by blocks of `block` of the last two dimensions and singly along each.
OutputFailure failureOf(std::vector<qint64> sizes, qint64 block, const Ratio &ratioAt) {
    OutputFailure output;
    output.name = QStringLiteral("output");
    output.dtype = QStringLiteral("float32");
    output.sizes = std::move(sizes);
    output.bound = QStringLiteral("largest");
    output.allowed = 1e-6;
    output.elements = 1;
    for (std::size_t i = 0; i < output.sizes.size(); ++i) {
        output.elements *= output.sizes[i];
        FailureAxis axis;
        axis.dimensions = {static_cast<int>(i)};
        axis.size = output.sizes[i];
        axis.wrong.resize(static_cast<std::size_t>(axis.size));
        axis.nan.resize(axis.wrong.size());
        output.axes.push_back(axis);
    }
    const auto grid = [&](std::vector<std::size_t> axes, qint64 of) {
        FailureGrid made{std::move(axes), {}, {}, {}};
        std::size_t cells = 1;
        for (const std::size_t axis : made.axes) {
            made.blocks.push_back(of);
            made.counts.push_back((output.sizes[axis] + of - 1) / of);
            cells *= static_cast<std::size_t>(made.counts.back());
        }
        made.cells.resize(cells);
        output.grids.push_back(made);
    };
    const std::size_t last = output.axes.size() - 1;
    grid(last == 0 ? std::vector<std::size_t>{0} : std::vector<std::size_t>{last - 1, last}, block);
    if (last > 1)
        grid({0, 1, 2}, 8);
    for (qint64 place = 0; place < output.elements; ++place) {
        const std::vector<qint64> index = output.indexOf(place);
        const double ratio = ratioAt(index);
        if (ratio <= 1)
            continue;
        const bool isNan = std::isnan(ratio);
        ++output.wrong;
        output.nan += isNan ? 1 : 0;
        if (!isNan)
            ++output.levels[ratio <= 10 ? 0 : ratio <= 1e3 ? 1 : ratio <= 1e5 ? 2 : 3];
        for (std::size_t i = 0; i <= last; ++i) {
            ++output.axes[i].wrong[static_cast<std::size_t>(index[i])];
            output.axes[i].nan[static_cast<std::size_t>(index[i])] += isNan ? 1 : 0;
        }
        for (FailureGrid &one : output.grids) {
            qint64 cell = 0;
            for (std::size_t i = 0; i < one.axes.size(); ++i)
                cell = cell * one.counts[i] + index[one.axes[i]] / one.blocks[i];
            FailureCell &at = one.cells[static_cast<std::size_t>(cell)];
            ++at.wrong;
            at.nan += isNan ? 1 : 0;
            if (at.place < 0 || ratio > at.ratio)
                at = {at.wrong, at.nan,
                      place,    isNan ? std::numeric_limits<double>::infinity() : ratio,
                      -0.41837, isNan ? noNumber : 1.5};
        }
    }
    return output;
}

OutputFailure neverWritten() {
    OutputFailure output = failureOf({256, 512}, 8, [](const std::vector<qint64> &at) {
        return at[1] >= 384 ? noNumber : std::pow(10.0, static_cast<double>((at[0] / 8 + at[1] / 8) % 7));
    });
    output.untouched = output.nan;
    return output;
}

OutputFailure oneBatch() {
    return failureOf({8, 32, 64}, 2, [](const std::vector<qint64> &at) { return at[0] == 3 ? 40.0 : 0.0; });
}

OutputFailure scattered() {
    return failureOf({64, 64}, 1, [](const std::vector<qint64> &at) {
        return (at[0] * 37 + at[1] * 91) % 53 == 0 ? 5.0 : 0.0;
    });
}

FailureMap mapOf(std::vector<OutputFailure> outputs, int round = 1) {
    return {round, {}, std::move(outputs)};
}

} // namespace

class TestFailureMapView : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support)")); }

    void listsTheTiles() {
        FailureMapModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        model.setFailure(neverWritten(), 0, 1);
        QCOMPARE(model.picture().rows, 32);
        QCOMPARE(model.picture().columns, 64);
        QCOMPARE(FailureMapModel::levelOf(model.picture().at(0, 48)), FailureMapModel::NoNumber);
        QCOMPARE(FailureMapModel::levelOf(model.picture().at(0, 1)), FailureMapModel::To10);
        QCOMPARE(model.levelShare(FailureMapModel::NoNumber), 0.25);
        double all = 0;
        for (int level = 0; level < FailureMapModel::LevelCount; ++level)
            all += model.levelShare(static_cast<FailureMapModel::Level>(level));
        QVERIFY(std::abs(all - 1) < 1e-9);
        QCOMPARE(model.worstTile(), 48);
        QCOMPARE(model.whereText(48), QStringLiteral("rows 0 to 7, columns 384 to 391"));
        QCOMPARE(model.toolTipOf(48),
                 QStringLiteral("rows 0 to 7, columns 384 to 391\n64 of 64 elements wrong, 64 NaN\n"
                                "worst: [0, 384]\nexpected −0.41837\ngot NaN"));
        QCOMPARE(model.tileOf({9, 385}), 64 + 48);
        QCOMPARE(model.tileOf({9, 512}), -1);
        QCOMPARE(model.tileOf({9}), -1);
        const QByteArray csv = csvText(model);
        QVERIFY(csv.startsWith("tile,wrong,nan,error_over_allowed,index,expected,got\r\n"));
        QVERIFY(csv.contains("\"rows 0 to 7, columns 384 to 391\",64,64,"));
    }

    void showsTheDimensionsThatHaveForm() {
        Look look;
        FailureMapView view(look);
        view.show({mapOf({oneBatch()})});
        view.resize(700, 420);
        auto *axes = view.findChild<QComboBox *>(QStringLiteral("failureAxes"));
        QCOMPARE(axes->count(), 3);
        QCOMPARE(axes->currentText(), QStringLiteral("batches by columns"));
        QCOMPARE(view.findChild<QLabel *>(QStringLiteral("failurePattern"))->text(),
                 QStringLiteral("One batch"));
        axes->setCurrentIndex(2);
        QCOMPARE(view.failureModel().picture().rows, 16);
        QCOMPARE(view.failureModel().picture().columns, 32);
        qint64 wrong = 0;
        for (const FailureCell &cell : view.failureModel().picture().cells)
            wrong += cell.wrong;
        QCOMPARE(wrong, 32 * 64);
    }

    // Over a choice that was clicked, too: another one is made by its list or by keys.
    void theWheelScrollsThePage() {
        Look look;
        QScrollArea page;
        auto *content = new QWidget;
        content->setFixedSize(600, 4000);
        auto *view = new FailureMapView(look, content);
        OutputFailure second = oneBatch();
        second.name = QStringLiteral("output[1]");
        view->show({mapOf({oneBatch(), second})});
        view->resize(600, 420);
        page.setWidget(content);
        page.resize(640, 300);
        page.show();
        QVERIFY(QTest::qWaitForWindowActive(&page));
        for (const char *name : {"failureResult", "failureAxes"}) {
            auto *choice = view->findChild<QComboBox *>(QString::fromLatin1(name));
            choice->setCurrentIndex(0);
            choice->setFocus(Qt::MouseFocusReason);
            QVERIFY2(choice->hasFocus(), name);
            page.verticalScrollBar()->setValue(0);
            const QPointF place = choice->rect().center();
            QWheelEvent event(place, choice->mapToGlobal(place), {}, QPoint(0, -120), Qt::NoButton,
                              Qt::NoModifier, Qt::NoScrollPhase, false);
            QSpontaneKeyEvent::setSpontaneous(&event);
            qApp->notify(choice, &event);
            QVERIFY2(choice->currentIndex() == 0, name);
            QVERIFY2(page.verticalScrollBar()->value() > 0, name);
            QTest::keyClick(choice, Qt::Key_Down);
            QVERIFY2(choice->currentIndex() == 1, name);
        }
    }

    void saysNoPattern() {
        Look look;
        FailureMapView view(look);
        view.show({mapOf({scattered()})});
        QCOMPARE(view.findChild<QLabel *>(QStringLiteral("failurePattern"))->text(),
                 QStringLiteral("No pattern"));
    }

    void keysLeadFromTileToTile() {
        Look look;
        FailureMapView view(look);
        view.show({mapOf({neverWritten()})});
        view.resize(700, 420);
        static_cast<QWidget &>(view).show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QCOMPARE(view.selectedTile(), 48);
        QSignalSpy activated(&view, &FailureMapView::elementActivated);
        view.plot().setFocus();
        QTest::keyClick(&view.plot(), Qt::Key_Right);
        QCOMPARE(view.plot().currentStop(), 0);
        QTest::keyClick(&view.plot(), Qt::Key_Down);
        QCOMPARE(view.plot().currentStop(), 64);
        QTest::keyClick(&view.plot(), Qt::Key_Right);
        QTest::keyClick(&view.plot(), Qt::Key_Return);
        QCOMPARE(view.selectedTile(), 65);
        QCOMPARE(activated.size(), 1);
        QCOMPARE(activated[0][0].toString(), QStringLiteral("output"));
        QTest::keyClick(&view.plot(), Qt::Key_Up);
        QCOMPARE(view.plot().currentStop(), 1);
        QTest::keyClick(&view.plot(), Qt::Key_Up); // there is none above
        QCOMPARE(view.plot().currentStop(), 1);
    }

    void findsAnElement() {
        Look look;
        FailureMapView view(look);
        OutputFailure second = neverWritten();
        second.name = QStringLiteral("output[1]");
        view.show({mapOf({oneBatch(), second}, 2)});
        auto *result = view.findChild<QComboBox *>(QStringLiteral("failureResult"));
        QCOMPARE(result->count(), 2);
        view.selectElement(2, QStringLiteral("output[1]"), {9, 385});
        QCOMPARE(result->currentIndex(), 1);
        QCOMPARE(view.selectedTile(), 64 + 48);
        view.selectElement(1, QStringLiteral("output"), {3, 0, 0}); // no such round
        QCOMPARE(result->currentIndex(), 1);
    }

    void saysWhyThereIsNone() {
        Look look;
        FailureMapView view(look);
        QVERIFY(view.isEmpty());
        FailureMap none;
        none.reason = QStringLiteral("the device has no room for another look at the result");
        view.show({none});
        QVERIFY(view.isEmpty());
        QVERIFY(view.summary().contains(none.reason));
    }

    void drawsAtManySizes_data() {
        QTest::addColumn<bool>("isDark");
        QTest::addColumn<double>("scale");
        QTest::newRow("light") << false << 1.0;
        QTest::newRow("dark") << true << 1.0;
        QTest::newRow("dark, twice as large") << true << 2.0;
    }

    void drawsAtManySizes() {
        QFETCH(bool, isDark);
        QFETCH(double, scale);
        Look look;
        look.set(isDark ? Theme::dark() : Theme::light(), scale);
        OutputFailure row =
            failureOf({4096}, 64, [](const std::vector<qint64> &at) { return at[0] % 32 == 31 ? 1e6 : 0.0; });
        row.name = QString(300, QLatin1Char('n'));
        const std::vector<std::pair<QString, std::vector<FailureMap>>> kinds{
            {QStringLiteral("nan"), {mapOf({neverWritten()})}},
            {QStringLiteral("batch"), {mapOf({oneBatch(), row})}},
            {QStringLiteral("row"), {mapOf({row})}},
            {QStringLiteral("noise"), {mapOf({scattered()})}},
            {QStringLiteral("empty"), {}}};
        FailureMapView view(look);
        for (const QSize size : {QSize(320, 620), QSize(620, 420), QSize(1000, 520)}) {
            for (const auto &[kind, maps] : kinds) {
                view.show(maps);
                view.resize(size * scale);
                const QPixmap picture = view.grab();
                if (picturesFolder.isEmpty())
                    continue;
                QDir().mkpath(picturesFolder);
                QVERIFY(picture.save(QStringLiteral("%1/failure-map-%2-%3-%4-%5.png")
                                         .arg(picturesFolder)
                                         .arg(size.width())
                                         .arg(isDark ? QStringLiteral("dark") : QStringLiteral("light"))
                                         .arg(scale)
                                         .arg(kind)));
            }
        }
    }

    void exportsWhatItShows() {
        Look look;
        FailureMapView view(look);
        const QTemporaryDir folder;
        QVERIFY(!view.exportPng(folder.filePath(QStringLiteral("a.png"))).hasValue());
        view.show({mapOf({neverWritten()})});
        view.resize(800, 420);
        QVERIFY(view.exportPng(folder.filePath(QStringLiteral("a.png"))).hasValue());
        QVERIFY(view.exportSvg(folder.filePath(QStringLiteral("a.svg"))).hasValue());
        QVERIFY(view.exportCsv(folder.filePath(QStringLiteral("a.csv"))).hasValue());
    }
};

QObject *makeTestFailureMapView() {
    return new TestFailureMapView;
}

#include "tst_failure_map_view.moc"
