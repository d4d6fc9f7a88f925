// SPDX-License-Identifier: GPL-3.0-or-later
// Other values of a candidate's configs: asked for by an action, shown on a page of their own.
#include "app/ide/kit/actions.h"
#include "app/ide/measured/profile_panel.h"
#include "profiler_views/sweep_view.h"
#include "tests/gui/window_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "widgets/editor/code_editor.h"
#include "widgets/frame/action_button.h"
#include "widgets/frame/tab_strip.h"

#include <QAction>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

const QString found = QStringLiteral(
    "times=70.5,220,150 sweep=CONFIG_1:70.5,61.2,96.4,188;CONFIG_2:61.3,61.1;CONFIG_3:61.3,57.9,-,-");

/// Three kernels' configs, in the words of the playbook.
QByteArray withConfigs(QByteArray model) {
    return model.replace(
        "    def __init__",
        "    CONFIG_1 = 0  # Which variant of the kernel on a GPU: see launchRowSums.\n"
        "    CONFIG_2 = 0  # Which variant of the kernel on a GPU: see launchMatrixProduct.\n"
        "    CONFIG_3 = 0\n"
        "    CHOICES = {\"CONFIG_1\": 4, \"CONFIG_2\": 2, \"CONFIG_3\": 4}\n\n"
        "    def __init__");
}

void writeConfigs(const WindowWorld &world) {
    const QString file = world.folder + QStringLiteral("/model_new.py");
    world.cli.write(file, withConfigs(bytesOf(file)));
}

SweepView *view(const WindowWorld &world) {
    return world.find<SweepView>("sweepView");
}

/// As where there is a GPU: the judge of these tests has none, and answers all the same.
bool checksConfigs(const WindowWorld &world) {
    QAction *action = world.window->actions().sweepConfigs;
    QSignalSpy checked(&world.window->bench(), &Workbench::checked);
    Actions::setReason(action, {});
    action->trigger();
    return checked.wait(60000) &&
           QTest::qWaitFor([&] { return world.window->bench().shown().evaluation.has_value(); }, 5000);
}

} // namespace

class TestConfigSweep : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void triesEveryConfigAndShowsIt() {
        WindowWorld world(QStringLiteral("base"), found);
        writeConfigs(world);
        QVERIFY(world.open(world.folder));
        QVERIFY(view(world)->isEmpty());
        QVERIFY(view(world)->summary().contains("What other values of CONFIG would take appears here"));
        // A check that nobody asked for it finds nothing of the kind.
        QVERIFY(world.check());
        QVERIFY(view(world)->isEmpty());

