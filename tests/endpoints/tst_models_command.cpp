// SPDX-License-Identifier: GPL-3.0-or-later
// The real `wright models`.
#include "tests/endpoints/model_server.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"

#include <QDir>
#include <QStandardPaths>
#include <QTest>

using namespace warpwright;

class TestModelsCommand : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { m_server = std::make_unique<ModelServer>(); }
    void cleanupTestCase() { m_server.reset(); }
    void init();

    void beginsWithWhatIsThere();
    void addsListsTriesAndRemoves();
    void triesEachDialect_data();
    void triesEachDialect();
    void saysWhatDoesNotWork_data();
    void saysWhatDoesNotWork();
    void saysThatOllamasWindowIsSmall();
    void refusesWhatItCannotUnderstand_data();
    void refusesWhatItCannotUnderstand();
    void keepsTheKeyInTheKeyring();
    void saysThatThereIsNoKeyring();
    void showsNoKeyOnATerminal();

private:
    struct Said {
        int exitCode = -1;
        QByteArray output;
        QByteArray errors;
        [[nodiscard]] QByteArray words() const { return output + "\n--\n" + errors; }
    };
    [[nodiscard]] Said run(const QString &program, const QStringList &arguments,
                           const QByteArray &input = {}) const;
    [[nodiscard]] Said wright(const QStringList &arguments, const QByteArray &input = {}) const {
        return run(wrightProgram(), QStringList{"models"} + arguments, input);
    }

    std::unique_ptr<ModelServer> m_server;
    std::unique_ptr<Scratch> m_scratch;
    QProcessEnvironment m_environment;
};

void TestModelsCommand::init() {
    m_scratch = std::make_unique<Scratch>();
    m_environment = QProcessEnvironment::systemEnvironment();
    m_environment.insert("XDG_CONFIG_HOME", m_scratch->path("config"));
    m_environment.insert("XDG_DATA_HOME", m_scratch->path("data"));
    m_environment.insert("XDG_RUNTIME_DIR", m_scratch->path());
    m_environment.insert("DBUS_SESSION_BUS_ADDRESS", "unix:path=/no/such/bus");
    m_environment.insert("WARPWRIGHT_RESOURCES", sourceFolder("/resources"));
}

TestModelsCommand::Said TestModelsCommand::run(const QString &program, const QStringList &arguments,
                                               const QByteArray &input) const {
    QProcess process;
    process.setProcessEnvironment(m_environment);
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    process.waitForFinished(30'000);
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            process.readAllStandardOutput(), process.readAllStandardError()};
}

void TestModelsCommand::beginsWithWhatIsThere() {
    const Said said = wright({});
    QCOMPARE(said.exitCode, 0);
    for (const char *words :
         {"No model is set up", "Anthropic", "$OPENAI_API_KEY", "--enable-auto-tool-choice", "--jinja",
          "OLLAMA_CONTEXT_LENGTH", "wright models add NAME --like"})
        QVERIFY2(said.output.contains(words), said.words());
    const Said json = wright({"--json"});
    QCOMPARE(dumpJson(parseJson(json.output).value()["models"]), dumpJson(Json::array()));
}

void TestModelsCommand::addsListsTriesAndRemoves() {
    Said said = wright({"add", "mine", "--like", "llama.cpp", "--url", m_server->address("tool"), "--model",
                        "m", "--context", "4096", "--price-in", "2", "--price-out", "10"});
    QVERIFY2(said.exitCode == 0, said.words());
    QVERIFY2(said.output.contains("wright models try mine"), said.words());
    said = wright({});
    QVERIFY2(said.output.contains("mine") && said.output.contains("4,096"), said.words());
    const Json listed = parseJson(wright({"--json"}).output).value();
    QCOMPARE(dumpJson(listed["schema"]), dumpJson(Json("warpwright.models/1")));
    QCOMPARE(dumpJson(listed["models"][0]["answerTokens"]), dumpJson(Json(512)));
    said = wright({"try", "mine"});
    QVERIFY2(said.exitCode == 0, said.words());
    QVERIFY2(said.output.contains("\"mine\" works: it called the tool; first piece after"), said.words());
    QVERIFY2(said.output.contains("120 tokens in, 30 out, 0.000540 USD"), said.words());
    said = wright({"try", "mine", "--json"});
    const Json tried = parseJson(said.output).value();
    QCOMPARE(dumpJson(tried["works"]), dumpJson(Json(true)));
    QCOMPARE(dumpJson(tried["isStreamed"]), dumpJson(Json(true)));
    QCOMPARE(dumpJson(tried["tokensIn"]), dumpJson(Json(120)));
    said = wright({"remove", "mine"});
    QVERIFY2(said.exitCode == 0 && said.output.contains("was removed"), said.words());
    QVERIFY(parseJson(wright({"--json"}).output).value()["models"].empty());
}

