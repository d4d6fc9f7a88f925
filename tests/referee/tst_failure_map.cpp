// SPDX-License-Identifier: GPL-3.0-or-later
// From tensors with a planted fault over what the judge counts to the pattern's name, and silence on noise.
#include "referee/comparison/error_map.h"
#include "referee/comparison/moved_results.h"
#include "tests/referee/tests.h"
#include "toolchain/failure_map/failure_pattern.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <random>

namespace warpwright {

namespace {

constexpr double nothingThere = std::numeric_limits<double>::quiet_NaN();

/// A result, what is expected, and what the call before gave.
struct Planted {
    std::vector<int64_t> sizes;
    std::vector<double> got, expected, before;
    std::vector<uint8_t> untouched;
    ElementRule rule;

    explicit Planted(std::vector<int64_t> shape) : sizes(std::move(shape)) {
        int64_t elements = 1;
        for (const int64_t size : sizes)
            elements *= size;
        std::mt19937_64 generator(7);
        std::normal_distribution<double> normal;
        for (int64_t i = 0; i < elements; ++i) {
            expected.push_back(normal(generator));
            before.push_back(normal(generator));
        }
        got = expected;
        untouched.resize(got.size());
        rule.allowed = 1e-5;
    }
    [[nodiscard]] std::vector<int64_t> indexOf(size_t place) const {
        std::vector<int64_t> index(sizes.size());
        auto rest = static_cast<int64_t>(place);
        for (size_t i = sizes.size(); i-- > 0;) {
            index[i] = rest % sizes[i];
            rest /= sizes[i];
        }
        return index;
    }
    /// `value(place)` where `isWrong(index)`.
    template <typename IsWrong, typename Value>
    Planted &set(const IsWrong &isWrong, const Value &value) {
        for (size_t i = 0; i < got.size(); ++i) {
            if (isWrong(indexOf(i)))
                got[i] = value(i);
        }
        return *this;
    }
    template <typename IsWrong>
    Planted &spoil(const IsWrong &isWrong) {
        return set(isWrong,
                   [this](size_t i) { return expected[i] + 0.1 + 0.01 * static_cast<double>(i % 7); });
    }
    [[nodiscard]] Json judged() const {
        // In three pieces, the last one first, by two of which one has two.
        const auto some = static_cast<int64_t>(got.size() / 3);
        const auto end = static_cast<int64_t>(got.size());
        ErrorMap map(sizes, rule);
        ErrorMap other(sizes, rule);
        const auto add = [this](ErrorMap &to, int64_t begin, int64_t behind) {
            to.add(begin, got.data() + begin, expected.data() + begin, expected.data() + begin,
                   untouched.data() + begin, behind - begin);
        };
        add(map, 2 * some, end);
        add(other, 0, some);
        add(map, some, 2 * some);
        map.add(other);
        if (map.wrong() == 0)
            return {};
        const auto valuesOf = [](const std::vector<double> &all) {
            return [&all](const std::vector<int64_t> &places) {
                std::vector<double> values;
                for (const int64_t place : places)
                    values.push_back(all.at(static_cast<size_t>(place)));
                return values;
            };
        };
        Json json = map.toJson();
        json["name"] = "output";
        json["dtype"] = "float32";
        json["moved"] = movedResults({map.sizes(), map.sample(), rule, valuesOf(got), valuesOf(expected),
                                      valuesOf(expected), valuesOf(before)});
        return json;
    }
    [[nodiscard]] OutputFailure failure() const {
        const OrderedJson verify{
            {"rounds", {{{"index", 1}, {"failureMap", {{"outputs", {OrderedJson(judged())}}}}}}}};
        const std::vector<FailureMap> maps = failureMaps(verify);
        return maps.size() == 1 && maps[0].outputs.size() == 1 ? maps[0].outputs[0] : OutputFailure();
    }
};

using Index = std::vector<int64_t>;

Planted transposed(const std::vector<int64_t> &sizes) {
    Planted made(sizes);
    const int64_t rows = sizes[0];
    const int64_t columns = sizes[1];
    for (int64_t row = 0; row < rows; ++row) {
        for (int64_t column = 0; column < columns; ++column)
            made.got[static_cast<size_t>(column * rows + row)] =
                made.expected[static_cast<size_t>(row * columns + column)];
    }
    return made;
}

Planted noise(std::vector<int64_t> sizes, double share, uint64_t seed) {
    Planted made(std::move(sizes));
    std::mt19937_64 generator(seed);
    std::uniform_real_distribution<double> even;
    return made.spoil([&](const Index &) { return even(generator) < share; });
}

} // namespace

class FailureMapTest : public QObject {
    Q_OBJECT

private slots:
    void namesThePlantedFault_data() {
        QTest::addColumn<Planted>("planted");
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("evidence");
        QTest::newRow("last rows of a tile")
            << Planted({1000, 512}).spoil([](const Index &at) { return at[0] >= 960; }) << "last-of-tile"
            << "last rows of a tile"
            << "Rows 960 to 999, the last 40 of 1,000";
        QTest::newRow("last rows of each tile")
            << Planted({512, 256}).spoil([](const Index &at) { return at[0] % 64 >= 60; }) << "last-of-tile"
            << "last rows of each 64"
            << "The last 4 rows of each 64 (60–63, 124–127, 188–191, …)";
        QTest::newRow("every 32nd") << Planted({64, 1024}).spoil([](const Index &at) {
            return at[1] % 32 == 31;
        }) << "every-nth"
                                    << "every 32nd column"
                                    << "Every 32nd column (31, 63, 95, …)";
        QTest::newRow("every 32nd of a row")
            << Planted({131072}).spoil([](const Index &at) { return at[0] % 32 == 5; }) << "every-nth"
            << "every 32nd element"
            << "Every 32nd element (5, 37, 69, …)";
        QTest::newRow("every 64th through all dimensions")
            << Planted({1000, 48}).spoil([](const Index &at) { return (at[0] * 48 + at[1]) % 64 == 0; })
            << "every-nth"
            << "every 64th element"
            << "counted through all dimensions";
        QTest::newRow("one batch") << Planted({8, 96, 64}).spoil([](const Index &at) { return at[0] == 3; })
                                   << "one-batch"
                                   << "one batch"
                                   << "Batch 3 (of 0 to 7)";
        QTest::newRow("NaN block") << Planted({256, 384})
                                          .set(
                                              [](const Index &at) {
                                                  return at[0] >= 64 && at[0] < 128 && at[1] >= 128 &&
                                                         at[1] < 256;
                                              },
                                              [](size_t) { return nothingThere; })
                                   << "nan-block"
                                   << "NaN block"
                                   << "Rows 64 to 127, 64 of 256 in columns 128 to 255, 128 of 384 are NaN";
        QTest::newRow("all zero") << Planted({64, 64}).set([](const Index &) { return true; },
                                                           [](size_t) { return 0.0; })
                                  << "all-zero"
                                  << "all zero"
                                  << "All 4,096 elements are zero";
        QTest::newRow("transposed") << transposed({96, 96}) << "transposed"
                                    << "transposed"
                                    << "row and column are exchanged";
        QTest::newRow("transposed, not square") << transposed({64, 160}) << "transposed"
                                                << "transposed"
                                                << "row and column are exchanged";
        {
            Planted shifted({64, 200});
            shifted.set([](const Index &at) { return at[1] > 0; },
                        [&shifted](size_t i) { return shifted.expected[i - 1]; });
            QTest::newRow("off by one") << shifted << "off-by-one"
                                        << "off by one"
                                        << "one column before them";
            Planted rows({64, 200});
            rows.set([](const Index &at) { return at[0] < 63; },
                     [&rows](size_t i) { return rows.expected[i + 200]; });
            QTest::newRow("a row too early") << rows << "off-by-one"
                                             << "off by one"
                                             << "one row after them";
        }
        {
            Planted stale({64, 200});
            stale.set([](const Index &at) { return at[0] >= 32; },
                      [&stale](size_t i) { return stale.before[i]; });
            QTest::newRow("stale") << stale << "stale"
                                   << "stale from the call before"
                                   << "what the call before gave";
        }
        {
            Planted left({128, 4096});
            left.spoil([](const Index &) { return true; });
            left.set([](const Index &at) { return at[1] >= 3072; }, [](size_t) { return nothingThere; });
            for (size_t i = 0; i < left.got.size(); ++i)
                left.untouched[i] = std::isnan(left.got[i]);
            QTest::newRow("never written")
                << left << "nan-block"
                << "NaN block, never written"
                << "Columns 3,072 to 4,095, the last 1,024 of 4,096 are NaN. They hold";
        }
        QTest::newRow("borders of tiles") << Planted({250, 190}).spoil([](const Index &at) {
            return (at[0] > 0 && at[0] < 249 && (at[0] % 16 == 0 || at[0] % 16 == 15)) ||
                   (at[1] > 0 && at[1] < 189 && (at[1] % 16 == 0 || at[1] % 16 == 15));
        }) << "tile-borders"
                                          << "the borders of tiles of 16 rows by 16 columns"
                                          << "The 2 rows at the border of each 16 (15–16, 31–32, 47–48, …)";
        QTest::newRow("last lines of tiles, three dimensions")
            << Planted({100, 75, 3}).spoil([](const Index &at) { return at[0] % 8 == 7 || at[1] % 32 == 31; })
            << "tile-borders"
            << "the borders of tiles of 8 batches by 32 rows"
            << "Every 8th batch (7, 15, 23, …) and every 32nd row (31, 63)";
        QTest::newRow("one head of a result of five dimensions")
            << Planted({2, 3, 17, 8, 5}).spoil([](const Index &at) { return at[1] == 1; }) << "block"
            << "one index of dimension 1"
            << "Index 1 of dimension 1 (of 0 to 2)";
        QTest::newRow("one element") << Planted({500, 600}).spoil([](const Index &at) {
            return at == Index{294, 232};
        }) << "one-element"
                                     << "one element"
                                     << "Element [294, 232] alone is wrong, of 300,000";
        {
            Planted scaled({64, 200});
            scaled.set([](const Index &) { return true; },
                       [&scaled](size_t i) { return scaled.expected[i] * 16 / 15; });
            QTest::newRow("a factor") << scaled << "scaled"
                                      << "1.06667 times what it should be"
                                      << "of the wrong elements are 1.06667 times";
            Planted missing({64, 200}); // a part of each row's sum: each row has a factor of its own
            missing.set([](const Index &) { return true; },
                        [&missing](size_t i) {
                            return missing.expected[i] * (1.2 + 0.06 * static_cast<double>(i / 200) / 63);
                        });
            QTest::newRow("a factor that differs from row to row")
                << missing << "scaled"
                << "about 1.23 times what it should be"
                << "are about 1.23 times what they should be (nine in ten: 1.20";
            Planted sign({64, 200});
            sign.set([](const Index &at) { return at[0] % 2 == 1; },
                     [&sign](size_t i) { return -sign.expected[i]; });
            QTest::newRow("the other sign in every second row") << sign << "every-nth"
                                                                << "every 2nd row"
                                                                << "Every 2nd row (1, 3, 5, …)";
            Planted offset({64, 200});
            offset.set([](const Index &) { return true; },
                       [&offset](size_t i) { return offset.expected[i] + 0.25; });
            QTest::newRow("an addend") << offset << "offset"
                                       << "off by the same amount"
                                       << "the same 0.25 is added";
        }
        QTest::newRow("every 7th, which no block of 4 shows")
            << Planted({10007}).spoil([](const Index &at) { return at[0] % 7 == 3; }) << "every-nth"
            << "every 7th element"
            << "Every 7th element (3, 10, 17, …): nearly all wrong elements lie there";
        // 3, 10, …, 9,978 are 1,426; 9,984 is 39 times 256.
        QTest::newRow("every 7th, and the tail")
            << Planted({10007}).spoil([](const Index &at) { return at[0] % 7 == 3 || at[0] >= 9984; })
            << "every-nth"
            << "every 7th element, and last elements of a tile"
            << "1,426 of the 1,449 wrong elements: every 7th element (3, 10, 17, …), and 100";
        // 142 columns before 992, and 9.
        QTest::newRow("every 7th column, and the last ones")
            << Planted({64, 1001}).spoil([](const Index &at) { return at[1] % 7 == 3 || at[1] >= 992; })
            << "every-nth"
            << "every 7th column, and last columns of a tile"
            << "9,088 of the 9,664 wrong elements: every 7th column (3, 10, 17, …), and 100";
        QTest::newRow("both edges") << Planted({1000, 500}).spoil([](const Index &at) {
            return at[0] >= 992 || at[1] >= 480;
        }) << "last-of-tile"
                                    << "last rows of a tile"
                                    << "Rows 992 to 999, the last 8 of 1,000 and columns 480 to 499";
    }

