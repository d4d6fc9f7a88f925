// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/chat.h"
#include "agent/endpoints/environment_proxy.h"
#include "agent/endpoints/known_endpoints.h"
#include "agent/endpoints/model_profiles.h"
#include "tests/toolchain/scratch.h"

#include <QDir>
#include <QTest>

#include <thread>

using namespace warpwright;

class TestModelProfiles : public QObject {
    Q_OBJECT

private slots:
    void comesBackWhole();
    void keepsWhatItDoesNotKnow();
    void saysWhatIsWrongInTheFile_data();
    void saysWhatIsWrongInTheFile();
    void changesBesideOthers();
    void saysWhatIsBad_data();
    void saysWhatIsBad();
    void knowsEndpointsThatAreFit();
    void findsEndpointsHoweverTheyAreWritten_data();
    void findsEndpointsHoweverTheyAreWritten();
    void keepsMessages();
    void saysWhatIsNoMessage_data();
    void saysWhatIsNoMessage();
    void findsTheProxy_data();
    void findsTheProxy();
};

static ModelProfile fullProfile() {
    ModelProfile profile;
    profile.name = QStringLiteral("mine");
    profile.dialect = Dialect::Anthropic;
    profile.baseUrl = QStringLiteral("https://example.com/v1");
    profile.model = QStringLiteral("big");
    profile.key = {KeySource::Kind::Environment, QStringLiteral("MY_KEY")};
    profile.contextTokens = 200'000;
    profile.answerTokens = 8'000;
    profile.prices = {3.0, 0.3, 15.0, QStringLiteral("EUR")};
    profile.headers = {{QStringLiteral("X-Title"), QStringLiteral("w")}};
    profile.temperature = 0.25;
    profile.effort = QStringLiteral("high");
    return profile;
}

void TestModelProfiles::comesBackWhole() {
    const Scratch scratch;
    const QString file = scratch.path("config/models.json");
    QCOMPARE(ModelProfiles::load(file).value(), ModelProfiles());
    ModelProfile other;
    other.name = QStringLiteral("other");
    other.baseUrl = QStringLiteral("http://localhost:8080/v1");
    other.model = QStringLiteral("m");
    other.key = {KeySource::Kind::Keyring, QStringLiteral("entry")};
    const auto stored = ModelProfiles::change(file, [&](ModelProfiles &models) {
        models.put(fullProfile());
        models.put(other);
    });
    QVERIFY2(stored.hasValue(), qPrintable(stored.message()));
    ModelProfiles models = ModelProfiles::load(file).value();
    QCOMPARE(models, stored.value());
    QCOMPARE(models.profiles, (std::vector<ModelProfile>{fullProfile(), other}));
    QCOMPARE(*models.find("mine"), fullProfile());
    QVERIFY(models.find("nobody") == nullptr);
    ModelProfile changed = fullProfile();
    changed.effort.clear();
    models.put(changed);
    QCOMPARE(models.profiles.front(), changed); // in its place
    QVERIFY(models.remove("mine"));
    QVERIFY(!models.remove("mine"));
    QCOMPARE(models.profiles.size(), std::size_t(1));
}

void TestModelProfiles::keepsWhatItDoesNotKnow() {
    const Scratch scratch;
    const QString file = scratch.write(
        "models.json",
        R"({"ofTomorrow": 1, "models": [{"name": "a", "model": "m", "baseUrl": "https://e.com/v1",
                           "newer": {"deep": [1]}}]})");
    QVERIFY(ModelProfiles::change(file, [](ModelProfiles &models) { models.put(fullProfile()); }).hasValue());
    const Json json = parseJson(textOf(file)).value();
    QCOMPARE(dumpJson(json["ofTomorrow"]), dumpJson(Json(1)));
    QCOMPARE(dumpJson(json["models"][0]["newer"]["deep"][0]), dumpJson(Json(1)));
    QCOMPARE(json["models"].size(), std::size_t(2));
}