void TestModelsCommand::triesEachDialect_data() {
    QTest::addColumn<QString>("dialect");
    QTest::addColumn<QString>("script");
    for (const char *dialect : {"openai-chat", "openai-responses", "anthropic"})
        for (const char *script : {"tool", "whole", "thinking"})
            QTest::addRow("%s %s", dialect, script) << dialect << script;
}

void TestModelsCommand::triesEachDialect() {
    QFETCH(QString, dialect);
    QFETCH(QString, script);
    QCOMPARE(wright({"add", "a", "--dialect", dialect, "--url", m_server->address(script), "--model", "m"})
                 .exitCode,
             0);
    const Said said = wright({"try", "a"});
    QVERIFY2(said.exitCode == 0, said.words());
    QVERIFY2(said.output.contains("works: it called the tool"), said.words());
}

void TestModelsCommand::saysWhatDoesNotWork_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("words");
    QTest::newRow("no call") << "plain"
                             << "answers, but called no tool";
    QTest::newRow("a broken call") << "arguments-broken"
                                   << "its call is not what was asked for";
    QTest::newRow("cut") << "length"
                         << "works: it called the tool";
    QTest::newRow("no key") << "status-401"
                            << "HTTP 401";
    QTest::newRow("no tools") << "no-tools-vllm"
                              << "--enable-auto-tool-choice";
    QTest::newRow("no usage") << "no-usage"
                              << "(estimated: the endpoint counts none)";
    QTest::newRow("the hotel") << "html"
                               << "Welcome to the hotel";
}

void TestModelsCommand::saysWhatDoesNotWork() {
    QFETCH(QString, script);
    QFETCH(QString, words);
    QCOMPARE(wright({"add", "a", "--url", m_server->address(script), "--model", "m"}).exitCode, 0);
    const Said said = wright({"try", "a"});
    QCOMPARE(said.exitCode, words.contains("works") ? 0 : 1);
    QVERIFY2(said.output.contains(words.toUtf8()), said.words());
    QCOMPARE(said.output.count('\n'), 1); // one line
}

void TestModelsCommand::saysThatOllamasWindowIsSmall() {
    const auto tried = [this](const QString &script, const QString &context) {
        const Said added =
            wright({"add", "a", "--url", m_server->address(script), "--model", "m", "--context", context});
        Q_UNUSED(added); // in the place of the one before
        return wright({"try", "a"});
    };
    const Said small = tried("tool;window=4096", "32768");
    QCOMPARE(small.exitCode, 0);
    QVERIFY2(small.output.contains("a window of 4,096 tokens"), small.words());
    QVERIFY2(small.output.contains("OLLAMA_CONTEXT_LENGTH=32768"), small.words());
    for (const char *script : {"tool;window=32768", "tool"}) {
        const Said right = tried(script, "32768");
        QVERIFY2(right.exitCode == 0 && !right.output.contains("Ollama"), right.words());
    }
    const Said written = wright({"add", "l", "--like", "lmstudio", "--model", "m"});
    QVERIFY2(written.exitCode == 0, written.words());
    const Said added = wright({"add", "o", "--like", "ollama", "--model", "m"});
    QVERIFY2(added.output.contains("OLLAMA_CONTEXT_LENGTH"), added.words());
    QCOMPARE(parseJson(wright({"--json"}).output).value()["models"].back()["contextTokens"].get<int>(),
             32'768);
}

void TestModelsCommand::refusesWhatItCannotUnderstand_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("words");
    QTest::newRow("no such model") << QStringList{"try", "nobody"} << "There is no model \"nobody\"";
    QTest::newRow("nothing to remove") << QStringList{"remove", "nobody"} << "There is no model \"nobody\"";
    QTest::newRow("no key for it") << QStringList{"key", "nobody"} << "There is no model \"nobody\"";
    QTest::newRow("no address") << QStringList{"add", "a", "--model", "m"} << "needs --url ADDRESS or --like";
    QTest::newRow("plain HTTP") << QStringList{"add", "a", "--model", "m", "--url", "http://example.com/v1"}
                                << "without TLS";
    QTest::newRow("like nothing") << QStringList{"add", "a", "--model", "m", "--like", "HAL"}
                                  << "none of \"OpenAI\"";
    QTest::newRow("like nearly something")
        << QStringList{"add", "a", "--model", "m", "--like", "deepsek"} << "; \"DeepSeek\" is near it";
    QTest::newRow("no address of one's own")
        << QStringList{"add", "a", "--model", "m", "--like", "azure"}
        << "needs your own address besides: --url https://RESOURCE.openai.azure.com/openai/v1";
    QTest::newRow("two places for a key")
        << QStringList{"add", "a", "--model", "m", "--like", "OpenAI", "--keyring", "--key-env", "V"}
        << "excludes";
    QTest::newRow("the key itself") << QStringList{"add",    "a",      "--model",   "m",
                                                   "--like", "OpenAI", "--key-env", "sk-MARKED-0123456789"}
                                    << "no name of an environment variable";
}