    void namesThePlantedFault() {
        QFETCH(Planted, planted);
        QFETCH(QString, id);
        QFETCH(QString, name);
        QFETCH(QString, evidence);
        const std::vector<FailurePattern> patterns = patternsOf(planted.failure());
        QVERIFY(!patterns.empty());
        QCOMPARE(patternId(patterns[0].kind), id);
        QCOMPARE(patterns[0].name, name);
        QVERIFY2(patterns[0].sentence.contains(evidence), qPrintable(patterns[0].sentence));
    }

    void saysNothingOfNoise_data() {
        QTest::addColumn<std::vector<qint64>>("sizes");
        QTest::addColumn<double>("share");
        for (const auto &[name, sizes] :
             std::initializer_list<std::pair<const char *, std::vector<qint64>>>{{"square", {256, 256}},
                                                                                 {"batches", {8, 32, 64}},
                                                                                 {"small", {16, 4}},
                                                                                 {"a row", {8192}},
                                                                                 {"four", {4, 8, 16, 32}}}) {
            for (const double share : {0.0002, 0.002, 0.02, 0.3, 0.6, 0.95, 1.0})
                QTest::addRow("%s, %g", name, share) << sizes << share;
        }
    }

    void saysNothingOfNoise() {
        QFETCH(std::vector<qint64>, sizes);
        QFETCH(double, share);
        for (uint64_t seed = 1; seed <= 20; ++seed) {
            const OutputFailure failure =
                noise(std::vector<int64_t>(sizes.begin(), sizes.end()), share, seed).failure();
            if (failure.wrong < 2) // one is alone by chance, too
                continue;
            for (const FailurePattern &pattern : patternsOf(failure))
                QFAIL(qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(pattern.sentence)));
        }
    }

