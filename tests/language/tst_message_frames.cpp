// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/process/json_rpc.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

QByteArray framed(const QByteArray &text) {
    return "Content-Length: " + QByteArray::number(text.size()) + "\r\n\r\n" + text;
}

QByteArray notification(const QString &method, const QString &text = {}) {
    return dumpJson(
        Json{{"jsonrpc", "2.0"}, {"method", toJson(method)}, {"params", {{"text", toJson(text)}}}});
}

struct Heard {
    JsonRpc rpc{JsonRpc::Framing::Headers};
    QStringList methods;
    QByteArrayList strays;

    Heard() {
        QObject::connect(&rpc, &JsonRpc::notified, &rpc,
                         [this](const QString &method) { methods << method; });
        QObject::connect(&rpc, &JsonRpc::strayed, &rpc, [this](const QByteArray &text) { strays << text; });
    }
};

} // namespace

/// Messages behind headers, as language servers send them; those in lines have their tests with the agents.
class TestMessageFrames : public QObject {
    Q_OBJECT

private slots:
    void aMessageMayBeCutAnywhere() {
        const QByteArray last = notification(QStringLiteral("last"));
        const QByteArray bytes = framed(notification(QStringLiteral("erste/Größe"))) +
                                 "Content-Type: x\r\ncontent-length:  " + QByteArray::number(last.size()) +
                                 " \r\n\r\n" + last;
        for (qsizetype cut = 0; cut <= bytes.size(); ++cut) {
            Heard heard;
            heard.rpc.take(bytes.left(cut));
            heard.rpc.take(bytes.mid(cut));
            QCOMPARE(heard.methods, (QStringList{QStringLiteral("erste/Größe"), QStringLiteral("last")}));
            QVERIFY2(heard.strays.isEmpty(), heard.strays.value(0).constData());
        }
        Heard heard;
        for (const char byte : bytes)
            heard.rpc.take(QByteArray(1, byte));
        QCOMPARE(heard.methods.size(), 2);
    }

    void whatIsNoMessageIsToldAndReadOver_data() {
        QTest::addColumn<QByteArray>("noise");
        QTest::newRow("words") << QByteArray("Starting up\n");
        QTest::newRow("half a header") << QByteArray("Content-");
        QTest::newRow("no number") << QByteArray("Content-Length: many\r\n\r\n");
        QTest::newRow("below nothing") << QByteArray("Content-Length: -5\r\n\r\n");
        QTest::newRow("no JSON") << QByteArray("Content-Length: 3\r\n\r\n{{{");
        QTest::newRow("no object") << QByteArray("Content-Length: 2\r\n\r\n[]");
        QTest::newRow("a header without an end")
            << QByteArray("Content-Length: 5 ") + QByteArray(9000, 'x') + "\r\n";
    }
    void whatIsNoMessageIsToldAndReadOver() {
        QFETCH(QByteArray, noise);
        Heard heard;
        heard.rpc.take(noise);
        heard.rpc.take(framed(notification(QStringLiteral("after"))));
        QCOMPARE(heard.methods, QStringList{QStringLiteral("after")});
        QVERIFY(!heard.strays.isEmpty());
    }

    void aMessageThatIsTooLongEndsTheReading() {
        Heard heard;
        QSignalSpy broken(&heard.rpc, &JsonRpc::broken);
        heard.rpc.take("Content-Length: 99999999999\r\n\r\n{");
        QCOMPARE(broken.count(), 1);
        heard.rpc.take(framed(notification(QStringLiteral("after"))));
        QVERIFY(heard.methods.isEmpty());
    }

    void aLongMessageKeepsItsPlace() {
        Heard heard;
        heard.rpc.take(framed(notification(QStringLiteral("long"), QString(600 * 1024, u'y'))) +
                       framed(notification(QStringLiteral("short"))));
        QTRY_COMPARE(heard.methods.size(), 2);
        QCOMPARE(heard.methods, (QStringList{QStringLiteral("long"), QStringLiteral("short")}));
    }

    void whatIsWrittenIsReadByTheOtherEnd() {
        Heard heard;
        JsonRpc rpc(JsonRpc::Framing::Headers);
        connect(&rpc, &JsonRpc::wrote, &heard.rpc, &JsonRpc::take);
        rpc.notify(QStringLiteral("größer"), Json::object());
        QCOMPARE(heard.methods, QStringList{QStringLiteral("größer")});
    }
};

QObject *makeTestMessageFrames() {
    return new TestMessageFrames;
}
#include "tst_message_frames.moc"
