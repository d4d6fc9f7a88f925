// SPDX-License-Identifier: GPL-3.0-or-later
// What memory costs: each detector fires on its fault, and is silent where the evidence is thin.
#include "tests/toolchain/findings/counted_kernel.h"
#include "toolchain/base/figures.h"

#include <QTest>

using namespace warpwright;

namespace {

/// y = x: loads and stores of 16 bytes, coalesced; what waits is a well-made copy's.
CountedKernel copy(double dram = 50) {
    CountedKernel kernel;
    kernel.metric("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", dram);
    kernel.at("S2R R0, SR_TID.X", 3, {{"stall.wait", 20}})
        .at("LDG.E.128.CONSTANT R8, desc[UR4][R4.64]", 5,
            {{"stall.wait", 10}, {"sectors", 16}, {"sectorsIdeal", 16}})
        .at("STG.E.128 desc[UR4][R2.64], R8", 5,
            {{"stall.long_scoreboard", 900}, {"sectors", 16}, {"sectorsIdeal", 16}})
        .at("EXIT", 6, {{"stall.drain", 30}});
    kernel.metric("memory_l2_theoretical_sectors_global", 1e6);
    kernel.metric("memory_l2_theoretical_sectors_global_ideal", 1e6);
    return kernel;
}

/// The same with 4 bytes a thread, and as many of its sectors excess as said.
CountedKernel scalarCopy(double factor, double waits, double dram = 20) {
    CountedKernel kernel;
    kernel.metric("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", dram);
    kernel.metric("lts__throughput.avg.pct_of_peak_sustained_elapsed", dram);
    kernel.at("S2R R0, SR_TID.X", 3, {{"stall.wait", 1000 - waits}})
        .at("LDG.E R8, desc[UR4][R4.64]", 5, {{"sectors", 4 * factor}, {"sectorsIdeal", 4}})
        .at("FADD R8, R8, 1", 5, {{"stall.long_scoreboard", waits}})
        .at("STG.E desc[UR4][R2.64], R8", 5, {{"sectors", 4}, {"sectorsIdeal", 4}})
        .at("EXIT", 6);
    kernel.metric("memory_l2_theoretical_sectors_global", 1e6 * (factor + 1) / 2);
    kernel.metric("memory_l2_theoretical_sectors_global_ideal", 1e6);
    return kernel;
}

CountedKernel fourSideBySide(double waits, double sectors = 16) {
    CountedKernel kernel;
    kernel.at("LDG.E R8, desc[UR4][R4.64]", 7, {{"sectors", sectors}, {"sectorsIdeal", 4}})
        .at("LDG.E R9, desc[UR4][R4.64+0x4]", 8, {{"sectors", sectors}, {"sectorsIdeal", 4}})
        .at("LDG.E R10, desc[UR4][R4.64+0x8]", 9, {{"sectors", sectors}, {"sectorsIdeal", 4}})
        .at("LDG.E R11, desc[UR4][R4.64+0xc]", 10, {{"sectors", sectors}, {"sectorsIdeal", 4}})
        .at("FADD R12, R8, R9", 11, {{"stall.long_scoreboard", waits}})
        .at("FADD R12, R12, R10", 11, {{"stall.wait", 1000 - waits}})
        .at("EXIT", 12);
    return kernel;
}

/// Each of so many sectors where one would do.
CountedKernel threeBytes(double sectors) {
    CountedKernel kernel;
    kernel.at("LDG.E.U8 R8, desc[UR4][R4.64]", 7, {{"sectors", sectors}, {"sectorsIdeal", 1}})
        .at("LDG.E.U8 R9, desc[UR4][R4.64+0x1]", 8, {{"sectors", sectors}, {"sectorsIdeal", 1}})
        .at("LDG.E.U8 R10, desc[UR4][R4.64+0x2]", 9, {{"sectors", sectors}, {"sectorsIdeal", 1}})
        .at("IADD3 R12, R8, R9, R10", 11, {{"stall.long_scoreboard", 700}, {"stall.wait", 300}})
        .at("EXIT", 12);
    return kernel;
}

CountedKernel spilling(double waits) {
    CountedKernel kernel;
    kernel.at("STL [R1], R8", 20)
        .at("LDL R9, [R1]", 21)
        .at("FFMA R10, R9, R9, R10", 21, {{"stall.long_scoreboard", waits}})
        .at("FFMA R11, R10, R10, R10", 22, {{"stall.math_pipe_throttle", 1000 - waits}})
        .at("EXIT", 23);
    kernel.metric("sass__inst_executed_register_spilling", 2);
    return kernel;
}

CountedKernel banked(double wavefronts, double ideal, const char *sass = "LDS R5, [R4]") {
    CountedKernel kernel;
    kernel.at(sass, 30, {{"wavefronts", wavefronts}, {"wavefrontsIdeal", ideal}})
        .at("FADD R6, R5, R5", 30, {{"stall.short_scoreboard", 600}, {"stall.wait", 400}})
        .at("EXIT", 31);
    return kernel;
}

} // namespace

