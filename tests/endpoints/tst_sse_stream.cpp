// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/endpoints/sse_stream.h"

#include <QTest>

using namespace warpwright;

class TestSseStream : public QObject {
    Q_OBJECT

private slots:
    void readsTheFormsOfTheStandard_data();
    void readsTheFormsOfTheStandard();
    void isTheSameWhereverItIsCut();
    void endsAtItsLimit();
};

namespace {

std::vector<SseEvent> eventsOf(const QByteArray &text, qsizetype slice) {
    SseStream stream;
    std::vector<SseEvent> events;
    for (qsizetype at = 0; at < text.size(); at += slice)
        for (SseEvent &event : stream.feed(text.mid(at, slice)))
            events.push_back(std::move(event));
    for (SseEvent &event : stream.finish())
        events.push_back(std::move(event));
    return events;
}

QByteArray linesOf(const std::vector<SseEvent> &events) {
    QByteArray lines;
    for (const SseEvent &event : events)
        lines += event.name + '|' + event.data + '#';
    return lines;
}

} // namespace

void TestSseStream::readsTheFormsOfTheStandard_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("events");
    const auto row = [](const char *name, const char *text, const char *events) {
        QTest::newRow(name) << QByteArray(text) << QByteArray(events);
    };
    row("one", "data: a\n\n", "|a#");
    row("named", "event: e\ndata: a\n\n", "e|a#");
    row("the name is of one event", "event: e\ndata: a\n\ndata: b\n\n", "e|a#|b#");
    row("without its blank line", "data: a\n", "|a#");
    row("without any line end", "data: a", "|a#");
    row("CRLF", "data: a\r\n\r\ndata: b\r\n\r\n", "|a#|b#");
    row("CR", "data: a\r\rdata: b\r\r", "|a#|b#");
    row("mixed", "data: a\r\n\ndata: b\n\r\n", "|a#|b#");
    row("several data lines", "data: a\ndata:  b\ndata:\ndata: c\n\n", "|a\n b\n\nc#");
    row("comments and other fields", ": hello\nid: 3\nretry: 9\nfoo: bar\n:\ndata: a\n\n: bye\n\n", "|a#");
    row("an error of its own", "data: a\n\nerror: {\"code\": 500}\n\n", "|a#error|{\"code\": 500}#");
    row("no data is no event", "event: e\n\ndata: a\n\n", "|a#");
    row("empty data is one", "data\n\ndata:\n\n", "|#|#");
    row("only one blank goes", "data:  a \n\n", "| a #");
    row("byte order mark",
        "\xEF\xBB\xBF"
        "data: a\n\n",
        "|a#");
    row("a colon in the data", "data: a: b\n\n", "|a: b#");
    row("blank lines alone", "\n\n\r\n\n", "");
}

void TestSseStream::readsTheFormsOfTheStandard() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, events);
    for (qsizetype slice = 1; slice <= text.size() + 1; ++slice)
        QCOMPARE(linesOf(eventsOf(text, slice)), events);
}

void TestSseStream::isTheSameWhereverItIsCut() {
    const QByteArray text =
        QStringLiteral("event: e\r\ndata: {\"text\": \"Grüße 👋\"}\r\n\r\ndata: 2\n\n").toUtf8();
    const QByteArray wanted = QStringLiteral("e|{\"text\": \"Grüße 👋\"}#|2#").toUtf8();
    for (qsizetype cut = 0; cut <= text.size(); ++cut) {
        SseStream stream;
        std::vector<SseEvent> events = stream.feed(text.left(cut));
        for (SseEvent &event : stream.feed(text.mid(cut)))
            events.push_back(std::move(event));
        QCOMPARE(linesOf(events), wanted);
    }
}

void TestSseStream::endsAtItsLimit() {
    const QByteArray mebibyte(1024 * 1024, 'x');
    SseStream oneLine;
    QVERIFY(oneLine.feed("data: ").empty());
    for (int turn = 0; turn < 20; ++turn)
        QVERIFY(oneLine.feed(mebibyte).empty());
    QVERIFY(oneLine.isOverLimit());
    QVERIFY(oneLine.feed("\n\ndata: a\n\n").empty());
    QVERIFY(oneLine.finish().empty());

    SseStream manyLines; // of one event
    for (int turn = 0; turn < 20; ++turn)
        QVERIFY(manyLines.feed("data: " + mebibyte + "\n").empty());
    QVERIFY(manyLines.isOverLimit());

    SseStream justUnder;
    QVERIFY(justUnder.feed("data: " + mebibyte.repeated(15)).empty());
    QCOMPARE(justUnder.feed("\n\n").size(), std::size_t(1));
    QVERIFY(!justUnder.isOverLimit());
}

QObject *makeTestSseStream() {
    return new TestSseStream;
}
#include "tst_sse_stream.moc"
