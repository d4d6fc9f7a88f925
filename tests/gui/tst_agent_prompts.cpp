// SPDX-License-Identifier: GPL-3.0-or-later
// An agent that asks the person something: the question waits in the pane, and nothing else does.
#include "agent/record/trajectory_reader.h"
#include "app/ide/agent/agent_event_model.h"
#include "app/ide/agent/prompt_card.h"
#include "app/ide/kit/run_buttons.h"
#include "app/ide/layout/dock.h"
#include "tests/gui/model_world.h"
#include "tests/toolchain/run_test_classes.h"

#include <QAbstractButton>
#include <QDir>
#include <QLabel>
#include <QPlainTextEdit>
#include <QTest>

using namespace warpwright;

namespace {

struct AskingWorld : ModelWorld {
    void ask(const QString &id, const QString &question,
             AgentPrompt::About about = AgentPrompt::About::Permission) const {
        emit model->prompted(
            {id,
             0,
             question,
             {QStringLiteral("Allow"), QStringLiteral("Always allow"), QStringLiteral("Reject")},
             about});
    }
    [[nodiscard]] PromptCard &card() const { return *window.find<PromptCard>("promptCard"); }
    [[nodiscard]] QString question() const {
        return card().isVisible() ? window.find<QLabel>("promptQuestion")->text() : QString();
    }
    [[nodiscard]] QAbstractButton *button(const char *option) const {
        return card().findChild<QAbstractButton *>(QStringLiteral("promptAnswer-") + QLatin1String(option));
    }
    [[nodiscard]] QString runButton() const { return window.find<QAbstractButton>("runButton")->text(); }
    /// The run's record, its kinds and what else is said there.
    [[nodiscard]] std::vector<TrajectoryEvent> recorded() const {
        const Workspace workspace = *window.window->bench().workspace();
        const QStringList runs =
            QDir(runsFolder(workspace.state)).entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
        const Result<TrajectoryReader::Page> page =
            TrajectoryReader(trajectoryFile(runsFolder(workspace.state) + '/' + runs.last())).page(0, 10'000);
        return page.hasValue() ? page.value().events : std::vector<TrajectoryEvent>();
    }
};

} // namespace

class TestAgentPrompts : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void waitsInThePaneWhileTheRestGoesOn() {
        AskingWorld world;
        QVERIFY(world.beginModel());
        QCOMPARE(world.runButton(), QStringLiteral("Running"));
        QVERIFY(!world.actions().answerAgent->isEnabled());
        auto *box = world.panel().findChild<QPlainTextEdit *>();
        box->setFocus();
        world.ask(QStringLiteral("q1"), QStringLiteral("qwen asks to do this: rm -rf *build* <b>now</b>"));
        QCOMPARE(world.question(), QStringLiteral("qwen asks to do this: rm -rf *build* <b>now</b>"));
        QCOMPARE(world.runButton(), QStringLiteral("Waiting for you"));
        QVERIFY(!world.agent().work());
        QCOMPARE(world.agent().asker(), QStringLiteral("qwen"));
        QVERIFY(
            world.window.find<QLabel>("promptRefusal")->text().contains(QStringLiteral("The run goes on")));
        // Nobody's keys were taken, and one can go on writing to it and hear it.
        QVERIFY(box->hasFocus());
        QTest::keyClicks(box, QStringLiteral("hello"));
        QCOMPARE(box->toPlainText(), QStringLiteral("hello"));
        emit world.model->messageDelta(QStringLiteral("t1"), QStringLiteral("I wait."));
        QCOMPARE(world.last().text, QStringLiteral("I wait."));
        takePictures(world.window, "prompt");
        // A press that was meant for what stood there before is no answer.
        world.ask(QStringLiteral("q2"), QStringLiteral("And this?"));
        QTest::qWait(PromptCard::settleMs + 50);
        QTest::mouseClick(world.button("Allow"), Qt::LeftButton);
        QCOMPARE(world.model->answers.size(), std::size_t{1});
        QCOMPARE(world.question(), QStringLiteral("And this?"));
        QTest::mouseClick(world.button("Allow"), Qt::LeftButton);
        QCOMPARE(world.model->answers.size(), std::size_t{1});
        // By keys alone: to the answers, to the third, and press it.
        QTest::qWait(PromptCard::settleMs + 50);
        QVERIFY(world.actions().answerAgent->isEnabled());
        QTest::keyClick(world.window.window.get(), Qt::Key_A, Qt::AltModifier);
        QTest::qWait(50); // the candidate, which wants the keys as well, has had its turn
        QVERIFY(world.button("Allow")->hasFocus());
        QTest::keyClick(world.button("Allow"), Qt::Key_Tab);
        QTest::keyClick(world.button("Always allow"), Qt::Key_Tab);
        QVERIFY(world.button("Reject")->hasFocus());
        QTest::keyClick(world.button("Reject"), Qt::Key_Space);
        QCOMPARE(world.model->answers,
                 (std::vector<std::pair<QString, QString>>{{"q1", "Allow"}, {"q2", "Reject"}}));
        QVERIFY(!world.card().isVisible());
        QCOMPARE(world.runButton(), QStringLiteral("Running"));
        // Both stand in the conversation, and in the record.
        const QString said = world.said();
        QVERIFY2(
            said.contains(QStringLiteral("rm -rf \\*build\\* \\<b\\>now\\</b\\>\n\n**You answered: Allow**")),
            qPrintable(said));
        QVERIFY2(said.contains(QStringLiteral("And this?\n\n**You answered: Reject**")), qPrintable(said));
        QStringList answers;
        for (const TrajectoryEvent &event : world.recorded())
            if (event.kind == QLatin1String("prompt-answered"))
                answers << event.text("id") + ' ' + event.text("answer") + ' ' + event.text("by");
        QCOMPARE(answers, QStringList({"q1 Allow person", "q2 Reject person"}));
        QVERIFY(world.stop());
    }

