// SPDX-License-Identifier: GPL-3.0-or-later
// Other programs' agents as a person sets them up, and their runs in the window.
#include "agent/acp/acp_profiles.h"
#include "app/ide/agent/agent_event_model.h"
#include "app/ide/agent/prompt_card.h"
#include "app/ide/settings/agents_table.h"
#include "app/ide/settings/profile_row.h"
#include "tests/gui/model_world.h"
#include "tests/gui/profiles_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"

#include <QAbstractButton>
#include <QLabel>
#include <QProcess>
#include <QTest>

using namespace warpwright;

namespace {

constexpr const char *file = "config/warpwright/agents.json";
constexpr const char *judged = "// fake judge: times={},220,150";

/// A window, and an agent by rules whose lines say what the judge is to measure.
struct AgentsWorld : ProfilesWorld {
    AgentsWorld() : ProfilesWorld("agentsTable", "agent") {}

    [[nodiscard]] QByteArray stored() const { return bytesOf(window.cli.path(QString::fromLatin1(file))); }
    [[nodiscard]] static AcpProfile rules(const QStringList &switches = {}) {
        return {QStringLiteral("rules"),
                QStringLiteral("python3"),
                QStringList{sourceFolder("/tests/tools/acp_agent/acp_agent.py"), QStringLiteral("--file"),
                            QString::fromLatin1(kernelFile), QStringLiteral("--line"),
                            QString::fromLatin1(judged), QStringLiteral("--start"), QStringLiteral("100"),
                            QStringLiteral("--insert")} +
                    switches,
                {},
                Json::object()};
    }
    [[nodiscard]] bool setUp(const AcpProfile &profile) const {
        const auto put = [&](AcpProfiles &agents) {
            agents.put(profile);
        };
        return AcpProfiles::change(window.cli.path(QString::fromLatin1(file)), put).hasValue();
    }
    /// Its run, in the open workspace.
    [[nodiscard]] bool beginAgent(const AcpProfile &profile, SessionMode mode,
                                  const RunBudgets &budgets = {}) {
        if (!setUp(profile) || !window.open(window.folder))
            return false;
        agent().begin({AuthorKind::Acp, profile.name}, {}, mode, budgets);
        return QTest::qWaitFor([this] { return agent().isRunning(); }, 10'000);
    }
    [[nodiscard]] PromptCard &card() const { return *window.find<PromptCard>("promptCard"); }
    [[nodiscard]] bool isAsked(const QString &words) const {
        return QTest::qWaitFor(
            [&] {
                return card().isVisible() && window.find<QLabel>("promptQuestion")->text().contains(words);
            },
            60'000);
    }
    void answer(const char *option) const {
        QTest::qWait(PromptCard::settleMs + 20);
        QTest::mouseClick(
            card().findChild<QAbstractButton *>(QStringLiteral("promptAnswer-") + QLatin1String(option)),
            Qt::LeftButton);
    }
    /// Where no sandbox stands the agent asks for that first.
    void allowWithoutSandbox() const {
        if (QTest::qWaitFor([this] { return card().isVisible() || !session() || session()->review(); },
                            60'000) &&
            card().isVisible() && window.find<QLabel>("promptQuestion")->text().contains("sandbox"))
            answer("Run it without a sandbox");
    }
};

} // namespace

class TestAgents : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void oneIsSetUpTriedChangedAndRemoved() {
        AgentsWorld world;
        world.window.window->showSettings(QStringLiteral("Agents"));
        QTRY_VERIFY(world.table().isVisible());
        world.table().findChild<QAction *>(QStringLiteral("add-other"))->trigger();
        QVERIFY(world.form() != nullptr);
        world.press(world.form(), "saveForm");
        QVERIFY2(world.formSays(QStringLiteral("This is no agent yet")), "nothing is said");
        QVERIFY(world.stored().isEmpty());
        world.type("agentName", QStringLiteral("rules"));
        world.type("agentCommand", QStringLiteral("python3"));
        world.type("agentArguments", sourceFolder("/tests/tools/acp_agent/acp_agent.py"));
        takePictures(world.window, "agents-new");
        world.press(world.form(), "saveForm");
        QTRY_VERIFY(world.row(QStringLiteral("rules")) != nullptr);
        QVERIFY2(world.stored().contains("acp_agent.py"), world.stored());
        QTRY_VERIFY(world.window.toasts().contains(QStringLiteral("rules is set up")));
        QCOMPARE(world.actions().tuneAgents().front()->text(), QStringLiteral("Let rules tune"));
        const QString works = world.trial(QStringLiteral("rules"));
        QVERIFY2(works.startsWith(QStringLiteral("Rules 1.2 answers and opens a session.")),
                 qPrintable(works));

        world.press(world.row(QStringLiteral("rules")), "changeProfile");
        world.type("agentName", QStringLiteral("by-rules"));
        world.press(world.form(), "saveForm");
        QTRY_VERIFY(world.row(QStringLiteral("by-rules")) != nullptr);
        QVERIFY(world.row(QStringLiteral("rules")) == nullptr);
        QCOMPARE(world.actions().tuneAgents().front()->text(), QStringLiteral("Let by-rules tune"));

        world.press(world.row(QStringLiteral("by-rules")), "removeProfile");
        QTRY_VERIFY(world.row(QStringLiteral("by-rules")) == nullptr);
        QTRY_VERIFY(world.window.toasts().contains(QStringLiteral("by-rules removed")));
        world.pressUndoOf(QStringLiteral("removed"));
        QTRY_VERIFY(world.row(QStringLiteral("by-rules")) != nullptr);
        QVERIFY(world.stored().contains("by-rules"));
    }

    // Those that are known are offered: as they are where their command is there, else with what installs it.
    void knownOnesAreFoundOrSaidHowToInstall() {
        const QByteArray path = qgetenv("PATH");
        const auto restore = qScopeGuard([&path] { qputenv("PATH", path); });
        AgentsWorld world;
        world.window.cli.write(QStringLiteral("bin/gemini"), "#!/bin/sh\nexit 1\n");
        QFile::setPermissions(world.window.cli.path("bin/gemini"),
                              QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("PATH", world.window.cli.path("bin").toLocal8Bit() + ':' + path);
        world.window.reopen();
        world.window.window->showSettings(QStringLiteral("Agents"));
        QTRY_VERIFY(world.row(QStringLiteral("gemini")) != nullptr);
        QVERIFY(!world.row(QStringLiteral("gemini"))
                     ->findChild<QAbstractButton *>(QStringLiteral("removeProfile"))
                     ->isVisible());
        QStringList tunes;
        for (const QAction *action : world.actions().tuneAgents())
            tunes << action->text();
        QVERIFY2(tunes.contains(QStringLiteral("Let gemini tune")), qPrintable(tunes.join(u',')));
        QCOMPARE(world.table().findChild<QAction *>(QStringLiteral("add-gemini"))->text(),
                 QStringLiteral("Gemini CLI: found"));
        // It ends at once: the trial says so.
        const QString said = world.trial(QStringLiteral("gemini"));
        QVERIFY2(said.contains(QStringLiteral("gemini ended with exit code 1")), qPrintable(said));
        world.table().findChild<QAction *>(QStringLiteral("add-codex"))->trigger();
        QVERIFY(world.formSays(QStringLiteral("npm install -g @agentclientprotocol/codex-acp")));
        takePictures(world.window, "agents-known");
        world.press(world.form(), "tryForm");
        QTRY_VERIFY_WITH_TIMEOUT(world.formSays(QStringLiteral("There is no command \"codex-acp\" in PATH")),
                                 10'000);
    }

    void aTrialSaysWhatIsWrong_data() {
        QTest::addColumn<QStringList>("switches");
        QTest::addColumn<QString>("words");
        QTest::newRow("wants a person to sign in")
            << QStringList{"--sign-in"}
            << "Rules 1.2 answers, and wants you to sign in first (With a browser).";
        QTest::newRow("speaks another version") << QStringList{"--version", "7"} << "speaks version 7";
        QTest::newRow("dies") << QStringList{"--die", "session/new"} << "about to die";
        QTest::newRow("is no such agent") << QStringList{"--no-json"} << "Welcome! Type a message to begin.";
    }
    void aTrialSaysWhatIsWrong() {
        QFETCH(const QStringList, switches);
        QFETCH(const QString, words);
        AgentsWorld world;
        QVERIFY(world.setUp(AgentsWorld::rules(switches)));
        world.window.window->showSettings(QStringLiteral("Agents"));
        QTRY_VERIFY(world.row(QStringLiteral("rules")) != nullptr);
        const QString said = world.trial(QStringLiteral("rules"));
        QVERIFY2(said.contains(words), qPrintable(said));
    }

    // It asks before it edits; what it did is reviewed hunk by hunk, and it hears of the answer.
    void editsInReview() {
        AgentsWorld world;
        QVERIFY(world.beginAgent(AgentsWorld::rules({"--ask", "--think", "--plan"}), SessionMode::Review));
        world.allowWithoutSandbox();
        QVERIFY2(world.isAsked(QStringLiteral("kernels/gate.cpp")), qPrintable(world.said()));
        QCOMPARE(world.window.find<QLabel>("promptQuestion")->text(),
                 QStringLiteral("rules asks to do this: Edit kernels/gate.cpp"));
        takePictures(world.window, "acp-prompt");
        world.answer("Allow");
        QVERIFY2(world.waitsForReview(), qPrintable(world.said()));
        const Proposal first = world.session()->review()->proposal();
        QCOMPARE(first.author, (Author{AuthorKind::Acp, QStringLiteral("rules")}));
        QCOMPARE(first.title, QStringLiteral("Step 1 of my rules"));
        QVERIFY2(world.said().contains(QStringLiteral("**You answered: Allow**")), qPrintable(world.said()));
        QVERIFY(world.isMeasured());
        QTest::qWait(200);
        takePictures(world.window, "acp-review");
        world.actions().acceptAllHunks->trigger();
        QTRY_VERIFY(world.actions().run->isEnabled());
        world.actions().run->trigger();
        // The next one: refused, which is no end; asked once more it comes to an end by itself.
        QVERIFY(world.isAsked(QStringLiteral("kernels/gate.cpp")));
        QVERIFY(world.onDisk().contains("times=90"));
        world.answer("Reject");
        QVERIFY(world.isAsked(QStringLiteral("kernels/gate.cpp")));
        QVERIFY2(world.said().contains(QStringLiteral("rules: Then I will not.")), qPrintable(world.said()));
        QVERIFY(world.stop());
        QVERIFY(!world.card().isVisible());
    }

    void editsInStep() {
        AgentsWorld world;
        QVERIFY(world.beginAgent(AgentsWorld::rules(), SessionMode::Step));
        world.allowWithoutSandbox();
        QVERIFY2(world.waitFor(SessionState::Scored), qPrintable(world.said()));
        QVERIFY(world.onDisk().contains("times=90"));
        QTest::qWait(200);
        takePictures(world.window, "acp-step");
        world.actions().keepStep->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(world.onDisk().contains("times=80"), 60'000);
        QVERIFY2(world.waitFor(SessionState::Scored), qPrintable(world.said()));
        world.actions().undoStep->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!world.onDisk().contains("times=80"), 60'000);
        QVERIFY(world.stop());
        QVERIFY(world.onDisk().contains("times=90"));
    }

    // Until it has nothing more; then the run ends by itself.
    void editsInAuto() {
        AgentsWorld world;
        QVERIFY(world.beginAgent(AgentsWorld::rules({"--steps", "3"}), SessionMode::Auto));
        world.allowWithoutSandbox();
        QTRY_VERIFY_WITH_TIMEOUT(world.onDisk().contains("times=90"), 60'000);
        takePictures(world.window, "acp-auto");
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 120'000);
        QVERIFY2(world.onDisk().contains("times=70"), qPrintable(world.said()));
        QVERIFY2(world.said().contains(QStringLiteral("there is nothing more in my rules")),
                 qPrintable(world.said()));
        takePictures(world.window, "acp-auto-ended");
    }

    // One that is made of the protocol's own package, whose checks our messages have to pass.
    void theProtocolsOwnPackageEdits_data() {
        QTest::addColumn<SessionMode>("mode");
        QTest::newRow("Review") << SessionMode::Review;
        QTest::newRow("Step") << SessionMode::Step;
        QTest::newRow("Auto") << SessionMode::Auto;
    }
    void theProtocolsOwnPackageEdits() {
        QFETCH(const SessionMode, mode);
        const QString python = qEnvironmentVariable("WARPWRIGHT_TEST_PYTHON", QStringLiteral("python3"));
        if (QProcess::execute(python, {QStringLiteral("-c"), QStringLiteral("import acp")}) != 0)
            QSKIP("agent-client-protocol is not installed for the interpreter of WARPWRIGHT_TEST_PYTHON.");
        AgentsWorld world;
        const AcpProfile sdk{QStringLiteral("sdk"),
                             python,
                             {sourceFolder("/tests/acp/sdk_agent.py"), QString::fromLatin1(kernelOf()),
                              QStringLiteral("#include <cmath>\n"),
                              QStringLiteral("#include <cmath>\n// fake judge: times=80,220,150\n")},
                             {},
                             Json::object()};
        RunBudgets budgets;
        budgets.iterations = 1;
        QVERIFY(world.beginAgent(sdk, mode, budgets));
        world.allowWithoutSandbox();
        QVERIFY2(world.isAsked(QStringLiteral("kernels/gate.cpp")), qPrintable(world.said()));
        world.answer("Allow");
        if (mode == SessionMode::Review) {
            QVERIFY2(world.waitsForReview(), qPrintable(world.said()));
            QCOMPARE(world.session()->review()->proposal().title, QStringLiteral("Changed by the package"));
            world.actions().acceptAllHunks->trigger();
            QTRY_VERIFY(world.actions().run->isEnabled());
            world.actions().run->trigger();
        } else if (mode == SessionMode::Step) {
            QVERIFY2(world.waitFor(SessionState::Scored), qPrintable(world.said()));
            world.actions().keepStep->trigger();
        }
        QTRY_VERIFY_WITH_TIMEOUT(world.onDisk().contains("times=80"), 120'000);
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 60'000); // its budget is used up
    }

private:
    static const char *kernelOf() { return ScriptWorld::kernelFile; }
};

QObject *makeTestAgents() {
    return new TestAgents;
}
#include "tst_agents.moc"