class TestMemoryFindings : public QObject {
    Q_OBJECT

private slots:
    void tellsOneCauseFirst_data() {
        QTest::addColumn<FindingInput>("input");
        QTest::addColumn<QString>("first"); // empty: nothing at all
        QTest::addColumn<int>("line");
        const auto row = [](const char *name, const FindingInput &input, const char *first, int line = 0) {
            QTest::newRow(name) << input << QString::fromLatin1(first) << line;
        };
        row("a copy of 16 bytes", inputOf({copy()}), "");
        row("a copy at the peak", inputOf({copy(85)}), "");
        row("few bytes in flight", inputOf({scalarCopy(1, 900)}), "few-bytes-in-flight", 5);
        row("few bytes, but memory is busy", inputOf({scalarCopy(1, 900, 65)}), "");
        row("few bytes, but nobody waits", inputOf({scalarCopy(1, 300)}), "");
        CountedKernel brief = scalarCopy(1, 900);
        brief.metric("gpu__time_duration.sum", 4000);
        row("few bytes in a kernel of 4 µs", inputOf({brief}), "");
        row("uncoalesced", inputOf({scalarCopy(8, 900)}), "uncoalesced", 5);
        row("uncoalesced, but nobody waits", inputOf({scalarCopy(8, 30)}), "");
        row("excess of an edge", inputOf({scalarCopy(1.2, 900, 65)}), "");
        row("four loads side by side", inputOf({fourSideBySide(700)}), "narrow-access", 7);
        row("the bytes of a pixel", inputOf({threeBytes(3)}), "narrow-access", 7);
        row("bytes of a stencil", inputOf({threeBytes(1.1)}), "few-bytes-in-flight", 9);
        FindingInput pixels = inputOf({threeBytes(3)});
        pixels.evaluation = checkOf(100, 1e6);
        pixels.evaluation->task["inputs"][0]["shape"] = {32, 1080, 1920, 3};
        row("pixels in rows of 1920", pixels, "narrow-access", 7);
        row("side by side, but nobody waits", inputOf({fourSideBySide(50)}), "");
        row("the taps of a stencil", inputOf({fourSideBySide(700, 5)}), "");
        CountedKernel rows = fourSideBySide(700, 32);
        rows.metric("memory_l2_theoretical_sectors_global", 8e6);
        rows.metric("memory_l2_theoretical_sectors_global_ideal", 1e6);
        row("a row for each thread", inputOf({rows}), "uncoalesced", 7);
        FindingInput odd = inputOf({fourSideBySide(700)});
        odd.evaluation = checkOf(100, 1e6);
        odd.evaluation->task["inputs"][0]["shape"] = {4096, 4095};
        QTest::newRow("rows of odd length allow no wide load")
            << odd << QStringLiteral("-narrow-access") << 0;
        row("spills", inputOf({spilling(500)}), "spill", 21);
        row("spills in a cold place", inputOf({spilling(10)}), "");
        CountedKernel array = spilling(500);
        array.metric("sass__inst_executed_register_spilling", 0);
        row("an array in local memory", inputOf({array}), "local-array", 21);
        CountedKernel saturated = banked(11e6, 1e6);
        saturated.metric("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 80);
        row("bank conflicts behind memory that is busy", inputOf({saturated}), "");
        // 132 × 200,000 cycles; an excess of 10 million wavefronts is 38 % of them.
        row("bank conflicts", inputOf({banked(11e6, 1e6)}), "bank-conflict", 30);
        row("bank conflicts that few cycles pay", inputOf({banked(1.1e6, 0.1e6)}), "");
        row("two ways of many wavefronts", inputOf({banked(11e6, 10e6)}), "");
        row("atomics on one address are no bank conflict",
            inputOf({banked(11e6, 1e6, "ATOMS.ADD R5, [R4], R3")}), "contended-atomics", 30);
    }

    void tellsOneCauseFirst() {
        QFETCH(const FindingInput, input);
        QFETCH(const QString, first);
        QFETCH(const int, line);
        const Findings findings = findingsOf(input);
        if (first.startsWith('-')) {
            QVERIFY2(!idsOf(findings).contains(first.mid(1)), qPrintable(idsOf(findings).join(' ')));
            return;
        }
        if (first.isEmpty()) {
            QCOMPARE(idsOf(findings).join(' '), QString());
            return;
        }
        QCOMPARE(idsOf(findings).value(0), first);
        const Finding &told = findings.list.front();
        QCOMPARE(idsOf(findings).size(), 1);
        QVERIFY(told.isMeasured);
        QVERIFY(!told.evidence.empty() && !told.message.isEmpty() && !told.advice.isEmpty());
        QVERIFY(told.gainMicroseconds && *told.gainMicroseconds > 0 && *told.gainMicroseconds <= 100);
        QVERIFY(!told.gainBasis.isEmpty());
        QCOMPARE(told.line, line);
        QCOMPARE(told.kernel, QStringLiteral("k"));
    }

    void redundantPassesNeedsABigTask_data() {
        QTest::addColumn<double>("taskBytes");
        QTest::addColumn<double>("movedByEach");
        QTest::addColumn<bool>("isTold");
        QTest::newRow("three kernels over 268 MB") << 268e6 << 268e6 << true;
        QTest::newRow("each moves a third") << 268e6 << 100e6 << false;
        QTest::newRow("of a task that stays in L2") << 20e6 << 20e6 << false;
    }

    void redundantPassesNeedsABigTask() {
        QFETCH(const double, taskBytes);
        QFETCH(const double, movedByEach);
        QFETCH(const bool, isTold);
        std::vector<CountedKernel> kernels;
        for (const char *name : {"scale", "add", "mean"}) {
            CountedKernel kernel = copy(80);
            kernel.value.function = kernel.value.name = kernel.value.mangled = name;
            kernel.metric("dram__bytes_read.sum", movedByEach / 2);
            kernel.metric("dram__bytes_write.sum", movedByEach / 2);
            kernels.push_back(kernel);
        }
        FindingInput input = inputOf(kernels);
        input.evaluation = checkOf(310, taskBytes);
        const Findings findings = findingsOf(input);
        QCOMPARE(idsOf(findings).contains("redundant-passes"), isTold);
        if (isTold) {
            const Finding &told = findings.list.front();
            QCOMPARE(told.id, QStringLiteral("redundant-passes"));
            QVERIFY(told.kernel.isEmpty());
            QVERIFY(*told.gainShare > 0.5 && *told.gainShare < 0.7); // two of three passes
        }
    }

    void saysThatTensorsStayInTheCache() {
        FindingInput input;
        input.evaluation = checkOf(5, 50e6); // 10 TB/s
        const Findings findings = findingsOf(input);
        QCOMPARE(idsOf(findings), QStringList("l2-resident"));
        QVERIFY(findings.list.front().isNote);
        QCOMPARE(findings.list.front().gainMicroseconds, std::optional<double>(0));
        input.evaluation = checkOf(15, 50e6); // 3.3 TB/s: memory can
        QVERIFY(findingsOf(input).list.empty());
        input.evaluation = checkOf(10, 101e6); // 10 TB/s, and more than the cache of 62.9 MB holds
        QVERIFY(findingsOf(input).list.empty());
        // Of a busy machine: its ceiling is none.
        input.evaluation = checkOf(5, 50e6);
        input.evaluation->doubts << QStringLiteral("Other programs kept the processors busy: up to 80 %.");
        QVERIFY(findingsOf(input).list.empty());
        input.evaluation = checkOf(5, 50e6);
        input.evaluation->profile["status"] = "undecided";
        QVERIFY(findingsOf(input).list.empty());
    }

    void saysThatLittleIsLeft_data() {
        QTest::addColumn<Evaluation>("check");
        QTest::addColumn<bool>("isTold");
        const auto row = [](const char *name, Evaluation check, double light, bool isTold) {
            check.profile["speedOfLightMicroseconds"] = light;
            QTest::newRow(name) << check << isTold;
        };
        const Evaluation fromMemory = checkOf(25, 100e6);
        row("four fifths", fromMemory, 20, true);
        row("three quarters", fromMemory, 18.75, true);
        row("less", fromMemory, 18.5, false);
        row("faster than the ceilings", fromMemory, 25.1, false);
        // 50 MB stay in the cache of 62.9 MB, whose speed nobody measured.
        row("tensors that stay in the cache", checkOf(15, 50e6), 11.4, false);
        Evaluation silent = fromMemory;
        silent.device.erase("lastLevelCacheBytes");
        row("a cache of unknown size", silent, 20, false);
        // 408 million operations at 51 TFLOP/s take 8 µs, a megabyte no quarter of one.
        row("operations", checkOf(10, 1e6, 4.08e8), 8, true);
        Evaluation processor = fromMemory;
        processor.device["kind"] = "cpu";
        row("on a processor", processor, 20, false);
        Evaluation doubted = fromMemory;
        doubted.doubts << QStringLiteral("The clock of the GPU was throttled.");
        row("doubts", doubted, 20, true);
        Evaluation undecided = fromMemory;
        undecided.profile["status"] = "undecided";
        row("undecided times", undecided, 20, false);
        Evaluation wrong = fromMemory;
        wrong.verdict = Verdict::Wrong;
        row("wrong results", wrong, 20, false);
        QTest::newRow("no speed of light") << fromMemory << false;
    }

    void saysThatLittleIsLeft() {
        QFETCH(const Evaluation, check);
        QFETCH(const bool, isTold);
        FindingInput input;
        input.evaluation = check;
        const Findings findings = findingsOf(input);
        QCOMPARE(idsOf(findings).join(' '), isTold ? QStringLiteral("near-roof") : QString());
        if (!isTold)
            return;
        const Finding &note = findings.list.front();
        QVERIFY(note.isNote && note.isMeasured && note.kernel.isEmpty());
        QCOMPARE(note.gainMicroseconds, std::optional<double>(0));
        QVERIFY(!note.advice.isEmpty());
    }

    void promisesNothingBelowTheSpeedOfLight_data() {
        QTest::addColumn<Evaluation>("check");
        QTest::addColumn<QList<double>>("gains"); // µs, of "uncoalesced" and "spill"
        QTest::addColumn<QString>("why");         // how the last one's basis ends
        const auto row = [](const char *name, Evaluation check, double light, const QList<double> &gains,
                            const char *why) {
            check.profile["speedOfLightMicroseconds"] = light;
            QTest::newRow(name) << check << gains << QString::fromUtf8(why);
        };
        const Evaluation fromMemory = checkOf(100, 400e6);
        const QList<double> whole{59.0625, 12.5};
        const char *const own = "goes to local memory";
        row("room for both", fromMemory, 20, whole, own);
        row("the second gets what is left", fromMemory, 35, {59.0625, 5.9375},
            "; capped at the 5.9 µs that the findings before it leave above the speed of light");
        row("less than 1 % is left", fromMemory, 40.5, {59.0625}, "on sectors that the data do not need");
        row("the first takes all", fromMemory, 60, {40}, "; capped at the 40.0 µs above the speed of light");
        row("near it", fromMemory, 80, {20}, "; capped at the 20.0 µs above the speed of light");
        row("faster than the ceilings", fromMemory, 100.1, whole, own);
        row("tensors that stay in the cache", checkOf(100, 50e6), 60, whole, own);
        Evaluation doubted = fromMemory;
        doubted.doubts << QStringLiteral("The clock of the GPU was throttled.");
        row("doubts", doubted, 60, whole, own);
        QTest::newRow("no speed of light") << fromMemory << whole << QString::fromLatin1(own);
    }

    void promisesNothingBelowTheSpeedOfLight() {
        QFETCH(const Evaluation, check);
        QFETCH(const QList<double>, gains);
        QFETCH(const QString, why);
        // 900 of 1000 samples wait for a load, 7 of 8 of its sectors are excess: 78.75 % of 75 µs.
        CountedKernel apart = scalarCopy(8, 900);
        apart.metric("gpu__time_duration.sum", 75000);
        CountedKernel spills = spilling(500); // half of 25 µs
        spills.metric("gpu__time_duration.sum", 25000);
        spills.value.function = spills.value.name = spills.value.mangled = QStringLiteral("spills");
        FindingInput input = inputOf({apart, spills});
        input.evaluation = check;
        std::vector<Finding> told = findingsOf(input).list;
        std::erase_if(told, [](const Finding &finding) { return finding.isNote; });
        QCOMPARE(static_cast<qsizetype>(told.size()), gains.size());
        for (std::size_t i = 0; i < told.size(); ++i) {
            QCOMPARE(told[i].id, i == 0 ? QStringLiteral("uncoalesced") : QStringLiteral("spill"));
            QCOMPARE(told[i].gainMicroseconds.value_or(0), gains[static_cast<qsizetype>(i)]);
            QCOMPARE(told[i].gainShare.value_or(0), gains[static_cast<qsizetype>(i)] / 100);
        }
        QVERIFY2(told.back().gainBasis.endsWith(why), qPrintable(told.back().gainBasis));
    }

    void saysHowMuchIsLeftAndWhatSetsIt() {
        FindingInput input = inputOf({scalarCopy(8, 900)});
        input.evaluation = checkOf(25, 100e6);
        input.evaluation->profile["speedOfLightMicroseconds"] = 20;
        const Findings findings = findingsOf(input);
        // Behind whatever there is to fix.
        QVERIFY(!findings.list.front().isNote);
        QCOMPARE(idsOf(findings).last(), QStringLiteral("near-roof"));
        const Finding &note = findings.list.back();
        QVERIFY2(note.message.startsWith(
                     QStringLiteral("A call reaches %1 of the speed of light: at most 5.00 µs of its 25.00")
                         .arg(percentText(0.8))),
                 qPrintable(note.message));
        QVERIFY2(note.message.contains(QStringLiteral("20.00 µs: the task's bytes")),
                 qPrintable(note.message));
        QVERIFY(note.advice.contains("fewer bytes"));
        const auto has = [&note](double value, const QString &unit) {
            return std::any_of(note.evidence.begin(), note.evidence.end(), [&](const FindingEvidence &one) {
                return qFuzzyCompare(one.value, value) && one.unit == unit;
            });
        };
        QVERIFY(has(25, QStringLiteral("µs")) && has(20, QStringLiteral("µs")));
        QVERIFY(has(100e6, QStringLiteral("byte")) && has(4.4e12, QStringLiteral("byte/s")));
        input.evaluation = checkOf(10, 1e6, 4.08e8);
        input.evaluation->profile["speedOfLightMicroseconds"] = 8;
        const Findings ofOperations = findingsOf(input);
        QVERIFY(ofOperations.list.back().message.contains("the task's operations"));
        QVERIFY(ofOperations.list.back().advice.contains("fewer of them"));
    }
};

QObject *makeTestMemoryFindings() {
    return new TestMemoryFindings;
}

#include "tst_memory_findings.moc"
