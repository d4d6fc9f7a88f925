// SPDX-License-Identifier: GPL-3.0-or-later
// Every row of bad luck ends in one clear message, and none hangs.
#include "tests/endpoints/asked.h"
#include "tests/endpoints/model_server.h"
#include "tests/toolchain/run_test_classes.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTest>
#include <QTimer>

using namespace warpwright;
using Kind = EndpointProblem::Kind;

class TestBadLuck : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { m_server = std::make_unique<ModelServer>(); }
    void cleanupTestCase() { m_server.reset(); }

    void saysWhatIsWrong_data();
    void saysWhatIsWrong();
    void isNoAnswerWhatAnErrorEnds_data();
    void isNoAnswerWhatAnErrorEnds();
    void knowsThatTheContextIsFull_data();
    void knowsThatTheContextIsFull();
    void keepsWhatWasShownOfACutAnswer_data();
    void keepsWhatWasShownOfACutAnswer();
    void takesNoEndlessAnswer_data();
    void takesNoEndlessAnswer();
    void waitsForBytesAndForTheWhole();
    void saysThatNobodyListens();
    void saysThatTheHostIsUnknown();
    void saysThatTlsFails();
    void doesNotWaitLongForAConnection();
    void sendsNothingInTheOpen();
    void goesNowhereElseWithTheKey();
    void goesOnWhereItsHostSendsIt_data();
    void goesOnWhereItsHostSendsIt();
    void goesRoundNoCircle();
    void believesAHousesOwnAuthority_data();
    void believesAHousesOwnAuthority();
    void leavesOutWhatAnEndpointRefuses_data();
    void leavesOutWhatAnEndpointRefuses();
    void isCancelledAtAnyMoment_data();
    void isCancelledAtAnyMoment();
    void mayBeDeletedAtAnyPiece();
    void blocksNobody();

private:
    std::unique_ptr<ModelServer> m_server;
};

void TestBadLuck::saysWhatIsWrong_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("words"); ///< in the message
    const auto row = [](const char *script, Kind kind, int status, const char *words) {
        QTest::newRow(script) << QString(script) << kind << status << QString::fromUtf8(words);
    };
    row("status-400", Kind::BadRequest, 400, "\"it is status 400\"");
    row("status-401", Kind::NoKey, 401, "wright models add --key-env");
    row("status-402", Kind::Payment, 402, "Pay in");
    row("status-403", Kind::Forbidden, 403, "for access");
    row("status-404", Kind::NoModel, 404, "\"m\"");
    row("status-413", Kind::TooLarge, 413, "fewer files");
    row("status-429", Kind::Busy, 429, "HTTP 429");
    row("status-429;retry-after=3600", Kind::Busy, 429, "asks to wait 3600 s");
    row("status-500", Kind::Broken, 500, "HTTP 500");
    row("status-503", Kind::Busy, 503, "HTTP 503");
    row("status-529", Kind::Busy, 529, "HTTP 529");
    row("quota", Kind::Payment, 429, "current quota");
    row("credit", Kind::Payment, 400, "credit balance");
    row("no-model", Kind::NoModel, 404, "does not exist");
    row("bad-model", Kind::NoModel, 400, "not a valid model");
    row("no-tools-vllm", Kind::NoTools, 400, "Start vLLM with --enable-auto-tool-choice");
    row("no-tools-llamacpp", Kind::NoTools, 500, "Start llama-server with --jinja");
    row("no-tools-ollama", Kind::NoTools, 400, "a model that can call tools");
    row("answer-too-long", Kind::BadRequest, 400, "fewer than 3596 tokens");
    row("html", Kind::BadAnswer, 0, "Welcome to the hotel");
    row("hints", Kind::BadRequest, 103, "Early Hints");
    row("empty", Kind::CutOff, 0, "without a word");
    row("drop", Kind::NoNetwork, 0, "connection failed");
    row("error-first", Kind::Busy, 200, "Overloaded");
    row("error-first;type=invalid_request_error", Kind::BadRequest, 200, "Overloaded");
    row("error-first;type=api_error", Kind::Broken, 200, "Overloaded");
    row("error-after-text", Kind::Busy, 200, "Overloaded");
    row("silent", Kind::Silent, 0, "nothing came for 0.5 s");
}

