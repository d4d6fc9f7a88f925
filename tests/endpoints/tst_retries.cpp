// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/retry_policy.h"
#include "tests/endpoints/asked.h"
#include "tests/endpoints/model_server.h"

#include <QTest>

using namespace warpwright;
using Kind = EndpointProblem::Kind;

Q_DECLARE_METATYPE(RetryState)

class TestRetries : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { m_server = std::make_unique<ModelServer>(); }
    void cleanupTestCase() { m_server.reset(); }

    void waitsAsTheHeaderSays_data();
    void waitsAsTheHeaderSays();
    void triesAgain_data();
    void triesAgain();
    void asksAgainAndIsAnswered_data();
    void asksAgainAndIsAnswered();
    void triesForMinutes_data();
    void triesForMinutes();
    void hearsWhatWordsAskToWait_data();
    void hearsWhatWordsAskToWait();
    void beginsACutAnswerAnew_data();
    void beginsACutAnswerAnew();
    void isPatientWithWhatHasAnswered();

private:
    std::unique_ptr<ModelServer> m_server;
};

void TestRetries::waitsAsTheHeaderSays_data() {
    QTest::addColumn<QByteArray>("ms");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<qint64>("pause"); ///< 0: it says nothing
    const auto row = [](const char *name, const char *ms, const char *after, qint64 pause) {
        QTest::newRow(name) << QByteArray(ms) << QByteArray(after) << pause;
    };
    row("nothing", "", "", 0);
    row("seconds", "", "3", 3000);
    row("parts of a second", "", " 1.5 ", 1500);
    row("milliseconds first", "250", "3", 250);
    row("milliseconds that are none", "soon", "3", 3000);
    row("a date", "", "Sat, 28 Nov 2026 12:00:30 GMT", 30'000);
    row("a date that is over", "", "Sat, 28 Nov 2026 11:00:30 GMT", 0);
    row("no date", "", "tomorrow", 0);
    row("nothing to wait", "0", "0", 0);
    row("less than nothing", "", "-5", 0);
}

void TestRetries::waitsAsTheHeaderSays() {
    QFETCH(QByteArray, ms);
    QFETCH(QByteArray, after);
    QFETCH(qint64, pause);
    const QDateTime now(QDate(2026, 11, 28), QTime(12, 0), Qt::UTC);
    const RetryHeaders headers{ms, after, {}};
    QCOMPARE(headers.pauseMs(now).value_or(0), pause);
}

void TestRetries::triesAgain_data() {
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("should");
    QTest::addColumn<QByteArray>("after");
    QTest::addColumn<int>("tries");
    QTest::addColumn<int>("pause"); ///< -1: not again
    const auto row = [](const char *name, Kind kind, int status, const char *should, const char *after,
                        int tries, int pause) {
        QTest::newRow(name) << kind << status << QByteArray(should) << QByteArray(after) << tries << pause;
    };
    row("busy", Kind::Busy, 429, "", "", 1, 500);
    row("busy again: twice as long", Kind::Busy, 429, "", "", 2, 1000);
    row("busy for the third time", Kind::Busy, 429, "", "", 3, -1);
    row("busy, and says how long", Kind::Busy, 429, "", "7", 1, 7000);
    row("busy, for longer than anybody waits", Kind::Busy, 429, "", "61", 1, 500);
    row("busy, for a minute", Kind::Busy, 429, "", "60", 1, 60'000);
    row("broken", Kind::Broken, 500, "", "", 1, 500);
    row("lost", Kind::NoNetwork, 0, "", "", 1, 500);
    row("cut before anything came", Kind::CutOff, 0, "", "", 1, 500);
    row("a used up quota", Kind::Payment, 429, "", "1", 1, -1);
    row("a used up quota, whatever it says", Kind::Payment, 429, "true", "", 1, -1);
    row("a full context", Kind::ContextFull, 400, "true", "", 1, -1);
    row("a wrong key", Kind::NoKey, 401, "", "", 1, -1);
    row("a bad request", Kind::BadRequest, 400, "", "", 1, -1);
    row("a bad request that says to ask again", Kind::BadRequest, 400, "true", "", 1, 500);
    row("broken, and says not to ask again", Kind::Broken, 500, "false", "", 1, -1);
    row("a certificate", Kind::Tls, 0, "", "", 1, -1);
}

void TestRetries::triesAgain() {
    QFETCH(Kind, kind);
    QFETCH(int, status);
    QFETCH(QByteArray, should);
    QFETCH(QByteArray, after);
    QFETCH(int, tries);
    QFETCH(int, pause);
    EndpointProblem problem;
    problem.kind = kind;
    problem.status = status;
    EndpointPatience patience;
    patience.keepsTryingMs = 0;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const RetryHeaders headers{{}, after, should};
    const RetryState state{tries, 0, true};
    QCOMPARE(pauseBeforeRetryMs(problem, headers, state, patience, now, 0).value_or(-1), pause);
    // Chance takes up to a quarter off our own pauses, so that not all come back at once.
    const int shortest = pauseBeforeRetryMs(problem, headers, state, patience, now, 1).value_or(-1);
    QVERIFY(shortest <= pause && shortest >= (pause < 0 ? -1 : pause * 3 / 4));
}

void TestRetries::asksAgainAndIsAnswered_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<int>("pause"); ///< about; -1: a short one of ours
    QTest::newRow("busy") << "status-429;times=2" << -1;
    QTest::newRow("busy, in milliseconds") << "status-429;retry-after-ms=30;times=2" << 30;
    QTest::newRow("busy, in seconds") << "status-429;retry-after=0.04;times=2" << 40;
    QTest::newRow("timed out there") << "status-408;times=2" << -1;
    QTest::newRow("in conflict") << "status-409;times=2" << -1;
    QTest::newRow("broken") << "status-500;times=2" << -1;
    QTest::newRow("overloaded") << "status-529;times=2" << -1;
    QTest::newRow("refused, but to be asked again") << "status-400;x-should-retry=true;times=2" << -1;
    QTest::newRow("an error in the stream") << "error-first;times=2" << -1;
    QTest::newRow("an empty stream") << "empty;times=2" << -1;
}

void TestRetries::asksAgainAndIsAnswered() {
    QFETCH(QString, script);
    QFETCH(int, pause);
    // The server counts by script.
    for (const Dialect dialect : allDialects()) {
        const Asked asked = ask(m_server->profile(dialect, script + ";of=" + dialectName(dialect)));
        QVERIFY2(asked.reply, asked.words());
        QCOMPARE(asked.waits.size(), std::size_t(2));
        QVERIFY2(asked.reasons.first().contains("No answer from the model"),
                 qPrintable(asked.reasons.first()));
        QCOMPARE(asked.text, QStringLiteral("Grüße 👋 from the model"));
        for (const int waited : asked.waits)
            QVERIFY2(pause < 0 ? waited <= 8 : waited == pause, qPrintable(QString::number(waited)));
    }
    const Asked thrice =
        ask(m_server->profile(Dialect::OpenAiChat, QString(script).replace("times=2", "times=3")));
    QVERIFY2(thrice.problem, thrice.words());
}

void TestRetries::triesForMinutes_data() {
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<RetryState>("state");
    QTest::addColumn<int>("asked"); ///< by its words, ms; 0: nothing
    QTest::addColumn<int>("pause"); ///< -1: not again
    const auto row = [](const char *name, Kind kind, const RetryState &state, int asked, int pause) {
        QTest::newRow(name) << kind << state << asked << pause;
    };
    row("busy, never answered", Kind::Busy, {3, 1500, false}, 0, 2000);
    row("busy, for four minutes", Kind::Busy, {12, 240'000, true}, 0, 30'000);
    row("busy, for five minutes", Kind::Busy, {14, 290'000, true}, 0, -1);
    row("busy, and says how long", Kind::Busy, {4, 5000, true}, 120'000, 120'000);
    row("busy, for longer than there is", Kind::Busy, {1, 0, true}, 400'000, 500);
    row("busy, for longer than there is, again", Kind::Busy, {3, 2000, true}, 400'000, -1);
    row("broken, and has answered", Kind::Broken, {5, 8000, true}, 0, 8000);
    row("cut, and has answered", Kind::CutOff, {6, 20'000, true}, 0, 16'000);
    row("lost, and has answered", Kind::NoNetwork, {5, 8000, true}, 0, 8000);
    row("lost, never answered", Kind::NoNetwork, {3, 1500, false}, 0, -1);
    row("broken, never answered", Kind::Broken, {3, 1500, false}, 0, -1);
    row("a wrong key, and has answered", Kind::NoKey, {1, 0, true}, 0, -1);
}

void TestRetries::triesForMinutes() {
    QFETCH(Kind, kind);
    QFETCH(RetryState, state);
    QFETCH(int, asked);
    QFETCH(int, pause);
    EndpointProblem problem;
    problem.kind = kind;
    if (asked > 0)
        problem.retryAfterMs = asked;
    const EndpointPatience patience;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    QCOMPARE(pauseBeforeRetryMs(problem, {}, state, patience, now, 0).value_or(-1), pause);
}

void TestRetries::hearsWhatWordsAskToWait_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<qint64>("pause"); ///< ms; 0: none
    QTest::newRow("OpenAI") << QByteArray(R"({"error": {"message": "Rate limit reached for m on tokens per min
        (TPM): Limit 30000. Please try again in 12.5s. Visit x.", "code": "rate_limit_exceeded"}})")
                            << Kind::Busy << 12'501LL;
    QTest::newRow("Groq") << QByteArray(R"({"error": {"message": "Please try again in 1m2.5s."}})")
                          << Kind::Busy << 62'501LL;
    QTest::newRow("milliseconds") << QByteArray(R"({"error": {"message": "Please try again in 850ms."}})")
                                  << Kind::Busy << 851LL;
    QTest::newRow("Gemini") << QByteArray(
                                   R"([{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message":
        "You exceeded your current quota, please check your plan and billing details.", "details": [{"@type":
        "type.googleapis.com/google.rpc.QuotaFailure"}, {"@type": "type.googleapis.com/google.rpc.RetryInfo",
        "retryDelay": "6s"}]}}])")
                            << Kind::Busy << 6001LL;
    QTest::newRow("a quota that no time fills") << QByteArray(R"({"error": {"message": "You exceeded your
        current quota.", "code": "insufficient_quota"}})")
                                                << Kind::Payment << 0LL;
    QTest::newRow("in an hour") << QByteArray(R"({"error": {"message": "try again in some time"}})")
                                << Kind::Busy << 0LL;
}

void TestRetries::hearsWhatWordsAskToWait() {
    QFETCH(QByteArray, body);
    QFETCH(Kind, kind);
    QFETCH(qint64, pause);
    body.replace('\n', ' ');
    const EndpointProblem problem = problemOfStatus(m_server->profile(Dialect::OpenAiChat, "x"), 429, body);
    QVERIFY2(problem.kind == kind, qPrintable(problem.message));
    QCOMPARE(problem.retryAfterMs.value_or(0), pause);
}

void TestRetries::beginsACutAnswerAnew_data() {
    QTest::addColumn<QString>("script");
    QTest::newRow("cut in a character") << "cut-character;times=2";
    QTest::newRow("overloaded in the middle") << "error-after-text;times=2";
    QTest::newRow("a rate limit in the middle") << "error-after-text;type=rate_limit_error;times=2";
    QTest::newRow("broken in the middle") << "error-after-text;type=api_error;times=2";
}

void TestRetries::beginsACutAnswerAnew() {
    QFETCH(QString, script);
    for (const Dialect dialect : allDialects()) {
        const Asked asked = ask(m_server->profile(dialect, script + ";of=" + dialectName(dialect)));
        QVERIFY2(asked.reply, asked.words());
        QCOMPARE(asked.ends, 1);
        QCOMPARE(asked.waits.size(), std::size_t(2));
        QVERIFY(!asked.givenUp.isEmpty());
        QCOMPARE(asked.text, QStringLiteral("Grüße 👋 from the model"));
        QCOMPARE(asked.reply->message.text, asked.text);
    }
}

/// More than three tries, for so long as it is told; and the next question begins to count anew.
void TestRetries::isPatientWithWhatHasAnswered() {
    EndpointPatience patience = shortPatience();
    patience.keepsTryingMs = 10'000;
    Endpoint endpoint(m_server->profile(Dialect::OpenAiChat, "after-first;do=cut-character;times=6"), {},
                      patience);
    QVERIFY(askThrough(endpoint, smallRequest()).reply);
    const Asked asked = askThrough(endpoint, smallRequest());
    QVERIFY2(asked.reply, asked.words());
    QCOMPARE(asked.waits.size(), std::size_t(5));
    patience.keepsTryingMs = 60;
    Endpoint given(m_server->profile(Dialect::OpenAiChat, "after-first;do=status-500"), {}, patience);
    QVERIFY(askThrough(given, smallRequest()).reply);
    const Asked failed = askThrough(given, smallRequest());
    QVERIFY2(failed.kind() == Kind::Broken, failed.words());
    QVERIFY(failed.waits.size() >= 3 && failed.waits.size() < 8);
}

QObject *makeTestRetries() {
    return new TestRetries;
}
#include "tst_retries.moc"
