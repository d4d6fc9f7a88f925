// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_profiles.h"
#include "agent/acp/acp_terminals.h"
#include "agent/acp/acp_trial.h"
#include "agent/acp/acp_versions.h"
#include "agent/acp/acp_words.h"
#include "agent/acp/known_agents.h"
#include "agent/factory/agent_by_name.h"
#include "tests/toolchain/compare_json.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/process/json_rpc.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

class TestAcpParts : public QObject {
    Q_OBJECT

private slots:
    void readsMessagesInTheirOrder() {
        JsonRpc rpc;
        QStringList told;
        connect(&rpc, &JsonRpc::notified, &rpc,
                [&told](const QString &method, const Json &) { told << method; });
        connect(&rpc, &JsonRpc::requested, &rpc,
                [&told](const Json &id, const QString &method, const Json &) {
                    told << method + QLatin1Char(' ') + fromJson(id.dump());
                });
        connect(&rpc, &JsonRpc::strayed, &rpc,
                [&told](const QByteArray &line) { told << "stray " + line.left(5); });
        const QByteArray bytes = "{\"jsonrpc\":\"2.0\",\"method\":\"first\",\"params\":{\"x\":\"" +
                                 QByteArray(400'000, 'x') +
                                 "\"}}\nhello there\n{\"method\":\"second\",\"id\":\"a\"}\r\n\n[1]\n"
                                 R"({"method":"third","id":{"no":"id"}})"
                                 "\n{\"method\":\"last\"";
        for (qsizetype at = 0; at < bytes.size(); at += 70'001)
            rpc.take(bytes.mid(at, 70'001));
        QVERIFY(QTest::qWaitFor([&told] { return told.size() == 5; }, 5000));
        QCOMPARE(told, QStringList({"first", "stray hello", "second \"a\"", "stray [1]", "stray {\"met"}));
        rpc.take("}\n");
        QCOMPARE(told.last(), QString("last"));
    }

    void givesAnswersToWhoAsked() {
        JsonRpc rpc;
        QByteArray wrote;
        connect(&rpc, &JsonRpc::wrote, &rpc, [&wrote](const QByteArray &line) { wrote += line; });
        QStringList answers;
        const auto answered = [&answers](const JsonRpcAnswer &answer) {
            answers << (answer.isError() ? QStringLiteral("%1 %2").arg(answer.code).arg(answer.message)
                                         : fromJson(answer.result.dump()));
        };
        rpc.request("one", Json::object(), answered);
        rpc.request("two", Json::object(), answered);
        QCOMPARE(wrote, QByteArray(R"({"id":0,"jsonrpc":"2.0","method":"one","params":{}})"
                                   "\n"
                                   R"({"id":1,"jsonrpc":"2.0","method":"two","params":{}})"
                                   "\n"));
        rpc.take(
            "{\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}}\n{\"id\":0,\"result\":[1]}\n{\"id\":0,"
            "\"result\":[2]}\n");
        QCOMPARE(answers, QStringList({"-32601 no", "[1]"}));
    }

    void endsALineWithoutEnd() {
        JsonRpc rpc;
        QSignalSpy broken(&rpc, &JsonRpc::broken);
        const QByteArray piece(8 * 1024 * 1024, 'x');
        for (int i = 0; i < 6; ++i)
            rpc.take(piece);
        QCOMPARE(broken.count(), 1);
        QCOMPARE(broken.front().front().toString(), QString("it sent a line of more than 32 MiB"));
    }

    void readsUpdates_data() {
        QTest::addColumn<QByteArray>("update");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *name, const char *update, AcpUpdate::Kind kind, const char *words) {
            QTest::newRow(name) << QByteArray(update) << static_cast<int>(kind) << QString(words);
        };
        row("message", R"({"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"hi"}})",
            AcpUpdate::Kind::Message, "hi");
        row("image in a message",
            R"({"sessionUpdate":"agent_message_chunk","content":{"type":"image","data":""}})",
            AcpUpdate::Kind::Message, "[image]");
        row("thought", R"({"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"hm"}})",
            AcpUpdate::Kind::Thought, "hm");
        row("tool call without status", R"({"sessionUpdate":"tool_call","toolCallId":"c","title":"Read"})",
            AcpUpdate::Kind::ToolCall, "c Read pending ");
        row("a change",
            R"({"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed","content":
            [{"type":"diff","path":"/a","oldText":null,"newText":"x"},{"type":"content","content":{"type":"text",
            "text":"ok"}}]})",
            AcpUpdate::Kind::ToolCall, "c  completed changes /a\nok");
        row("tool call without id", R"({"sessionUpdate":"tool_call","title":"Read"})", AcpUpdate::Kind::Other,
            "");
        row("what a later version adds", R"({"sessionUpdate":"state_update"})", AcpUpdate::Kind::Other, "");
        row("no object", R"([])", AcpUpdate::Kind::Other, "");
        row("wrong kinds", R"({"sessionUpdate":"plan","entries":{"content":1}})", AcpUpdate::Kind::Plan, "");
    }

    void readsUpdates() {
        QFETCH(QByteArray, update);
        QFETCH(int, kind);
        QFETCH(QString, words);
        const AcpUpdate read = acpCodecOf(1)->update(Json{{"update", parseJson(update).value()}});
        QCOMPARE(static_cast<int>(read.kind), kind);
        const QString said = read.kind == AcpUpdate::Kind::ToolCall
                                 ? QStringList{read.tool.id, read.tool.title, read.tool.status,
                                               read.tool.text.value_or(QString())}
                                       .join(QLatin1Char(' '))
                                 : read.text;
        QCOMPARE(said, words);
    }

    void speaksOneVersion() {
        QVERIFY(acpCodecOf(1) != nullptr);
        QVERIFY(acpCodecOf(2) == nullptr);
        QVERIFY(!AcpCodec::versionIn(parseJson(R"({"protocolVersion":"1"})").value()));
        QCOMPARE(AcpCodec::versionIn(parseJson(R"({"protocolVersion":0})").value()), std::optional(0));
        COMPARE_JSON(AcpCodec::greeting("0.1", true)["protocolVersion"], Json(1));
    }

    // Whoever decides reads what stands there, in the order in which it stands there.
    void asksInLettersThatCanBeSeen() {
        const Json asked{
            {"toolCall",
             {{"toolCallId", "c"},
              {"title", "Run\n\u202egnp.exe"},
              {"rawInput", {{"command", "ls\n  [1] Allow\u2028"}}},
              {"locations", Json::array({{{"path", "/a\ab"}}})}}},
            {"options",
             Json::array({{{"optionId", "x"}, {"name", "Yes\u2066 \033[2J"}, {"kind", "allow_once"}}})}};
        const AcpPermission permission = acpCodecOf(1)->permission(asked).value();
        QCOMPARE(permission.options.front().name, QString("Yes? ?[2J"));
        QCOMPARE(acpPermissionQuestion("rules", permission.tool),
                 QString("rules asks to do this: Run ?gnp.exe (/a?b)\nls\n  |   [1] Allow?"));
        const Json said{{"update",
                         {{"sessionUpdate", "agent_message_chunk"},
                          {"content", {{"type", "text"}, {"text", "a\u202eb\nc"}}}}}};
        QCOMPARE(acpCodecOf(1)->update(said).text, QString("a?b\nc"));
        QCOMPARE(acpCodecOf(1)->permission(Json{{"options", Json::array()}}).message(),
                 QString("the field \"options\" is empty: there is nothing to choose"));
    }

    void tellsWhatAnErrorSays_data() {
        QTest::addColumn<QByteArray>("data");
        QTest::addColumn<QString>("words");
        QTest::newRow("nothing") << QByteArray("null") << "";
        QTest::newRow("words") << QByteArray(R"("too late")") << "too late";
        QTest::newRow("details") << QByteArray(R"({"details":"used up","code":4})") << "used up";
        QTest::newRow("pydantic") << QByteArray(R"([{"loc":["body","cwd"],"msg":"field required"}])")
                                  << "body.cwd: field required";
        QTest::newRow("zod, inside")
            << QByteArray(R"({"issues":[{"path":["a"],"message":"no"},{"path":[],"message":"bad"}]})")
            << "a: no; bad";
        QTest::newRow("something else") << QByteArray(R"({"why":[1]})") << R"({"why":[1]})";
        QTest::newRow("many") << QByteArray("[1,2,3,4,5,6,7]") << "1; 2; 3; 4; 5; and 2 more";
    }

    void tellsWhatAnErrorSays() {
        QFETCH(QByteArray, data);
        QFETCH(QString, words);
        QCOMPARE(acpErrorDataWords(parseJson(data).value()), words);
    }

    void saysWhatATrialWaitsFor() {
        const Scratch scratch;
        AcpTrial trial({"mine", "sleep", {"60"}, {}, Json::object()}, scratch.folders(), {1500, 200});
        QSignalSpy progress(&trial, &AcpTrial::progress);
        QSignalSpy finished(&trial, &AcpTrial::finished);
        trial.start();
        QVERIFY(finished.wait(10'000));
        QCOMPARE(progress.count(), 2);
        static const QRegularExpression awaited("^mine has not answered to \"initialize\" yet; it is waited "
                                                "for until \\d\\d:\\d\\d:\\d\\d\\.$");
        QVERIFY2(awaited.match(progress.at(1).at(0).toString()).hasMatch(),
                 qPrintable(progress.at(1).at(0).toString()));
        QCOMPARE(finished.front().front().value<AcpTrialOutcome>().line,
                 QString("mine has not answered for 1 s."));
    }

    void keepsProfilesInAFile() {
        const Scratch scratch;
        const DataFolders folders = scratch.folders();
        const QString file = AcpProfiles::fileIn(folders);
        QVERIFY(AcpProfiles::load(file).value().profiles.empty());
        AcpProfile mine{"mine", "/opt/agent", {"acp", "--fast"}, {{"A", "b"}}, Json::object()};
        mine.unknown["later"] = 7;
        const auto put = [&mine](AcpProfiles &agents) {
            agents.put(mine);
        };
        QVERIFY(AcpProfiles::change(file, put).hasValue());
        QCOMPARE(acpProfileNamed("mine", folders).value(), mine);
        QCOMPARE(acpProfileNamed("gemini", folders).value().command, QString("gemini"));
        QCOMPARE(
            acpProfileNamed("none", folders).message(),
            QString(
                "There is no agent \"none\": wright agents lists those that are set up and those that are "
                "known, wright agents add sets one up."));
        scratch.write("config/agents.json", R"({"agents":[{"name":"x"}]})");
        QCOMPARE(AcpProfiles::load(file).message(),
                 QStringLiteral(
                     "Cannot read the agents \"%1\": an agent has no name or no command. Correct the file, "
                     "or remove it to start with none.")
                     .arg(file));
        QCOMPARE(whyBadProfile({"a b", "x", {}, {}, {}}),
                 QString("the name \"a b\" is not made of letters, digits, \".\", \"_\" and \"-\""));
        QCOMPARE(whyBadProfile({"a", "./x", {}, {}, {}}),
                 QString("the command \"./x\" is neither a name in PATH nor an absolute path"));
    }

    void knowsAgents() {
        QVERIFY(std::is_sorted(knownAgents().begin(), knownAgents().end(),
                               [](const KnownAgent &a, const KnownAgent &b) { return a.name < b.name; }));
        for (const KnownAgent &agent : knownAgents()) {
            QCOMPARE(whyBadProfile(agent.profile()), QString());
            QCOMPARE(installCommandOf(agent.command), agent.install);
        }
        QCOMPARE(AgentName::fromText("acp:claude-code"), (AgentName{AuthorKind::Acp, "claude-code"}));
        for (const char *none : {"acp", "acp:", "playbook:x", "you", "mcp:x", "", "Model:a"}) {
            QVERIFY2(!AgentName::fromText(none).isAgent(), none);
            QCOMPARE(AgentName::fromText(none).text(), QString(none));
        }
        QCOMPARE(AgentName::fromText("model:a:b").name, QString("a:b"));
        QCOMPARE(agentForms().join(' '), QString("acp:NAME model:NAME playbook script"));
        QCOMPARE((AgentName{AuthorKind::Acp, "codex"}.text()), QString("acp:codex"));
        QCOMPARE((AgentName{AuthorKind::Playbook, "playbook"}.text()), QString("playbook"));
    }

    void givesTitles_data() {
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("title");
        QTest::newRow("plain") << "Fuse the rows\n\nbecause"
                               << "Fuse the rows";
        QTest::newRow("marked") << "\n## **Fuse** the `rows`:\n"
                                << "Fuse** the `rows";
        QTest::newRow("nothing") << " \n"
                                 << "Changes of kernels/a.cu";
        QTest::newRow("long") << QString(300, 'x') << QString(99, 'x') + QStringLiteral("…");
    }

    void givesTitles() {
        QFETCH(QString, said);
        QFETCH(QString, title);
        QCOMPARE(acpTitle(said, {"kernels/a.cu"}), title);
    }

    void keepsTheEndOfAnOutput() {
        const Scratch scratch;
        AcpTerminals terminals({}, scratch.path());
        AcpCommand command;
        command.program = "for i in $(seq 1 3000); do printf 'ä'; done; printf END";
        command.outputBytes = 100;
        const QString id = terminals.create(command).value();
        bool hasEnded = false;
        QVERIFY(terminals.waitFor(id, [&hasEnded](const AcpCommandState &) { hasEnded = true; }));
        QVERIFY(QTest::qWaitFor([&hasEnded] { return hasEnded; }, 10'000));
        const AcpCommandState state = *terminals.state(id);
        QVERIFY(state.isTruncated && state.hasEnded);
        QCOMPARE(state.output, QString(48, QChar(0xe4)) + "END");
        command.folder = "/";
        QCOMPARE(terminals.create(command).message(),
                 QStringLiteral("Cannot run \"%1\" in \"/\": only in the work folder \"%2\".")
                     .arg(command.program, scratch.path()));
    }

    void killsACommand() {
        const Scratch scratch;
        AcpTerminals terminals({}, scratch.path());
        AcpCommand command;
        command.program = "sleep";
        command.arguments = QStringList{"60"};
        const QString id = terminals.create(command).value();
        int signal = 0;
        QVERIFY(terminals.waitFor(id, [&signal](const AcpCommandState &state) { signal = state.signal; }));
        QTest::qWait(50);
        QVERIFY(terminals.kill(id));
        QVERIFY(QTest::qWaitFor([&signal] { return signal != 0; }, 5000));
        COMPARE_JSON(acpCodecOf(1)->commandEnd(*terminals.state(id))["signal"], Json("SIGTERM"));
        QVERIFY(terminals.release(id));
        QVERIFY(!terminals.state(id));
        command.program = "no-such-program";
        const QString missing = terminals.create(command).value();
        QVERIFY(QTest::qWaitFor([&] { return terminals.state(missing)->hasEnded; }, 5000));
        QCOMPARE(terminals.state(missing)->exitCode, 127);
    }
};

QObject *makeTestAcpParts() {
    return new TestAcpParts;
}

#include "tst_acp_parts.moc"