void TestBadLuck::saysWhatIsWrong() {
    QFETCH(QString, script);
    QFETCH(Kind, kind);
    QFETCH(int, status);
    QFETCH(QString, words);
    for (const Dialect dialect : allDialects()) {
        const Asked asked = ask(m_server->profile(dialect, script));
        QVERIFY2(asked.problem, asked.words());
        QCOMPARE(asked.ends, 1);
        QVERIFY2(asked.kind() == kind, asked.words());
        QCOMPARE(asked.problem->status, status);
        QVERIFY2(asked.problem->message.contains(words), asked.words());
        // Which model, where, and one or two sentences that end.
        QVERIFY2(asked.problem->message.startsWith("No answer from the model \"tested\" (http://127.0.0.1:"),
                 asked.words());
        QVERIFY2(asked.problem->message.endsWith('.'), asked.words());
        QVERIFY2(asked.problem->message.size() < 700, asked.words());
    }
}

void TestBadLuck::isNoAnswerWhatAnErrorEnds_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("words");
    QTest::newRow("of a choice") << "choice-error"
                                 << "Upstream idle timeout exceeded";
    QTest::newRow("a reason alone") << "finish-error"
                                    << "finish_reason: error";
    QTest::newRow("a line of llama-server") << "error-line"
                                            << "context shift is disabled";
    QTest::newRow("an object of vLLM") << "object-error"
                                       << "EngineCore encountered an issue";
}

void TestBadLuck::isNoAnswerWhatAnErrorEnds() {
    QFETCH(QString, script);
    QFETCH(QString, words);
    const Asked asked = ask(m_server->profile(Dialect::OpenAiChat, script));
    QVERIFY2(asked.kind() == Kind::Broken, asked.words());
    QVERIFY2(asked.words().contains(words.toUtf8()), asked.words());
    QCOMPARE(asked.waits.size(), std::size_t(2)); // it may be right the next time
    QCOMPARE(asked.ends, 1);
}

void TestBadLuck::knowsThatTheContextIsFull_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<qint64>("tokens");
    QTest::addColumn<qint64>("limit");
    QTest::newRow("OpenAI") << "overflow-openai" << 9001LL << 8192LL;
    QTest::newRow("Anthropic") << "overflow-anthropic" << 209000LL << 200000LL;
    QTest::newRow("llama.cpp") << "overflow-llamacpp" << 4476LL << 4096LL;
    QTest::newRow("vLLM") << "overflow-vllm" << 4500LL << 4096LL;
    QTest::newRow("in the stream")
        << "error-first;type=invalid_request_error;words=prompt+is+too+long:+300+tokens+%3E+200+maximum"
        << 300LL << 200LL;
}

void TestBadLuck::knowsThatTheContextIsFull() {
    QFETCH(QString, script);
    QFETCH(qint64, tokens);
    QFETCH(qint64, limit);
    for (const Dialect dialect : allDialects()) {
        const auto before = m_server->requests().size();
        const Asked asked = ask(m_server->profile(dialect, script));
        QVERIFY2(asked.problem, asked.words());
        QVERIFY2(asked.kind() == Kind::ContextFull, asked.words());
        QCOMPARE(asked.problem->tokens, std::optional(tokens));
        QCOMPARE(asked.problem->contextLimit, std::optional(limit));
        QVERIFY2(asked.problem->message.contains("Shorten the conversation"), asked.words());
        QCOMPARE(m_server->requests().size(), before + 1); // asking again would not help
    }
}

void TestBadLuck::keepsWhatWasShownOfACutAnswer_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("shown");
    QTest::newRow("in a character") << "cut-character" << QStringLiteral("Grüße ");
    QTest::newRow("in a call") << "cut-call" << QStringLiteral("Calling.");
}

void TestBadLuck::keepsWhatWasShownOfACutAnswer() {
    QFETCH(QString, script);
    QFETCH(QString, shown);
    for (const Dialect dialect : allDialects()) {
        const Asked asked = ask(m_server->profile(dialect, script));
        QVERIFY2(asked.problem, asked.words());
        QVERIFY2(asked.kind() == Kind::CutOff, asked.words());
        QVERIFY2(shown.startsWith(asked.text) || asked.text.startsWith(shown), qPrintable(asked.text));
        QVERIFY(!asked.text.contains(QChar::ReplacementCharacter));
        QCOMPARE(asked.waits.size(), std::size_t(2));
    }
}

void TestBadLuck::takesNoEndlessAnswer_data() {
    QTest::addColumn<QString>("script");
    QTest::newRow("in events") << "flood";
    QTest::newRow("in one line") << "long-line";
}

