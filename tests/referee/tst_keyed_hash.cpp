// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/base/keyed_hash.h"
#include "tests/referee/tests.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <random>

namespace warpwright {

namespace {

using Words = std::vector<uint32_t>;

uint64_t hashOf(const Words &words) {
    static const KeyedHash hash(0x1234'5678'9abc'def0u);
    return hash.of(words.data(), words.size() * sizeof(uint32_t));
}

Words randomWords(size_t count) {
    std::mt19937 random(7);
    Words words(count);
    std::generate(words.begin(), words.end(), [&] { return static_cast<uint32_t>(random()); });
    return words;
}

} // namespace

/// A hash that nobody can keep who changes what it is of.
class KeyedHashTest : public QObject {
    Q_OBJECT

private slots:
    void seesEachChange_data() {
        QTest::addColumn<int>("change");
        QTest::newRow("a bit") << 0;
        QTest::newRow("two signs") << 1;
        QTest::newRow("two signs far apart") << 2;
        QTest::newRow("two words that trade places") << 3;
        QTest::newRow("two blocks that trade places") << 4;
        QTest::newRow("the sum is kept") << 5;
        QTest::newRow("the sum and the sum by place are kept") << 6;
        QTest::newRow("the last word") << 7;
    }
    void seesEachChange() {
        QFETCH(int, change);
        const std::vector<std::function<void(Words &)>> changes{
            [](Words &w) { w[5000] ^= 1u; },
            [](Words &w) { w[5001] ^= 0x8000'0000u, w[5003] ^= 0x8000'0000u; },
            [](Words &w) { w[3] ^= 0x8000'0000u, w[3 + 8 * KeyedHash::blockWords] ^= 0x8000'0000u; },
            [](Words &w) { std::swap(w[77], w[9999]); },
            [](Words &w) {
                std::swap_ranges(w.begin(), w.begin() + KeyedHash::blockWords,
                                 w.begin() + 3 * KeyedHash::blockWords);
            },
            [](Words &w) { ++w[20], --w[21]; },
            [](Words &w) { ++w[20], w[21] -= 2u, ++w[22]; },
            [](Words &w) { ++w.back(); },
        };
        const Words before = randomWords(300 * KeyedHash::blockWords + 17);
        Words after = before;
        changes[static_cast<size_t>(change)](after);
        QVERIFY(after != before);
        const uint64_t one = hashOf(before);
        const uint64_t other = hashOf(after);
        QVERIFY(one != other);
        QVERIFY(hashOf(before) == one);
    }

    void countsBytesAtTheEnd() {
        const KeyedHash hash(1);
        const Words words = randomWords(9);
        Words other = words;
        other[8] ^= 0xff00'0000u;
        QVERIFY(hash.of(words.data(), 35) == hash.of(other.data(), 35)); // it ends before
        QVERIFY(hash.of(words.data(), 36) != hash.of(other.data(), 36));
        QVERIFY(hash.of(words.data(), 0) == hash.of(other.data(), 0));
    }

    void anotherKeyGivesAnotherHash() {
        const Words words = randomWords(100);
        QVERIFY(KeyedHash(1).of(words.data(), 400) != KeyedHash(2).of(words.data(), 400));
    }
};

QObject *keyedHashTest() {
    return new KeyedHashTest;
}

} // namespace warpwright

#include "tst_keyed_hash.moc"
