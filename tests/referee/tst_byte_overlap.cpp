// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/comparison/byte_overlap.h"
#include "tests/referee/tests.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <set>

namespace warpwright {

namespace {

Json view(uint64_t offset, const std::vector<int64_t> &sizes, const std::vector<int64_t> &strides,
          const char *type = "float32") {
    return {{"kind", "tensor"}, {"dtype", type}, {"sizes", sizes}, {"strides", strides}, {"offset", offset}};
}

std::set<int64_t> bytesOf(const Json &node, int64_t itemBytes) {
    std::set<int64_t> places{node["offset"].get<int64_t>()};
    for (size_t i = 0; i < node["sizes"].size(); ++i) {
        std::set<int64_t> next;
        for (int64_t k = 0; k < node["sizes"][i].get<int64_t>(); ++k) {
            for (const int64_t place : places)
                next.insert(place + k * node["strides"][i].get<int64_t>() * itemBytes);
        }
        places = next;
    }
    std::set<int64_t> bytes;
    for (const int64_t place : places) {
        for (int64_t k = 0; k < itemBytes; ++k)
            bytes.insert(place + k);
    }
    return bytes;
}

} // namespace

class ByteOverlapTest : public QObject {
    Q_OBJECT

private slots:
    void letsViewsOfOneBufferLieBesideEachOther() {
        const Json first = view(0, {400, 128}, {384, 1});
        QVERIFY(!shareBytes(first, view(512, {400, 128}, {384, 1})));
        QVERIFY(shareBytes(first, view(508, {400, 128}, {384, 1})));
        QVERIFY(shareBytes(first, view(0, {400, 384}, {384, 1})));
        QVERIFY(shareBytes(first, view(2, {400, 128}, {384, 1}))); // within an element
        QVERIFY(!shareBytes(first, view(1u << 20, {400, 128}, {384, 1})));
    }

    void knowsEmptyAndBrokenOnes() {
        QVERIFY(!shareBytes(view(0, {0, 4}, {4, 1}), view(0, {4}, {1})));
        QVERIFY(!shareBytes(Json::object(), view(0, {4}, {1})));
        QVERIFY(shareBytes(view(0, {}, {}), view(0, {4}, {0})));
    }

    void saysWhatCountingBytesSays() {
        std::mt19937 random(1);
        int shared = 0;
        for (int run = 0; run < 3000; ++run) {
            const auto any = [&] {
                std::vector<int64_t> sizes;
                std::vector<int64_t> strides;
                for (size_t i = random() % 4; i > 0; --i) {
                    sizes.push_back(static_cast<int64_t>(1 + random() % 4));
                    strides.push_back(static_cast<int64_t>(random() % 9));
                }
                const bool isHalf = random() % 2 == 0;
                return std::pair(view(random() % 60, sizes, strides, isHalf ? "float16" : "float32"),
                                 int64_t{isHalf ? 2 : 4});
            };
            const auto [a, bytesOfA] = any();
            const auto [b, bytesOfB] = any();
            const std::set<int64_t> mine = bytesOf(a, bytesOfA);
            const std::set<int64_t> others = bytesOf(b, bytesOfB);
            const bool isShared =
                std::any_of(mine.begin(), mine.end(), [&](int64_t byte) { return others.contains(byte); });
            shared += isShared ? 1 : 0;
            QCOMPARE(shareBytes(a, b), isShared);
        }
        QVERIFY(shared > 300 && shared < 2700);
    }
};

QObject *byteOverlapTest() {
    return new ByteOverlapTest;
}

} // namespace warpwright

#include "tst_byte_overlap.moc"
