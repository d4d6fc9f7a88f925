// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/mcp/mcp_server.h"
#include "tests/toolchain/compare_json.h"

#include <QTest>
#include <QTimer>

using namespace warpwright;

namespace {

/// Tools by rules: «slow» tells how far it is and ends when it is told to, «wrong» fails, «fine» is.
class RuledTools : public McpTools {
    Q_OBJECT
public:
    [[nodiscard]] const std::vector<ToolSpec> &specs() const override {
        static const std::vector<ToolSpec> all{
            {"slow", "Slow", "Takes long.", Json{{"type", "object"}}, true, false, true},
            {"wrong", "Wrong", "Fails.", Json{{"type", "object"}}, false, true, false},
            {"fine", "Fine", "Is.", Json{{"type", "object"}}, true, false, true}};
        return all;
    }
    [[nodiscard]] QString instructions() const override { return "How to."; }
    void call(const QString &id, const QString &name, const Json &arguments, const QString &client) override {
        clients << client;
        if (name == "slow") {
            slow = id;
            QTimer::singleShot(0, this, [this, id] {
                emit progress(id, "block 1", 1, 4);
                emit progress(id, "block 2", 2, 4);
                emit progress(id, "again", 1, 9);
            });
            return;
        }
        const ToolAnswer answer{name == "fine" ? ToolAnswer::Outcome::Ok : ToolAnswer::Outcome::Failed,
                                "words", arguments.value("structured", Json())};
        QTimer::singleShot(0, this, [this, id, answer] { emit ended(id, answer); });
    }
    void cancel(const QString &id) override { cancelled << id; }

    QString slow;
    QStringList cancelled;
    QStringList clients;
};

} // namespace

class TestMcpMessages : public QObject {
    Q_OBJECT

private:
    struct World {
        RuledTools tools;
        McpServer server{tools, "0.test"};
        std::vector<Json> wrote;
        World() {
            QObject::connect(&server, &McpServer::wrote, &server,
                             [this](const QByteArray &line) { wrote.push_back(parseJson(line).value()); });
        }
        void take(const QByteArray &line) { server.take(line + '\n'); }
        Json last() {
            const std::size_t before = wrote.size();
            (void)QTest::qWaitFor([&] { return wrote.size() > before; }, 200);
            return wrote.empty() ? Json() : wrote.back();
        }
    };

    static QByteArray stateless(const QByteArray &params) {
        return R"("params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
               R"("io.modelcontextprotocol/clientInfo":{"name":"later","version":"1"},)"
               R"("io.modelcontextprotocol/clientCapabilities":{},"progressToken":"t"})" +
               params + "}";
    }

private slots:
    void shakesHands_data() {
        QTest::addColumn<QByteArray>("asked");
        QTest::addColumn<QByteArray>("answered");
        QTest::newRow("newest") << QByteArray("2025-11-25") << QByteArray("2025-11-25");
        QTest::newRow("older") << QByteArray("2025-06-18") << QByteArray("2025-06-18");
        QTest::newRow("oldest") << QByteArray("2024-11-05") << QByteArray("2024-11-05");
        QTest::newRow("unknown") << QByteArray("2031-01-01") << QByteArray("2025-11-25");
    }

