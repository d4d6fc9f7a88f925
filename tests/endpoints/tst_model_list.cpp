// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/model_list.h"
#include "tests/endpoints/model_server.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

class TestModelList : public QObject {
    Q_OBJECT

private slots:
    void readsNames_data() {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QStringList>("names");
        const auto row = [](const char *what, const char *body, const QStringList &names) {
            QTest::newRow(what) << QByteArray(body) << names;
        };
        row("OpenAI", R"({"object":"list","data":[{"id":"gpt-5"},{"id":"Ada"},{"id":"gpt-5"}]})",
            {"Ada", "gpt-5"});
        row("Anthropic", R"({"data":[{"type":"model","id":"claude-x","display_name":"X"}],"has_more":false})",
            {"claude-x"});
        row("models", R"({"models":[{"name":"models/gemini-x"}]})", {"models/gemini-x"});
        row("bare", R"([{"id":"a/b"}])", {"a/b"});
        row("odd ones", R"({"data":[{"id":7},"x",{"id":""},{"id":"two words"},{"id":"a\nb"},{"id":"ok"}]})",
            {"ok"});
        row("no list", R"({"data":{"id":"m"}})", {});
        row("an error", R"({"error":{"message":"no key"}})", {});
        row("no JSON", "<html>", {});
    }
    void readsNames() {
        QFETCH(const QByteArray, body);
        QTEST(modelNamesIn(body), "names");
    }

    void asks_data() {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("a list") << "plain;models=b,a" << QStringList({"a", "b"});
        QTest::newRow("no such page") << "plain" << QStringList();
    }
    void asks() {
        QFETCH(const QString, script);
        QFETCH(const QStringList, names);
        const ModelServer server;
        ModelProfile profile = server.profile(Dialect::OpenAiChat, script);
        profile.model.clear(); // it is what is asked for
        profile.baseUrl += '/';
        ModelList list(profile);
        QSignalSpy finished(&list, &ModelList::finished);
        list.start();
        QTRY_COMPARE(finished.size(), 1);
        QCOMPARE(finished.front().front().toStringList(), names);
    }

    void isSilentWhereNobodyAnswers() {
        ModelProfile profile;
        profile.baseUrl = QStringLiteral("http://127.0.0.1:9/v1");
        for (const KeySource &key :
             {KeySource{}, KeySource{KeySource::Kind::Environment, QStringLiteral("NOT_SET_ANYWHERE")}}) {
            profile.key = key;
            ModelList list(profile);
            QSignalSpy finished(&list, &ModelList::finished);
            list.start();
            QTRY_COMPARE(finished.size(), 1);
            QVERIFY(finished.front().front().toStringList().isEmpty());
        }
    }
};

QObject *makeTestModelList() {
    return new TestModelList;
}
#include "tst_model_list.moc"
