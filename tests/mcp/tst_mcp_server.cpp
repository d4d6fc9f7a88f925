// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/mcp/raw_client.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"

#include "tests/toolchain/compare_json.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/process/processes_below.h"
#include "toolchain/workspace/workspace.h"
#include "toolchain/workspace/workspace_lock.h"

#include <QDir>
#include <QDirIterator>
#include <QTest>

using namespace warpwright;

/// `wright mcp` as a process, by clients that are processes or know only lines.
class TestMcpServer : public QObject {
    Q_OBJECT

private:
    struct World {
        Scratch scratch;
        World() {
            const QString base = sourceFolder("/tests/data/workspaces/base");
            QDirIterator files(base, QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext())
                if (const QString path = files.next(); !path.endsWith("gate.cpp"))
                    scratch.write("kernels/one/" + QDir(base).relativeFilePath(path), textOf(path));
            scratch.write("kernels/one/kernels/gate.cpp",
                          textOf(base + "/kernels/gate.cpp") +
                              "// fake judge: times=200,220,150\n// first\n// second\n");
            scratch.writeModel("kernels/deeper/two");
            scratch.writeModel("outside");
            QFile::link(scratch.path("outside"), scratch.path("kernels/way-out"));
        }
        [[nodiscard]] QString root() const { return scratch.path("kernels"); }
        /// The last lines of the kernel's file, which the tests change.
        [[nodiscard]] QByteArray kernel() const {
            const QByteArray text = textOf(scratch.path("kernels/one/kernels/gate.cpp"));
            return text.mid(text.indexOf("// fake judge")).replace("// fake judge: times=200,220,150\n", "");
        }
        [[nodiscard]] QString state() const {
            return Workspace::open(scratch.path("kernels/one"), scratch.folders()).value().state;
        }
    };

    static QString textIn(const Json &result) {
        return result.contains("content") ? stringIn(result["content"][0], "text") : fromJson(result.dump());
    }

    static void edit(RawClient &client, const char *was, const char *is) {
        (void)client.call("read", Json{{"workspace", "one"}, {"path", "kernels/gate.cpp"}});
        const Json edited = client.call("edit", Json{{"workspace", "one"},
                                                     {"path", "kernels/gate.cpp"},
                                                     {"edits", Json::array({{{"old", was}, {"new", is}}})}});
        QVERIFY2(edited["isError"] == Json(false), edited.dump().c_str());
    }

    static Json submit(RawClient &client) {
        return client.call("submit",
                           Json{{"workspace", "one"}, {"title", "A title"}, {"reason", "Because."}});
    }

private slots:
    void listsWorkspaces() {
        World world;
        RawClient client(world.scratch, world.root());
        client.shakeHands();
        const Json listed = client.call("list_workspaces", Json::object());
        QCOMPARE(fromJson(listed["structuredContent"]["workspaces"].dump()),
                 QString(R"([{"iteration":0,"workspace":"deeper/two"},{"iteration":0,"workspace":"one"}])"));
        const Json tools = client.ask("tools/list")["result"]["tools"];
        QCOMPARE(stringIn(tools[0], "name"), QString("list_workspaces"));
        for (const Json &tool : tools)
            if (stringIn(tool, "name") != "list_workspaces")
                QVERIFY2(tool["inputSchema"]["properties"].contains("workspace"), tool.dump().c_str());
        COMPARE_JSON(tools, client.ask("tools/list")["result"]["tools"]);
        QVERIFY(client.end());
    }

    void readsHalfACharacter() {
        World world;
        RawClient client(world.scratch, world.root());
        client.shakeHands();
        client.sendLine(
            "{\"jsonrpc\":\"2.0\",\"id\":71,\"method\":\"tools/call\",\"params\":{\"name\":\"grep\","
            "\"arguments\":{\"workspace\":\"one\",\"pattern\":\"\\ud83d\"}}}");
        const Json answered = client.answer(71);
        QVERIFY2(answered.contains("result"), answered.dump().c_str());
    }

