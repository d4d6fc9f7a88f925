// SPDX-License-Identifier: GPL-3.0-or-later
// Where keys come from, and that they stay where they belong.
#include "agent/endpoints/endpoint_trial.h"
#include "agent/endpoints/key_store.h"
#include "agent/endpoints/model_profiles.h"
#include "tests/endpoints/asked.h"
#include "tests/endpoints/model_server.h"

#include <QDir>
#include <QDirIterator>
#include <QLocalServer>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

class TestKeys : public QObject {
    Q_OBJECT

private slots:
    void readsFromTheEnvironment_data();
    void readsFromTheEnvironment();
    void saysWhereTheKeyBelongs();
    void findsItsTrialsKey();
    void isNowhereButInTheRequest();
    // Last, for the bus is looked for once in a program.
    void saysThatThereIsNoKeyring();
};

static const QString markedKey = QStringLiteral("sk-test-MARKED-0123456789abcdef");

static bool holdsKey(const QByteArray &text) {
    return text.contains("MARKED-0123");
}

static QByteArray allBelow(const QString &folder) {
    QByteArray all;
    QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString path = files.next();
        all += path.toUtf8() + '\n' + textOf(path) + '\n';
    }
    return all;
}

void TestKeys::readsFromTheEnvironment_data() {
    QTest::addColumn<QString>("value"); ///< null: not set
    QTest::addColumn<QString>("key");   ///< null: failed
    QTest::addColumn<QString>("words");
    QTest::newRow("set") << "abc"
                         << "abc"
                         << "";
    QTest::newRow("with a line end") << "abc\n"
                                     << "abc"
                                     << "";
    QTest::newRow("empty") << "" << QString() << "MY_KEY: it is empty. Set it before starting";
    QTest::newRow("not set") << QString() << QString() << "MY_KEY: it is not set. Set it before starting";
}

void TestKeys::readsFromTheEnvironment() {
    QFETCH(QString, value);
    QFETCH(QString, key);
    QFETCH(QString, words);
    QProcessEnvironment environment;
    if (!value.isNull())
        environment.insert("MY_KEY", value);
    KeyStore keys(environment);
    QSignalSpy found(&keys, &KeyStore::found);
    QSignalSpy failed(&keys, &KeyStore::failed);
    keys.read({KeySource::Kind::Environment, "MY_KEY"});
    QCOMPARE(found.count() + failed.count(), 0); // not before it has returned
    QTRY_COMPARE(found.count() + failed.count(), 1);
    if (key.isNull())
        QVERIFY2(failed.value(0).value(0).toString().contains(words),
                 qPrintable(failed.value(0).value(0).toString()));
    else
        QCOMPARE(found.value(0).value(0).toString(), key);
    // None is needed: an empty one is found.
    keys.read({});
    QTRY_COMPARE(found.count(), key.isNull() ? 1 : 2);
    QCOMPARE(found.last().first().toString(), QString());
}

void TestKeys::saysWhereTheKeyBelongs() {
    const ModelServer server;
    ModelProfile profile = server.profile(Dialect::OpenAiChat, "status-401");
    profile.key = {KeySource::Kind::Environment, "MY_KEY"};
    QVERIFY(ask(profile).words().contains("the environment variable MY_KEY"));
    profile.key = {KeySource::Kind::Keyring, "x"};
    QVERIFY(ask(profile).words().contains("wright models key"));
}

void TestKeys::findsItsTrialsKey() {
    const ModelServer server;
    ModelProfile profile = server.profile(Dialect::OpenAiChat, "tool");
    profile.key = {KeySource::Kind::Environment, "WARPWRIGHT_NO_SUCH_KEY"};
    EndpointTrial trial(profile, shortPatience());
    QSignalSpy finished(&trial, &EndpointTrial::finished);
    trial.start();
    QTRY_COMPARE(finished.count(), 1);
    const auto outcome = finished.first().first().value<EndpointTrialOutcome>();
    QVERIFY(!outcome.works);
    QVERIFY2(outcome.line.contains("WARPWRIGHT_NO_SUCH_KEY: it is not set"), qPrintable(outcome.line));
    QVERIFY(server.requests().empty());
    // One that was just typed.
    EndpointTrial typed(profile, shortPatience());
    QSignalSpy typedFinished(&typed, &EndpointTrial::finished);
    typed.start(QStringLiteral("typed"));
    QTRY_COMPARE(typedFinished.count(), 1);
    QVERIFY(typedFinished.first().first().value<EndpointTrialOutcome>().works);
}

