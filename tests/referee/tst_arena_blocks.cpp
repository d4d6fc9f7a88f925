// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/worker/arena_blocks.h"
#include "tests/referee/tests.h"

#include <QTest>

#include <map>
#include <random>

namespace warpwright {

class ArenaBlocksTest : public QObject {
    Q_OBJECT

private slots:
    void givesNothingUntilItGrows() {
        ArenaBlocks blocks;
        QVERIFY(!blocks.take(1, 0).has_value());
        blocks.grow(1024);
        QVERIFY(blocks.take(1024, 0).has_value());
        QVERIFY(!blocks.take(1, 0).has_value());
    }

    void handsAFreedBlockOutAgainOnItsStreamOnly() {
        ArenaBlocks blocks;
        blocks.grow(1024);
        const auto first = blocks.take(1024, 7);
        QVERIFY(blocks.giveBack(*first));
        QVERIFY(!blocks.take(512, 8).has_value());
        QVERIFY(blocks.take(512, 7) == first);
    }

    void keepsABlockOfSeveralStreamsUntilTheDeviceIsIdle() {
        ArenaBlocks blocks;
        blocks.grow(512);
        const auto first = blocks.take(512, 1);
        blocks.markShared(*first);
        QVERIFY(blocks.giveBack(*first));
        QVERIFY(!blocks.take(512, 1).has_value());
        blocks.reclaim();
        QVERIFY(blocks.take(512, 2) == first);
    }

    void refusesWhatIsNotInUse() {
        ArenaBlocks blocks;
        blocks.grow(4096);
        QVERIFY(!blocks.giveBack(0));
        const auto first = blocks.take(100, 0);
        QVERIFY(!blocks.giveBack(*first + 512));
        QVERIFY(blocks.giveBack(*first));
        QVERIFY(!blocks.giveBack(*first));
    }

    void neverHandsOutOverlappingBytes() {
        ArenaBlocks blocks;
        std::mt19937_64 random(1);
        std::map<uint64_t, uint64_t> live; // offset -> bytes
        for (int step = 0; step < 20000; ++step) {
            if (random() % 3 != 0 || live.empty()) {
                const uint64_t bytes = 1 + random() % 5000;
                auto offset = blocks.take(bytes, random() % 3);
                if (!offset) {
                    blocks.grow(16384);
                    continue;
                }
                const uint64_t rounded = (bytes + 511) / 512 * 512;
                const auto next = live.lower_bound(*offset);
                QVERIFY(next == live.end() || *offset + rounded <= next->first);
                QVERIFY(next == live.begin() || std::prev(next)->first + std::prev(next)->second <= *offset);
                QVERIFY(*offset + rounded <= blocks.bytes());
                live[*offset] = rounded;
            } else {
                auto victim = live.begin();
                std::advance(victim, static_cast<long>(random() % live.size()));
                QVERIFY(blocks.giveBack(victim->first));
                live.erase(victim);
            }
            if (step % 1000 == 999)
                blocks.reclaim();
        }
        for (const auto &[offset, bytes] : live)
            QVERIFY(blocks.giveBack(offset));
        QCOMPARE(blocks.bytesInUse(), uint64_t{0});
        blocks.reclaim();
        QVERIFY(blocks.take(blocks.bytes(), 5).has_value()); // all of it merged again
    }

    void givesBackThePiecesInWhichNothingLies() {
        constexpr uint64_t small = uint64_t{64} << 20;
        constexpr uint64_t large = uint64_t{6} << 30;
        ArenaBlocks blocks;
        blocks.grow(small);
        const auto weights = blocks.take(512, 0);
        QVERIFY(blocks.trim().empty()); // all of it holds something
        blocks.grow(large);
        const auto tensor = blocks.take(large, 0);
        QVERIFY(tensor == small); // in its own piece, not in what is left before it
        blocks.grow(small);
        const auto last = blocks.take(small, 0);
        QVERIFY(blocks.trim().empty());
        QVERIFY(blocks.giveBack(*tensor));
        QCOMPARE(blocks.trim(), (std::vector<ArenaBlocks::Piece>{{small, large}}));
        QVERIFY(!blocks.take(large, 0).has_value());
        // What lies on both sides of the gap does not become one block.
        QVERIFY(blocks.giveBack(*last));
        blocks.reclaim();
        QVERIFY(!blocks.take(small + 512, 0).has_value());
        blocks.grow({small, large});
        QVERIFY(blocks.take(large, 3) == small);
        QVERIFY(blocks.giveBack(*weights));
    }

    void cutsAPieceOutOfALargerFreeBlock() {
        ArenaBlocks blocks;
        blocks.grow(1024);
        blocks.grow(2048);
        blocks.grow(4096);
        const auto first = blocks.take(512, 0);
        QVERIFY(first == uint64_t{0});
        QCOMPARE(blocks.trim(), (std::vector<ArenaBlocks::Piece>{{1024, 2048}, {3072, 4096}}));
        QCOMPARE(blocks.freeRuns(), (std::vector<ArenaBlocks::Piece>{{512, 512}}));
        QVERIFY(blocks.giveBack(*first));
        QCOMPARE(blocks.trim(), (std::vector<ArenaBlocks::Piece>{{0, 1024}}));
        QVERIFY(!blocks.take(1, 0).has_value());
    }

    void remembersTheMostThatWasInUse() {
        ArenaBlocks blocks;
        blocks.grow(1 << 20);
        const auto first = blocks.take(4096, 0);
        const auto second = blocks.take(8192, 0);
        blocks.giveBack(*second);
        QCOMPARE(blocks.mostInUse(), uint64_t{12288});
        blocks.forgetMost();
        QCOMPARE(blocks.mostInUse(), uint64_t{4096});
        blocks.giveBack(*first);
        QCOMPARE(blocks.mostInUse(), uint64_t{4096});
    }
};

QObject *arenaBlocksTest() {
    return new ArenaBlocksTest;
}

} // namespace warpwright

#include "tst_arena_blocks.moc"
