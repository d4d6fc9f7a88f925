// SPDX-License-Identifier: GPL-3.0-or-later
// Iterations of a recording, which comes without a history, are compared by what it recorded.
#include "app/ide/compare/compare_controller.h"
#include "app/ide/compare/compare_page.h"
#include "app/ide/history/replay_controller.h"
#include "tests/gui/script_world.h"
#include "tests/toolchain/run_test_classes.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace warpwright;

namespace {

struct RecordingWorld : ScriptWorld {
    bool plays(const QString &name) const {
        actions().startPage->trigger();
        QAbstractButton *row = nullptr;
        const bool isListed = QTest::qWaitFor(
            [&] {
                row = window.window->findChild<QAbstractButton *>(QStringLiteral("recording-") + name);
                return row != nullptr;
            },
            30000);
        if (!isListed)
            return false;
        row->click();
        return QTest::qWaitFor([this] { return replay().number() == 1 && replay().records().size() > 2; },
                               60000);
    }
    [[nodiscard]] ReplayController &replay() const { return window.window->replay(); }
};

} // namespace

class TestRunComparison : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void twoIterationsOfARecordingAreCompared_data() {
        QTest::addColumn<QString>("recording");
        QTest::addColumn<bool>("hasTimes");
        QTest::newRow("with its evaluations") << QStringLiteral("gemm") << true;
        QTest::newRow("with their summaries") << QStringLiteral("playbook-pointwise-chain-cpu") << false;
    }

    void twoIterationsOfARecordingAreCompared() {
        QFETCH(QString, recording);
        QFETCH(bool, hasTimes);
        RecordingWorld world;
        QVERIFY(world.plays(recording));
        QVERIFY(!world.actions().compareSelected->isEnabled());
        auto *list = world.window.find<QAbstractItemView>("iterationsList");
        QTRY_COMPARE(list->model()->rowCount(), static_cast<int>(world.replay().records().size()));
        list->selectionModel()->select(list->model()->index(0, 0), QItemSelectionModel::ClearAndSelect);
        list->selectionModel()->select(list->model()->index(2, 0), QItemSelectionModel::Select);
        QVERIFY(world.actions().compareSelected->isEnabled());
        auto *controller = world.window.window->findChild<CompareController *>();
        QSignalSpy compared(controller, &CompareController::compared);
        QSignalSpy failed(controller, &CompareController::failed);
        world.actions().compareSelected->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!compared.isEmpty() || !failed.isEmpty(), 60000);
        QVERIFY2(failed.isEmpty(), qPrintable(failed.isEmpty() ? QString() : failed[0][0].toString()));
        const auto pair = compared[0][0].value<SharedPair>();
        // Both are what the boxes say, and what the run recorded of them.
        const auto *page = world.window.window->findChild<ComparePage *>();
        QTRY_VERIFY(page->isVisible());
        QCOMPARE(page->sides().first, pair->left.choice);
        QCOMPARE(page->sides().second, pair->right.choice);
        QVERIFY(pair->left.choice.iteration > 0 &&
                pair->right.choice.iteration > pair->left.choice.iteration);
        for (const ComparedState *side : {&pair->left, &pair->right}) {
            const IterationRecord *record = world.replay().tree()->byNumber(side->choice.iteration);
            QVERIFY(record != nullptr);
            QCOMPARE(textHashOf(side->side.texts), record->iteration.textHash);
            if (hasTimes) // else there are summaries: the verdict, and no times beside each other
                QCOMPARE(side->side.evaluation.has_value(), record->latest.has_value());
            if (side->side.evaluation)
                QCOMPARE(side->side.evaluation->verdict, record->latest->verdict);
        }
        QVERIFY(!pair->comparison.text.differing().empty());
        const auto &rows = pair->comparison.rows;
        QCOMPARE(std::any_of(rows.begin(), rows.end(),
                             [](const ComparisonRow &row) {
                                 return row.group == ComparisonRow::Group::Time && row.leftValue &&
                                        row.rightValue;
                             }),
                 hasTimes);
        // Nothing is offered that would measure another text.
        for (const MissingPart &part : pair->comparison.missing)
            QVERIFY2(part.act == MissingPart::Act::None && part.command.isEmpty(), qPrintable(part.text()));
        QTest::qWait(300);
        QVERIFY(!controller->isReadingSass());
        // It can be told as a page, and that is what the key says.
        QVERIFY(world.actions().share->isEnabled());
        QCOMPARE(world.actions().share->text(), QStringLiteral("Share this past run as a page…"));
        world.actions().backToText->trigger();
        QTRY_VERIFY(!world.replay().isOpen());
        QTRY_COMPARE(world.actions().share->text(), QStringLiteral("Share this text as a page…"));
    }
};

QObject *makeTestRunComparison() {
    return new TestRunComparison;
}

#include "tst_run_comparison.moc"
