// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/model/conversation.h"

#include <QTest>

using namespace warpwright;
using Last = Conversation::Last;

namespace {

ChatMessage saying(ChatMessage::Role role, const QString &text) {
    ChatMessage message;
    message.role = role;
    message.text = text;
    return message;
}

/// The rules, the task, and so many turns of one call with a result of so many characters.
Conversation talkOf(int turns, int characters, std::vector<Json> *entries = nullptr) {
    Conversation talk;
    const auto keep = [&](const Json &entry) {
        if (entries != nullptr)
            entries->push_back(entry);
    };
    keep(talk.add(saying(ChatMessage::Role::System, "rules")));
    keep(talk.add(saying(ChatMessage::Role::Person, "the reference")));
    for (int i = 0; i < turns; ++i) {
        ChatMessage answer = saying(ChatMessage::Role::Model, QStringLiteral("turn %1").arg(i));
        const QString id = QStringLiteral("c%1").arg(i);
        answer.calls = {{id, "read", "{\"path\": \"a\"}"}};
        answer.state = Json{{"signature", "s" + std::to_string(i)}};
        keep(talk.add(answer));
        ChatMessage results = saying(ChatMessage::Role::Results, {});
        results.results = {{id, "read", QStringLiteral("first line\n") + QString(characters, 'x'), false}};
        keep(talk.add(results));
    }
    return talk;
}

/// Each call has exactly one result, in the next message.
bool isPaired(const Conversation &talk) {
    std::vector<ChatCall> open;
    for (const ChatMessage &message : talk.messages()) {
        if (message.results.size() != open.size())
            return false;
        for (std::size_t i = 0; i < open.size(); ++i)
            if (open[i].id != message.results[i].call)
                return false;
        open = message.calls;
    }
    return open.empty();
}

} // namespace