void TestModelProfiles::saysWhatIsWrongInTheFile_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("words");
    const auto row = [](const char *name, const char *text, const char *words) {
        QTest::newRow(name) << QByteArray(text) << QString(words);
    };
    row("no JSON", "{\"models\": [", "parse error");
    row("no object", "[1]", "it is no JSON object");
    row("no list", R"({"models": 3})", "\"models\" is no list");
    row("an entry that is none", R"({"models": [3]})", "a model is no JSON object");
    row("no name", R"({"models": [{"model": "m"}]})", "it has no name");
    row("twice", R"({"models": [{"name": "a"}, {"name": "a"}]})", "the model \"a\" is there twice");
    row("a wrong type", R"({"models": [{"name": "a", "contextTokens": "many"}]})",
        "\"contextTokens\" is no whole number");
    row("a wrong dialect", R"({"models": [{"name": "a", "dialect": "latin"}]})", "\"dialect\" is \"latin\"");
    row("a wrong price", R"({"models": [{"name": "a", "prices": {"in": "x"}}]})", "\"in\" is no number");
    row("a key in the open", R"({"models": [{"name": "a", "key": "sk-123"}]})", "\"key\" is no JSON object");
    row("a key from nowhere", R"({"models": [{"name": "a", "key": {}}]})", "names neither");
    row("a header that is no text", R"({"models": [{"name": "a", "headers": {"X": 1}}]})",
        "\"X\" is no text");
}

void TestModelProfiles::saysWhatIsWrongInTheFile() {
    QFETCH(QByteArray, text);
    QFETCH(QString, words);
    const Scratch scratch;
    const QString file = scratch.write("models.json", text);
    const Result<ModelProfiles> models = ModelProfiles::load(file);
    QVERIFY(!models.hasValue());
    QVERIFY2(models.message().contains(words), qPrintable(models.message()));
    QVERIFY2(models.message().contains('"' + file + '"'), qPrintable(models.message()));
    QVERIFY2(models.message().contains("Correct the file, or remove it"), qPrintable(models.message()));
    QVERIFY2(!models.message().contains("sk-123"), qPrintable(models.message()));
    // Nobody overwrites it.
    QVERIFY(!ModelProfiles::change(file, [](ModelProfiles &all) { all.put(fullProfile()); }).hasValue());
    QCOMPARE(textOf(file), text);
}

void TestModelProfiles::changesBesideOthers() {
    const Scratch scratch;
    const QString file = scratch.path("config/models.json");
    std::vector<std::thread> programs;
    for (int program = 0; program < 4; ++program)
        programs.emplace_back([&file, program] {
            for (int turn = 0; turn < 5; ++turn) {
                ModelProfile profile = fullProfile();
                profile.name = QStringLiteral("%1.%2").arg(program).arg(turn);
                const auto changed =
                    ModelProfiles::change(file, [&](ModelProfiles &all) { all.put(profile); });
                if (!changed.hasValue())
                    qWarning("%s", qPrintable(changed.message()));
            }
        });
    for (std::thread &program : programs)
        program.join();
    QCOMPARE(ModelProfiles::load(file).value().profiles.size(), std::size_t(20));
}