    void stepsNotOutOfItsRoot_data() {
        QTest::addColumn<QString>("workspace");
        QTest::addColumn<QString>("words");
        QTest::newRow("up") << "../outside"
                            << "is no folder below";
        QTest::newRow("by a link") << "way-out"
                                   << "is no folder below";
        QTest::newRow("absolute") << "/etc"
                                  << "is no folder below";
        QTest::newRow("none") << "."
                              << "Say which workspace";
        QTest::newRow("no workspace") << "deeper"
                                      << "it has no model.py";
    }

    void stepsNotOutOfItsRoot() {
        QFETCH(QString, workspace);
        QFETCH(QString, words);
        World world;
        RawClient client(world.scratch, world.root());
        client.shakeHands();
        const Json answer = client.call("read", Json{{"workspace", toJson(workspace)}, {"path", "model.py"}});
        COMPARE_JSON(answer["isError"], Json(true));
        QVERIFY2(textIn(answer).contains(words), qPrintable(textIn(answer)));
    }

    void submitsIntoAWorkspace() {
        NEED_TOOL(!RawClient::python().isEmpty(), "a Python environment with torch");
        World world;
        RawClient client(world.scratch, world.root());
        client.shakeHands("2025-11-25", "claude-code");
        edit(client, "second", "second, faster");
        QCOMPARE(world.kernel(), QByteArray("// first\n// second\n")); // a copy
        const Json submitted = submit(client);
        QVERIFY2(submitted["isError"] == Json(false), submitted.dump().c_str());
        QCOMPARE(world.kernel(), QByteArray("// first\n// second, faster\n"));
        const auto history = IterationStore(world.state()).list().value();
        QCOMPARE(history.size(), std::size_t(2)); // the person's own text first
        QCOMPARE(history[0].iteration.author, (Author{AuthorKind::You, "you"}));
        QCOMPARE(history[1].iteration.author, (Author{AuthorKind::Mcp, "claude-code 1"}));
        QCOMPARE(history[1].iteration.note, QString("A title"));
        COMPARE_JSON(submitted["structuredContent"]["iteration"], Json(history[1].iteration.number));
        // With what was measured of it.
        QVERIFY2(textIn(submitted).contains("over eager: pass, reward"), qPrintable(textIn(submitted)));
        // 220 µs of eager over 200; torch.compile, at 150, is another number.
        QVERIFY2(textIn(submitted).contains("1.10"), qPrintable(textIn(submitted).left(300)));
        QVERIFY(history[1].latest && history[1].latest->verdict == Verdict::Pass);
        // And goes on from there.
        edit(client, "first", "first, too");
        QVERIFY(submit(client)["isError"] == Json(false));
        QCOMPARE(world.kernel(), QByteArray("// first, too\n// second, faster\n"));
        QVERIFY(client.end());
    }

    void writesNothingThatIsWrong() {
        NEED_TOOL(!RawClient::python().isEmpty(), "a Python environment with torch");
        World world;
        RawClient client(world.scratch, world.root());
        client.shakeHands();
        edit(client, "// second", "this is no C++");
        const Json submitted = submit(client);
        COMPARE_JSON(submitted["isError"], Json(true));
        QVERIFY2(textIn(submitted).startsWith("Not submitted, and nothing was written: build-failed"),
                 qPrintable(textIn(submitted)));
        QCOMPARE(world.kernel(), QByteArray("// first\n// second\n"));
        QVERIFY(IterationStore(world.state()).list().value().empty());
    }

    void saysWhatALoneReferenceNeeds() {
        World world;
        RawClient client(world.scratch, world.root());
        client.shakeHands();
        const Json read = client.call("read", Json{{"workspace", "deeper/two"}, {"path", "model.py"}});
        COMPARE_JSON(read["isError"], Json(true));
        QVERIFY2(textIn(read).contains("Make a workspace with wright new DIR --from FILE"),
                 qPrintable(textIn(read)));
    }

