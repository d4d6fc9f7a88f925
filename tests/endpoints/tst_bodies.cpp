// SPDX-License-Identifier: GPL-3.0-or-later
// What is sent: the three forms of a conversation, and what goes back as it came.
#include "agent/endpoints/dialect.h"
#include "tests/endpoints/asked.h"
#include "tests/endpoints/model_server.h"

#include <QNetworkRequest>
#include <QTest>

using namespace warpwright;

class TestBodies : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { m_server = std::make_unique<ModelServer>(); }
    void cleanupTestCase() { m_server.reset(); }

    void speaksChatCompletions();
    void speaksResponses();
    void speaksMessages();
    void saysTheTokenLimitAsItsHostWants();
    void sendsHeadersOfItsDialect();
    void isTheSamePrefixEachTime_data() { dialectRows(); }
    void isTheSamePrefixEachTime();
    void saysTheStateAgain_data() { dialectRows(); }
    void saysTheStateAgain();
    void leavesOutAnothersState_data() { dialectRows(); }
    void leavesOutAnothersState();
    void saysThinkingAgainThatNobodySigned();
    void saysBlocksOfThinkingAgain();
    void saysNoArgumentsThatAreNone_data();
    void saysNoArgumentsThatAreNone();
    void keepsFieldsOfACall();
    void mergesRolesForMessages();
    void asksToThinkAsMuchAsTheProfileSays();

private:
    static void dialectRows() {
        QTest::addColumn<Dialect>("dialect");
        for (const Dialect dialect : allDialects())
            QTest::newRow(qPrintable(dialectName(dialect))) << dialect;
    }
    [[nodiscard]] Json bodyOf(const ChatRequest &request, const ModelProfile &profile) const {
        return parseJson(requestBody(request, profile, {})).value();
    }
    [[nodiscard]] Json lastBody() const { return m_server->requests().back()["body"]; }

    std::unique_ptr<ModelServer> m_server;
};

/// A model's turn with text and two calls, their results, and a person's words behind them.
static ChatRequest conversation() {
    ChatRequest request = smallRequest();
    ChatMessage model;
    model.role = ChatMessage::Role::Model;
    model.text = QStringLiteral("Both.");
    model.calls = {{"id-1", "report_sum", "{\"sum\":5}"}, {"id-2", "report_sum", ""}};
    ChatMessage results;
    results.role = ChatMessage::Role::Results;
    results.results = {{"id-1", "report_sum", "fine", false}, {"id-2", "report_sum", "no sum", true}};
    results.text = QStringLiteral("And now?");
    request.messages.push_back(model);
    request.messages.push_back(results);
    return request;
}

static ChatMessage resultsOf(const ChatMessage &message) {
    ChatMessage results;
    results.role = ChatMessage::Role::Results;
    for (const ChatCall &call : message.calls)
        results.results.push_back({call.id, call.name, QStringLiteral("fine"), false});
    return results;
}