    /// Two faults at once are two parts, each with its count; the second begins within a block of four.
    void saysBothPartsOfTwoFaults() {
        const auto patterns =
            patternsOf(Planted({10007})
                           .spoil([](const Index &at) { return at[0] % 7 == 3 || at[0] >= 9986; })
                           .failure());
        QVERIFY(patterns.size() >= 2);
        // 9,985 is a step.
        QVERIFY2(patterns[0].sentence.startsWith("1,427 of the 1,448 wrong elements: every 7th element"),
                 qPrintable(patterns[0].sentence));
        QCOMPARE(patternId(patterns[1].kind), QStringLiteral("last-of-tile"));
        QVERIFY2(
            patterns[1].sentence.startsWith(
                "21 of the 1,448 wrong elements: elements 9,986 to 10,006, the last 21 of 10,007, and 100"),
            qPrintable(patterns[1].sentence));
        QCOMPARE(patterns[1].breaks, (std::vector<FailurePattern::Break>{{0, 9986, 10006}}));
    }

    /// As many elsewhere as every 7th would be, by chance.
    void chanceBesideATailIsNoStep() {
        for (uint64_t seed = 1; seed <= 10; ++seed) {
            Planted planted = noise({10007}, 1.0 / 7, seed);
            planted.spoil([](const Index &at) { return at[0] >= 9984; });
            for (const FailurePattern &pattern : patternsOf(planted.failure()))
                QFAIL(qPrintable(QStringLiteral("seed %1: %2").arg(seed).arg(pattern.sentence)));
            // A part of the steps is no step, either.
            planted = noise({10007}, 0.02, seed);
            planted.spoil([](const Index &at) { return at[0] % 7 == 3 && at[0] < 6000; });
            for (const FailurePattern &pattern : patternsOf(planted.failure()))
                QVERIFY2(pattern.kind != FailurePattern::Kind::EveryNth, qPrintable(pattern.sentence));
        }
    }

