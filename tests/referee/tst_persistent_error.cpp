// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/comparison/persistent_error.h"
#include "tests/referee/tests.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <random>

namespace warpwright {

namespace {

std::mt19937_64 generator(1);

double noise() {
    return std::normal_distribution<double>()(generator);
}

/// `draws` calls of `places` errors: `each(place)` in every call, and `fresh` times new noise.
ErrorDraws errors(size_t draws, size_t places, double fresh, const std::function<double(size_t)> &each) {
    ErrorDraws made(draws, std::vector<double>(places));
    for (std::vector<double> &draw : made) {
        for (size_t i = 0; i < places; ++i)
            draw[i] = fresh * noise() + each(i);
    }
    return made;
}

double nothing(size_t) {
    return 0.0;
}

/// `part` of other errors, and `fresh` times new noise, and `each(place)` in every call.
ErrorDraws like(const ErrorDraws &others, double part, double fresh,
                const std::function<double(size_t)> &each = nothing) {
    ErrorDraws made = errors(others.size(), others.front().size(), fresh, each);
    for (size_t draw = 0; draw < made.size(); ++draw) {
        for (size_t i = 0; i < made[draw].size(); ++i)
            made[draw][i] += part * others[draw][i];
    }
    return made;
}

} // namespace

class PersistentErrorTest : public QObject {
    Q_OBJECT

private slots:
    void tellsWhatStaysFromWhatIsNew() {
        const ErrorEnergy energy =
            energyOf(errors(3, 40000, 2.0, [](size_t i) { return i % 2 ? 1.0 : -1.0; }));
        QVERIFY(std::abs(energy.all - 5.0) < 0.1);
        QVERIFY(std::abs(energy.persistent - 1.0) < 0.1);
    }

    void believesRounding_data() {
        QTest::addColumn<int>("places");
        QTest::addColumn<double>("fresh");
        QTest::addColumn<double>("staying");
        QTest::addColumn<bool>("isRounding");
        QTest::newRow("as the yardstick") << 4096 << 1.0 << 0.0 << true;
        QTest::newRow("another arrangement") << 4096 << 2.5 << 0.3 << true;
        QTest::newRow("smaller than the class") << 4096 << 0.1 << 0.05 << true;
        QTest::newRow("one number") << 1 << 1.0 << 0.0 << true;
        QTest::newRow("left out, of the class's size") << 4096 << 0.0 << 1.0 << false;
        QTest::newRow("left out, of a third of its size") << 4096 << 0.0 << 0.3 << false;
        QTest::newRow("rounded and left out") << 4096 << 1.0 << 1.2 << false;
        QTest::newRow("left out beneath noise") << 4096 << 8.0 << 1.2 << false;
        QTest::newRow("few numbers, left out") << 8 << 0.0 << 2.0 << false;
    }
    void believesRounding() {
        QFETCH(int, places);
        QFETCH(double, fresh);
        QFETCH(double, staying);
        QFETCH(bool, isRounding);
        const auto count = static_cast<size_t>(places);
        const size_t draws = places < 100 ? 12 : 3;
        for (int run = 0; run < 20; ++run) {
            RoundingPattern pattern;
            pattern.yardsticks = {errors(draws, count, 1.0, nothing)};
            const ErrorDraws mine =
                errors(draws, count, fresh, [&](size_t i) { return i % 3 ? staying : -staying; });
            QCOMPARE(isFromRounding(mine, pattern, 1.0), isRounding);
        }
    }

    void looksAtSlices() {
        RoundingPattern pattern;
        pattern.yardsticks = {errors(3, 4096, 1.0, nothing)};
        const ErrorDraws mine = errors(3, 4096, 1.0, [](size_t i) { return i < 64 ? 3.0 : 0.0; });
        QVERIFY(isFromRounding(mine, pattern, 1.0));
        for (uint32_t first = 0; first < 4096; first += 64) {
            std::vector<uint32_t> &slice = pattern.groups.emplace_back();
            for (uint32_t i = first; i < first + 64; ++i)
                slice.push_back(i);
        }
        QVERIFY(!isFromRounding(mine, pattern, 1.0));
        QVERIFY(isFromRounding(errors(3, 4096, 1.0, nothing), pattern, 1.0));
    }