void TestBodies::speaksChatCompletions() {
    const Json body = bodyOf(conversation(), m_server->profile(Dialect::OpenAiChat, "plain"));
    const Json wanted = Json::parse(R"([
        {"role": "system", "content": "You are careful."},
        {"role": "user", "content": "Wie groß ist die Summe?"},
        {"role": "assistant", "content": "Both.", "tool_calls": [
            {"id": "id-1", "type": "function", "function": {"name": "report_sum", "arguments": "{\"sum\":5}"}},
            {"id": "id-2", "type": "function", "function": {"name": "report_sum", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "id-1", "content": "fine"},
        {"role": "tool", "tool_call_id": "id-2", "content": "no sum"},
        {"role": "user", "content": "And now?"}])");
    QCOMPARE(dumpJson(body["messages"]), dumpJson(wanted));
    QCOMPARE(dumpJson(body["stream"]), dumpJson(Json(true)));
    QCOMPARE(dumpJson(body["stream_options"]["include_usage"]), dumpJson(Json(true)));
    QCOMPARE(dumpJson(body["max_tokens"]), dumpJson(Json(16'384)));
    QCOMPARE(dumpJson(body["tools"][0]["function"]["name"]), dumpJson(Json("report_sum")));
    QVERIFY(!body.contains("temperature"));
    QVERIFY(!body.contains("reasoning_effort"));
}

void TestBodies::speaksResponses() {
    const Json body = bodyOf(conversation(), m_server->profile(Dialect::OpenAiResponses, "plain"));
    const Json wanted = Json::parse(R"([
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Wie groß ist die Summe?"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Both."}]},
        {"type": "function_call", "call_id": "id-1", "name": "report_sum", "arguments": "{\"sum\":5}"},
        {"type": "function_call", "call_id": "id-2", "name": "report_sum", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "id-1", "output": "fine"},
        {"type": "function_call_output", "call_id": "id-2", "output": "no sum"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "And now?"}]}])");
    QCOMPARE(dumpJson(body["input"]), dumpJson(wanted));
    QCOMPARE(dumpJson(body["instructions"]), dumpJson(Json("You are careful.")));
    QCOMPARE(dumpJson(body["store"]), dumpJson(Json(false)));
    QCOMPARE(dumpJson(body["include"]), dumpJson(Json::array({"reasoning.encrypted_content"})));
    QCOMPARE(dumpJson(body["max_output_tokens"]), dumpJson(Json(16'384)));
    QCOMPARE(dumpJson(body["tools"][0]["name"]), dumpJson(Json("report_sum")));
}

void TestBodies::speaksMessages() {
    const Json body = bodyOf(conversation(), m_server->profile(Dialect::Anthropic, "plain"));
    const Json wanted = Json::parse(R"([
        {"role": "user", "content": [
            {"type": "text", "text": "Wie groß ist die Summe?", "cache_control": {"type": "ephemeral"}}]},
        {"role": "assistant", "content": [
            {"type": "text", "text": "Both."},
            {"type": "tool_use", "id": "id-1", "name": "report_sum", "input": {"sum": 5}},
            {"type": "tool_use", "id": "id-2", "name": "report_sum", "input": {}}]},
        {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "id-1", "content": "fine"},
            {"type": "tool_result", "tool_use_id": "id-2", "content": "no sum", "is_error": true},
            {"type": "text", "text": "And now?", "cache_control": {"type": "ephemeral"}}]}])");
    QCOMPARE(dumpJson(body["messages"]), dumpJson(wanted));
    QCOMPARE(dumpJson(body["system"][0]["text"]), dumpJson(Json("You are careful.")));
    QCOMPARE(dumpJson(body["max_tokens"]), dumpJson(Json(16'384)));
    QCOMPARE(dumpJson(body["tools"][0]["input_schema"]["type"]), dumpJson(Json("object")));
    // Four marks at most, at the end of tools and system too.
    QVERIFY(body["system"].back().contains("cache_control"));
    QVERIFY(body["tools"].back().contains("cache_control"));
    ChatRequest longer = conversation();
    for (int turn = 0; turn < 5; ++turn) {
        longer.messages.push_back(longer.messages[2]);
        longer.messages.push_back(longer.messages[3]);
    }
    QCOMPARE(requestBody(longer, m_server->profile(Dialect::Anthropic, "plain"), {}).count("cache_control"),
             4);
}

void TestBodies::saysTheTokenLimitAsItsHostWants() {
    ModelProfile profile = m_server->profile(Dialect::OpenAiChat, "plain");
    QVERIFY(bodyOf(smallRequest(), profile).contains("max_tokens"));
    profile.baseUrl = QStringLiteral("https://api.openai.com/v1");
    QVERIFY(bodyOf(smallRequest(), profile).contains("max_completion_tokens"));
    QVERIFY(!bodyOf(smallRequest(), profile).contains("max_tokens"));
}

void TestBodies::sendsHeadersOfItsDialect() {
    ModelProfile profile = m_server->profile(Dialect::Anthropic, "plain");
    profile.headers = {{"anthropic-beta", "one"}, {"X-Title", "t"}};
    profile.baseUrl += QStringLiteral("//");
    QCOMPARE(endpointUrl(profile), m_server->address("plain") + "/messages");
    QNetworkRequest anthropic;
    setHeaders(anthropic, profile, "k");
    QCOMPARE(anthropic.rawHeader("x-api-key"), QByteArray("k"));
    QCOMPARE(anthropic.rawHeader("anthropic-version"), QByteArray("2023-06-01"));
    QCOMPARE(anthropic.rawHeader("anthropic-beta"), QByteArray("one"));
    QVERIFY(!anthropic.hasRawHeader("authorization"));
    profile.dialect = Dialect::OpenAiChat;
    QNetworkRequest chat;
    setHeaders(chat, profile, "k");
    QCOMPARE(chat.rawHeader("authorization"), QByteArray("Bearer k"));
    QNetworkRequest none;
    setHeaders(none, profile, {});
    QVERIFY(!none.hasRawHeader("authorization"));
    // And they arrive.
    QVERIFY(ask(m_server->profile(Dialect::Anthropic, "plain"), smallRequest(), "k").reply);
    QVERIFY(m_server->requests().back()["headers"].dump().find("\"x-api-key\"") != std::string::npos);
}

/// What was sent is the beginning of what is sent next, but for Anthropic's marks, which may move.
void TestBodies::isTheSamePrefixEachTime() {
    QFETCH(Dialect, dialect);
    const ModelProfile profile = m_server->profile(dialect, "plain");
    const auto listOf = [&](const ChatRequest &request) {
        Json body = bodyOf(request, profile);
        Json list = body[dialect == Dialect::OpenAiResponses ? "input" : "messages"];
        if (dialect == Dialect::Anthropic)
            for (Json &message : list)
                for (Json &block : message["content"])
                    block.erase("cache_control");
        return list;
    };
    ChatRequest longer = conversation();
    const Json before = listOf(longer);
    QCOMPARE(requestBody(longer, profile, {}), requestBody(conversation(), profile, {}));
    ChatMessage model;
    model.role = ChatMessage::Role::Model;
    model.text = QStringLiteral("Done.");
    longer.messages.push_back(model);
    const Json after = listOf(longer);
    QCOMPARE(after.size(), before.size() + 1);
    for (std::size_t at = 0; at < before.size(); ++at)
        QCOMPARE(dumpJson(after[at]), dumpJson(before[at]));
}

void TestBodies::saysTheStateAgain() {
    QFETCH(Dialect, dialect);
    const ModelProfile profile = m_server->profile(dialect, "thinking");
    const Asked asked = ask(profile);
    QVERIFY2(asked.reply, asked.words());
    QCOMPARE(asked.thinking, QStringLiteral("Two and three … five."));
    QCOMPARE(asked.reply->message.thinking, asked.thinking);
    // It survives the record of a run.
    const ChatMessage message = chatMessageFromJson(chatMessageToJson(asked.reply->message)).value();
    QCOMPARE(message, asked.reply->message);

    ChatRequest next = smallRequest();
    next.messages.push_back(message);
    next.messages.push_back(resultsOf(message));
    QVERIFY(ask(profile, next).reply);
    const Json body = lastBody();
    if (dialect == Dialect::OpenAiChat) {
        QCOMPARE(dumpJson(body["messages"][2]["reasoning_content"]), dumpJson(Json("Two and three … five.")));
        QCOMPARE(dumpJson(body["messages"][2]["tool_calls"][0]["id"]), dumpJson(Json("call_0")));
    } else if (dialect == Dialect::Anthropic) {
        const Json wanted = Json::parse(R"([
            {"type": "thinking", "thinking": "Two and three … five.", "signature": "sig-of-thinking=="},
            {"type": "redacted_thinking", "data": "redacted-bytes=="},
            {"type": "text", "text": "Calling."},
            {"type": "tool_use", "id": "toolu_0", "name": "report_sum", "input": {"sum": 5}}])");
        QCOMPARE(dumpJson(body["messages"][1]["content"]), dumpJson(wanted));
        QCOMPARE(dumpJson(body["messages"][2]["content"][0]["tool_use_id"]), dumpJson(Json("toolu_0")));
    } else {
        const Json wanted =
            Json::parse(R"({"type": "reasoning", "id": "rs_1", "encrypted_content": "encrypted-bytes==",
            "summary": [{"type": "summary_text", "text": "Two and three … five."}]})");
        QCOMPARE(dumpJson(body["input"][1]), dumpJson(wanted));
        QCOMPARE(dumpJson(body["input"][2]["type"]), dumpJson(Json("message")));
        QCOMPARE(dumpJson(body["input"][3]["type"]), dumpJson(Json("function_call")));
        QCOMPARE(dumpJson(body["input"][4]["call_id"]), dumpJson(body["input"][3]["call_id"]));
    }
}