    void saysItInALine() {
        const auto linesOf = [](const Planted &planted) {
            return patternLines(OrderedJson{
                {"rounds",
                 {{{"index", 1}, {"failureMap", {{"outputs", {OrderedJson(planted.judged())}}}}}}}});
        };
        QCOMPARE(linesOf(noise({64, 64}, 1.0, 3)),
                 QStringList{"output: 4,096 of 4,096 elements are wrong; no pattern."});
        const QStringList lines =
            linesOf(Planted({64, 1024}).spoil([](const Index &at) { return at[1] % 32 == 31; }));
        QCOMPARE(lines,
                 QStringList{QString::fromUtf8(
                     "output: 2,048 of 65,536 elements are wrong; pattern: every 32nd column. Every 32nd "
                     "column (31, 63, 95, …): nearly all wrong elements lie there, and 100\u00a0% of the "
                     "elements there are wrong.")});
    }

    void writesThePatternsBesideTheCounts() {
        const Planted planted = Planted({64, 1024}).spoil([](const Index &at) { return at[1] % 32 == 31; });
        OrderedJson verify{
            {"rounds",
             {{{"index", 1}, {"failureMap", {{"outputs", {OrderedJson(planted.judged()), 7}}}}}, 4}}};
        const OrderedJson told = withPatterns(verify);
        const OrderedJson &outputs = told["rounds"][0]["failureMap"]["outputs"];
        QCOMPARE(outputs[0]["patterns"].size(), 1U);
        QCOMPARE(stringIn(outputs[0]["patterns"][0], "id"), QStringLiteral("every-nth"));
        QCOMPARE(stringIn(outputs[0]["patterns"][0], "name"), QStringLiteral("every 32nd column"));
        QVERIFY(outputs[1] == 7);
    }

