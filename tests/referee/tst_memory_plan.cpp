// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/task/memory_plan.h"
#include "tests/referee/tests.h"

#include <QTest>

#include <algorithm>
#include <utility>

namespace warpwright {

namespace {

using Oracle = MemoryPlan::Oracle;

constexpr uint64_t MiB = uint64_t{1} << 20;
constexpr uint64_t GiB = uint64_t{1} << 30;

// As they are with only the judge there.
const MemorySupply h100{81079 * MiB, 80400 * MiB, 120 * GiB, 600 * MiB, true};
const MemorySupply h200{143156 * MiB, 142500 * MiB, 120 * GiB, 600 * MiB, true};
const MemorySupply card24{24 * GiB, 23400 * MiB, 60 * GiB, 600 * MiB, true};

// Bytes of float32 tensors in GiB, as a task has them.
MemoryNeeds task(double inputs, double forward, double results, int64_t rows = 4096,
                 double parameters = 0.0) {
    const auto bytes = [](double gibibytes) {
        return static_cast<uint64_t>(gibibytes * static_cast<double>(GiB));
    };
    return {bytes(inputs), bytes(results), bytes(forward), bytes(parameters), rows};
}

bool has(const std::vector<MemoryPlan> &plans, Oracle oracle) {
    return std::any_of(plans.begin(), plans.end(),
                       [oracle](const MemoryPlan &plan) { return !plan.isRoomy && plan.oracle == oracle; });
}

} // namespace

class MemoryPlanTest : public QObject {
    Q_OBJECT

private slots:
    void leavesSmallTasksAlone() {
        for (const MemorySupply &supply : {h100, h200, card24}) {
            const std::vector<MemoryPlan> plans = planMemory(task(0.06, 0.06, 0.06), supply);
            QVERIFY(plans.size() > 1);
            QVERIFY(plans[0].isRoomy);
            QCOMPARE(plans[0].mostSets, 0);
            QVERIFY(plans[0].doubt.empty());
            QVERIFY(!plans[1].isRoomy);
            QVERIFY(plans[1].oracle == Oracle::Whole);
        }
    }

    void takesEveryTaskUpTo45Percent_data() {
        QTest::addColumn<double>("inputs");
        QTest::addColumn<double>("results");
        QTest::newRow("pointwise: half and half") << 0.5 << 0.5;
        QTest::newRow("a reduction: all of it inputs") << 1.0 << 0.0;
        QTest::newRow("made of little: all of it results") << 0.0 << 1.0;
        QTest::newRow("two inputs, one result") << 0.67 << 0.33;
        QTest::newRow("intermediates: half of the rest are results") << 0.1 << 0.45;
    }

    void takesEveryTaskUpTo45Percent() {
        QFETCH(double, inputs);
        QFETCH(double, results);
        // Of a small card processes take a larger part.
        for (const auto &[supply, part] :
             {std::pair(h100, 0.449), std::pair(h200, 0.449), std::pair(card24, 0.40)}) {
            const double most = part * static_cast<double>(supply.device) / static_cast<double>(GiB);
            for (double share = 0.02; share <= 1.0; share += 0.02) {
                const MemoryNeeds needs = task(share * most * inputs, share * most * (1.0 - inputs),
                                               share * most * std::min(results, 1.0 - inputs), 64);
                const std::vector<MemoryPlan> plans = planMemory(needs, supply);
                QVERIFY2(!plans.empty(), whyNone(needs, supply).c_str());
                QVERIFY(plans[0].oracle != Oracle::None);
                for (const MemoryPlan &plan : plans)
                    QVERIFY(plan.isRoomy || plan.mostSets >= 1);
            }
        }
    }

    void saysWhatATaskOf60PercentTakes() {
        const MemoryNeeds needs = task(24.0, 24.0, 24.0);
        QVERIFY(planMemory(needs, h100).empty());
        const std::string why = whyNone(needs, h100);
        QVERIFY(why.find("48.0 GiB") != std::string::npos);
        QVERIFY(why.find("35.6 GiB (45 % of the device's 79.2 GiB)") != std::string::npos);
        QVERIFY(!planMemory(needs, h200).empty());
    }

    void saysWhatADeviceThatOthersUseLacks() {
        MemorySupply busy = h100;
        busy.free = 20 * GiB;
        const MemoryNeeds needs = task(8.0, 8.0, 8.0);
        QVERIFY(planMemory(needs, busy).empty());
        QVERIFY(whyNone(needs, busy).find("20.0 GiB free") != std::string::npos);
    }

    void cutsTheOracleWhereItHasNoRoom() {
        // 6 GB in, 6 GB out: whole. 16 GiB each: in pieces, and on the CPU where rows depend on each other.
        QVERIFY(planMemory(task(5.6, 5.6, 5.6), h100)[0].oracle == Oracle::Whole);
        const std::vector<MemoryPlan> rows = planMemory(task(16.0, 16.0, 16.0), h100);
        QVERIFY(rows[0].oracle == Oracle::Pieces && rows[0].pieces >= 2);
        QVERIFY(rows[0].doubt.empty());
        QVERIFY(has(rows, Oracle::OnCpu));
        const std::vector<MemoryPlan> noRows = planMemory(task(32.0, 0.1, 0.0, 0), h100);
        QVERIFY(noRows[0].oracle == Oracle::OnCpu);
        QVERIFY(noRows[0].doubt.find("on the CPU") != std::string::npos);
        MemorySupply smallHost = h100;
        smallHost.host = 16 * GiB;
        const std::vector<MemoryPlan> none = planMemory(task(32.0, 0.1, 0.0, 0), smallHost);
        QCOMPARE(none.size(), size_t{1});
        QVERIFY(none[0].oracle == Oracle::None && !none[0].doubt.empty());
        // The device is the host: there is no other memory.
        const MemorySupply cpu{16 * GiB, 15 * GiB, 0, 0, false};
        QVERIFY(!has(planMemory(task(6.0, 0.1, 0.0, 0), cpu), Oracle::OnCpu));
    }

    void getsSmallerFromPlanToPlan() {
        for (double share = 0.5; share < 16.0; share += 0.5) {
            const std::vector<MemoryPlan> plans = planMemory(task(share, share, share), h100);
            for (size_t i = 1; i < plans.size(); ++i) {
                QVERIFY(!plans[i].isRoomy);
                QVERIFY(plans[i].oracle > plans[i - 1].oracle || plans[i].pieces > plans[i - 1].pieces ||
                        plans[i - 1].isRoomy);
                QCOMPARE(plans[i].mostSets, plans[1].mostSets); // stored times stay of the same rotation
            }
        }
    }

    void writesBytesAsPeopleDo() {
        QCOMPARE(gibibytes(0), std::string("0 MiB"));
        QCOMPARE(gibibytes(310 * MiB), std::string("310 MiB"));
        QCOMPARE(gibibytes(12 * GiB + 400 * MiB), std::string("12.4 GiB"));
    }
};

QObject *memoryPlanTest() {
    return new MemoryPlanTest;
}

} // namespace warpwright

#include "tst_memory_plan.moc"