void TestModelsCommand::refusesWhatItCannotUnderstand() {
    QFETCH(QStringList, arguments);
    QFETCH(QString, words);
    const Said said = wright(arguments);
    QVERIFY2(said.exitCode == 2, said.words());
    QVERIFY2(said.errors.contains(words.toUtf8()), said.words());
    QVERIFY(!said.words().contains("MARKED-0123"));
    QVERIFY(!QFile::exists(m_scratch->path("config/warpwright/models.json")));
}

/// With a keyring of its own, in a session of its own.
void TestModelsCommand::keepsTheKeyInTheKeyring() {
    for (const char *tool : {"dbus-run-session", "gnome-keyring-daemon"})
        NEED_TOOL(!QStandardPaths::findExecutable(tool).isEmpty(), QString(tool));
    const QString script = m_scratch->write("session.sh", R"(
        printf pw | gnome-keyring-daemon --unlock --components=secrets > /dev/null 2>&1
        "$1" models try kept; echo "before: $?"
        echo ' sk-test-MARKED-0123456789 ' | "$1" models key kept
        "$1" models try kept; echo "stored: $?"
        "$1" models key kept --remove
        "$1" models try kept; echo "removed: $?"
    )");
    QCOMPARE(
        wright({"add", "kept", "--keyring", "--url", m_server->address("tool"), "--model", "m"}).exitCode, 0);
    const Said said = run("dbus-run-session", {"--", "sh", script, wrightProgram()});
    QVERIFY2(said.output.contains("before: 1"), said.words());
    QVERIFY2(said.output.contains("it has no such entry. Put the key in with wright models key"),
             said.words());
    QVERIFY2(said.output.contains("The key is in the keyring."), said.words());
    QVERIFY2(said.output.contains("works: it called the tool"), said.words());
    QVERIFY2(said.output.contains("stored: 0"), said.words());
    QVERIFY2(said.output.contains("The key was removed from the keyring."), said.words());
    QVERIFY2(said.output.contains("removed: 1"), said.words());
    QVERIFY2(!said.words().contains("MARKED-0123"), said.words());
    QVERIFY(m_server->requests().back()["headers"].dump().find("authorization") != std::string::npos);
    QVERIFY(!textOf(m_scratch->path("config/warpwright/models.json")).contains("MARKED-0123"));
}

void TestModelsCommand::saysThatThereIsNoKeyring() {
    QCOMPARE(
        wright({"add", "kept", "--keyring", "--url", m_server->address("tool"), "--model", "m"}).exitCode, 0);
    for (const QStringList &arguments : {QStringList{"try", "kept"}, QStringList{"key", "kept"}}) {
        const Said said = wright(arguments, "sk-test-MARKED-0123456789\n");
        QVERIFY2(said.exitCode != 0, said.words());
        QVERIFY2(said.words().contains("in the keyring: "), said.words());
        QVERIFY2(said.words().contains("environment variable"), said.words());
        QVERIFY2(!said.words().contains("MARKED-0123"), said.words());
    }
    const Said empty = wright({"key", "kept"}, "\n");
    QVERIFY2(empty.errors.contains("it is empty"), empty.words());
}

/// Typed at a terminal of its own; then stopped by Ctrl-C, which must give the echo back.
void TestModelsCommand::showsNoKeyOnATerminal() {
    QCOMPARE(
        wright({"add", "kept", "--keyring", "--url", m_server->address("tool"), "--model", "m"}).exitCode, 0);
    const QString script = m_scratch->write("terminal.py", R"py(
import os, pty, sys, termios
for typed in (b"sk-test-MARKED-0123456789\n", b"\x03"):
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(sys.argv[1], [sys.argv[1], "models", "key", "kept"])
    said = b""
    while b"(not shown)" not in said:
        said += os.read(terminal, 1000)
    while termios.tcgetattr(terminal)[3] & termios.ECHO:
        pass
    os.write(terminal, typed)
    try:
        while more := os.read(terminal, 1000):
            said += more
    except OSError:
        pass
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    print("code", code, "echo", bool(termios.tcgetattr(terminal)[3] & termios.ECHO), said.decode())
)py");
    const Said said = run("python3", {script, wrightProgram()});
    QVERIFY2(said.output.contains("code 2 echo True Key of \"kept\" (not shown): "), said.words());
    QVERIFY2(said.output.contains("code 130 echo True"), said.words());
    QVERIFY2(said.output.contains("Cannot store the key \"kept\" in the keyring"), said.words());
    QVERIFY2(!said.words().contains("MARKED-0123"), said.words());
}

QObject *makeTestModelsCommand() {
    return new TestModelsCommand;
}
#include "tst_models_command.moc"