    void countsEachElementOnce() {
        const OutputFailure failure =
            Planted({8, 96, 64}).spoil([](const Index &at) { return at[0] == 3 && at[1] < 5; }).failure();
        QCOMPARE(failure.elements, 8 * 96 * 64);
        QCOMPARE(failure.wrong, 5 * 64);
        QCOMPARE(failure.levels[2] + failure.levels[3], 5 * 64);
        QCOMPARE(failure.axes.size(), 3U);
        QCOMPARE(failure.axes[0].wrong, (std::vector<qint64>{0, 0, 0, 320, 0, 0, 0, 0}));
        QCOMPARE(failure.axes[1].first, 0);
        QCOMPARE(failure.axes[1].last, 4);
        for (const auto &[row, column] : {std::pair(0U, 1U), std::pair(0U, 2U), std::pair(1U, 2U)}) {
            const FailurePicture picture = pictureOf(failure, row, column);
            qint64 wrong = 0;
            for (const FailureCell &cell : picture.cells)
                wrong += cell.wrong;
            QCOMPARE(wrong, 320);
        }
        // The finest is of the last two.
        QCOMPARE(pictureOf(failure, 1, 2).columns, 64);
        QCOMPARE(pictureOf(failure, 1, 2).rows, 48);
    }

    void tellsEachCellsWorstElement() {
        Planted planted({4, 4});
        planted.got[5] += 0.5;
        planted.got[6] += 1.5;
        const OutputFailure failure = planted.failure();
        const FailurePicture picture = pictureOf(failure, 0, 1);
        QCOMPARE(picture.rows, 4);
        QCOMPARE(picture.at(1, 2).place, 6);
        QCOMPARE(failure.indexOf(picture.at(1, 2).place), (std::vector<qint64>{1, 2}));
        QVERIFY(std::abs(picture.at(1, 2).got - planted.got[6]) < 1e-4);
        QCOMPARE(picture.at(0, 0).place, -1);
        QCOMPARE(failure.worst.size(), 2U);
        QVERIFY(failure.worst[0].ratio >= failure.worst[1].ratio);
    }

