// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the conversation that grow: what is laid out again, and what a call of a tool reads like.
#include "app/ide/agent/agent_event_model.h"
#include "app/ide/agent/agent_panel.h"
#include "app/ide/agent/message_list.h"
#include "app/ide/agent/message_pieces.h"
#include "app/ide/agent/message_row.h"
#include "app/ide/agent/tool_words.h"
#include "tests/ide/pages/page_world.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

QString joined(const std::vector<MessagePiece> &pieces) {
    QString text;
    for (const MessagePiece &piece : pieces)
        text += piece.text;
    return text;
}

QString paragraphs(int count) {
    QString text;
    for (int i = 0; i < count; ++i)
        text +=
            QStringLiteral("Paragraph %1 says a few words of rows that are read once more than needed.\n\n")
                .arg(i);
    return text;
}

} // namespace

class TestMessageRows : public QObject {
    Q_OBJECT
private slots:
    void init() { failOnOurWarnings(); }

    void whatIsShortStaysWhole() {
        const QString text = QStringLiteral("# A\n\nb\n\n```\nc\n```\n\nd");
        QCOMPARE(markdownPieces(text), (std::vector<MessagePiece>{{text, false}}));
        QCOMPARE(markdownPieces({}).size(), std::size_t(1));
    }

    void onlyTheLastPieceGrows() {
        QString text;
        std::vector<MessagePiece> before;
        const QString whole = paragraphs(60);
        for (qsizetype end = 0; end < whole.size(); end += 37) {
            text = whole.left(end);
            const std::vector<MessagePiece> now = markdownPieces(text);
            for (std::size_t at = 0; at + 2 < before.size(); ++at)
                QCOMPARE(now[at], before[at]);
            QVERIFY(now.back().text.size() < 1200);
            before = now;
        }
        QVERIFY(before.size() > 5);
        QCOMPARE(joined(before), text + u'\n');
    }

    void longCodeIsFencedInEachPart() {
        QString text = QStringLiteral("Before.\n\n```cuda\n");
        for (int line = 0; line < 100; ++line)
            text += QStringLiteral("x[%1] = 0;\n").arg(line);
        text += QStringLiteral("```\n\nAfter.");
        const std::vector<MessagePiece> pieces = markdownPieces(text);
        QVERIFY(pieces.size() >= 3);
        for (std::size_t at = 0; at + 1 < pieces.size(); ++at) {
            QVERIFY(pieces[at].text.trimmed().endsWith(QStringLiteral("```")));
            QVERIFY(pieces[at + 1].text.startsWith(QStringLiteral("```cuda\n")));
            QVERIFY(pieces[at].joinsNext);
        }
        for (int line = 0; line < 100; ++line)
            QCOMPARE(joined(pieces).count(QStringLiteral("x[%1] = 0;").arg(line)), 1);
        QVERIFY(pieces.back().text.contains(QStringLiteral("After.")));
    }

    void listsStayTogether() {
        QString text = paragraphs(10);
        for (int item = 1; item < 30; ++item)
            text += QStringLiteral("%1. An item of a list that goes on for a while\n\n").arg(item);
        text += QStringLiteral("End.");
        int withItems = 0;
        for (const MessagePiece &piece : markdownPieces(text))
            withItems += piece.text.contains(QStringLiteral("An item")) ? 1 : 0;
        QCOMPARE(withItems, 1);
    }