void TestBodies::leavesOutAnothersState() {
    QFETCH(Dialect, dialect);
    const Asked asked = ask(m_server->profile(dialect, "thinking"));
    QVERIFY2(asked.reply, asked.words());
    QVERIFY(!asked.reply->message.state.is_null());
    ChatRequest next = smallRequest();
    next.messages.push_back(asked.reply->message);
    next.messages.push_back(resultsOf(asked.reply->message));
    for (const Dialect other : allDialects()) {
        ModelProfile profile = m_server->profile(other, "plain");
        if (other == dialect)
            profile.model = QStringLiteral("another");
        const QByteArray body = requestBody(next, profile, {});
        for (const char *secret : {"sig-of-thinking", "redacted-bytes", "encrypted-bytes", "Two and three"})
            QVERIFY2(!body.contains(secret), body);
        QVERIFY(body.contains("Calling."));
        QVERIFY(body.contains("report_sum"));
    }
}

/// Servers that speak Messages and sign nothing want thinking back all the same; Anthropic wants none that
/// was cut before its signature.
void TestBodies::saysThinkingAgainThatNobodySigned() {
    const ModelProfile profile = m_server->profile(Dialect::Anthropic, "unsigned");
    ChatRequest request = smallRequest();
    const Asked asked = ask(profile);
    QVERIFY2(asked.reply, asked.words());
    request.messages.push_back(asked.reply->message);
    request.messages.push_back(resultsOf(asked.reply->message));
    const Json body = bodyOf(request, profile);
    QVERIFY(body["messages"][1]["content"][0]["thinking"] == "Two and three.");
    const Asked cut = ask(m_server->profile(Dialect::Anthropic, "unsigned-cut"));
    QVERIFY2(cut.reply, cut.words());
    QVERIFY(cut.reply->message.state.is_null());
}