    // A unit that cuts off makes all results smaller, and new errors each time; who multiplies makes no new
    // ones, or rounds to nearest besides: up where most would be cut off.
    void knowsTruncationFromAFactor() {
        const auto shrink = [](size_t i) {
            return i % 2 ? 2.4 : -2.4;
        };
        const ErrorDraws fresh = errors(3, 4096, 1.0, nothing);
        RoundingPattern pattern;
        pattern.yardsticks = {errors(3, 4096, 1.0, nothing)};
        pattern.truncated = {like(fresh, 1.0, 0.0, shrink)};
        QVERIFY(isFromRounding(like(fresh, 0.9, 0.4, shrink), pattern, 1.0));
        QVERIFY(!isFromRounding(errors(3, 4096, 0.0, shrink), pattern, 1.0));
        QVERIFY(!isFromRounding(errors(3, 4096, 1.0, [](size_t) { return 2.4; }), pattern, 1.0));
        QVERIFY(!isFromRounding(like(fresh, -0.5, 0.87, shrink), pattern, 1.0));
    }

    // What a factor takes away is as much as truncated results lose, and has nothing to do with where they
    // do.
    void excusesNothingThatErrsElsewhere() {
        const auto shrink = [](size_t i) {
            return i % 2 ? 2.4 : -2.4;
        };
        for (int run = 0; run < 20; ++run) {
            RoundingPattern pattern;
            pattern.yardsticks = {errors(3, 16384, 1.0, nothing)};
            pattern.truncated = {errors(3, 16384, 1.0, shrink)};
            QVERIFY(!isFromRounding(errors(3, 16384, 1.0, shrink), pattern, 1.0));
            QVERIFY(isFromRounding(like(pattern.truncated[0], 1.0, 1.5, nothing), pattern, 1.0));
        }
    }

    // One of two factors was cut off; a reference without products has nothing that could be.
    void takesOffHalfOfIt() {
        const auto half = [](size_t i) {
            return i % 2 ? 1.2 : -1.2;
        };
        const ErrorDraws first = errors(3, 4096, 0.7, nothing);
        RoundingPattern pattern;
        pattern.yardsticks = {errors(3, 4096, 1.0, nothing)};
        pattern.truncated = {like(first, 1.0, 0.7, [&](size_t i) { return 2.0 * half(i); })};
        QVERIFY(isFromRounding(like(first, 1.0, 0.0, half), pattern, 1.0));
        pattern.truncated = {errors(3, 4096, 1e-9, nothing)};
        QVERIFY(!isFromRounding(errors(3, 4096, 0.1, half), pattern, 1.0));
    }

    // A small term that the yardstick's sums swallow is missing there each time; who leaves it out makes no
    // new errors, who rounds as the yardstick does makes the same. Stored results and rounded tables stay,
    // too.
    void excusesWhatStaysOfRounding() {
        const auto term = [](size_t i) {
            return i % 2 ? 1.0 : -1.0;
        };
        RoundingPattern pattern;
        pattern.yardsticks = {errors(3, 4096, 1.0, term)};
        QVERIFY(isFromRounding(errors(3, 4096, 0.8, term), pattern, 1.0));
        QVERIFY(!isFromRounding(errors(3, 4096, 0.0, term), pattern, 1.0));
        for (ErrorDraws RoundingPattern::*kind : {&RoundingPattern::operands, &RoundingPattern::stored}) {
            RoundingPattern other;
            other.yardsticks = {errors(3, 4096, 1.0, term)};
            other.*kind = errors(3, 4096, 0.1, term);
            QVERIFY(isFromRounding(errors(3, 4096, 0.0, term), other, 1.0));
        }
    }

    void takesWhatTheReferenceMayHaveForNoError() {
        RoundingPattern pattern;
        pattern.yardsticks = {errors(3, 4096, 1e-9, nothing)};
        pattern.floor = 1e-6;
        QVERIFY(isFromRounding(errors(3, 4096, 0.0, [](size_t) { return 9e-7; }), pattern, 1.0));
    }
};

QObject *persistentErrorTest() {
    return new PersistentErrorTest;
}

} // namespace warpwright

#include "tst_persistent_error.moc"