    void staysSmall() {
        Planted planted({2, 3, 2, 5, 3, 7, 11, 13});
        const Json json = planted.spoil([](const Index &) { return true; }).judged();
        QCOMPARE(json["axes"].size(), 6U);
        QVERIFY(json.dump(2).size() < 400'000);
        const OutputFailure failure = planted.failure();
        QCOMPARE(failure.axes[0].dimensions, (std::vector<int>{0, 1, 2}));
        QCOMPARE(failure.axes[0].size, 12);
    }

    void holdsWholeNumbersByTheirDifference() {
        Planted planted({64, 64});
        planted.rule.bound = ElementRule::Bound::Whole;
        for (size_t i = 0; i < planted.got.size(); ++i)
            planted.got[i] = planted.expected[i] = static_cast<double>(i * 7 % 97);
        planted.got[70] += 40;
        const OutputFailure failure = planted.failure();
        QVERIFY(failure.isWhole());
        QVERIFY(!failure.allowed);
        QCOMPARE(failure.wrong, 1);
        QCOMPARE(failure.worst.at(0).ratio, 40.0);
    }

    void takesAnInfinityInItsPlaceForRight() {
        ElementRule rule;
        rule.allowed = 1e-5;
        const double infinity = std::numeric_limits<double>::infinity();
        QVERIFY(!rule.isWrong(rule.ratioOf(infinity, infinity, infinity, 0)));
        QVERIFY(!rule.isWrong(rule.ratioOf(nothingThere, nothingThere, 3.0, 0)));
        QVERIFY(rule.isWrong(rule.ratioOf(nothingThere, 3.0, 3.0, 0)));
        QVERIFY(rule.isWrong(rule.ratioOf(-infinity, infinity, infinity, 0)));
        rule.limit = 65520;
        QVERIFY(!rule.isWrong(rule.ratioOf(infinity, infinity, 70000, 0)));
    }

    void leavesOutWhatDoesNotFit() {
        Json json = Planted({64, 64}).spoil([](const Index &at) { return at[0] == 3; }).judged();
        const auto outputs = [](const Json &one) {
            return failureMaps(OrderedJson{
                {"rounds", {{{"index", 1}, {"failureMap", {{"outputs", {OrderedJson(one)}}}}}}}})[0]
                .outputs;
        };
        QCOMPARE(outputs(json).size(), 1U);
        Json other = json;
        other["elements"] = 5;
        QVERIFY(outputs(other).empty());
        other = json;
        other["axes"][0]["size"] = 640000000;
        QVERIFY(outputs(other).empty());
        other = json;
        other["grids"][0]["cells"] = {"4096"};
        QVERIFY(outputs(other)[0].grids.empty());
        other = json;
        other["grids"] = 7;
        QVERIFY(outputs(other)[0].grids.empty());
        QVERIFY(failureMaps(OrderedJson::parse(R"({"rounds": [{"failureMap": 3}, 4]})")).empty());
        QVERIFY(failureMaps(nullptr).empty());
    }
};

QObject *failureMapTest() {
    return new FailureMapTest;
}

} // namespace warpwright

#include "tst_failure_map.moc"
