// SPDX-License-Identifier: GPL-3.0-or-later
// What computing, waiting and launching cost.
#include "tests/toolchain/findings/counted_kernel.h"

#include <QTest>

using namespace warpwright;

namespace {

/// Computes: nothing of memory, 1,000 samples, of which so many wait for a result.
CountedKernel computing(double waits = 100) {
    CountedKernel kernel;
    kernel.metric("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 5);
    kernel.metric("lts__throughput.avg.pct_of_peak_sustained_elapsed", 5);
    kernel.at("LDG.E.128 R8, desc[UR4][R4.64]", 2)
        .at("FFMA R6, R8, R9, R6", 3, {{"stall.wait", waits}, {"stall.math_pipe_throttle", 1000 - waits}})
        .at("EXIT", 4);
    return kernel;
}

CountedKernel occupied(double theoretical, double waits, double busiest, const char *limiter) {
    CountedKernel kernel = computing(waits);
    kernel.metric("sm__maximum_warps_per_active_cycle_pct", theoretical);
    kernel.metric("sm__warps_active.avg.pct_of_peak_sustained_active", theoretical);
    kernel.metric("sm__throughput.avg.pct_of_peak_sustained_elapsed", busiest);
    return kernel.metric(limiter, 1);
}

CountedKernel waved(double waves, double occupied) {
    CountedKernel kernel = computing();
    kernel.metric("launch__waves_per_multiprocessor", waves);
    return kernel.metric("sm__warps_active.avg.pct_of_peak_sustained_active", occupied);
}

CountedKernel smallGrid(int blocks, double active) {
    CountedKernel kernel = computing();
    kernel.shape(blocks, 256).metric("launch__waves_per_multiprocessor", blocks / 1056.0);
    return kernel.metric("sm__cycles_active.avg", 200000 * active);
}

CountedKernel withBarriers(double each, double waits) {
    CountedKernel kernel;
    const double executed = each * kernel.warps();
    kernel.at("STS [R3], R8", 16, {{"executed", executed}})
        .at("BAR.SYNC.DEFER_BLOCKING 0x0", 17, {{"executed", executed}})
        .at("LDS R5, [R4]", 18,
            {{"executed", executed}, {"stall.barrier", waits}, {"stall.wait", 1000 - waits}})
        .at("EXIT", 19);
    return kernel;
}

/// One warp of so many reads, once; the others wait for it.
CountedKernel withIdleWarps(double of) {
    CountedKernel kernel;
    kernel.at("LDG.E.128 R4, desc[UR4][R2.64]", 13, {{"executed", kernel.warps() / of}})
        .at("BAR.SYNC.DEFER_BLOCKING 0x0", 14)
        .at("LDS R5, [R4]", 15, {{"stall.barrier", 600}, {"stall.wait", 400}})
        .at("EXIT", 16);
    return kernel;
}

CountedKernel split(double threads, const char *reason) {
    CountedKernel kernel;
    kernel.at("ISETP.GE.AND P0, PT, R7, 0x10, PT", 9).at("@P0 BRA 0x100", 10);
    for (int i = 0; i < 4; ++i)
        kernel.at("FFMA R6, R6, R6, R6", 11, {{"threads", threads * kernel.warps()}, {reason, 200}});
    kernel.at("EXIT", 12, {{"stall.wait", 200}});
    return kernel;
}

CountedKernel divided(double samples) {
    CountedKernel kernel;
    kernel.at("I2F.RP R0, R9", 5, {{"stall.wait", samples / 2}})
        .at("MUFU.RCP R0, R0", 5, {{"stall.wait", samples / 2}})
        .at("F2I.FTZ.U32.TRUNC.NTZ R5, R4", 5)
        .at("FADD R6, R6, R6", 6, {{"stall.wait", 1000 - samples}})
        .at("EXIT", 7);
    return kernel;
}

CountedKernel carrying(double samples) {
    CountedKernel kernel;
    kernel.at("IADD3 R4, P0, R4, R6, RZ", 8, {{"executed", 64 * kernel.warps()}})
        .at("IADD3.X R5, R5, R7, RZ, P0, !PT", 8,
            {{"executed", 64 * kernel.warps()}, {"stall.wait", samples}})
        .at("FADD R9, R9, R9", 9, {{"executed", 64 * kernel.warps()}, {"stall.wait", 1000 - samples}})
        .at("EXIT", 10);
    return kernel;
}

CountedKernel doubles(double samples) {
    CountedKernel kernel;
    kernel.at("F2F.F64.F32 R4, R2", 5, {{"stall.wait", samples}})
        .at("FADD R9, R9, R9", 9, {{"stall.wait", 1000 - samples}})
        .at("EXIT", 10);
    return kernel;
}

CountedKernel adding(double waits, const char *sass = "RED.E.ADD.F32.FTZ.RN desc[UR4][R2.64], R8") {
    CountedKernel kernel;
    kernel.at(sass, 14, {{"stall.lg_throttle", waits}})
        .at("FADD R9, R9, R9", 15, {{"stall.wait", 1000 - waits}})
        .at("EXIT", 16);
    return kernel;
}

/// A product of 4096³ by FFMA: 1.37e11 FLOP.
CountedKernel multiplying(const char *sass = "FFMA R6, R8, R9, R6") {
    CountedKernel kernel("gemm", 4000);
    kernel.metric("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 5);
    kernel.metric("sm__throughput.avg.pct_of_peak_sustained_elapsed", 70);
    kernel.at("LDS.128 R8, [R4]", 20, {{"executed", 6e8}})
        .at(sass, 21, {{"executed", 2.1e9}, {"stall.math_pipe_throttle", 1000}})
        .at("EXIT", 22);
    return kernel;
}

constexpr double product = 2.0 * 4096 * 4096 * 4096;
constexpr double productBytes = 3.0 * 4096 * 4096 * 4;

FindingInput productInput(const CountedKernel &kernel, const QStringList &allowed) {
    FindingInput input = inputOf({kernel});
    input.evaluation = checkOf(4010, productBytes, product, allowed);
    return input;
}

} // namespace

class TestComputeFindings : public QObject {
    Q_OBJECT

private slots:
    void tellsOneCauseFirst_data() {
        QTest::addColumn<FindingInput>("input");
        QTest::addColumn<QString>("first"); // empty: nothing at all
        QTest::addColumn<int>("line");
        const auto row = [](const char *name, const FindingInput &input, const char *first, int line = 0) {
            QTest::newRow(name) << input << QString::fromLatin1(first) << line;
        };
        row("a kernel that computes", inputOf({computing()}), "");
        row("low occupancy that matters",
            inputOf({occupied(25, 800, 30, "launch__occupancy_limit_shared_mem")}), "low-occupancy");
        row("registers limit it", inputOf({occupied(25, 800, 30, "launch__occupancy_limit_registers")}),
            "register-limited");
        row("low occupancy, and nobody waits",
            inputOf({occupied(25, 200, 30, "launch__occupancy_limit_shared_mem")}), "");
        row("a unit that is busy", inputOf({occupied(25, 800, 65, "launch__occupancy_limit_shared_mem")}),
            "");
        row("half of the warps and more",
            inputOf({occupied(62, 800, 30, "launch__occupancy_limit_shared_mem")}), "");
        row("a tail of one block", inputOf({waved(1.01, 50)}), "tail-wave");
        CountedKernel fullTail = waved(1.01, 50);
        fullTail.metric("sm__throughput.avg.pct_of_peak_sustained_elapsed", 88);
        row("a tail, and the SMs are busy to the end", inputOf({fullTail}), "");
        row("a tail after fifteen waves", inputOf({waved(15.5, 90)}), "");
        row("a wave and a half, but all places are taken", inputOf({waved(1.5, 97)}), "");
        row("two full waves", inputOf({waved(2, 80)}), "");
        row("133 blocks, all at once", inputOf({smallGrid(133, 0.51)}), "tail-wave");
        row("200 blocks that end together", inputOf({smallGrid(200, 0.95)}), "");
        row("32 blocks", inputOf({smallGrid(32, 0.24)}), "small-grid");
        row("as many blocks as SMs", inputOf({smallGrid(132, 0.97)}), "");
        row("barriers in a loop", inputOf({withBarriers(32, 500)}), "barrier-wait", 17);
        row("barriers at which nobody waits", inputOf({withBarriers(32, 150)}), "");
        row("one barrier of a reduction", inputOf({withBarriers(1, 500)}), "");
        row("one warp of eight reads", inputOf({withIdleWarps(8)}), "idle-warps", 13);
        row("one warp feeds the others", inputOf({withIdleWarps(0.25)}), "");
        CountedKernel predicated = split(3, "stall.wait");
        predicated.metric("smsp__branch_targets_threads_divergent", 0);
        row("warps that are off as a whole", inputOf({predicated}), "");
        row("a branch splits warps", inputOf({split(16, "stall.wait")}), "divergent-branch", 10);
        row("one thread of a warp works", inputOf({split(1, "stall.wait")}), "divergent-branch", 10);
        row("most threads take part", inputOf({split(30, "stall.wait")}), "");
        CountedKernel chased;
        chased.at("@P0 BRA 0x100", 10)
            .at("LDG.E R4, desc[UR4][R4.64]", 11, {{"threads", chased.warps()}})
            .at("IADD3 R4, R4, R4, RZ", 11, {{"threads", chased.warps()}, {"stall.long_scoreboard", 900}})
            .at("EXIT", 12, {{"stall.wait", 100}});
        row("one thread follows a list", inputOf({chased}), "divergent-branch", 10);
        row("half of the threads wait for memory", inputOf({split(16, "stall.long_scoreboard")}), "");
        row("divisions", inputOf({divided(300)}), "integer-division", 5);
        row("a division that costs 2 %", inputOf({divided(20)}), "");
        row("64-bit indices", inputOf({carrying(300)}), "wide-index", 8);
        row("a pointer that moves on", inputOf({carrying(40)}), "");
        row("doubles", inputOf({doubles(300)}), "fp64", 5);
        row("one conversion", inputOf({doubles(10)}), "");
        FindingInput wanted = inputOf({doubles(300)});
        wanted.texts["model.py"] = "x = torch.rand(8, dtype=torch.float64)";
        wanted.counters->textHash = textHashOf(wanted.texts);
        row("doubles that the task wants", wanted, "");
        row("atomics", inputOf({adding(600)}), "contended-atomics", 14);
        row("an atomic at the end of a block", inputOf({adding(50)}), "");
        row("atomics whose value comes back",
            inputOf({adding(600, "ATOMG.E.ADD PT, R8, desc[UR4][R2.64], R9")}), "contended-atomics", 14);
        CountedKernel held;
        held.metric("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 10);
        held.at("LDG.E.128 R8, desc[UR4][R4.64]", 13)
            .at("RED.E.ADD.F32.FTZ.RN desc[UR4][R2.64], R8", 14, {{"stall.long_scoreboard", 900}})
            .at("EXIT", 16, {{"stall.wait", 100}});
        row("atomics that hold up the loads before them", inputOf({held}), "contended-atomics", 14);
        CountedKernel few = adding(60);
        for (InstructionCounters &one : few.value.instructions)
            for (auto &[name, value] : one.values)
                if (name.startsWith("stall") || name == "samples")
                    value /= 20;
        row("fifty samples say nothing", inputOf({few}), "");
    }

    void tellsOneCauseFirst() {
        QFETCH(const FindingInput, input);
        QFETCH(const QString, first);
        QFETCH(const int, line);
        const Findings findings = findingsOf(input);
        QCOMPARE(idsOf(findings).join(' '), first);
        if (first.isEmpty())
            return;
        const Finding &told = findings.list.front();
        QVERIFY(told.isMeasured && !told.isNote);
        QVERIFY(told.gainMicroseconds && *told.gainMicroseconds > 0 && *told.gainMicroseconds <= 100);
        QCOMPARE(told.line, line);
        QCOMPARE(told.kernel, QStringLiteral("k"));
    }

    void saysThatLowOccupancyIsHarmless() {
        const Findings findings =
            findingsOf(inputOf({occupied(25, 300, 85, "launch__occupancy_limit_registers")}));
        QCOMPARE(idsOf(findings), QStringList("low-occupancy-harmless"));
        QVERIFY(findings.list.front().isNote);
        QCOMPARE(findings.list.front().gainMicroseconds, std::optional<double>(0));
    }

    void matrixUnits_data() {
        QTest::addColumn<FindingInput>("input");
        QTest::addColumn<QString>("ids");
        const QStringList fp32{"FP32"}, tf32{"FP32", "TF32"}, bf16{"FP32", "TF32", "BF16"};
        QTest::newRow("FFMA where TF32 is allowed") << productInput(multiplying(), tf32) << "no-matrix-unit";
        QTest::newRow("FFMA where BF16 is allowed") << productInput(multiplying(), bf16) << "no-matrix-unit";
        QTest::newRow("FFMA where only FP32 is") << productInput(multiplying(), fp32) << "";
        FindingInput thin = productInput(multiplying(), tf32);
        thin.evaluation->task["matrixFlops"] = 1e9;
        QTest::newRow("FFMA for few products") << thin << "";
        FindingInput unknown = productInput(multiplying(), tf32);
        unknown.evaluation.reset();
        QTest::newRow("FFMA, and the class is not known") << unknown << "";
        CountedKernel hmma = multiplying("HMMA.1688.F32.TF32 R4, R8, R10, R4");
        hmma.metric("sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_elapsed", 55);
        QTest::newRow("mma.sync on Hopper") << productInput(hmma, tf32) << "older-matrix-instruction";
        QTest::newRow("TF32 where FP32 is asked for")
            << productInput(hmma, fp32) << "older-matrix-instruction tf32";
        FindingInput ampere = productInput(hmma, tf32);
        ampere.counters->computeCapability = "8.0";
        QTest::newRow("mma.sync on Ampere") << ampere << "";
        CountedKernel idle = hmma;
        idle.metric("sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_elapsed", 12);
        QTest::newRow("a tensor core that waits") << productInput(idle, tf32) << "";
        CountedKernel wgmma = multiplying("HGMMA.64x128x8.F32.TF32 R24, gdesc[UR8], R24");
        QTest::newRow("wgmma") << productInput(wgmma, tf32) << "";
        CountedKernel moved = multiplying("HFMA2.MMA R4, -RZ, RZ, 0, 0"); // a move, whatever its name says
        QTest::newRow("HFMA2.MMA uses no tensor core") << productInput(moved, tf32) << "";
    }

    void matrixUnits() {
        QFETCH(const FindingInput, input);
        QFETCH(const QString, ids);
        QCOMPARE(idsOf(findingsOf(input)).join(' '), ids);
    }

    void narrowerProductsMayPassTheSpeedOfLight() {
        // At 790 TFLOP/s of BF16, of which a good kernel reaches 60 %, they take 290 µs; the speed of light
        // is of TF32, at 410 TFLOP/s.
        FindingInput input = productInput(multiplying(), {"FP32", "TF32", "BF16"});
        input.evaluation->profile["speedOfLightMicroseconds"] = product / 410e12 * 1e6; // 335
        Findings findings = findingsOf(input);
        QCOMPARE(idsOf(findings), QStringList("no-matrix-unit"));
        QCOMPARE(*findings.list.front().gainMicroseconds, 4000 - product / 790e12 / 0.6 * 1e6);
        QVERIFY(!findings.list.front().gainBasis.contains("speed of light"));
        // Bytes take no less in any type: 4.4 GB at 4.4 TB/s, 1000 µs. A gain of 3000 µs, cut to 4010 - 1100.
        input.evaluation = checkOf(4010, 4.4e9, product, {"FP32", "TF32", "BF16"});
        input.evaluation->profile["speedOfLightMicroseconds"] = 1100;
        findings = findingsOf(input);
        QCOMPARE(idsOf(findings), QStringList("no-matrix-unit"));
        QCOMPARE(*findings.list.front().gainMicroseconds, 2910.0);
        QVERIFY(
            findings.list.front().gainBasis.endsWith("; capped at the 2.910 ms above the speed of light"));
    }

    void callsThatWaitForLaunches_data() {
        QTest::addColumn<int>("launches");
        QTest::addColumn<double>("each"); // µs
        QTest::addColumn<double>("call");
        QTest::addColumn<bool>("isTold");
        QTest::newRow("forty small ones") << 40 << 2.0 << 240.0 << true;
        QTest::newRow("sixty that hardly work") << 60 << 2.2 << 150.0 << true;
        QTest::newRow("two that are most of the call") << 2 << 40.0 << 85.0 << false;
        QTest::newRow("two, and a third is gap") << 2 << 3.0 << 9.0 << false;
        QTest::newRow("one is as it is") << 1 << 2.0 << 9.0 << false;
    }

    void callsThatWaitForLaunches() {
        QFETCH(const int, launches);
        QFETCH(const double, each);
        QFETCH(const double, call);
        QFETCH(const bool, isTold);
        FindingInput input =
            inputOf(std::vector<CountedKernel>(static_cast<std::size_t>(launches), CountedKernel("k", each)));
        input.evaluation = checkOf(call, 1e6);
        const Findings findings = findingsOf(input);
        QCOMPARE(idsOf(findings).join(' '), isTold ? QStringLiteral("launch-bound") : QString());
        if (isTold) {
            // Start and end of a kernel are 1.5 µs by the profiler's clock.
            QCOMPARE(*findings.list.front().gainMicroseconds, call - launches * (each - 1.5));
            QVERIFY(findings.list.front().kernel.isEmpty());
        }
    }
};

QObject *makeTestComputeFindings() {
    return new TestComputeFindings;
}

#include "tst_compute_findings.moc"