class TestConversation : public QObject {
    Q_OBJECT

private slots:
    void leavesOutTheOldestResultsFirst() {
        Conversation talk = talkOf(10, 4000);
        const qint64 before = talk.tokens();
        QVERIFY(before > 10'000);
        Conversation::Cut cut;
        const Json entry = talk.prune(before - 2500, before, Last::IsKept, cut);
        Q_UNUSED(entry);
        QCOMPARE(cut.results, 3);
        QVERIFY(talk.tokens() <= before - 2500);
        QCOMPARE(cut.tokensAfter, talk.tokens());
        QVERIFY(talk.messages()[3].results[0].text.contains("4011 characters"));
        QVERIFY(talk.messages()[3].results[0].text.contains("first line"));
        QCOMPARE(talk.messages()[9].results[0].text.size(), 4011);
        QVERIFY(isPaired(talk));
    }

    void keepsTheTaskAndTheLastTurns() {
        Conversation talk = talkOf(10, 4000);
        Conversation::Cut cut;
        const Json entry = talk.prune(0, 10'000, Last::IsKept, cut);
        Q_UNUSED(entry);
        QCOMPARE(cut.results, 6);
        QCOMPARE(talk.messages()[1].text, "the reference");
        for (std::size_t i = talk.messages().size() - 1; i > talk.messages().size() - 8; i -= 2)
            QCOMPARE(talk.messages()[i].results[0].text.size(), 4011);
        QVERIFY(!talk.prune(0, 10'000, Last::IsKept, cut).empty());
        QCOMPARE(cut.results, 0); // what was left out is not left out again
        QVERIFY(!cut.isAny());
    }

    // A small window, in which the last four results alone are too much.
    void shortensTheLastTurnsWhereNothingElseHelps() {
        Conversation talk = talkOf(6, 16'000);
        Conversation::Cut cut;
        const Json entry = talk.prune(6000, 7000, Last::IsKept, cut);
        Q_UNUSED(entry);
        QCOMPARE(cut.results, 2);
        QVERIFY(cut.shortened >= 3);
        QVERIFY(talk.tokens() <= 7000);
        QCOMPARE(cut.tokensAfter, talk.tokens());
        QVERIFY2(cut.words().contains("2 tool results left out, "), qPrintable(cut.words()));
        const auto &messages = talk.messages();
        const QString shorter = messages[messages.size() - 3].results[0].text;
        QVERIFY(shorter.size() <= 4000);
        QVERIFY(shorter.startsWith("first line"));
        QVERIFY(shorter.contains("[16011 characters are left out here"));
        QVERIFY(shorter.endsWith('x'));
        QCOMPARE(messages.back().results[0].text.size(), 16'011); // what was asked for last
        QVERIFY(isPaired(talk));
        const Json last = talk.prune(0, 1500, Last::IsShortened, cut);
        Q_UNUSED(last);
        QVERIFY(talk.tokens() <= 1500);
        QVERIFY(messages.back().results[0].text.size() <= 4000);
    }

    void keepsFewerTurnsInASmallWindow() {
        Conversation talk = talkOf(4, 4000);
        QVERIFY(!talk.canSumUp(100'000));
        QVERIFY(talk.canSumUp(1500)); // one turn has 1,000 tokens
        Conversation::Cut cut;
        const Json entry = talk.sumUp("what I know", 1500, cut);
        Q_UNUSED(entry);
        QCOMPARE(talk.messages().size(), std::size_t(2 + 1 + 2));
        QCOMPARE(talk.messages()[3].text, "turn 3");
        QVERIFY(isPaired(talk));
        QVERIFY(!talk.canSumUp(10)); // the last one stays
    }

    void sumsUpAllButTheLastTurns() {
        Conversation talk = talkOf(10, 4000);
        QVERIFY(talk.canSumUp(100'000));
        Conversation::Cut cut;
        const Json entry = talk.sumUp("what I know", 100'000, cut);
        Q_UNUSED(entry);
        QCOMPARE(cut.messages, 12);
        QCOMPARE(talk.messages().size(), std::size_t(2 + 1 + 8));
        QCOMPARE(talk.messages()[2].text, "what I know");
        QCOMPARE(talk.messages()[3].text, "turn 6");
        QVERIFY(isPaired(talk));
        QVERIFY(!talkOf(4, 10).canSumUp(100'000));
        QVERIFY(cut.words().contains("12 messages summed up"));
    }

    void isToldAgainFromItsEntries() {
        std::vector<Json> entries;
        Conversation talk = talkOf(12, 4000, &entries);
        Conversation::Cut cut;
        entries.push_back(talk.prune(talk.tokens() / 2, talk.tokens(), Last::IsKept, cut));
        entries.push_back(talk.prune(0, 0, Last::IsShortened, cut));
        QVERIFY(cut.shortened > 0);
        entries.push_back(talk.sumUp("what I know", 100'000, cut));
        entries.push_back(talk.add(saying(ChatMessage::Role::Person, QString::fromUtf8("grüß € \0x", 12))));
        Conversation again;
        for (const Json &entry : entries) {
            // As it stands in a line of the record.
            const Result<void> done = again.recall(parseJson(dumpJson(entry)).value());
            QVERIFY2(done.hasValue(), qPrintable(done.message()));
        }
        QVERIFY(again.messages() == talk.messages());
    }

    void refusesEntriesThatAreNone_data() {
        QTest::addColumn<QByteArray>("entry");
        QTest::newRow("nothing") << QByteArray("{}");
        QTest::newRow("no message") << QByteArray(R"({"message": 3})");
        QTest::newRow("beyond the end") << QByteArray(R"({"leftOut": [99]})");
        QTest::newRow("negative") << QByteArray(R"({"leftOut": [-1]})");
        QTest::newRow("shortened beyond the end")
            << QByteArray(R"({"leftOut": [], "shortened": [[99, 400]]})");
        QTest::newRow("shortened to less than nothing")
            << QByteArray(R"({"leftOut": [], "shortened": [[3, -4]]})");
        QTest::newRow("summary of the task") << QByteArray(R"({"summary": "x", "until": 1})");
        QTest::newRow("summary beyond") << QByteArray(R"({"summary": "x", "until": 99})");
    }
    void refusesEntriesThatAreNone() {
        QFETCH(QByteArray, entry);
        Conversation talk = talkOf(2, 10);
        QVERIFY(!talk.recall(parseJson(entry).value()).hasValue());
        QVERIFY(isPaired(talk));
    }

    void countsAsTheEndpointDid() {
        Conversation talk = talkOf(3, 4000);
        ChatMessage answer = saying(ChatMessage::Role::Model, QString(400, 'y'));
        const Json entry = talk.add(answer);
        Q_UNUSED(entry);
        talk.counted(7000);
        QCOMPARE(talk.tokens(), 7000 + estimatedTokens(answer));
        talk.counted(0); // it did not say
        QCOMPARE(talk.tokens(), 7000 + estimatedTokens(answer));
    }
};

QObject *makeTestConversation() {
    return new TestConversation;
}

#include "tst_conversation.moc"