    void leavesAWorkspaceAloneThatAWindowHasOpen() {
        NEED_TOOL(!RawClient::python().isEmpty(), "a Python environment with torch");
        World world;
        RawClient client(world.scratch, world.root());
        client.shakeHands();
        edit(client, "second", "mine");
        {
            WorkspaceLock window(world.state());
            QCOMPARE(window.take(), WorkspaceLock::State::Held);
            const Json refused = submit(client);
            COMPARE_JSON(refused["isError"], Json(true));
            QVERIFY2(textIn(refused).startsWith(
                         "Not submitted, and nothing was written. This workspace is open in "),
                     qPrintable(textIn(refused)));
            QVERIFY2(textIn(refused).contains(QString::number(QCoreApplication::applicationPid())),
                     qPrintable(textIn(refused)));
            QCOMPARE(world.kernel(), QByteArray("// first\n// second\n"));
        }
        COMPARE_JSON(submit(client)["isError"], Json(false)); // closed: now it may
    }

    void sharesAWorkspaceWithAnotherServer() {
        NEED_TOOL(!RawClient::python().isEmpty(), "a Python environment with torch");
        World world;
        RawClient one(world.scratch, world.root());
        RawClient two(world.scratch, world.root());
        one.shakeHands("2025-11-25", "one");
        two.shakeHands("2025-11-25", "two");
        edit(one, "first", "first by one");
        edit(two, "second", "second by two");
        QCOMPARE(textIn(one.call("read", Json{{"workspace", "one"}, {"path", "kernels/gate.cpp"}}))
                     .contains("by two"),
                 false);
        COMPARE_JSON(submit(one)["isError"], Json(false));
        const Json late = submit(two);
        COMPARE_JSON(late["isError"], Json(true));
        QVERIFY2(
            textIn(late).contains("kernels/gate.cpp of the workspace has changed since your copy was made"),
            qPrintable(textIn(late)));
        QCOMPARE(world.kernel(), QByteArray("// first by one\n// second\n"));
        const Json opened = two.call("open_workspace", Json{{"workspace", "one"}});
        QVERIFY2(opened["isError"] == Json(false), opened.dump().c_str());
        edit(two, "second", "second by two");
        COMPARE_JSON(submit(two)["isError"], Json(false));
        QCOMPARE(world.kernel(), QByteArray("// first by one\n// second by two\n"));
        QCOMPARE(IterationStore(world.state()).list().value().size(), std::size_t(3));
        QVERIFY(one.end() && two.end());
    }