void TestBadLuck::takesNoEndlessAnswer() {
    QFETCH(QString, script);
    const Asked asked = ask(m_server->profile(Dialect::OpenAiChat, script));
    QVERIFY2(asked.kind() == Kind::BadAnswer, asked.words());
    QVERIFY2(asked.words().contains("MiB"), asked.words());
}

void TestBadLuck::waitsForBytesAndForTheWhole() {
    EndpointPatience patience = shortPatience();
    patience.silenceMs = 200;
    // A byte each 20 ms is no silence, and for ever is too long.
    patience.wholeMs = 700;
    const Asked asked =
        ask(m_server->profile(Dialect::OpenAiChat, "slow;seconds=0.02"), smallRequest(), {}, patience);
    QVERIFY2(asked.kind() == Kind::Silent, asked.words());
    QVERIFY2(asked.words().contains("within 0.7 s"), asked.words());
    QVERIFY(asked.seconds > 0.6 && asked.seconds < 5);
    // A byte each 400 ms is.
    const Asked silent =
        ask(m_server->profile(Dialect::OpenAiChat, "slow;seconds=0.4"), smallRequest(), {}, patience);
    QVERIFY2(silent.kind() == Kind::Silent, silent.words());
    QVERIFY2(silent.words().contains("nothing came for 0.2 s"), silent.words());
}

void TestBadLuck::saysThatNobodyListens() {
    QTcpServer port;
    QVERIFY(port.listen(QHostAddress::LocalHost));
    ModelProfile profile = m_server->profile(Dialect::OpenAiChat, "plain");
    profile.baseUrl = QStringLiteral("http://127.0.0.1:%1/v1").arg(port.serverPort());
    port.close();
    const Asked asked = ask(profile);
    QVERIFY2(asked.kind() == Kind::NoNetwork, asked.words());
    QVERIFY2(asked.words().contains("nothing listens at 127.0.0.1:"), asked.words());
    QVERIFY2(asked.words().contains("Start the server"), asked.words());
    QCOMPARE(asked.waits.size(), std::size_t(2)); // three tries
}

void TestBadLuck::saysThatTheHostIsUnknown() {
    ModelProfile profile = m_server->profile(Dialect::OpenAiChat, "plain");
    profile.baseUrl = QStringLiteral("https://no-such-host.invalid/v1");
    const Asked asked = ask(profile);
    QVERIFY2(asked.kind() == Kind::NoHost, asked.words());
    QVERIFY2(asked.words().contains("\"no-such-host.invalid\" is not known"), asked.words());
}

void TestBadLuck::saysThatTlsFails() {
    // It speaks plain HTTP where TLS is wanted.
    ModelProfile profile = m_server->profile(Dialect::OpenAiChat, "plain");
    profile.baseUrl.replace("http:", "https:");
    const Asked asked = ask(profile);
    QVERIFY2(asked.kind() == Kind::Tls, asked.words());
}

void TestBadLuck::doesNotWaitLongForAConnection() {
    QTcpServer mute; // it takes connections and never speaks TLS
    QVERIFY(mute.listen(QHostAddress::LocalHost));
    ModelProfile profile = m_server->profile(Dialect::OpenAiChat, "plain");
    profile.baseUrl = QStringLiteral("https://127.0.0.1:%1/v1").arg(mute.serverPort());
    EndpointPatience patience = shortPatience();
    patience.connectMs = 150;
    const Asked asked = ask(profile, smallRequest(), {}, patience);
    QVERIFY2(asked.kind() == Kind::NoNetwork, asked.words());
    QVERIFY2(asked.words().contains("no connection within 0.15 s"), asked.words());
    QVERIFY(asked.seconds < 3);
}

void TestBadLuck::sendsNothingInTheOpen() {
    ModelProfile profile = m_server->profile(Dialect::OpenAiChat, "plain");
    profile.baseUrl = QStringLiteral("http://192.0.2.1:8080/v1");
    const Asked asked = ask(profile);
    QVERIFY(!asked.endedBeforeReturn);
    QVERIFY2(asked.kind() == Kind::BadRequest, asked.words());
    QVERIFY2(asked.words().contains("without TLS"), asked.words());
    QVERIFY(asked.seconds < 1);
    const Asked odd = ask(m_server->profile(Dialect::OpenAiChat, "plain"), smallRequest(), "two\nlines");
    QVERIFY2(odd.kind() == Kind::NoKey, odd.words());
}