void TestModelProfiles::saysWhatIsBad_data() {
    QTest::addColumn<ModelProfile>("profile");
    QTest::addColumn<QString>("words"); ///< empty: nothing is bad
    const auto row = [](const char *name, const std::function<void(ModelProfile &)> &edit,
                        const char *words) {
        ModelProfile profile = fullProfile();
        edit(profile);
        QTest::newRow(name) << profile << QString(words);
    };
    const auto url = [&row](const char *name, const char *address, const char *words) {
        row(
            name, [address](ModelProfile &profile) { profile.baseUrl = QString(address); }, words);
    };
    row(
        "none", [](ModelProfile &) {}, "");
    url("localhost", "http://localhost:8080/v1", "");
    url("IPv4 of this machine", "http://127.0.0.2:1/v1", "");
    url("IPv6 of this machine", "http://[::1]:8080/v1", "");
    url("plain HTTP elsewhere", "http://example.com/v1", "without TLS");
    url("plain HTTP to a name that looks local", "http://localhost.example.com/v1", "without TLS");
    url("plain HTTP in the local network", "http://192.168.1.5:8080/v1", "without TLS");
    url("no address", "example", "is no address");
    url("another scheme", "ftp://example.com/", "is no address");
    url("empty", "", "is no address");
    url("a password in it", "https://me:secret@example.com/v1", "has no user");
    url("a key in its query", "https://example.com/v1?key=abc", "no query");
    row(
        "name", [](ModelProfile &p) { p.name = "a b"; }, "is no name");
    row(
        "no model", [](ModelProfile &p) { p.model = " "; }, "which model");
    row(
        "the key itself", [](ModelProfile &p) { p.key.name = "sk-proj-0123456789"; },
        "no name of an environment variable");
    row(
        "entry without a name",
        [](ModelProfile &p) {
            p.key = {KeySource::Kind::Keyring, ""};
        },
        "has no name");
    row(
        "small context", [](ModelProfile &p) { p.contextTokens = 100; }, "too small");
    row(
        "long answer", [](ModelProfile &p) { p.answerTokens = 300'000; }, "is not from 16 to");
    row(
        "price", [](ModelProfile &p) { p.prices.in = -1; }, "is no price");
    row(
        "temperature", [](ModelProfile &p) { p.temperature = 3; }, "is not from 0 to 2");
    row(
        "a key in a header", [](ModelProfile &p) { p.headers["Authorization"] = "Bearer x"; },
        "carry a key in the open");
    row(
        "two lines in a header", [](ModelProfile &p) { p.headers["X"] = "a\nb"; }, "is no header");
}

void TestModelProfiles::saysWhatIsBad() {
    QFETCH(ModelProfile, profile);
    QFETCH(QString, words);
    const QString why = whyBadProfile(profile);
    QVERIFY2(words.isEmpty() ? why.isEmpty() : why.contains(words), qPrintable(why));
    QVERIFY2(!why.contains("0123456789") && !why.contains("secret") && !why.contains("abc"), qPrintable(why));
}

void TestModelProfiles::knowsEndpointsThatAreFit() {
    QCOMPARE(knownEndpoints().size(), std::size_t(14));
    for (const KnownEndpoint &endpoint : knownEndpoints()) {
        ModelProfile profile = fullProfile();
        profile.dialect = endpoint.dialect;
        QVERIFY(endpoint.baseUrl.isEmpty() != endpoint.addressForm.isEmpty());
        profile.baseUrl = endpoint.baseUrl + endpoint.addressForm;
        QCOMPARE(whyBadProfile(profile), QString());
        QCOMPARE(endpoint.isLocal(), isLoopback(QUrl(profile.baseUrl).host()));
        QVERIFY(!endpoint.isLocal() || !endpoint.toTurnOn.isEmpty());
    }
}

void TestModelProfiles::findsEndpointsHoweverTheyAreWritten_data() {
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("nearest");
    const auto row = [](const char *written, const char *name, const char *nearest = "") {
        QTest::newRow(written) << QString(written) << QString(name) << QString(nearest);
    };
    row("lmstudio", "LM Studio");
    row("lm-studio", "LM Studio");
    row("LM_Studio", "LM Studio");
    row("llamacpp", "llama.cpp");
    row("llama-server", "llama.cpp");
    row("claude", "Anthropic");
    row("google", "Gemini");
    row("grok", "xAI");
    row("groq", "Groq");
    row("together.ai", "Together");
    row("azure-openai", "Azure");
    row("mistral", "Mistral");
    row("deepsek", "", "DeepSeek");
    row("opnrouter", "", "OpenRouter");
    row("ollama-cloud", "", "Ollama");
    row("HAL", "");
    row("bedrock", "");
    row("", "");
}

void TestModelProfiles::findsEndpointsHoweverTheyAreWritten() {
    QFETCH(QString, written);
    QFETCH(QString, name);
    QFETCH(QString, nearest);
    const KnownEndpoint *found = knownEndpoint(written);
    QCOMPARE(found == nullptr ? QString() : found->name, name);
    if (found != nullptr)
        return;
    const KnownEndpoint *close = nearestEndpoint(written);
    QCOMPARE(close == nullptr ? QString() : close->name, nearest);
}

void TestModelProfiles::keepsMessages() {
    ChatMessage message;
    message.role = ChatMessage::Role::Model;
    message.text = QStringLiteral("Grüße 👋");
    message.thinking = QStringLiteral("hm");
    message.calls = {{"1", "a", "{\"x\": 1}"}, {"2", "b", QByteArray("\xFF\x00\xFE", 3)}, {"3", "c", ""}};
    message.state = {{"dialect", "anthropic"}, {"content", Json::array()}};
    QCOMPARE(chatMessageFromJson(chatMessageToJson(message)).value(), message);
    QVERIFY(dumpJson(chatMessageToJson(message)).contains("base64"));
    ChatMessage results;
    results.role = ChatMessage::Role::Results;
    results.results = {{"1", "a", "fine", false}, {"2", "b", "bad", true}};
    results.text = QStringLiteral("go on");
    QCOMPARE(chatMessageFromJson(chatMessageToJson(results)).value(), results);
    for (const auto role : {ChatMessage::Role::System, ChatMessage::Role::Person}) {
        ChatMessage plain;
        plain.role = role;
        QCOMPARE(chatMessageFromJson(chatMessageToJson(plain)).value(), plain);
    }
    QCOMPARE(chatStopName(ChatStop::CalledTools), QStringLiteral("called-tools"));
}

void TestModelProfiles::saysWhatIsNoMessage_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("no object") << QByteArray("[]");
    QTest::newRow("no role") << QByteArray(R"({"text": "a"})");
    QTest::newRow("another role") << QByteArray(R"({"role": "king"})");
    QTest::newRow("calls that are none") << QByteArray(R"({"role": "model", "calls": [1]})");
    QTest::newRow("results that are none") << QByteArray(R"({"role": "results", "results": "x"})");
}

void TestModelProfiles::saysWhatIsNoMessage() {
    QFETCH(QByteArray, text);
    const auto message = chatMessageFromJson(parseJson(text).value());
    QVERIFY(!message.hasValue());
    QVERIFY(message.message().startsWith("Cannot read a message of the conversation: "));
}

void TestModelProfiles::findsTheProxy_data() {
    QTest::addColumn<QStringList>("environment");
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("proxy"); ///< empty: none
    const auto row = [](const char *name, const QStringList &environment, const char *url,
                        const char *proxy) {
        QTest::newRow(name) << environment << QString(url) << QString(proxy);
    };
    row("none", {}, "https://a.com/v1", "");
    row("https", {"HTTPS_PROXY=http://p:8080"}, "https://a.com/v1", "p:8080");
    row("small letters", {"https_proxy=p:8080"}, "https://a.com/v1", "p:8080");
    row("for all", {"ALL_PROXY=http://p:8080"}, "https://a.com/v1", "p:8080");
    row("another scheme's", {"HTTP_PROXY=http://p:8080"}, "https://a.com/v1", "");
    row("this machine", {"HTTP_PROXY=http://p:8080"}, "http://localhost:80/v1", "");
    row("excepted", {"HTTPS_PROXY=http://p:8080", "NO_PROXY=b.com, a.com"}, "https://a.com/v1", "");
    row("excepted with all below", {"HTTPS_PROXY=http://p:8080", "no_proxy=a.com"}, "https://x.a.com/v1", "");
    row("not excepted", {"HTTPS_PROXY=http://p:8080", "NO_PROXY=a.com"}, "https://xa.com/v1", "p:8080");
    row("all excepted", {"HTTPS_PROXY=http://p:8080", "NO_PROXY=*"}, "https://a.com/v1", "");
    row("a net", {"HTTPS_PROXY=http://p:8080", "NO_PROXY=10.0.0.0/8"}, "https://10.1.2.3/v1", "");
    row("one port", {"HTTPS_PROXY=http://p:8080", "NO_PROXY=a.com:444"}, "https://a.com/v1", "p:8080");
    row("with a password", {"HTTPS_PROXY=http://u:w@p:8080"}, "https://a.com/v1", "u:w@p:8080");
}

void TestModelProfiles::findsTheProxy() {
    QFETCH(QStringList, environment);
    QFETCH(QString, url);
    QFETCH(QString, proxy);
    QProcessEnvironment variables;
    for (const QString &variable : environment)
        variables.insert(variable.section('=', 0, 0), variable.section('=', 1));
    const QNetworkProxy found = environmentProxy(QUrl(url), variables);
    const QString user = found.user().isEmpty() ? QString() : found.user() + ':' + found.password() + '@';
    QCOMPARE(found.type() == QNetworkProxy::NoProxy
                 ? QString()
                 : QStringLiteral("%1%2:%3").arg(user, found.hostName()).arg(found.port()),
             proxy);
}

QObject *makeTestModelProfiles() {
    return new TestModelProfiles;
}
#include "tst_model_profiles.moc"
