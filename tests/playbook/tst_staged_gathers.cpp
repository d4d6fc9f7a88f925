// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/whole_numbers.h"
#include "agent/playbook/codegen/cuda/far_angles.h"
#include "agent/playbook/codegen/torch/candidate_text.h"
#include "agent/playbook/lowering/plan_of_graph.h"
#include "agent/playbook/schedule/cuda_choices.h"
#include "agent/playbook/schedule/staged_gathers.h"
#include "agent/playbook/schedule/thread_mapping.h"
#include "agent/playbook/tuning/playbook_moves.h"
#include "tests/playbook/written_graph.h"

#include <QTest>

using namespace warpwright;

/// What rows look up in shared memory, and what else spares a thread of elements its waiting.
class TestStagedGathers : public QObject {
    Q_OBJECT

    // Columns of a matrix in another order.
    static FusedKernel reordered(std::int64_t rows, std::int64_t columns, std::int64_t taken) {
        const Shape result = {rows, taken};
        const KernelPlan plan =
            planOf(graphOf(leaf("x", {rows, columns}) + leaf("order", {taken}, {}, ElementType::Int64) +
                               node("p", "index_select.default", "%x, 1, %order", result) +
                               node("y", "mul.Tensor", "%p, 2.0", result),
                           "y"),
                   {});
        return plan.kernels.size() == 1 ? plan.kernels[0] : FusedKernel();
    }
    static QStringList movesOf(const FusedKernel &kernel, bool hasClusters) {
        KernelPlan plan;
        plan.kernels = {kernel};
        PlaybookDevice device;
        device.isCuda = true;
        device.hasClusters = hasClusters;
        QStringList found;
        for (const PlaybookMove &move : movesFrom(plan, plainTunings(plan), device))
            found << move.move;
        return found;
    }
    static KernelTuning staged() {
        KernelTuning tuning;
        tuning.stagesRows = tuning.hasWideLoads = true;
        return tuning;
    }

private slots:
    void aRowsSegmentIsBroughtFirst() {
        const FusedKernel kernel = reordered(5000, 4096, 4096);
        const auto found = stagedGatherOf(kernel);
        QVERIFY(found.has_value());
        QCOMPARE(found->elements, std::int64_t(4096));
        QVERIFY(!found->isLarge());
        QVERIFY(cudaSharingOf(kernel, staged()).isStaged);
        QVERIFY(cudaSharingOf(kernel, staged()).mode == CudaMode::BlockOfRow);
        QVERIFY(cudaSharingOf(kernel, {}).mode == CudaMode::Flat); // it is a move
        QVERIFY(movesOf(kernel, false).contains("stage-rows"));
    }
    void multiplesOfFarColumnsNeedMoreThanAnInt() {
        const auto sumsOf = [](std::int64_t rows, std::int64_t columns) {
            return planOf(graphOf(leaf("x", {1, rows, columns}) +
                                      node("y", "sum.dim_IntList", "%x, [1], false", {1, columns}),
                                  "y"),
                          {})
                .kernels[0];
        };
        const QString loop = QStringLiteral("for (int c = 0; c < kColumns; ++c)");
        QCOMPARE(withNarrowNumbers(sumsOf(9000, 30000), loop), loop);
        QCOMPARE(withNarrowNumbers(sumsOf(90000, 30000), loop),
                 QStringLiteral("for (std::int64_t c = 0; c < kColumns; ++c)"));
    }
    // Its places are read once for them; a rest of rows is not provided for.
    void rowsOfOneOrderAreTakenTogether() {
        QCOMPARE(stagedGatherOf(reordered(5000, 2048, 2048))->rows, 4);
        QCOMPARE(stagedGatherOf(reordered(5000, 4096, 4096))->rows, 2); // more than that do not fit
        QCOMPARE(stagedGatherOf(reordered(4001, 4096, 4096))->rows, 1);
        QCOMPARE(stagedGatherOf(reordered(4005, 4096, 4096))->rows, 3);
        QCOMPARE(stagedGatherOf(reordered(4005, 2048, 2048))->rows, 5);
        QCOMPARE(stagedGatherOf(reordered(5000, 4096, 4099))->rows, 1); // rows of no whole packs
        QCOMPARE(stagedGatherOf(reordered(500, 4096, 4096))->rows, 1);  // multiprocessors would be left
    }
    void aLargeSegmentIsForDevicesThatHaveRoom() {
        const FusedKernel kernel = reordered(5000, 20'000, 20'000);
        QVERIFY(stagedGatherOf(kernel) && stagedGatherOf(kernel)->isLarge());
        QVERIFY(movesOf(kernel, true).contains("stage-rows"));
        QVERIFY(!movesOf(kernel, false).contains("stage-rows"));
    }
    void whatWouldNotPayStaysWhereItIs() {
        QVERIFY(!stagedGatherOf(reordered(5000, 60'000, 60'000))); // no block has so much
        QVERIFY(!stagedGatherOf(reordered(5000, 4096, 1024)));     // most of it is never looked at
        QVERIFY(!stagedGatherOf(reordered(100, 4096, 4096)));      // too few rows for a device
        QVERIFY(!stagedGatherOf(reordered(5000, 300, 4096)));      // a few lines
        // Rows in another order are read along memory.
        const Shape shape = {4096, 4096};
        const KernelPlan rows =
            planOf(graphOf(leaf("x", shape) + leaf("order", {4096}, {}, ElementType::Int64) +
                               node("p", "index_select.default", "%x, 0, %order", shape) +
                               node("y", "mul.Tensor", "%p, 2.0", shape),
                           "y"),
                   {});
        QCOMPARE(rows.kernels.size(), std::size_t(1));
        QVERIFY(!stagedGatherOf(rows.kernels[0]));
    }
    void twoPacksAThreadHaveToComeOutEven() {
        const auto plain = [](std::int64_t elements) {
            FusedKernel kernel;
            kernel.loops = {elements};
            const AffineIndex address{0, {1}};
            const int x = kernel.load({0, ElementType::Float32, address, {}, 0});
            kernel.stores.push_back(
                {kernel.add(KernelOp::Negate, ElementType::Float32, {x}), 1, ElementType::Float32, address});
            kernel.finish();
            return kernel;
        };
        const KernelTuning wide = staged();
        QVERIFY(canTakeTwoPacks(plain(std::int64_t(1) << 24), wide));
        QVERIFY(!canTakeTwoPacks(plain((std::int64_t(1) << 24) + 4), wide));
        QVERIFY(!canTakeTwoPacks(plain(1 << 20), wide)); // there are fewer than threads
        QVERIFY(!canTakeTwoPacks(plain(std::int64_t(1) << 24), {}));
        QCOMPARE(configChoices(plain(std::int64_t(1) << 24), wide)[2], ofTwoPacks);
        QCOMPARE(choiceWords(plain(std::int64_t(1) << 24), wide)[2], QStringLiteral("two packs a thread"));
    }
    void farAnglesAreMadeAnew() {
        const QString loop =
            QStringLiteral("#pragma unroll\n    for (k) {\n        y[k] = sine(x[k]);\n    }\n");
        const QString text = withFarAngles(loop, 4);
        QCOMPARE(text.count("nearSine(isFar, x[k])"), 1);
        QCOMPARE(text.count("= sine(x[k])"), 1);
        QVERIFY(text.indexOf("if (isFar) {") > text.indexOf("nearSine"));
        QCOMPARE(withFarAngles(QStringLiteral("y = x;\n"), 4), QStringLiteral("y = x;\n"));
        QVERIFY(text.contains(withNearAngles(loop)));
    }
    void bytesFitNarrowNumbers() {
        FusedKernel kernel;
        kernel.loops = {1024};
        const AffineIndex address{0, {1}};
        const int u = kernel.load({0, ElementType::UInt8, address, {}, 0});
        const int sum =
            kernel.add(KernelOp::Add, ElementType::Int64, {u, kernel.number(-200, ElementType::Int64)});
        QCOMPARE(wholeRangeOf(kernel, sum).low, -200.0);
        QCOMPARE(wholeRangeOf(kernel, sum).high, 55.0);
        QVERIFY(!wholeRangeOf(kernel, sum).isWithin(wholeRangeOf(ElementType::UInt8)));
        const int high =
            kernel.add(KernelOp::ShiftRight, ElementType::Int64, {u, kernel.number(4, ElementType::Int64)});
        QVERIFY(wholeRangeOf(kernel, high).isWithin(wholeRangeOf(ElementType::UInt8)));
        QVERIFY(isNeverNegative(kernel, high));
        // What 64 bits do not hold comes out anywhere among them: a byte's upper half is negative in int8.
        const auto shifted = [&kernel](KernelOp op, int what) {
            return kernel.add(op, ElementType::Int64, {what, kernel.number(56, ElementType::Int64)});
        };
        const int cut = shifted(KernelOp::ShiftRight, shifted(KernelOp::ShiftLeft, u));
        QCOMPARE(wholeRangeOf(kernel, cut).low, -128.0);
        QCOMPARE(wholeRangeOf(kernel, cut).high, 127.0);
    }
    void whatMayGoPastASegmentStaysInMemory() {
        FusedKernel kernel = reordered(5000, 4096, 4096);
        QVERIFY(stagedGatherOf(kernel));
        // Under a condition on the place in all of the memory it may be in the next one.
        const int always = kernel.number(1, ElementType::Bool);
        for (KernelStep &step : kernel.steps)
            if (step.op == KernelOp::Load && !step.operands.empty()) {
                step.isGuarded = true;
                step.operands.push_back(always);
            }
        QVERIFY(!stagedGatherOf(kernel));
    }
    void numbersAloneAreComputedAtOnce() {
        FusedKernel kernel;
        const auto number = [&kernel](double value) {
            return kernel.number(value, ElementType::Float32);
        };
        const int isHalf =
            kernel.add(KernelOp::LessOrEqual, ElementType::Bool,
                       {number(0.5), kernel.add(KernelOp::Absolute, ElementType::Float32, {number(-0.9)})});
        QVERIFY(kernel.step(isHalf).op == KernelOp::Number && kernel.step(isHalf).number == 1);
        const int chosen = kernel.add(KernelOp::Select, ElementType::Float32, {isHalf, number(3), number(4)});
        QCOMPARE(kernel.step(chosen).number, 3.0);
        // As floats are added.
        const int sum = kernel.add(KernelOp::Add, ElementType::Float32, {number(0.9), number(-1)});
        QCOMPARE(kernel.step(sum).number, static_cast<double>(0.9F - 1.0F));
        // As floats are compared.
        const int isThree = kernel.add(
            KernelOp::Equal, ElementType::Bool,
            {kernel.add(KernelOp::Multiply, ElementType::Float32, {number(0.1), number(3)}), number(0.3)});
        QCOMPARE(kernel.step(isThree).number, 0.1F * 3 == 0.3F ? 1.0 : 0.0);
        // Beyond 53 bits a double does not say it.
        const auto whole = [&kernel](double value) {
            return kernel.number(value, ElementType::Int64);
        };
        const int hash =
            kernel.add(KernelOp::Multiply, ElementType::Int64, {whole(2654435761), whole(805459861)});
        QVERIFY(kernel.step(hash).op == KernelOp::Multiply);
    }
};

QObject *makeTestStagedGathers() {
    return new TestStagedGathers;
}
#include "tst_staged_gathers.moc"