void TestBadLuck::goesNowhereElseWithTheKey() {
    const ModelServer other;
    const QString target = QStringLiteral("http:!!127.0.0.1:%1!plain!v1!chat!completions").arg(other.port());
    const Asked asked = ask(m_server->profile(Dialect::OpenAiChat, "redirect;to=" + target), smallRequest(),
                            "sk-key-of-a-test");
    QVERIFY2(asked.kind() == Kind::BadRequest, asked.words());
    QVERIFY2(asked.words().contains(QStringLiteral("127.0.0.1:%1").arg(other.port()).toUtf8()),
             asked.words());
    QVERIFY(other.requests().empty());
}

void TestBadLuck::goesOnWhereItsHostSendsIt_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<int>("requests"); ///< of two questions
    QTest::newRow("307, relative") << "redirect;to=!plain!v1!chat!completions" << 4;
    QTest::newRow("302") << "redirect;status=302;to=!plain!v1!chat!completions" << 4;
    QTest::newRow("308, remembered") << "redirect;status=308;to=!plain!v1!chat!completions" << 3;
    QTest::newRow("301, remembered") << "redirect;status=301;to=!plain!v1!chat!completions" << 3;
    QTest::newRow("to a slash behind it")
        << "redirect;to=http:!!127.0.0.1:PORT!plain!v1!chat!completions" << 4;
}

void TestBadLuck::goesOnWhereItsHostSendsIt() {
    QFETCH(QString, script);
    QFETCH(int, requests);
    script.replace("PORT", QString::number(m_server->port()));
    Endpoint endpoint(m_server->profile(Dialect::OpenAiChat, script), "sk-key-of-a-test", shortPatience());
    const auto before = static_cast<int>(m_server->requests().size());
    for (int at = 0; at < 2; ++at) {
        const Asked asked = askThrough(endpoint, smallRequest());
        QVERIFY2(asked.reply, asked.words());
        QVERIFY(asked.waits.empty());
    }
    const std::vector<Json> all = m_server->requests();
    QCOMPARE(static_cast<int>(all.size()), before + requests);
    QVERIFY(all.back()["headers"].dump().find("authorization") != std::string::npos);
    QCOMPARE(dumpJson(all.back()["body"]), dumpJson(all[static_cast<std::size_t>(before)]["body"]));
}

void TestBadLuck::goesRoundNoCircle() {
    const auto before = m_server->requests().size();
    const Asked asked = ask(m_server->profile(Dialect::OpenAiChat, "redirect;to=completions"));
    QVERIFY2(asked.kind() == Kind::BadRequest, asked.words());
    QVERIFY2(asked.words().contains("HTTP 307 to \"http://127.0.0.1:"), asked.words());
    QCOMPARE(m_server->requests().size(), before + 6);
    // 303 would have the answer fetched without the question.
    const Asked other =
        ask(m_server->profile(Dialect::OpenAiChat, "redirect;status=303;to=!plain!v1!chat!completions"));
    QVERIFY2(other.kind() == Kind::BadRequest, other.words());
}

void TestBadLuck::believesAHousesOwnAuthority_data() {
    QTest::addColumn<QByteArray>("variable");
    QTest::newRow("nobody's word") << QByteArray();
    QTest::newRow("SSL_CERT_FILE") << QByteArray("SSL_CERT_FILE");
    QTest::newRow("SSL_CERT_DIR") << QByteArray("SSL_CERT_DIR");
}

