// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/judge/judge.h"
#include "toolchain/judge/judge_session.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

#include <csignal>

using namespace warpwright;

namespace {

const QString fakeJudge = sourceFolder("/tests/tools/fake_judge/fake_judge.py");

/// One answer of whichever kind.
struct Answer {
    Json reply;
    JudgeError error;
    EvaluationMessage death;
};

Answer ask(Judge &judge, const QString &method) {
    Answer answer;
    QSignalSpy any(&judge, &Judge::replied);
    QSignalSpy refused(&judge, &Judge::refused);
    QSignalSpy died(&judge, &Judge::died);
    const int id = judge.call(method, Json::object());
    if (!QTest::qWaitFor([&] { return !any.isEmpty() || !refused.isEmpty() || !died.isEmpty(); }, 20000))
        return answer;
    if (!any.isEmpty() && any[0][0].toInt() == id)
        answer.reply = any[0][1].value<Json>();
    if (!refused.isEmpty() && refused[0][0].toInt() == id)
        answer.error = refused[0][1].value<JudgeError>();
    if (!died.isEmpty())
        answer.death = died[0][0].value<EvaluationMessage>();
    return answer;
}

} // namespace

class TestJudge : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        NEED_TOOL(!QStandardPaths::findExecutable(QStringLiteral("python3")).isEmpty(), "python3");
        qRegisterMetaType<warpwright::Json>("warpwright::Json");
        qRegisterMetaType<warpwright::JudgeError>("warpwright::JudgeError");
        qRegisterMetaType<warpwright::EvaluationMessage>("warpwright::EvaluationMessage");
    }

    void cleanup() { qunsetenv("FAKE_JUDGE"); }

    void answersEachCall() {
        Judge judge;
        judge.start(fakeJudge);
        QCOMPARE(ask(judge, "hello").reply.value("protocol", 0), 1);
        QVERIFY(ask(judge, "open").reply.contains("task"));
        QCOMPARE(stringIn(ask(judge, "verify").reply, "status"), QString("passed"));
        QVERIFY(!judge.hasCallInProgress());
        QSignalSpy stopped(&judge, &Judge::stopped);
        judge.shutDown();
        QVERIFY(stopped.wait(5000));
        QVERIFY(!judge.isRunning());
    }

    void passesOnARefusal() {
        qputenv("FAKE_JUDGE", "refuse=open:task-failed");
        Judge judge;
        judge.start(fakeJudge);
        const JudgeError error = ask(judge, "open").error;
        QCOMPARE(error.verdict, Verdict::TaskFailed);
        QCOMPARE(error.message.what, QString("Cannot use the reference"));
        QCOMPARE(error.message.thing, QString("model.py"));
        QCOMPARE(error.message.why, QString("it was told to"));
    }

    void countsAsDead_data() {
        QTest::addColumn<QByteArray>("words");
        QTest::addColumn<QString>("why");
        QTest::newRow("killed") << QByteArray("die=hello:9") << "killed by signal 9 (Killed)";
        QTest::newRow("crashed") << QByteArray("die=hello:11") << "killed by signal 11";
        QTest::newRow("its last words")
            << QByteArray("die=hello:6") << "last words: «fake judge: about to die»";
        QTest::newRow("ended") << QByteArray("exit=hello:3") << "ended with exit code 3";
        QTest::newRow("garbage") << QByteArray("garbage=hello")
                                 << "«Segmentation fault (core dumped)», which is no JSON-RPC";
        QTest::newRow("an answer to nothing")
            << QByteArray("stranger=hello") << "to a question that was not asked";
        QTest::newRow("silent") << QByteArray("silent=hello") << "said nothing for";
        QTest::newRow("garbage, and deaf") << QByteArray("garbage=hello deaf") << "which is no JSON-RPC";
    }

    void countsAsDead() {
        QFETCH(QByteArray, words);
        QFETCH(QString, why);
        qputenv("FAKE_JUDGE", words);
        Judge judge;
        judge.setSilenceLimitMs(words.startsWith("silent") ? 600 : 30000);
        judge.start(fakeJudge);
        const EvaluationMessage death = ask(judge, "hello").death;
        QCOMPARE(death.thing, fakeJudge);
        QVERIFY2(death.why.contains(why), qPrintable(death.why));
        QVERIFY(!death.advice.isEmpty());
        QVERIFY(!judge.isRunning());
    }

    void saysThatItCannotStart() {
        Judge judge;
        QSignalSpy died(&judge, &Judge::died);
        judge.start(QStringLiteral("/no/such/wright-referee"));
        QVERIFY(!died.isEmpty() || died.wait(5000));
        QCOMPARE(died[0][0].value<EvaluationMessage>().thing, QString("/no/such/wright-referee"));
    }

    void cancelsACall() {
        qputenv("FAKE_JUDGE", "slow=verify:60");
        Judge judge;
        judge.start(fakeJudge);
        QSignalSpy progress(&judge, &Judge::progress);
        QSignalSpy refused(&judge, &Judge::refused);
        judge.call("verify", Json::object());
        QVERIFY(progress.wait(10000));
        QElapsedTimer clock;
        clock.start();
        judge.cancelCall();
        QVERIFY(refused.wait(5000));
        QVERIFY2(clock.elapsed() < 1000, "the fake judge looks every 120 ms");
        QCOMPARE(refused[0][1].value<JudgeError>().verdict, Verdict::Cancelled);
    }

    void goesEvenWhenItDoesNotListen() {
        qputenv("FAKE_JUDGE", "slow=verify:60 deaf");
        Judge judge;
        judge.start(fakeJudge);
        QSignalSpy progress(&judge, &Judge::progress);
        QSignalSpy stopped(&judge, &Judge::stopped);
        judge.call("verify", Json::object());
        QVERIFY(progress.wait(10000));
        judge.shutDown();
        QVERIFY2(stopped.wait(8000), "five seconds of patience, then SIGTERM, then SIGKILL");
    }

    void refusesAnotherProtocol() {
        qputenv("FAKE_JUDGE", "protocol=7");
        JudgeSession::Setup setup;
        setup.replacement = fakeJudge;
        setup.openParams = Json::object();
        JudgeSession session(setup);
        QSignalSpy refused(&session, &JudgeSession::refused);
        QSignalSpy stopped(&session, &JudgeSession::stopped);
        session.start();
        QVERIFY(refused.wait(10000));
        QVERIFY(refused[0][0].value<JudgeError>().message.why.contains("protocol 7"));
        session.stop();
        QVERIFY(stopped.wait(5000));
        QCOMPARE(refused.size(), 1);
    }
};

QObject *makeTestJudge() {
    return new TestJudge;
}

#include "tst_judge.moc"