    void plainTextIsCutAtItsLines() {
        QString text;
        for (int line = 0; line < 500; ++line)
            text += QStringLiteral("line %1 of what was thought\n").arg(line);
        const std::vector<MessagePiece> pieces = plainPieces(text);
        QVERIFY(pieces.size() > 3);
        QStringList parts;
        for (const MessagePiece &piece : pieces) {
            QVERIFY(piece.text.size() < 5000);
            parts << piece.text;
        }
        QCOMPARE(parts.join(u'\n'), text);
        QVERIFY(plainPieces(QString(50'000, u'x')).size() == 1); // nowhere to cut
        QVERIFY(plainPieces(QStringLiteral("word ").repeated(4000)).size() > 3);
    }

    void thoughtsFold() {
        AgentEvent event;
        event.author = QStringLiteral("qwen");
        event.thought = QStringLiteral("thinks…");
        event.thinking = QStringLiteral("a\nb\nc\nd");
        MessageRow row(houseLook(), event, 320, false);
        // Nothing but a thought: one line.
        QCOMPARE(row.height(), MessageRow::toolHeight(houseLook()));
        QVERIFY(row.isFoldAt(4));
        row.take(event, true);
        const int open = row.height();
        QVERIFY(open > 3 * MessageRow::toolHeight(houseLook()));
        event.text = QStringLiteral("Now it says something.");
        row.take(event, true);
        QVERIFY(row.height() > open);
        QVERIFY(!row.isFoldAt(4)); // its author stands there
        QVERIFY(row.isFoldAt(houseLook().px(36)));
        row.take(event, false);
        QVERIFY(row.height() < open);
        // As if it were laid out at once.
        QCOMPARE(row.height(), MessageRow(houseLook(), event, 320, false).height());
        event.thought.clear();
        event.thinking.clear();
        row.take(event, false);
        QVERIFY(!row.isFoldAt(houseLook().px(36)));
    }

    void callsSayWhatTheyAreOf_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("arguments");
        QTest::addColumn<QString>("about");
        const auto row = [](const char *name, const char *arguments, const char *about) {
            QTest::newRow(arguments) << QByteArray(name) << QByteArray(arguments) << QString::fromUtf8(about);
        };
        row("read", R"({"limit": 20, "path": "kernels/a.cu"})", "kernels/a.cu");
        row("bash", R"({"command": "\n  make -j\ncat log", "device": true})", "make -j");
        row("grep", R"({"glob": "*.cu", "pattern": "__ldg"})", "__ldg");
        row("inspect", R"({"kernel": "softmax", "what": "sass"})", "softmax");
        row("todo", R"({"items": [1, 2, 3]})", "3 items");
        row("compile", R"({})", "");
        row("their_own", R"({"city": "Rome"})", "Rome");
        row("odd", R"([1])", "");
        row("odd", R"("text")", "");
        row("odd", "null", "");
    }

    void callsSayWhatTheyAreOf() {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, arguments);
        ToolCall call;
        call.name = QString::fromUtf8(name);
        call.arguments = Json::parse(arguments.begin(), arguments.end());
        const AgentEvent event = toolEvent(call, false);
        QTEST(event.about, "about");
        QCOMPARE(event.outcome, AgentEvent::Running);
        QVERIFY(!event.name.contains(u'_'));
    }

    void linksSaySo() {
        AgentPanel panel(houseLook());
        showAt(panel, 332, 400);
        panel.events().append(
            {message(1, QStringLiteral("model"), QStringLiteral("[here](kernels/a.cu:12)"))});
        panel.setView({});
        QTest::qWait(40);
        QSignalSpy links(&panel, &AgentPanel::linkActivated);
        auto *list = child<MessageList>(panel, "messageList");
        for (int y = 20; y < 60 && links.isEmpty(); y += 4)
            QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, {20, y});
        QCOMPARE(links.size(), 1);
        QCOMPARE(links[0][0].toString(), QStringLiteral("kernels/a.cu:12"));
    }

    void howFarACallIs() {
        QCOMPARE(toolProgressWords(QStringLiteral("block 12"), 12, 40), QStringLiteral("block 12, 12 of 40"));
        QCOMPARE(toolProgressWords({}, 12, 40), QStringLiteral("12 of 40"));
        QCOMPARE(toolProgressWords(QStringLiteral("waits for the device"), 0, 0),
                 QStringLiteral("waits for the device"));
    }
};

QObject *makeTestMessageRows() {
    return new TestMessageRows;
}
#include "tst_message_rows.moc"
