// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/base/channel.h"
#include "tests/referee/tests.h"

#include <QTest>

#include <cstring>
#include <sys/socket.h>
#include <unistd.h>

namespace warpwright {

class ChannelTest : public QObject {
    Q_OBJECT

private slots:
    void carriesMessagesWhole() {
        auto [left, right] = socketPair();
        Channel sender(std::move(left));
        Channel receiver(std::move(right));
        QVERIFY(!receiver.receive().has_value());
        QVERIFY(sender.send({{"op", "run"}, {"text", std::string(50000, 'x')}}));
        QVERIFY(sender.send({{"op", "second"}}));
        QCOMPARE(receiver.receive()->at("op").get<std::string>(), std::string("run"));
        QCOMPARE(receiver.receive()->at("op").get<std::string>(), std::string("second"));
        QVERIFY(!receiver.isBroken());
    }

    void waitsForTheRestOfAMessage() {
        auto [left, right] = socketPair();
        Channel receiver(std::move(right));
        const std::string text = R"({"op":"x"})";
        const auto length = static_cast<uint32_t>(text.size());
        QCOMPARE(write(left.value(), &length, sizeof length), ssize_t{4});
        QCOMPARE(write(left.value(), text.data(), 4), ssize_t{4});
        QVERIFY(!receiver.receive().has_value());
        QVERIFY(!receiver.isBroken());
        QVERIFY(write(left.value(), text.data() + 4, text.size() - 4) > 0);
        QVERIFY(receiver.receive().has_value());
    }

    void endsOnAnythingElse_data() {
        QTest::addColumn<quint32>("length");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("too long") << quint32{0x7fffffff} << QByteArray("{}");
        QTest::newRow("not JSON") << quint32{4} << QByteArray("abcd");
        QTest::newRow("no object") << quint32{2} << QByteArray("[]");
    }
    void endsOnAnythingElse() {
        QFETCH(quint32, length);
        QFETCH(QByteArray, text);
        auto [left, right] = socketPair();
        Channel receiver(std::move(right));
        QCOMPARE(write(left.value(), &length, sizeof length), ssize_t{4});
        QCOMPARE(write(left.value(), text.constData(), static_cast<size_t>(text.size())),
                 ssize_t{text.size()});
        QVERIFY(!receiver.receive().has_value());
        QVERIFY(receiver.isBroken());
    }

    void noticesThatTheOtherSideIsGone() {
        auto [left, right] = socketPair();
        Channel receiver(std::move(right));
        left.reset();
        QVERIFY(!receiver.receive().has_value());
        QVERIFY(receiver.isBroken());
        QVERIFY(!receiver.send({{"op", "x"}}));
    }

    void carriesDescriptors() {
        auto [left, right] = socketPair();
        Channel sender(std::move(left));
        int ends[2];
        QCOMPARE(pipe(ends), 0);
        QVERIFY(sender.send({{"op", "map"}}, {ends[1]}));
        char bytes[256];
        alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
        iovec part{bytes, sizeof bytes};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        QVERIFY(recvmsg(right.value(), &message, 0) > 4);
        const cmsghdr *header = CMSG_FIRSTHDR(&message);
        QVERIFY(header != nullptr && header->cmsg_type == SCM_RIGHTS);
        int received = -1;
        std::memcpy(&received, CMSG_DATA(header), sizeof received);
        QCOMPARE(write(received, "y", 1), ssize_t{1});
        char letter = 0;
        QCOMPARE(read(ends[0], &letter, 1), ssize_t{1});
        for (const int descriptor : {ends[0], ends[1], received})
            close(descriptor);
    }
};

QObject *channelTest() {
    return new ChannelTest;
}

} // namespace warpwright

#include "tst_channel.moc"