    void shakesHands() {
        QFETCH(QByteArray, asked);
        QFETCH(QByteArray, answered);
        World world;
        world.take(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":")" + asked +
                   R"(","capabilities":{},"clientInfo":{"name":"old","version":"1"}}})");
        const Json result = world.wrote.at(0)["result"];
        QCOMPARE(stringIn(result, "protocolVersion"), QString(answered));
        QCOMPARE(stringIn(result["serverInfo"], "name"), QString("warpwright"));
        QCOMPARE(stringIn(result, "instructions"), QString("How to."));
        QVERIFY(!result.contains("resultType"));
        world.take(R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
        world.take(R"({"jsonrpc":"2.0","id":"p","method":"ping"})");
        COMPARE_JSON(world.wrote.at(1), (Json{{"jsonrpc", "2.0"}, {"id", "p"}, {"result", Json::object()}}));
        world.take(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fine"}})");
        (void)world.last();
        QCOMPARE(world.tools.clients, QStringList{"old 1"});
    }

    void isDiscovered() {
        World world;
        world.take(R"({"jsonrpc":"2.0","id":"d","method":"server/discover",)" + stateless({}) + "}");
        const Json result = world.wrote.at(0)["result"];
        COMPARE_JSON(result["supportedVersions"], Json::array({"2026-07-28"}));
        QCOMPARE(stringIn(result, "resultType"), QString("complete"));
        QCOMPARE(stringIn(result["_meta"]["io.modelcontextprotocol/serverInfo"], "version"),
                 QString("0.test"));
        QVERIFY(result["capabilities"].contains("tools") && result.contains("ttlMs") &&
                result.contains("cacheScope"));
    }

    void refusesAVersionThatIsNotSpoken() {
        World world;
        world.take(
            R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01"}}})");
        const Json error = world.wrote.at(0)["error"];
        COMPARE_JSON(error["code"], Json(-32022));
        COMPARE_JSON(error["data"],
                     (Json{{"supported", Json::array({"2026-07-28"})}, {"requested", "2030-01-01"}}));
    }

    void listsTools() {
        World world;
        world.take(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})");
        world.take(R"({"jsonrpc":"2.0","id":2,"method":"tools/list",)" + stateless({}) + "}");
        const Json old = world.wrote.at(0)["result"];
        const Json later = world.wrote.at(1)["result"];
        COMPARE_JSON(old["tools"], later["tools"]);
        QVERIFY(!old.contains("ttlMs") && later.contains("ttlMs") &&
                stringIn(later, "cacheScope") == "public");
        const Json wrong = old["tools"][1];
        QCOMPARE(stringIn(wrong, "name"), QString("wrong"));
        COMPARE_JSON(wrong["annotations"]["readOnlyHint"], Json(false));
        COMPARE_JSON(wrong["annotations"]["destructiveHint"], Json(true));
        COMPARE_JSON(wrong["inputSchema"], (Json{{"type", "object"}}));
    }

    void calls_data() {
        QTest::addColumn<QByteArray>("params");
        QTest::addColumn<QByteArray>("result");
        QTest::newRow("fine")
            << QByteArray(R"("params":{"name":"fine","arguments":{"structured":{"a":1}}})")
            << QByteArray(
                   R"({"content":[{"text":"words","type":"text"}],"isError":false,"structuredContent":{"a":1}})");
        QTest::newRow("a list is no object")
            << QByteArray(R"("params":{"name":"fine","arguments":{"structured":[1]}})")
            << QByteArray(R"({"content":[{"text":"words","type":"text"}],"isError":false})");
        QTest::newRow("a tool that fails")
            << QByteArray(R"("params":{"name":"wrong","arguments":{}})")
            << QByteArray(R"({"content":[{"text":"words","type":"text"}],"isError":true})");
        QTest::newRow("stateless")
            << stateless(R"(,"name":"fine","arguments":{})")
            << QByteArray(
                   R"({"content":[{"text":"words","type":"text"}],"isError":false,"resultType":"complete"})");
    }

    void calls() {
        QFETCH(QByteArray, params);
        QFETCH(QByteArray, result);
        World world;
        world.take(R"({"jsonrpc":"2.0","id":1,"method":"tools/call",)" + params + "}");
        QCOMPARE(fromJson(world.last()["result"].dump()), QString(result));
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("code");
        QTest::newRow("unknown tool")
            << QByteArray(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none"}})")
            << -32602;
        QTest::newRow("arguments of another kind")
            << QByteArray(
                   R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fine","arguments":[1]}})")
            << -32602;
        QTest::newRow("no parameters")
            << QByteArray(R"({"jsonrpc":"2.0","id":1,"method":"tools/call"})") << -32602;
        QTest::newRow("parameters in a list")
            << QByteArray(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]})") << -32602;
        QTest::newRow("unknown method")
            << QByteArray(R"({"jsonrpc":"2.0","id":1,"method":"resources/list"})") << -32601;
        QTest::newRow("no JSON") << QByteArray("tools please") << -32700;
    }

    void refuses() {
        QFETCH(QByteArray, line);
        QFETCH(int, code);
        World world;
        world.take(line);
        COMPARE_JSON(world.wrote.at(0)["error"]["code"], Json(code));
        COMPARE_JSON(world.wrote.at(0)["id"], code == -32700 ? Json() : Json(1));
    }

    void tellsHowFarItIs() {
        World world;
        world.take(
            R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"slow","_meta":{"progressToken":5}}})");
        QVERIFY(QTest::qWaitFor([&world] { return world.wrote.size() == 3; }, 1000));
        COMPARE_JSON(world.wrote.at(0)["method"], Json("notifications/progress"));
        COMPARE_JSON(world.wrote.at(0)["params"],
                     (Json{{"progressToken", 5}, {"progress", 1}, {"total", 4}, {"message", "block 1"}}));
        // It has to grow, also when another step begins to count.
        COMPARE_JSON(world.wrote.at(2)["params"],
                     (Json{{"progressToken", 5}, {"progress", 3}, {"message", "again"}}));
        emit world.tools.ended(world.tools.slow, {ToolAnswer::Outcome::Ok, "there", Json()});
        COMPARE_JSON(world.wrote.at(3)["id"], Json(7));
    }

    void cancelsOneCall() {
        World world;
        world.take(R"({"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"slow"}})");
        world.take(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"other"}})");
        QVERIFY(world.tools.cancelled.isEmpty());
        world.take(
            R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a","reason":"x"}})");
        QCOMPARE(world.tools.cancelled, QStringList{world.tools.slow});
        emit world.tools.ended(world.tools.slow, {ToolAnswer::Outcome::Cancelled, "Cancelled.", Json()});
        QTest::qWait(20);
        QVERIFY(
            world.wrote.empty()); // what was cancelled gets no answer, and what asked for no progress none
    }

    void cancelsAllWhenItGoes() {
        RuledTools tools;
        {
            McpServer server(tools, "0");
            server.take(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow"}})"
                        "\n");
        }
        QCOMPARE(tools.cancelled, QStringList{tools.slow});
    }
};

QObject *makeTestMcpMessages() {
    return new TestMcpMessages;
}

#include "tst_mcp_messages.moc"
