// SPDX-License-Identifier: GPL-3.0-or-later
// What comes of good and odd answers, in the three dialects, from a real server.
#include "tests/endpoints/asked.h"
#include "tests/endpoints/model_server.h"

#include <QTest>

using namespace warpwright;

class TestAnswers : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { m_server = std::make_unique<ModelServer>(); }
    void cleanupTestCase() { m_server.reset(); }

    void streamsText_data() { dialectRows(); }
    void streamsText();
    void doesNotCareWhereItIsCut_data() { dialectRows(); }
    void doesNotCareWhereItIsCut();
    void callsATool_data() { dialectRows(); }
    void callsATool();
    void takesAnAnswerThatIsNotStreamed_data() { dialectRows(); }
    void takesAnAnswerThatIsNotStreamed();
    void passesOverWhatItDoesNotKnow_data() { dialectRows(); }
    void passesOverWhatItDoesNotKnow();
    void takesAnInputThatComesAtOnce();
    void keepsArgumentsAsTheyWereWritten_data();
    void keepsArgumentsAsTheyWereWritten();
    void gathersFortyCalls_data() { dialectRows(); }
    void gathersFortyCalls();
    void givesEachCallAnIdOfItsOwn_data() { dialectRows(); }
    void givesEachCallAnIdOfItsOwn();
    void leavesOutACallThatWasCut_data() { dialectRows(); }
    void leavesOutACallThatWasCut();
    void saysThatItWasRefused_data() { dialectRows(); }
    void saysThatItWasRefused();
    void saysThatTheWindowIsFull();
    void takesAnEmptyAnswer_data() { dialectRows(); }
    void takesAnEmptyAnswer();
    void understandsOddServers_data();
    void understandsOddServers();
    void countsTokens_data();
    void countsTokens();
    void estimatesTokensThatNobodyCounted_data() { dialectRows(); }
    void estimatesTokensThatNobodyCounted();

private:
    static void dialectRows() {
        QTest::addColumn<Dialect>("dialect");
        for (const Dialect dialect : allDialects())
            QTest::newRow(qPrintable(dialectName(dialect))) << dialect;
    }
    [[nodiscard]] Asked askFor(const QString &script) const {
        QFETCH(Dialect, dialect);
        return ask(m_server->profile(dialect, script));
    }

    std::unique_ptr<ModelServer> m_server;
};

static const QString wholeText = QStringLiteral("Grüße 👋 from the model");

void TestAnswers::streamsText() {
    const Asked asked = askFor("plain");
    QVERIFY2(asked.reply, asked.words());
    QCOMPARE(asked.ends, 1);
    QVERIFY(!asked.endedBeforeReturn);
    QVERIFY(asked.pieces > 2);
    QCOMPARE(asked.text, wholeText);
    QCOMPARE(asked.reply->message.text, wholeText);
    QCOMPARE(asked.reply->message.role, ChatMessage::Role::Model);
    QCOMPARE(asked.reply->stop, ChatStop::Finished);
    QVERIFY(asked.reply->message.calls.empty());
    QCOMPARE(asked.reply->usage.tokensIn, 120);
    QCOMPARE(asked.reply->usage.tokensOut, 30);
    QVERIFY(!asked.reply->usage.isEstimated);
}

void TestAnswers::doesNotCareWhereItIsCut() {
    for (const char *script : {"bytewise", "bytewise;as=thinking", "crlf", "crlf;end=r"}) {
        const Asked asked = askFor(script);
        QVERIFY2(asked.reply, asked.words());
        QCOMPARE(asked.reply->message.text, asked.text);
        QCOMPARE(asked.text,
                 QByteArray(script).contains("thinking") ? QStringLiteral("Calling.") : wholeText);
        QVERIFY(!asked.text.contains(QChar::ReplacementCharacter));
    }
}

void TestAnswers::callsATool() {
    const Asked asked = askFor("tool");
    QVERIFY2(asked.reply, asked.words());
    QCOMPARE(asked.reply->stop, ChatStop::CalledTools);
    QCOMPARE(asked.reply->message.calls.size(), std::size_t(1));
    const ChatCall &call = asked.reply->message.calls.front();
    QCOMPARE(call.name, QStringLiteral("report_sum"));
    QCOMPARE(call.arguments, QByteArray("{\"sum\": 5}"));
    QVERIFY(!call.id.isEmpty());
    QVERIFY(asked.calls.size() > 1); // while it was written
    QCOMPARE(asked.calls.first(), QStringLiteral("report_sum"));
}

void TestAnswers::takesAnAnswerThatIsNotStreamed() {
    const Asked asked = askFor("whole");
    QVERIFY2(asked.reply, asked.words());
    QCOMPARE(asked.reply->message.text, QStringLiteral("Calling."));
    QCOMPARE(asked.reply->message.calls.size(), std::size_t(1));
    QCOMPARE(dumpJson(parseJson(asked.reply->message.calls.front().arguments).value()),
             dumpJson(Json({{"sum", 5}})));
    QCOMPARE(asked.reply->stop, ChatStop::CalledTools);
    QCOMPARE(asked.reply->usage.tokensIn, 120);
}

