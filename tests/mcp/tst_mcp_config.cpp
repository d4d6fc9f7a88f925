// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/mcp/client_config.h"

#include "tests/toolchain/compare_json.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/base/json.h"

#include <QProcess>
#include <QTest>

using namespace warpwright;

namespace {

const McpServerEntry &entry() {
    static const McpServerEntry one{
        "/opt/wright", {"mcp", "--root", "/k \"ernels\""}, {{"WARPWRIGHT_ENV", "/e \"nv\""}}};
    return one;
}

} // namespace

class TestMcpConfig : public QObject {
    Q_OBJECT

private:
    static int run(const Scratch &scratch, const QStringList &arguments, QString &output, QString &errors) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HOME", scratch.path());
        environment.insert("XDG_CONFIG_HOME", scratch.path("config"));
        process.setProcessEnvironment(environment);
        process.setStandardInputFile(QProcess::nullDevice());
        process.start(wrightProgram(), QStringList{"mcp", "--root", scratch.path()} + arguments);
        if (!process.waitForFinished(20'000))
            return -1;
        output = QString::fromUtf8(process.readAllStandardOutput());
        errors = QString::fromUtf8(process.readAllStandardError());
        return process.exitCode();
    }

private slots:
    void saysWhatAClientNeeds_data() {
        QTest::addColumn<QString>("client");
        QTest::addColumn<QString>("text");
        QTest::newRow("claude-code") << "claude-code"
                                     << "{\n"
                                        "  \"mcpServers\": {\n"
                                        "    \"warpwright\": {\n"
                                        "      \"type\": \"stdio\",\n"
                                        "      \"command\": \"/opt/wright\",\n"
                                        "      \"args\": [\n"
                                        "        \"mcp\",\n"
                                        "        \"--root\",\n"
                                        "        \"/k \\\"ernels\\\"\"\n"
                                        "      ],\n"
                                        "      \"env\": {\n"
                                        "        \"WARPWRIGHT_ENV\": \"/e \\\"nv\\\"\"\n"
                                        "      }\n"
                                        "    }\n"
                                        "  }\n"
                                        "}\n";
        QTest::newRow("codex")
            << "codex"
            << "[mcp_servers.warpwright]\ncommand = \"/opt/wright\"\nargs = [\"mcp\", \"--root\", \"/k "
               "\\\"ernels\\\"\"]\nenv = { WARPWRIGHT_ENV = \"/e \\\"nv\\\"\" }\n"
               "tool_timeout_sec = 1800\n";
    }

    void saysWhatAClientNeeds() {
        QFETCH(QString, client);
        QFETCH(QString, text);
        QCOMPARE(mcpClientText(*mcpClientFromName(client), entry()), text);
    }

    void keepsAllElse() {
        const QByteArray before =
            "{\"z\": 1, \"mcpServers\": {\"other\": {\"command\": \"x\"}}, \"a\": [1, 2]}";
        const auto after = withMcpServer(McpClientKind::Gemini, before, entry());
        QVERIFY2(after.hasValue(), qPrintable(after.message()));
        const OrderedJson json = parseJson<OrderedJson>(after.value()).value();
        QCOMPARE(QString::fromStdString(json.begin().key()), QString("z"));
        COMPARE_JSON(json["mcpServers"]["other"], (OrderedJson{{"command", "x"}}));
        COMPARE_JSON(json["mcpServers"]["warpwright"]["timeout"], OrderedJson(1'800'000));
        COMPARE_JSON(json["a"], OrderedJson::array({1, 2}));
        QCOMPARE(withMcpServer(McpClientKind::Gemini, after.value(), entry()).value(), after.value());
        QCOMPARE(
            parseJson(withMcpServer(McpClientKind::Cursor, {}, entry()).value()).value()["mcpServers"].size(),
            std::size_t(1));
    }

    void keepsAllElseInToml() {
        const QByteArray before =
            "# mine\nmodel = \"x\"\n\n[mcp_servers.warpwright]\ncommand = \"/old\"\n"
            "[mcp_servers.warpwright.env]\nA = \"b\"\n\n[mcp_servers.other] # kept\ncommand = \"y\"\n";
        const auto after = withMcpServer(McpClientKind::Codex, before, entry());
        QVERIFY2(after.hasValue(), qPrintable(after.message()));
        QCOMPARE(after.value(), "# mine\nmodel = \"x\"\n\n[mcp_servers.other] # kept\ncommand = \"y\"\n\n" +
                                    mcpClientText(McpClientKind::Codex, entry()).toUtf8());
        QCOMPARE(withMcpServer(McpClientKind::Codex, after.value(), entry()).value(), after.value());
    }

    void refusesWhatIsBroken_data() {
        QTest::addColumn<int>("client");
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QString>("words");
        QTest::newRow("JSON") << int(McpClientKind::Cursor) << QByteArray("{\"a\": ") << "it is no JSON (";
        QTest::newRow("a list") << int(McpClientKind::Cursor) << QByteArray("[]")
                                << "it holds no JSON object";
        QTest::newRow("servers in a list")
            << int(McpClientKind::ClaudeCode) << QByteArray("{\"mcpServers\": []}")
            << "its \"mcpServers\" is no object";
        QTest::newRow("TOML") << int(McpClientKind::Codex) << QByteArray("a = \n") << "it is no TOML (line 1";
        QTest::newRow("another way to name it")
            << int(McpClientKind::Codex) << QByteArray("mcp_servers = { warpwright = { command = \"x\" } }\n")
            << "it names this server in a way that is not understood";
    }

    void refusesWhatIsBroken() {
        QFETCH(int, client);
        QFETCH(QByteArray, before);
        QFETCH(QString, words);
        const auto after = withMcpServer(static_cast<McpClientKind>(client), before, entry());
        QVERIFY2(!after.hasValue() && after.message().startsWith(words), qPrintable(after.message()));
    }

    void writesOnlyWhenItIsTold() {
        const Scratch scratch;
        QString output, errors;
        QCOMPARE(run(scratch, {"--config", "gemini"}, output, errors), 0);
        QVERIFY2(output.contains(wrightProgram()), qPrintable(output));
        QVERIFY(!QFileInfo::exists(scratch.path(".gemini/settings.json")));
        QCOMPARE(run(scratch, {"--config", "gemini", "--write"}, output, errors), 2);
        QVERIFY2(errors.contains("there is no terminal to ask at"), qPrintable(errors));
        QVERIFY(!QFileInfo::exists(scratch.path(".gemini/settings.json")));
        scratch.write(".gemini/settings.json", "{\"theme\": \"dark\"}");
        QCOMPARE(run(scratch, {"--config", "gemini", "--write", "--yes"}, output, errors), 0);
        const Json json = parseJson(textOf(scratch.path(".gemini/settings.json"))).value();
        QCOMPARE(stringIn(json, "theme"), QString("dark"));
        QCOMPARE(stringIn(json["mcpServers"]["warpwright"], "command"), wrightProgram());
        QCOMPARE(run(scratch, {"--config", "gemini", "--write", "--yes"}, output, errors), 0);
        QVERIFY2(output.contains("has it already"), qPrintable(output));
        scratch.write(".codex/config.toml", "broken = [\n");
        QCOMPARE(run(scratch, {"--config", "codex", "--write", "--yes"}, output, errors), 2);
        QVERIFY2(errors.contains("Nothing was written"), qPrintable(errors));
        QCOMPARE(textOf(scratch.path(".codex/config.toml")), QByteArray("broken = [\n"));
    }
};

QObject *makeTestMcpConfig() {
    return new TestMcpConfig;
}

#include "tst_mcp_config.moc"