void TestBadLuck::believesAHousesOwnAuthority() {
    QFETCH(QByteArray, variable);
    NEED_TOOL(!QStandardPaths::findExecutable("openssl").isEmpty(), QStringLiteral("openssl"));
    const Scratch scratch;
    const QString certificate = scratch.path("house.pem");
    const QString key = scratch.path("key.pem");
    QProcess openssl;
    openssl.start("openssl",
                  {"req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=house",
                   "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate});
    QVERIFY(openssl.waitForFinished(30'000));
    const ModelServer server({}, {certificate, key});
    if (!variable.isEmpty())
        qputenv(variable.constData(),
                variable.endsWith("FILE") ? certificate.toLocal8Bit() : scratch.path().toLocal8Bit());
    const Asked asked = ask(server.profile(Dialect::OpenAiChat, "plain"));
    if (!variable.isEmpty())
        qunsetenv(variable.constData());
    QVERIFY2(asked.reply.has_value() != variable.isEmpty(), asked.words());
    if (variable.isEmpty()) {
        QVERIFY2(asked.kind() == Kind::Tls, asked.words());
        QVERIFY2(asked.words().contains("SSL_CERT_FILE"), asked.words());
    }
}

void TestBadLuck::leavesOutWhatAnEndpointRefuses_data() {
    QTest::addColumn<Dialect>("dialect");
    QTest::addColumn<QString>("script");
    QTest::newRow("stream_options") << Dialect::OpenAiChat
                                    << "refuse-field;field=stream_options;words=unknown+field+stream_options";
    QTest::newRow("max_tokens")
        << Dialect::OpenAiChat
        << "refuse-field;field=max_tokens;words=Unsupported+parameter:+'max_tokens'+is+not+"
           "supported.+Use+'max_completion_tokens'";
    QTest::newRow("encrypted reasoning")
        << Dialect::OpenAiResponses
        << "refuse-field;field=include;words=Encrypted+content+is+not+supported+with+this+model.";
}

void TestBadLuck::leavesOutWhatAnEndpointRefuses() {
    QFETCH(Dialect, dialect);
    QFETCH(QString, script);
    Endpoint endpoint(m_server->profile(dialect, script), {}, shortPatience());
    const auto before = m_server->requests().size();
    const Asked asked = askThrough(endpoint, smallRequest());
    QVERIFY2(asked.reply, asked.words());
    QVERIFY(asked.waits.empty());
    QCOMPARE(m_server->requests().size(), before + 2);
    QVERIFY(askThrough(endpoint, smallRequest()).reply); // it is remembered
    QCOMPARE(m_server->requests().size(), before + 3);
}

void TestBadLuck::isCancelledAtAnyMoment_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<int>("afterMs"); ///< -1: at the first piece
    QTest::newRow("at once") << "plain" << 0;
    QTest::newRow("while it waits for the header") << "hang" << 100;
    QTest::newRow("at the first piece") << "long-text;pause=0.001" << -1;
    QTest::newRow("between two tries") << "status-429;retry-after=20" << 150;
}

void TestBadLuck::isCancelledAtAnyMoment() {
    QFETCH(QString, script);
    QFETCH(int, afterMs);
    Endpoint endpoint(m_server->profile(Dialect::OpenAiChat, script), {}, shortPatience());
    QElapsedTimer since;
    const auto cancel = [&] {
        since.start();
        endpoint.cancel();
    };
    if (afterMs >= 0)
        QTimer::singleShot(afterMs, &endpoint, cancel);
    const Asked asked = askThrough(endpoint, smallRequest(), [&] {
        if (afterMs < 0)
            cancel();
    });
    QVERIFY(since.elapsed() < 100);
    QVERIFY2(asked.kind() == Kind::Cancelled, asked.words());
    QCOMPARE(asked.ends, 1);
    QVERIFY(asked.pieces <= 1);
    endpoint.cancel(); // nothing goes on: nothing comes
    QTest::qWait(30);
}

void TestBadLuck::mayBeDeletedAtAnyPiece() {
    for (const char *script : {"plain", "long-text", "calls-40", "arguments-2mb"}) {
        auto endpoint = std::make_unique<Endpoint>(m_server->profile(Dialect::OpenAiChat, script), QString(),
                                                   shortPatience());
        const auto end = [&endpoint] {
            endpoint.reset();
        };
        connect(endpoint.get(), &Endpoint::textArrived, this, end);
        connect(endpoint.get(), &Endpoint::callArrives, this, end);
        endpoint->ask(smallRequest());
        QTRY_VERIFY(endpoint == nullptr);
        QTest::qWait(20); // what was on its way finds nobody
    }
}

/// 3 MB of conversation out, 2 MB of a call in: nobody else in the thread waits long.
void TestBadLuck::blocksNobody() {
    ChatRequest request = smallRequest();
    for (int turn = 0; turn < 30; ++turn) {
        ChatMessage message;
        message.text = QString(100'000, QLatin1Char('x'));
        request.messages.push_back(message);
    }
    Endpoint endpoint(m_server->profile(Dialect::OpenAiChat, "arguments-2mb"), {}, shortPatience());
    QTimer beat;
    QElapsedTimer last;
    qint64 longest = 0;
    connect(&beat, &QTimer::timeout, this, [&] { longest = std::max(longest, last.restart()); });
    last.start();
    beat.start(1);
    const Asked asked = askThrough(endpoint, request);
    QVERIFY2(asked.reply, asked.words());
    // 16 ms are what the product promises; a busy machine that runs tests gets a few more.
    QVERIFY2(longest < 60, qPrintable(QStringLiteral("%1 ms").arg(longest)));
}

QObject *makeTestBadLuck() {
    return new TestBadLuck;
}
#include "tst_bad_luck.moc"