    void aStopTakesItAway() {
        AskingWorld world;
        QVERIFY(world.beginModel());
        world.ask(QStringLiteral("q1"), QStringLiteral("Run it?"), AgentPrompt::About::NoSandbox);
        QVERIFY(world.window.find<QLabel>("promptRefusal")
                    ->text()
                    .startsWith(QStringLiteral("Saying no ends the run")));
        QVERIFY(world.stop());
        QVERIFY(!world.card().isVisible());
        QCOMPARE(world.model->answers, (std::vector<std::pair<QString, QString>>{{"q1", QString()}}));
        QVERIFY2(world.said().contains(
                     QStringLiteral("Run it?\n\n**Not answered: the question was taken back.**")),
                 qPrintable(world.said()));
        QVERIFY(world.agent().asker().isEmpty());
        QVERIFY(!world.actions().answerAgent->isEnabled());
    }

    // Minutes are those in which the run works.
    void waitingForAnAnswerCostsNoMinutes() {
        AskingWorld world;
        QVERIFY(world.beginModel());
        world.ask(QStringLiteral("q1"), QStringLiteral("Run it?"));
        const double before = world.session()->meter().minutes;
        QTest::qWait(600);
        QTest::mouseClick(world.button("Allow"), Qt::LeftButton);
        QVERIFY(world.session()->meter().minutes - before < 0.2 / 60);
        QVERIFY(world.stop());
    }

    // Where the pane is folded or away, the window says that somebody waits, and one key leads there.
    void isHeardOfWhereThePaneIsFolded() {
        AskingWorld world;
        QVERIFY(world.beginModel());
        Dock *dock = world.window.find<Dock>("agentDock");
        dock->setFolded(true);
        world.ask(QStringLiteral("q1"), QStringLiteral("Run it?"));
        QVERIFY2(world.window.toasts().contains(QStringLiteral("qwen: Run it?")),
                 qPrintable(world.window.toasts()));
        takePictures(world.window, "prompt-folded", true);
        QTest::keyClick(world.window.window.get(), Qt::Key_A, Qt::AltModifier);
        QVERIFY(!dock->isFolded());
        QTRY_VERIFY(world.button("Allow")->hasFocus());
        QTest::qWait(PromptCard::settleMs);
        QTest::keyClick(world.button("Allow"), Qt::Key_Space);
        QCOMPARE(world.model->answers.size(), std::size_t{1});
        QTRY_VERIFY(!world.window.toasts().contains(QStringLiteral("Run it?")));
        QVERIFY(world.stop());
    }

    // A question of many lines is read whole, by scrolling, and its answers stay in sight.
    void aLongQuestionLeavesRoomForItsAnswers() {
        AskingWorld world;
        QVERIFY(world.beginModel());
        QString question;
        for (int line = 0; line < 200; ++line)
            question += QStringLiteral("line %1 of a long command\n").arg(line);
        world.ask(QStringLiteral("q1"), question);
        QTest::qWait(50);
        QCOMPARE(world.question(), question);
        QVERIFY(world.card().height() < 400);
        QVERIFY(world.button("Reject")->visibleRegion().boundingRect().height() > 10);
        takePictures(world.window, "prompt-long");
        QVERIFY(world.stop());
    }
};

QObject *makeTestAgentPrompts() {
    return new TestAgentPrompts;
}
#include "tst_agent_prompts.moc"