static QByteArray logged;
static void keepLog(QtMsgType, const QMessageLogContext &, const QString &message) {
    logged += message.toUtf8() + '\n';
}

/// All scripts that end badly, and some that do not, with a marked key; then everything that was said, shown,
/// logged or written is searched for it.
void TestKeys::isNowhereButInTheRequest() {
    const Scratch scratch;
    const ModelServer server;
    logged.clear();
    qputenv("QT_LOGGING_RULES", "qt.network.*=true");
    const QtMessageHandler before = qInstallMessageHandler(keepLog);
    QByteArray heard;
    int asks = 0;
    for (const char *script :
         {"plain", "tool", "echo-key", "status-401", "status-403", "status-429", "status-500", "quota",
          "html", "empty", "drop", "error-first", "error-after-text", "cut-call", "overflow-openai",
          "no-tools-vllm", "redirect;to=http:!!127.0.0.1:1!v1"})
        for (const Dialect dialect : allDialects()) {
            ModelProfile profile = server.profile(dialect, script);
            profile.key = {KeySource::Kind::Environment, "MY_KEY"};
            Endpoint endpoint(profile, markedKey, shortPatience());
            const Asked asked = askThrough(endpoint, smallRequest());
            QCOMPARE(asked.ends, 1);
            heard += asked.words() + asked.text.toUtf8() + asked.reasons.join('\n').toUtf8() + '\n';
            if (asked.reply)
                heard += dumpJson(asked.reply->message.state);
            EndpointTrial trial(profile, shortPatience());
            QSignalSpy progress(&trial, &EndpointTrial::progress);
            QSignalSpy finished(&trial, &EndpointTrial::finished);
            trial.start(markedKey);
            QTRY_COMPARE(finished.count(), 1);
            heard += dumpJson(trialToJson(finished.first().first().value<EndpointTrialOutcome>()));
            for (const QList<QVariant> &words : progress)
                heard += words.first().toString().toUtf8() + '\n';
            ++asks;
            const auto stored =
                ModelProfiles::change(scratch.path("config/models.json"),
                                      [&profile](ModelProfiles &models) { models.put(profile); });
            QVERIFY(stored.hasValue());
        }
    qInstallMessageHandler(before);
    // It was sent, each time, and its echo was heard.
    int sent = 0;
    for (const Json &request : server.requests())
        for (const Json &name : request["headers"])
            sent += name == "authorization" || name == "x-api-key" ? 1 : 0;
    QVERIFY(sent >= 2 * asks);
    QVERIFY(heard.contains("Incorrect API key provided: [key]"));
    const QByteArray written = allBelow(scratch.path()) + textOf(server.logFile());
    QVERIFY(written.contains("models.json"));
    QVERIFY2(!holdsKey(heard), heard);
    QVERIFY2(!holdsKey(logged), logged);
    QVERIFY2(!holdsKey(written), written);
    // The search finds what it is to find: in a message, and in a file.
    QVERIFY(holdsKey(heard + "Incorrect API key provided: " + markedKey.toUtf8()));
    QVERIFY(holdsKey(heard + markedKey.left(20).toUtf8()));
    scratch.write("config/leak.json", "{\"key\": \"" + markedKey.toUtf8() + "\"}");
    QVERIFY(holdsKey(allBelow(scratch.path())));
}

void TestKeys::saysThatThereIsNoKeyring() {
    // A bus that takes the call and never answers; then, of what is left, one that is not there.
    const Scratch scratch;
    QLocalServer bus;
    QVERIFY(bus.listen(scratch.path("bus")));
    qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=" + scratch.path("bus").toUtf8());
    KeyStore keys(QProcessEnvironment(), 300);
    QSignalSpy found(&keys, &KeyStore::found);
    QSignalSpy failed(&keys, &KeyStore::failed);
    keys.read({KeySource::Kind::Keyring, "mine"});
    QTRY_COMPARE(failed.count(), 1);
    const QString message = failed.first().first().toString();
    QVERIFY2(message.startsWith("Cannot read the key \"mine\" in the keyring: "), qPrintable(message));
    QVERIFY2(message.contains("it did not answer within"), qPrintable(message));
    QVERIFY2(message.contains("environment variable"), qPrintable(message));
    bus.close();
    // An empty key is none.
    keys.write("mine", "  ");
    QTRY_COMPARE(failed.count(), 2);
    QVERIFY(failed.last().first().toString().contains("it is empty"));
    QCOMPARE(found.count(), 0);
}

QObject *makeTestKeys() {
    return new TestKeys;
}
#include "tst_keys.moc"