    void killsWhatItRanWhenItsInputEnds() {
        World world;
        RawClient client(world.scratch, world.root());
        client.shakeHands();
        client.send(Json{{"id", "long"},
                         {"method", "tools/call"},
                         {"params",
                          {{"name", "bash"},
                           {"arguments", {{"workspace", "one"}, {"command", "sleep 4711; echo $HOME"}}}}}});
        const auto isSleeping = [&client] {
            const auto below = processesBelow(client.processId());
            return std::any_of(below.begin(), below.end(),
                               [](const ProcessFact &fact) { return fact.name == "sleep"; });
        };
        if (!QTest::qWaitFor(isSleeping, 15'000)) {
            client.send(Json{{"id", "ping"}, {"method", "ping"}});
            QSKIP("No command runs here: there is no sandbox.");
        }
        std::vector<qint64> pids;
        for (const ProcessFact &fact : processesBelow(client.processId()))
            pids.push_back(fact.pid);
        QVERIFY(client.end());
        for (const qint64 pid : pids)
            QVERIFY(QTest::qWaitFor([pid] { return !isAlive(pid); }, 5000));
    }

    void cancelsWhatRuns() {
        World world;
        RawClient client(world.scratch, world.root());
        client.shakeHands();
        client.send(Json{
            {"id", "long"},
            {"method", "tools/call"},
            {"params", {{"name", "bash"}, {"arguments", {{"workspace", "one"}, {"command", "sleep 60"}}}}}});
        QTest::qWait(1000);
        client.send(Json{{"method", "notifications/cancelled"}, {"params", {{"requestId", "long"}}}});
        // The next one does not wait for it.
        const Json read = client.call("read", Json{{"workspace", "one"}, {"path", "kernels/gate.cpp"}});
        COMPARE_JSON(read["isError"], Json(false));
        QVERIFY(client.others.empty());
    }

    /// There is one point of no return: before it nothing is written, behind it the answer says that it was.
    void cancelsASubmissionUntilItIsWritten_data() {
        QTest::addColumn<QString>("when");
        QTest::addColumn<bool>("isWritten");
        QTest::newRow("while it is measured") << "submit: compile" << false;
        QTest::newRow("while it is written") << "submit: writes it" << true;
    }

    void cancelsASubmissionUntilItIsWritten() {
        NEED_TOOL(!RawClient::python().isEmpty(), "a Python environment with torch");
        QFETCH(QString, when);
        QFETCH(bool, isWritten);
        World world;
        RawClient client(world.scratch, world.root());
        client.shakeHands();
        edit(client, "second", "second, faster");
        client.send(Json{{"id", "submit"},
                         {"method", "tools/call"},
                         {"params",
                          {{"name", "submit"},
                           {"_meta", {{"progressToken", "p"}}},
                           {"arguments", {{"workspace", "one"}, {"title", "T"}, {"reason", "R"}}}}}});
        QVERIFY2(client.waitForProgress(when), qPrintable(when));
        client.send(Json{{"method", "notifications/cancelled"}, {"params", {{"requestId", "submit"}}}});
        if (isWritten) {
            const Json answered = client.answer("submit");
            QVERIFY2(textIn(answered["result"]).startsWith("Written as iteration 2"),
                     answered.dump().c_str());
        }
        // Whatever was said, the files and the history say the same.
        const Json opened = client.call("open_workspace", Json{{"workspace", "one"}});
        COMPARE_JSON(opened["isError"], Json(false));
        QCOMPARE(world.kernel().contains("faster"), isWritten);
        QCOMPARE(IterationStore(world.state()).list().value().size(), std::size_t(isWritten ? 2 : 0));
        QVERIFY(client.end());
    }

    /// What was just profiled is not measured once more: the iteration has that evaluation.
    void submitsWithTheProfileThatIsThere() {
        NEED_TOOL(!RawClient::python().isEmpty(), "a Python environment with torch");
        World world;
        RawClient client(world.scratch, world.root());
        client.shakeHands();
        edit(client, "second", "second, faster");
        const Json profiled = client.call("profile", Json{{"workspace", "one"}});
        QVERIFY2(profiled["isError"] == Json(false), profiled.dump().c_str());
        const Json submitted = submit(client);
        QVERIFY2(submitted["isError"] == Json(false), submitted.dump().c_str());
        const auto history = IterationStore(world.state()).list().value();
        QVERIFY(history.back().latest.has_value());
        COMPARE_JSON(Json(toJson(history.back().latest->id)), profiled["structuredContent"]["id"]);
        QCOMPARE(history.back().evaluations.size(), 1);
    }

    void worksWithTheProtocolsOwnClient_data() {
        QTest::addColumn<QString>("mode");
        QTest::newRow("with a handshake") << "legacy";
        QTest::newRow("stateless") << "2026-07-28";
        QTest::newRow("as it likes") << "auto";
    }

    void worksWithTheProtocolsOwnClient() {
        QFETCH(QString, mode);
        World world;
        QProcess process;
        process.setProcessEnvironment(RawClient::environmentOf(world.scratch));
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(qEnvironmentVariable("WARPWRIGHT_TEST_PYTHON", QStringLiteral("python3")),
                      {sourceFolder("/tests/mcp/real_client.py"), wrightProgram(), world.root(), mode});
        QVERIFY(process.waitForFinished(60'000));
        const QByteArray said = process.readAll();
        if (process.exitCode() == 77)
            NEED_TOOL(false, "mcp 2 for the interpreter of WARPWRIGHT_TEST_PYTHON");
        QVERIFY2(process.exitCode() == 0, said.constData());
        QCOMPARE(world.kernel(), QByteArray("// first\n// second by the package\n"));
    }
};

QObject *makeTestMcpServer() {
    return new TestMcpServer;
}

#include "tst_mcp_server.moc"