/// LiteLLM before Claude: in pieces, the signature apart; Claude refuses a call without its thinking.
void TestBodies::saysBlocksOfThinkingAgain() {
    const ModelProfile profile = m_server->profile(Dialect::OpenAiChat, "thinking-blocks");
    const Asked asked = ask(profile);
    QVERIFY2(asked.reply, asked.words());
    ChatRequest next = smallRequest();
    next.messages.push_back(asked.reply->message);
    next.messages.push_back(resultsOf(asked.reply->message));
    const Json wanted = Json::parse(R"([
        {"type": "thinking", "thinking": "I look", "signature": "SIG"},
        {"type": "redacted_thinking", "data": "ENC=="},
        {"type": "thinking", "thinking": "Again", "signature": "SIG2"}])");
    QCOMPARE(dumpJson(bodyOf(next, profile)["messages"][2]["thinking_blocks"]), dumpJson(wanted));
    const Asked cut = ask(m_server->profile(Dialect::OpenAiChat, "thinking-blocks-cut"));
    QVERIFY2(cut.reply, cut.words());
    QVERIFY(dumpJson(cut.reply->message.state).indexOf("thinking_blocks") < 0);
}

void TestBodies::saysNoArgumentsThatAreNone_data() {
    QTest::addColumn<QByteArray>("written");
    QTest::addColumn<QByteArray>("said"); ///< a JSON object, always
    QTest::newRow("right, byte for byte") << QByteArray("{ \"sum\" : 5 }") << QByteArray("{ \"sum\" : 5 }");
    QTest::newRow("cut") << QByteArray(R"({"command": "ec)")
                         << QByteArray(R"({"unreadable":"{\"command\": \"ec"})");
    QTest::newRow("a list") << QByteArray("[1]") << QByteArray(R"({"unreadable":"[1]"})");
    QTest::newRow("quoted twice") << QByteArray(R"("{\"sum\": 5}")") << QByteArray(R"({"sum":5})");
    QTest::newRow("nothing") << QByteArray(" ") << QByteArray("{}");
    QTest::newRow("no text") << QByteArray("{\"a\": \"\xff\"}")
                             << QByteArray("{\"unreadable\":\"{\\\"a\\\": \\\"\xef\xbf\xbd\\\"}\"}");
    QTest::newRow("long") << QByteArray(5000, 'x') << "{\"unreadable\":\"" + QByteArray(400, 'x') + "\"}";
}

void TestBodies::saysNoArgumentsThatAreNone() {
    QFETCH(QByteArray, written);
    QFETCH(QByteArray, said);
    ChatRequest request = conversation();
    request.messages[2].calls[0].arguments = written;
    request.messages[2].calls[0].name = QStringLiteral("functions.read<|x|>");
    const Json chat = bodyOf(request, m_server->profile(Dialect::OpenAiChat, "plain"));
    const Json &call = chat["messages"][2]["tool_calls"][0];
    QCOMPARE(QByteArray::fromStdString(call["function"]["arguments"].get<std::string>()), said);
    QVERIFY(call["function"]["name"] == "functions_read__x__");
    const Json responses = bodyOf(request, m_server->profile(Dialect::OpenAiResponses, "plain"));
    QCOMPARE(QByteArray::fromStdString(responses["input"][2]["arguments"].get<std::string>()), said);
    const Json messages = bodyOf(request, m_server->profile(Dialect::Anthropic, "plain"));
    QCOMPARE(dumpJson(messages["messages"][1]["content"][1]["input"]), dumpJson(parseJson(said).value()));
}

void TestBodies::keepsFieldsOfACall() {
    const ModelProfile profile = m_server->profile(Dialect::OpenAiChat, "signed-call");
    const Asked asked = ask(profile);
    QVERIFY2(asked.reply, asked.words());
    ChatRequest next = smallRequest();
    next.messages.push_back(asked.reply->message);
    next.messages.push_back(resultsOf(asked.reply->message));
    const Json call = bodyOf(next, profile)["messages"][2]["tool_calls"][0];
    QCOMPARE(dumpJson(call["extra_content"]["google"]["thought_signature"]), dumpJson(Json("sig")));
}

void TestBodies::mergesRolesForMessages() {
    ChatRequest request = smallRequest();
    ChatMessage empty;
    empty.role = ChatMessage::Role::Model;
    ChatMessage person;
    person.text = QStringLiteral("Hello?");
    request.messages.push_back(empty); // a model that said nothing
    request.messages.push_back(person);
    const Json messages = bodyOf(request, m_server->profile(Dialect::Anthropic, "plain"))["messages"];
    QCOMPARE(messages.size(), std::size_t(1));
    QCOMPARE(messages[0]["content"].size(), std::size_t(2));
    // Ids of another endpoint, and arguments that are no object.
    ChatMessage odd;
    odd.role = ChatMessage::Role::Model;
    odd.calls = {{"a.b:c", "report_sum", "[1]"}};
    request.messages.push_back(odd);
    request.messages.push_back(resultsOf(odd));
    const Json longer = bodyOf(request, m_server->profile(Dialect::Anthropic, "plain"))["messages"];
    QCOMPARE(dumpJson(longer[1]["content"][0]["id"]), dumpJson(Json("a_b_c")));
    QCOMPARE(dumpJson(longer[2]["content"][0]["tool_use_id"]), dumpJson(Json("a_b_c")));
    QCOMPARE(dumpJson(longer[1]["content"][0]["input"]), dumpJson(Json({{"unreadable", "[1]"}})));
}

void TestBodies::asksToThinkAsMuchAsTheProfileSays() {
    ModelProfile profile = m_server->profile(Dialect::Anthropic, "plain");
    profile.effort = QStringLiteral("high");
    profile.temperature = 0.5;
    Json body = bodyOf(smallRequest(), profile);
    QCOMPARE(dumpJson(body["thinking"]), dumpJson(Json({{"type", "adaptive"}})));
    QCOMPARE(dumpJson(body["output_config"]["effort"]), dumpJson(Json("high")));
    QCOMPARE(dumpJson(body["temperature"]), dumpJson(Json(0.5)));
    profile.effort = QStringLiteral("4096");
    body = bodyOf(smallRequest(), profile);
    QCOMPARE(dumpJson(body["thinking"]), dumpJson(Json({{"type", "enabled"}, {"budget_tokens", 4096}})));
    profile.effort = QStringLiteral("high");
    profile.dialect = Dialect::OpenAiChat;
    QCOMPARE(dumpJson(bodyOf(smallRequest(), profile)["reasoning_effort"]), dumpJson(Json("high")));
    profile.dialect = Dialect::OpenAiResponses;
    QCOMPARE(dumpJson(bodyOf(smallRequest(), profile)["reasoning"]["effort"]), dumpJson(Json("high")));
}

QObject *makeTestBodies() {
    return new TestBodies;
}
#include "tst_bodies.moc"
