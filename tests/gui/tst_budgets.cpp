// SPDX-License-Identifier: GPL-3.0-or-later
// What a run may use: set while it runs, before it begins, and before it goes on.
#include "app/ide/agent/budget_editor.h"
#include "tests/gui/model_world.h"
#include "tests/toolchain/run_test_classes.h"

#include <QLabel>
#include <QLineEdit>
#include <QTest>

using namespace warpwright;

class TestBudgets : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void budgetsAreSetBelowTheirMeters() {
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        world.trigger(world.actions().budgets);
        auto *editor = world.window.find<BudgetEditor>("budgetEditor");
        QVERIFY(editor->isVisible());
        auto *iterations = world.window.find<QLineEdit>("budgetIterations");
        iterations->setText(QStringLiteral("many"));
        QTest::keyClick(iterations, Qt::Key_Return);
        QVERIFY(editor->isVisible());
        takePictures(world.window, "budgets");
        QVERIFY(world.window.find<QLabel>("budgetProblem")->text().contains("\"many\" is no budget"));
        iterations->setText(QStringLiteral("12"));
        world.window.find<QLineEdit>("budgetTokens")->setText(QStringLiteral("1.5M"));
        QTest::keyClick(iterations, Qt::Key_Return);
        QVERIFY(!editor->isVisible());
        QCOMPARE(world.session()->budgets().iterations, std::optional(12));
        QCOMPARE(world.session()->budgets().tokens, std::optional<qint64>(1500000));
        QVERIFY(!world.session()->budgets().minutes);
        world.trigger(world.actions().budgets);
        QCOMPARE(iterations->text(), QStringLiteral("12"));
        iterations->clear();
        QTest::keyClick(iterations, Qt::Key_Escape);
        QVERIFY(!editor->isVisible());
        QCOMPARE(world.session()->budgets().iterations, std::optional(12));
        QVERIFY(world.stop());
    }

    // Before a run, and for one that was left: what is set then is what it begins or goes on with.
    void budgetsAreSetBeforeARunAndBeforeItGoesOn() {
        ReviewWorld world;
        QVERIFY(!world.actions().budgets->isEnabled());
        QVERIFY(world.window.open(world.window.folder));
        QTRY_VERIFY(world.actions().budgets->isEnabled());
        const auto set = [&world](const char *field, const QString &text, const char *title) {
            world.window.window->resize(1280, 720); // as in the picture
            world.trigger(world.actions().budgets);
            auto *editor = world.window.find<BudgetEditor>("budgetEditor");
            QVERIFY(editor->isVisible());
            QVERIFY2(editor->accessibleName().contains(QLatin1String(title)),
                     qPrintable(editor->accessibleName()));
            takePictures(world.window, "budgets-before");
            world.window.find<QLineEdit>(field)->setText(text);
            QTest::keyClick(world.window.find<QLineEdit>(field), Qt::Key_Return);
            QVERIFY(!editor->isVisible());
        };
        set("budgetTokens", QStringLiteral("2M"), "next runs");
        world.window.reopen(); // it is kept
        QVERIFY(world.window.open(world.window.folder));
        RunBudgets budgets;
        budgets.tokens = 2'000'000;
        QCOMPARE(world.agent().nextBudgets(), budgets);
        world.agent().begin({AuthorKind::Script, {}}, world.script, SessionMode::Review,
                            world.agent().nextBudgets());
        QVERIFY(world.waitsForReview());
        QCOMPARE(world.session()->budgets(), budgets);
        QVERIFY(world.stop());
        QTRY_VERIFY_WITH_TIMEOUT(world.actions().continueRun->isEnabled(), 30000);
        set("budgetIterations", QStringLiteral("30"), "was left");
        world.trigger(world.actions().continueRun);
        QVERIFY(world.waitsForReview());
        budgets.iterations = 30;
        QCOMPARE(world.session()->budgets(), budgets);
        // It is in the record, too: another window finds it there.
        QVERIFY(world.stop());
        world.window.reopen();
        QVERIFY(world.window.open(world.window.folder));
        QTRY_VERIFY_WITH_TIMEOUT(world.actions().continueRun->isEnabled(), 30000);
        world.trigger(world.actions().continueRun);
        QVERIFY(world.waitsForReview());
        QCOMPARE(world.session()->budgets(), budgets);
        QVERIFY(world.stop());
    }

    // With all that it learned it is not over: with more of what is used up it goes on.
    void aRunThatUsedUpItsBudgetGoesOnWithMore() {
        ReviewWorld world(3);
        QVERIFY(world.window.open(world.window.folder));
        RunBudgets one;
        one.iterations = 1;
        world.agent().begin({AuthorKind::Script, {}}, world.script, SessionMode::Auto, one);
        QTRY_VERIFY_WITH_TIMEOUT(world.agent().isRunning(), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 90000);
        QTRY_VERIFY_WITH_TIMEOUT(world.actions().continueRun->isEnabled(), 30000);
        world.trigger(world.actions().continueRun);
        auto *iterations = world.window.find<QLineEdit>("budgetIterations");
        QTRY_VERIFY(iterations->isVisible());
        QVERIFY(world.window.find<QLabel>("budgetRemark")->text().contains(QStringLiteral("used up")));
        QTest::keyClick(iterations, Qt::Key_Return); // as many are used already
        QVERIFY(iterations->isVisible());
        iterations->setText(QStringLiteral("2"));
        QTest::keyClick(iterations, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(world.agent().isRunning(), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 90000);
        QVERIFY2(world.said().contains(QStringLiteral("2 of 2")), qPrintable(world.said()));
    }

    void budgetsAreChecked() {
        RunMeter meter;
        meter.iterations = 3;
        const auto of = [&meter](const char *iterations, const char *minutes, const char *tokens,
                                 const char *cost) {
            return budgetsFromTexts({QString::fromUtf8(iterations), QString::fromUtf8(minutes),
                                     QString::fromUtf8(tokens), QString::fromUtf8(cost)},
                                    meter);
        };
        QCOMPARE(of("", " ", "", "").value(), RunBudgets());
        const RunBudgets all = of("4", "0.5", "350k", "$ 1.25").value();
        QCOMPARE(all, (RunBudgets{4, 0.5, 350000, 1.25}));
        const std::array<QString, 4> texts = budgetTexts(all);
        QCOMPARE(budgetsFromTexts(texts, meter).value(), all);
        for (const char *wrong : {"0", "-1", "2.5", "x", "1e99", "nan", "inf"})
            QVERIFY2(of(wrong, "", "", "").message().startsWith("Iterations: "), wrong);
        QVERIFY(of("3", "", "", "").message().contains("used already"));
        QVERIFY(of("", "-1", "", "").message().startsWith("Minutes: "));
        QVERIFY(of("", "", "1.5", "").message().startsWith("Tokens: "));
        QVERIFY(of("", "", "", "free").message().startsWith("Cost: "));
    }
};

QObject *makeTestBudgets() {
    return new TestBudgets;
}
#include "tst_budgets.moc"
