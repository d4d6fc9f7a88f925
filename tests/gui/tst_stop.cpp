// SPDX-License-Identifier: GPL-3.0-or-later
// Stop in each stage: said at once, and then every process is gone and everything can be used again.
#include "app/ide/kit/actions.h"
#include "tests/gui/window_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/history/iteration_store.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QDateTime>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

class TestStop : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void stopsIn_data() {
        QTest::addColumn<QString>("judge");
        QTest::addColumn<QString>("stage");
        QTest::newRow("prepare") << "times=100,220,150"
                                 << "prepare";
        QTest::newRow("compile") << "slow=open:20"
                                 << "compile";
        QTest::newRow("open") << "slow=open:20"
                              << "open";
        QTest::newRow("verify") << "slow=verify:20"
                                << "verify";
        QTest::newRow("profile") << "slow=profile:20"
                                 << "profile";
        QTest::newRow("a judge that does not hear") << "slow=verify:60 deaf"
                                                    << "verify";
    }

    void stopsIn() {
        QFETCH(QString, judge);
        QFETCH(QString, stage);
        WindowWorld world(QStringLiteral("base"), judge);
        if (stage == QLatin1String("compile")) // a text that no cache knows
            world.cli.write(world.folder + "/kernels/gate_binding.cpp",
                            bytesOf(world.folder + "/kernels/gate_binding.cpp") + "// " +
                                QByteArray::number(QDateTime::currentMSecsSinceEpoch()) + "\n");
        QVERIFY(world.open(world.folder));
        Workbench &bench = world.window->bench();
        QSignalSpy checked(&bench, &Workbench::checked);
        world.window->actions().check->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(bench.progressNow().stage == stage && bench.isRunning(), 30000);
        auto *stop = world.find<QAbstractButton>("stopButton");
        QVERIFY(stop->isEnabled());
        const auto wordsOfNewest = [list = world.find<QAbstractItemView>("iterationsList")] {
            const QAbstractItemModel *rows = list->model();
            return rows->index(rows->rowCount() - 1, 0).data().toString();
        };
        if (stage == QLatin1String("verify")) // nothing is «not run» that is just running
            QTRY_VERIFY2(wordsOfNewest().contains("its check is running"), qPrintable(wordsOfNewest()));
        QElapsedTimer clock;
        clock.start();
        QTest::mouseClick(stop, Qt::LeftButton);
        // Acknowledged before anything else happens.
        QVERIFY(bench.isStopping() || !bench.isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!bench.isRunning(), 12000);
        QVERIFY2(clock.elapsed() < 12000, QByteArray::number(clock.elapsed()));
        if (!checked.isEmpty())
            QCOMPARE(checked.last().first().value<Evaluation>().verdict, Verdict::Cancelled);
        QTRY_VERIFY(world.window->actions().check->isEnabled());
        QTRY_VERIFY2(!wordsOfNewest().contains("its check is running"), qPrintable(wordsOfNewest()));
    }

    // Opening a recording, or whatever else, must not end minutes of work unasked.
    void asksBeforeAnotherWorkspaceEndsACheck() {
        WindowWorld world(QStringLiteral("base"), QStringLiteral("slow=verify:20"));
        const QString other = world.cli.workspace(QStringLiteral("base"), QStringLiteral("other"));
        QVERIFY(world.open(world.folder));
        Workbench &bench = world.window->bench();
        const QString state = bench.workspace()->state;
        world.window->actions().check->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(bench.progressNow().stage == QLatin1String("verify") && bench.isRunning(),
                                 60000);
        const auto answer = [&world](const char *name) {
            auto *box = world.window->findChild<QMessageBox *>(QStringLiteral("leaveBox"));
            auto *button = box == nullptr ? nullptr : box->findChild<QPushButton *>(QLatin1String(name));
            if (button == nullptr)
                return false;
            button->click();
            return QTest::qWaitFor(
                [&world] {
                    return world.window->findChild<QMessageBox *>(QStringLiteral("leaveBox")) == nullptr;
                },
                5000);
        };
        world.window->openWorkspace(other);
        QVERIFY(bench.isRunning() && !bench.isStopping());
        QVERIFY(world.window->findChild<QPushButton *>(QStringLiteral("leaveBeside")) != nullptr);
        // What Enter does has its ring before the first Tab.
        const auto *box = world.window->findChild<QMessageBox *>(QStringLiteral("leaveBox"));
        QVERIFY(box->testAttribute(Qt::WA_KeyboardFocusChange));
        QCOMPARE(box->defaultButton()->objectName(), QStringLiteral("leaveStay"));
        QVERIFY(box->focusWidget() == box->defaultButton());
        QVERIFY(answer("leaveStay"));
        QVERIFY(bench.isRunning() && !bench.isStopping());
        QCOMPARE(QFileInfo(bench.workspace()->folder), QFileInfo(world.folder));
        // What is open is shown, and goes on.
        world.window->openWorkspace(world.folder);
        QVERIFY(world.window->findChild<QMessageBox *>(QStringLiteral("leaveBox")) == nullptr);
        QVERIFY(bench.isRunning() && !bench.isStopping());
        // It is closed by the same rule; only a new window is no answer then.
        world.window->actions().closeWorkspace->trigger();
        QVERIFY(world.window->findChild<QPushButton *>(QStringLiteral("leaveBeside")) == nullptr);
        QVERIFY(answer("leaveStay"));
        world.window->openWorkspace(other);
        QVERIFY(answer("leaveStop"));
        QTRY_VERIFY_WITH_TIMEOUT(
            bench.workspace() && QFileInfo(bench.workspace()->folder) == QFileInfo(other), 20000);
        QTRY_VERIFY_WITH_TIMEOUT(!bench.isRunning(), 20000);
        // What the compilers said of its text stays with the iteration.
        const auto record = [&state] {
            const auto list = IterationStore(state).list();
            return list.hasValue() && !list.value().empty() && list.value().back().latest
                       ? list.value().back().latest
                       : std::optional<EvaluationSummary>();
        };
        QTRY_VERIFY_WITH_TIMEOUT(record().has_value(), 20000);
        QCOMPARE(record()->verdict, Verdict::Cancelled);
        const auto kept = EvaluationStore(state).load(record()->id);
        QVERIFY2(kept.hasValue(), qPrintable(kept.message()));
        QCOMPARE(kept.value().compile.status, StageStatus::Passed);
    }
};

QObject *makeTestStop() {
    return new TestStop;
}

#include "tst_stop.moc"