void TestAnswers::passesOverWhatItDoesNotKnow() {
    const Asked asked = askFor("unknown");
    QVERIFY2(asked.reply, asked.words());
    QCOMPARE(asked.reply->message.text, QStringLiteral("all of it"));
    QVERIFY(asked.reply->message.calls.empty());
}

void TestAnswers::takesAnInputThatComesAtOnce() {
    const Asked asked = ask(m_server->profile(Dialect::Anthropic, "input-at-once"));
    QVERIFY2(asked.reply, asked.words());
    QCOMPARE(asked.reply->message.calls.size(), std::size_t(1));
    QCOMPARE(asked.reply->message.calls.front().arguments, QByteArray("{\"sum\":5}"));
}

void TestAnswers::keepsArgumentsAsTheyWereWritten_data() {
    QTest::addColumn<Dialect>("dialect");
    QTest::addColumn<QString>("script");
    QTest::addColumn<QByteArray>("arguments");
    for (const Dialect dialect : allDialects()) {
        const auto row = [dialect](const char *script, const QByteArray &arguments) {
            QTest::addRow("%s %s", qPrintable(dialectName(dialect)), script)
                << dialect << QString(script) << arguments;
        };
        row("arguments-broken", "{\"sum\": 5");
        row("arguments-list", "[1, 2]");
        row("arguments-empty", "");
        row("arguments-2mb", "{\"text\": \"" + QByteArray(2'000'000, 'x') + "\"}");
    }
}

void TestAnswers::keepsArgumentsAsTheyWereWritten() {
    QFETCH(QString, script);
    QFETCH(QByteArray, arguments);
    const Asked asked = askFor(script);
    QVERIFY2(asked.reply, asked.words());
    QCOMPARE(asked.reply->message.calls.size(), std::size_t(1));
    QVERIFY(asked.reply->message.calls.front().arguments == arguments);
    QCOMPARE(asked.reply->stop, ChatStop::CalledTools);

    // And it can be said again, with a result, to each of the three.
    if (arguments.size() > 1000)
        return;
    ChatRequest next = smallRequest();
    next.messages.push_back(asked.reply->message);
    ChatMessage results;
    results.role = ChatMessage::Role::Results;
    results.results.push_back({asked.reply->message.calls.front().id, "report_sum", "no JSON", true});
    next.messages.push_back(results);
    for (const Dialect other : allDialects())
        QVERIFY(ask(m_server->profile(other, "plain"), next).reply);
}

void TestAnswers::gathersFortyCalls() {
    const Asked asked = askFor("calls-40");
    QVERIFY2(asked.reply, asked.words());
    QCOMPARE(asked.reply->message.calls.size(), std::size_t(40));
    for (std::size_t at = 0; at < 40; ++at) {
        QCOMPARE(asked.reply->message.calls[at].name, QStringLiteral("tool_%1").arg(at));
        QCOMPARE(dumpJson(parseJson(asked.reply->message.calls[at].arguments).value()),
                 dumpJson(Json({{"at", at}})));
    }
}

void TestAnswers::givesEachCallAnIdOfItsOwn() {
    const Asked asked = askFor("same-ids");
    QVERIFY2(asked.reply, asked.words());
    QSet<QString> ids;
    for (const ChatCall &call : asked.reply->message.calls)
        ids.insert(call.id);
    QCOMPARE(ids.size(), 3);
    QVERIFY(ids.contains("same"));
}

void TestAnswers::leavesOutACallThatWasCut() {
    const Asked asked = askFor("length");
    QVERIFY2(asked.reply, asked.words());
    QCOMPARE(asked.reply->stop, ChatStop::TokenLimit);
    QCOMPARE(asked.reply->message.text, QStringLiteral("I begin"));
    QCOMPARE(asked.reply->message.calls.size(), std::size_t(1));
    QCOMPARE(asked.reply->message.calls.front().arguments, QByteArray("{\"sum\": 5}"));
}

void TestAnswers::saysThatItWasRefused() {
    const Asked asked = askFor("refusal");
    QVERIFY2(asked.reply, asked.words());
    QCOMPARE(asked.reply->stop, ChatStop::Refused);
    QCOMPARE(asked.reply->message.text, QStringLiteral("I will not"));
}

void TestAnswers::saysThatTheWindowIsFull() {
    const Asked asked = ask(m_server->profile(Dialect::Anthropic, "window-full"));
    QVERIFY2(asked.reply, asked.words());
    QCOMPARE(asked.reply->stop, ChatStop::ContextFull);
}

