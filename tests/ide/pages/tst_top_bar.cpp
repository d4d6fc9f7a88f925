// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/shown_budgets.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/run_buttons.h"
#include "app/ide/layout/budget_meters.h"
#include "app/ide/layout/mode_switch.h"
#include "app/ide/layout/top_bar.h"
#include "tests/ide/pages/page_world.h"
#include "widgets/frame/action_button.h"

#include <QDir>
#include <QSet>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

using namespace warpwright;

class TestTopBar : public QObject {
    Q_OBJECT

private:
    static std::vector<Budget> budgets() {
        return {{Budget::Iterations, 6, 40},
                {Budget::Minutes, 52.4, 60},
                {Budget::Tokens, 350'000, 2e6},
                {Budget::Cost, 0, 5}};
    }

private slots:
    void init() { failOnOurWarnings(); }

    void budgetsHaveOneText_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<double>("used");
        QTest::addColumn<double>("limit");
        QTest::addColumn<QString>("text");
        const auto row = [](int kind, double used, double limit, const char *text) {
            QTest::newRow(text) << kind << used << limit << QString::fromUtf8(text);
        };
        row(Budget::Iterations, 6, 40, "6/40");
        row(Budget::Iterations, 6, 0, "6");
        row(Budget::Minutes, 11.9, 60, "11/60");
        row(Budget::Tokens, 0, 2e6, "0/2\u00a0M");
        row(Budget::Tokens, 350'000, 2e6, "0.35/2\u00a0M");
        row(Budget::Tokens, 1'234'567, 2e6, "1.2/2\u00a0M");
        row(Budget::Tokens, 350'000, 0, "350\u00a0k");
        row(Budget::Tokens, 900, 50'000, "0.9/50\u00a0k");
        row(Budget::Cost, 0, 5, "0.00/5");
        row(Budget::Cost, 1.234, 2.5, "1.23/2.5");
        row(Budget::Context, 81'000, 128'000, "81/128\u00a0k");
        row(Budget::Context, 350'000, 1e6, "0.35/1\u00a0M");
    }

    void budgetsHaveOneText() {
        QFETCH(int, kind);
        QFETCH(double, used);
        QFETCH(double, limit);
        const Budget budget{static_cast<Budget::Kind>(kind), used,
                            limit > 0 ? std::optional(limit) : std::nullopt};
        QTEST(budgetText(budget), "text");
        Budget unknown = budget;
        unknown.isUnknown = unknown.kind == Budget::Cost;
        if (unknown.isUnknown)
            QVERIFY(budgetText(unknown).startsWith(QStringLiteral("–")));
        Budget estimated = budget;
        estimated.isEstimated = true;
        QCOMPARE(budgetText(estimated), QStringLiteral("≈") + budgetText(budget));
    }

    void metersWarnAndOpen() {
        BudgetMeters meters(houseLook());
        meters.setBudgets(budgets(), false);
        const int rest = meters.sizeHint().width();
        auto changed = budgets();
        changed[2].used = 2e6;
        meters.setBudgets(changed, true);
        QVERIFY(meters.sizeHint().width() > rest);
        QVERIFY2(meters.accessibleName().contains(QStringLiteral("Auto stopped: tokens")),
                 qPrintable(meters.accessibleName()));
        meters.resize(meters.sizeHint());
        meters.show();
        QSignalSpy asked(&meters, &BudgetMeters::budgetsAsked);
        QTest::mouseClick(&meters, Qt::LeftButton);
        QTest::keyClick(&meters, Qt::Key_Return);
        QCOMPARE(asked.size(), 2);
        QVERIFY(!changed[0].isNear() && changed[1].isNear() && changed[2].isReached());
    }

    // Nothing is known of what was spent: that is no 0.00.
    void aCostWithoutPricesIsUnknown() {
        RunMeter meter;
        const auto cost = [&meter] {
            return budgetsOf({}, meter)[3];
        };
        QCOMPARE(budgetText(cost()), QStringLiteral("0.00")); // nothing is used yet
        meter.tokensIn = 900;
        QCOMPARE(budgetText(cost()), QStringLiteral("–"));
        BudgetMeters meters(houseLook());
        meters.setBudgets(budgetsOf({}, meter), false);
        QVERIFY2(meters.toolTip().contains(QStringLiteral("no prices")), qPrintable(meters.toolTip()));
        meter.currency = QStringLiteral("USD");
        QCOMPARE(budgetText(cost()), QStringLiteral("0.00")); // a model that costs nothing
    }

    void switchesOfTheMenuAreInSections() {
        const Actions actions;
        QHash<QString, int> inARow;
        int longest = 0;
        for (const QAction *action : actions.all()) {
            int &count = inARow[action->property("group").toString()];
            count = actions.beginsSection(action) ? 1 : count + 1;
            longest = std::max(longest, count);
        }
        QVERIFY2(longest <= 7, qPrintable(QString::number(longest)));
    }

    void theMenuBeginsAsInOtherEditors() {
        const Actions actions;
        const QStringList order = actions.menuOrder();
        QCOMPARE(order.mid(0, 4), QStringList({"Workspace", "Edit", "Code", "View"}));
        QCOMPARE(QSet<QString>(order.cbegin(), order.cend()).size(), order.size());
        for (const QAction *action : actions.all())
            QVERIFY2(order.contains(action->property("group").toString()), qPrintable(action->text()));
    }

    void modesMoveByClickArrowsAndKeys() {
        Actions actions;
        QWidget window;
        window.addActions(actions.all());
        auto *modes =
            new ModeSwitch(houseLook(), {actions.modeReview, actions.modeStep, actions.modeAuto}, &window);
        QVERIFY(!modes->isEnabled());
        actions.setNoSession({});
        actions.modeReview->setChecked(true);
        QVERIFY(modes->isEnabled());
        modes->resize(modes->sizeHint());
        showAt(window, 400, 60);
        window.activateWindow();
        QSignalSpy step(actions.modeStep, &QAction::triggered);
        QSignalSpy autos(actions.modeAuto, &QAction::triggered);
        QTest::mouseClick(modes, Qt::LeftButton, {}, {modes->width() / 2, 14});
        QCOMPARE(step.size(), 1);
        QCOMPARE(modes->accessibleName(), QStringLiteral("Mode Step: you decide once an iteration"));
        modes->setFocus(Qt::TabFocusReason);
        QTest::keyClick(modes, Qt::Key_Right);
        QCOMPARE(autos.size(), 1);
        QTest::keyClick(modes, Qt::Key_Right); // stays at the end
        QCOMPARE(autos.size(), 1);
        QTest::keyClick(modes, Qt::Key_Left);
        QVERIFY(actions.modeStep->isChecked());
        // A key that other editors have for their groups may not let an agent decide.
        QTest::keyClick(&window, Qt::Key_3, Qt::ControlModifier);
        QVERIFY(actions.modeStep->isChecked());
        QTest::keyClick(&window, Qt::Key_1, Qt::AltModifier | Qt::ShiftModifier);
        QVERIFY(actions.modeReview->isChecked());
    }

    void runSaysTheState_data() {
        QTest::addColumn<int>("state");
        QTest::addColumn<QString>("run");
        QTest::addColumn<QString>("stop");
        QTest::newRow("idle") << int(RunButtons::Idle) << "Run"
                              << "Stop";
        QTest::newRow("running") << int(RunButtons::Running) << "Running"
                                 << "Stop";
        QTest::newRow("waiting") << int(RunButtons::WaitingForYou) << "Waiting for you"
                                 << "Stop";
        QTest::newRow("paused") << int(RunButtons::Paused) << "Go on"
                                << "Stop";
        QTest::newRow("stopping") << int(RunButtons::Stopping) << "Stopping"
                                  << "Stopping";
    }

    void runSaysTheState() {
        QFETCH(int, state);
        Actions actions;
        RunButtons buttons(houseLook(), actions.run, actions.pause, actions.stop);
        buttons.setSession(true);
        buttons.setState(static_cast<RunButtons::State>(state));
        actions.run->setEnabled(false); // an action's change keeps the words
        QTEST(child<ActionButton>(buttons, "runButton")->text(), "run");
        QTEST(child<ActionButton>(buttons, "stopButton")->text(), "stop");
    }

    void isThereOnlyWithASession() {
        Actions actions;
        TopBar bar(houseLook(), actions);
        showAt(bar, 1600, 44);
        for (const char *name : {"modeSwitch", "budgetMeters", "runButton", "pauseButton"})
            QVERIFY2(!child<QWidget>(bar, name)->isVisible(), name);
        bar.setSession(true);
        for (const char *name : {"modeSwitch", "budgetMeters", "runButton", "pauseButton", "stopButton"})
            QVERIFY2(child<QWidget>(bar, name)->isVisible(), name);
    }

    // A wait is no work, and says for whom.
    void saysForWhomACheckWaits() {
        Actions actions;
        TopBar bar(houseLook(), actions);
        showAt(bar, 1600, 44);
        StageProgress now;
        now.stage = QStringLiteral("wait");
        now.step = QStringLiteral("next in line");
        DeviceHolder holder;
        holder.process = 2761;
        holder.use.what = QStringLiteral("certifies");
        holder.use.workspace = QStringLiteral("softmax");
        now.wait = DeviceWait{1, QDateTime::currentDateTimeUtc().addSecs(-43), holder};
        bar.setProgress(now, true, false);
        QStringList names;
        for (const QWidget *part : bar.findChildren<QWidget *>())
            names << part->accessibleName();
        QVERIFY2(!names.filter(QStringLiteral("Waits for the device, 0:4")).isEmpty() &&
                     !names.filter(QStringLiteral("process 2761 certifies softmax")).isEmpty(),
                 qPrintable(names.join(QLatin1Char('\n'))));
    }

    void fitsAtEachWidth() {
        const QString folder = qEnvironmentVariable("WARPWRIGHT_PICTURES");
        Actions actions;
        actions.setNoSession({});
        actions.modeReview->setChecked(true);
        actions.run->setEnabled(false);
        TopBar bar(houseLook(), actions);
        bar.setWorkspace(QStringLiteral("rms_norm_residual"), QStringLiteral("/w/rms_norm_residual"));
        bar.setDevice(QStringLiteral("H200 · cuda:0"), true, {});
        bar.setSession(true);
        bar.runButtons().setState(RunButtons::WaitingForYou);
        bar.budgets().setBudgets(budgets(), false);
        showAt(bar, 1600, 44);
        for (const int width : {1600, 1440, 1280, 1100, 900}) {
            for (const bool isDark : {true, false}) {
                houseLook().set(isDark ? Theme::dark() : Theme::light(), 1);
                bar.resize(width, 44);
                QTest::qWait(10);
                if (!folder.isEmpty()) {
                    QVERIFY(QDir().mkpath(folder));
                    QVERIFY(
                        bar.grab().save(QStringLiteral("%1/topbar-%2-%3.png")
                                            .arg(folder)
                                            .arg(width)
                                            .arg(isDark ? QStringLiteral("dark") : QStringLiteral("light"))));
                }
                for (const QWidget *part : bar.findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly))
                    QVERIFY2(!part->isVisible() || bar.rect().contains(part->geometry()),
                             qPrintable(part->objectName() + QStringLiteral(" at %1").arg(width)));
            }
        }
    }
};

QObject *makeTestTopBar() {
    return new TestTopBar;
}

#include "tst_top_bar.moc"