        QVERIFY(checksConfigs(world));
        QTRY_VERIFY(!view(world)->isEmpty());
        QVERIFY(view(world)->isVisible()); // the page was opened
        const QString summary = view(world)->summary();
        for (const char *word :
             {"CONFIG_1 of launchRowSums: 0 takes 70.50 µs (in the text), 1 takes 61.20 µs (quickest)",
              "CONFIG_2 of launchMatrixProduct: 0 takes 61.30 µs (in the text), 1 takes 61.10 µs.",
              "2 (not tried)", "CONFIG_1 = 1, CONFIG_3 = 1: together", "Ended early: its seconds were over"})
            QVERIFY2(summary.contains(QString::fromUtf8(word)), qPrintable(summary));
        QCOMPARE(view(world)->model().rowCount(), 10);
        QCOMPARE(world.word(), QString("Pass"));
        // The text is the same: one iteration, and its newest evaluation is shown after a restart, too.
        QCOMPARE(world.window->bench().iterations().size(), std::size_t(1));
        world.reopen();
        QVERIFY(world.open(world.folder));
        QTRY_VERIFY(view(world)->summary().contains("in the text"));
        // Another text: the numbers are of the one before.
        CodeEditor *editor = world.editor("kernels/gate.cpp");
        editor->setCursorPosition(0, 0);
        QTest::keyClicks(editor, "//");
        QTRY_VERIFY(view(world)->isStale());
    }

    // Of the same text a check runs already, but it tries no configs: it is asked for once more.
    void isNotAnsweredByACheckWithoutIt() {
        WindowWorld world(QStringLiteral("base"), found + QStringLiteral(" slow=profile:1"));
        writeConfigs(world);
        QVERIFY(world.open(world.folder));
        Workbench &bench = world.window->bench();
        world.window->actions().check->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(bench.progressNow().stage, QStringLiteral("profile"), 60000);
        QVERIFY(checksConfigs(world));
        QTRY_VERIFY_WITH_TIMEOUT(!bench.isRunning(), 30000);
        QTRY_VERIFY(!view(world)->isEmpty());
    }

    // Minutes of work are not thrown away for it.
    void doesNotStopACertifyRunOfTheSameText() {
        WindowWorld world(QStringLiteral("base"), found + QStringLiteral(" slow=profile:3"));
        writeConfigs(world);
        QVERIFY(world.open(world.folder));
        Workbench &bench = world.window->bench();
        QSignalSpy checked(&bench, &Workbench::checked);
        QSignalSpy noticed(&bench, &Workbench::noticed);
        world.window->actions().certify->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(bench.progressNow().stage, QStringLiteral("profile"), 60000);
        QAction *action = world.window->actions().sweepConfigs;
        Actions::setReason(action, {});
        action->trigger();
        QTRY_COMPARE(noticed.count(), 1);
        QVERIFY(noticed[0][1].toString().contains("when it has ended"));
        QVERIFY(checked.wait(60000));
        QCOMPARE(checked[0][0].value<Evaluation>().tier, Tier::Certify);
        QTRY_VERIFY(!bench.isRunning());
        QCOMPARE(checked.count(), 1);
    }

    void needsAGpuAndSaysSo() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        const QAction *action = world.window->actions().sweepConfigs;
        QVERIFY(action->toolTip().contains("needs a GPU"));
        QTRY_VERIFY(action->property("whyDisabled").toString().contains("needs a GPU"));
        QVERIFY(!action->isEnabled());
        QVERIFY(world.window->actions().check->isEnabled());
        QVERIFY(world.window->showPane(QStringLiteral("configs")));
        const auto *button = view(world)->findChild<ActionButton *>();
        QVERIFY(button != nullptr && !button->isEnabled());
        QCOMPARE(button->text(), QString("Check and try every config"));
        QVERIFY2(button->toolTip().startsWith("Check and try every config: it needs a GPU, and "),
                 qPrintable(button->toolTip()));
        Actions::setReason(world.window->actions().sweepConfigs, {});
        QVERIFY2(button->toolTip().endsWith("names; needs a GPU"), qPrintable(button->toolTip()));
        // What has no tip of its own is called by its name, as before.
        QCOMPARE(world.find<ActionButton>("checkButton")->toolTip(), QString("Check (F5)"));
        // Another reason goes before: there is nothing to be checked.
        world.window->bench().close();
        QTRY_VERIFY(action->property("whyDisabled").toString().contains("no workspace"));
    }

    void saysThatThereIsNothingToTry() {
        WindowWorld world(QStringLiteral("base"), found);
        QVERIFY(world.open(world.folder));
        QVERIFY(world.check());
        QTRY_VERIFY2(view(world)->summary().startsWith("This candidate names no configs"),
                     qPrintable(view(world)->summary()));
        QVERIFY(view(world)->summary().contains("CHOICES"));
    }

    void isSeen() {
        const QString pictures = qEnvironmentVariable("WARPWRIGHT_PICTURES");
        if (pictures.isEmpty())
            QSKIP("WARPWRIGHT_PICTURES names no folder");
        WindowWorld world(QStringLiteral("base"), found);
        writeConfigs(world);
        QVERIFY(world.open(world.folder));
        QVERIFY(world.window->showPane(QStringLiteral("configs")));
        const auto keep = [&](const char *name, const char *theme) {
            QTest::qWait(700);
            QVERIFY(
                world.window->grab().save(QStringLiteral("%1/configs-%2-%3.png").arg(pictures, name, theme)));
        };
        for (const char *theme : {"dark", "light"}) {
            world.useTheme(theme);
            keep("empty", theme);
        }
        QVERIFY(checksConfigs(world));
        QTRY_VERIFY(!view(world)->isEmpty());
        for (const char *theme : {"dark", "light"}) {
            world.useTheme(theme);
            keep("found", theme);
        }
        world.window->resize(1280, 720);
        keep("small", "light");
        world.window->resize(1600, 1000);
        QVERIFY(world.window->showPane(QStringLiteral("profile")));
        keep("large", "light");
    }
};

QObject *makeTestConfigSweep() {
    return new TestConfigSweep;
}

#include "tst_config_sweep.moc"