void TestAnswers::takesAnEmptyAnswer() {
    const Asked asked = askFor("no-answer");
    QVERIFY2(asked.reply, asked.words());
    QCOMPARE(asked.reply->message.text, QString());
    QCOMPARE(asked.reply->stop, ChatStop::Finished);
    QCOMPARE(asked.pieces, 0);
    // Such a message can be said again.
    ChatRequest next = smallRequest();
    next.messages.push_back(asked.reply->message);
    next.messages.push_back(next.messages[1]);
    QVERIFY(askFor("no-answer").reply);
}

void TestAnswers::understandsOddServers_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("calls");
    QTest::newRow("arguments as an object") << "object-arguments"
                                            << "" << 1;
    QTest::newRow("each call at index 0") << "index-zero"
                                          << "" << 3;
    QTest::newRow("neither index nor id") << "no-ids"
                                          << "" << 2;
    QTest::newRow("no ids, all at index 0") << "no-ids-at-zero"
                                            << "" << 2;
    QTest::newRow("a function of before the tools") << "old-function"
                                                    << "" << 1;
    QTest::newRow("without [DONE]") << "no-done"
                                    << "all of it" << 0;
    QTest::newRow("half of a surrogate pair") << "half-pair" << QStringLiteral("a\uFFFDb") << 0;
}

void TestAnswers::understandsOddServers() {
    QFETCH(QString, script);
    QFETCH(QString, text);
    QFETCH(int, calls);
    const Asked asked = ask(m_server->profile(Dialect::OpenAiChat, script));
    QVERIFY2(asked.reply, asked.words());
    QCOMPARE(asked.reply->message.text, text);
    QCOMPARE(static_cast<int>(asked.reply->message.calls.size()), calls);
    QCOMPARE(asked.reply->stop, calls > 0 ? ChatStop::CalledTools : ChatStop::Finished);
    QSet<QString> ids;
    for (const ChatCall &call : asked.reply->message.calls) {
        QCOMPARE(call.name, QStringLiteral("report_sum"));
        QCOMPARE(dumpJson(parseJson(call.arguments).value()), dumpJson(Json({{"sum", 5}})));
        QVERIFY(!call.id.isEmpty());
        ids.insert(call.id);
    }
    QCOMPARE(ids.size(), calls);
}

void TestAnswers::countsTokens_data() {
    QTest::addColumn<Dialect>("dialect");
    QTest::addColumn<double>("cost");
    // 1000 in, of them 600 cached at a tenth; 300 written into Anthropic's cache at 1.25; 50 out.
    QTest::newRow("openai-chat") << Dialect::OpenAiChat << (400 * 2.0 + 600 * 0.2 + 50 * 10.0) / 1e6;
    QTest::newRow("openai-responses")
        << Dialect::OpenAiResponses << (400 * 2.0 + 600 * 0.2 + 50 * 10.0) / 1e6;
    QTest::newRow("anthropic") << Dialect::Anthropic << (100 * 2.0 + 300 * 2.5 + 600 * 0.2 + 50 * 10.0) / 1e6;
}

void TestAnswers::countsTokens() {
    QFETCH(Dialect, dialect);
    QFETCH(double, cost);
    ModelProfile profile = m_server->profile(dialect, "stored");
    Asked asked = ask(profile);
    QVERIFY2(asked.reply, asked.words());
    AgentUsage usage = asked.reply->usage;
    QCOMPARE(usage.tokensIn, 1000);
    QCOMPARE(usage.tokensCached, 600);
    QCOMPARE(usage.tokensOut, 50);
    QCOMPARE(usage.contextTokens, std::optional<qint64>(1050));
    QCOMPARE(usage.contextLimit, std::optional<qint64>(profile.contextTokens));
    QCOMPARE(usage.currency, QString()); // no prices: no cost is said
    QCOMPARE(usage.cost, 0.0);
    profile.prices = {2.0, 0.2, 10.0, QStringLiteral("EUR")};
    asked = ask(profile);
    QVERIFY2(asked.reply, asked.words());
    QCOMPARE(asked.reply->usage.cost, cost);
    QCOMPARE(asked.reply->usage.currency, QStringLiteral("EUR"));
}

void TestAnswers::estimatesTokensThatNobodyCounted() {
    const Asked asked = askFor("no-usage");
    QVERIFY2(asked.reply, asked.words());
    QVERIFY(asked.reply->usage.isEstimated);
    const qint64 bytes = static_cast<qint64>(dumpJson(m_server->requests().back()["body"]).size());
    QCOMPARE(asked.reply->usage.tokensIn, (bytes + 3) / 4);
    QCOMPARE(asked.reply->usage.tokensOut, (wholeText.toUtf8().size() + 3) / 4);
}

QObject *makeTestAnswers() {
    return new TestAnswers;
}
#include "tst_answers.moc"
