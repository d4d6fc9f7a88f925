// SPDX-License-Identifier: GPL-3.0-or-later
// heatOf() on what was counted on an H200 and listed elsewhere, and on made counters.
#include "tests/heat/recorded_heat.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/heat/code_match.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <numeric>

using namespace warpwright;

namespace {

double sampled(const std::vector<HeatLine> &lines) {
    return std::accumulate(lines.begin(), lines.end(), 0.0,
                           [](double sum, const HeatLine &line) { return sum + line.counts.samples; });
}

} // namespace

class TestHeatOf : public QObject {
    Q_OBJECT

private slots:
    void theFaultIsOnTop() {
        const RecordedHeat recorded("sum_by_label");
        const Heat heat = recorded.heat();
        QCOMPARE(heat.samples, 305510.0);
        QCOMPARE(heat.charged, 305510.0);
        QVERIFY2(heat.problems.isEmpty(), qPrintable(heat.problems.join(' ')));
        QCOMPARE(heat.textHash, textHashOf(recorded.texts));
        QCOMPARE(heat.kernels.size(), std::size_t(1));
        const KernelHeat &kernel = heat.kernels.front();
        QCOMPARE(kernel.name, QStringLiteral("sumByLabel"));
        QVERIFY(kernel.basis == HeatBasis::Listing);
        QVERIFY2(kernel.whyNotListing.isEmpty(), qPrintable(kernel.whyNotListing));
        QCOMPARE(kernel.lines, heat.lines);
        QCOMPARE(sampled(heat.lines), 305510.0);
        // The four atomics, and what waits for them to end.
        const HeatLine *atomic = heat.lineAt(recorded.file, 18);
        QVERIFY(atomic != nullptr);
        QCOMPARE(atomic->text, QStringLiteral("atomicAdd(sums + first.x, v.x);"));
        QVERIFY2(atomic->share > 0.19 && atomic->share < 0.21, qPrintable(QString::number(atomic->share)));
        QCOMPARE(atomic->counts.topStall(), QStringLiteral("long_scoreboard"));
        double atomics = 0;
        for (int line = 18; line <= 21; ++line)
            atomics += heat.lineAt(recorded.file, line)->share;
        QVERIFY2(atomics > 0.42 && atomics < 0.43, qPrintable(QString::number(atomics)));
        // nvdisasm gives the last three of them one line; the report knows better.
        QCOMPARE(heat.lineAt(recorded.file, 20)->counts.samples, 28844.0);
        QCOMPARE(heat.lineAt(recorded.file, 21)->counts.samples, 14918.0);
        // Warps that wait for their stores stand at the filling behind EXIT: it is charged to that line.
        const HeatLine *end = heat.lineAt(recorded.file, 22);
        QVERIFY(end != nullptr && end->counts.topStall() == QLatin1String("drain"));
        QVERIFY(heat.lines[0].line == 22 && heat.lines[1].line == 18);
    }

    // The report alone loses what is inlined from CUDA's headers; the listing knows whose line it is.
    void chargesInlinedCodeToTheLineOfTheText() {
        const RecordedHeat recorded("embed_tokens");
        const Heat known = recorded.heat();
        const Heat bare = recorded.heatWithoutListing();
        QCOMPARE(known.samples, bare.samples);
        QCOMPARE(known.charged, known.samples);
        QVERIFY2(bare.charged < 0.9 * bare.samples, qPrintable(QString::number(bare.charged)));
        const HeatLine *load = known.lineAt(recorded.file, 33);
        QVERIFY(load != nullptr && !load->inlined.empty());
        QVERIFY2(load->inlined.front().first.file.endsWith("sm_32_intrinsics.hpp"),
                 qPrintable(load->inlined.front().first.file));
        double inlined = 0;
        for (const auto &[place, samples] : load->inlined)
            inlined += samples;
        QVERIFY(inlined > 0 && inlined <= load->counts.samples);
        QVERIFY(bare.kernels.front().basis == HeatBasis::Report);
        QCOMPARE(bare.problems.size(), 1);
        QVERIFY2(bare.problems[0].contains("innermost file") && bare.problems[0].contains("not known"),
                 qPrintable(bare.problems[0]));
    }

    void doesNotTrustAnotherBuild_data() {
        QTest::addColumn<int>("what");
        QTest::addColumn<QString>("why");
        QTest::newRow("another opcode") << 0 << "instruction 6 is IADD3 in the listing and";
        QTest::newRow("another address") << 1 << "instruction 6 is";
        QTest::newRow("shorter") << 2 << "the report goes on after the 29 instructions of the listing";
        QTest::newRow("longer") << 3 << "the listing goes on after the 31 instructions that were counted";
        QTest::newRow("no such kernel") << 4 << "has no such kernel";
        QTest::newRow("no disassembler") << 5 << "there is no listing of it: no nvdisasm here";
        QTest::newRow("a report without its code") << 6 << "the report does not hold its instructions";
    }

    void doesNotTrustAnotherBuild() {
        QFETCH(int, what);
        QFETCH(QString, why);
        RecordedHeat recorded("sum_by_label");
        InspectedKernel &kernel = recorded.inspection.kernels.front();
        if (what == 0)
            kernel.sass->lines[5].opcode = QStringLiteral("IADD3");
        else if (what == 1)
            kernel.sass->lines[5].address += 16;
        else if (what == 2)
            kernel.sass->lines.pop_back();
        else if (what == 3)
            kernel.sass->lines.insert(kernel.sass->lines.end(), 2, kernel.sass->lines.back());
        else if (what == 4)
            kernel.resources.mangled = QStringLiteral("_Z5otherv");
        else if (what == 5)
            kernel.sass.reset();
        else
            for (InstructionCounters &one : recorded.counters.kernels[0].instructions)
                one.text.clear();
        if (what == 3) // addresses go on as a longer code's would
            for (std::size_t i = kernel.sass->lines.size() - 2; i < kernel.sass->lines.size(); ++i) {
                kernel.sass->lines[i].address = static_cast<qint64>(i) * 16;
                kernel.sass->lines[i].opcode = QStringLiteral("BRA");
            }
        if (what == 5)
            recorded.inspection.note = QStringLiteral("no nvdisasm here");
        const Heat heat = recorded.heat();
        QVERIFY(heat.kernels.front().basis == HeatBasis::Report);
        QVERIFY2(heat.kernels.front().whyNotListing.contains(why),
                 qPrintable(heat.kernels.front().whyNotListing));
        QVERIFY2(heat.problems.join(' ').contains(why), qPrintable(heat.problems.join(' ')));
        QCOMPARE(heat.charged, heat.samples); // its innermost places are in the text anyway
    }

    void aKernelWithoutLineInformationHasNone() {
        RecordedHeat recorded("sum_by_label");
        for (InstructionCounters &one : recorded.counters.kernels[0].instructions) {
            one.file.clear();
            one.line = 0;
        }
        recorded.inspection.kernels.front().sass->chains.clear();
        for (CodeLine &line : recorded.inspection.kernels.front().sass->lines)
            line.chain = -1;
        const Heat heat = recorded.heat();
        QCOMPARE(heat.samples, 305510.0);
        QCOMPARE(heat.charged, 0.0);
        QVERIFY(heat.lines.empty() && heat.texts.empty());
        QVERIFY(heat.kernels.front().basis == HeatBasis::Nothing);
        QVERIFY2(heat.problems.value(0).contains("-lineinfo"), qPrintable(heat.problems.join(' ')));
        QCOMPARE(heat.kernels.front().instructions.size(), std::size_t(31));
    }

    // The profiler samples each launch as often as suits its length: samples of two do not weigh the same.
    void launchesWeighByTheirTime() {
        Counters counters = madeCounters(32);
        KernelCounters longer = counters.kernels[0];
        longer.launch = 1;
        longer.metrics[QStringLiteral("gpu__time_duration.sum")] = {30000.0, {}, QStringLiteral("ns")};
        for (InstructionCounters &one : longer.instructions) // all of it on line 2
            one.values[QStringLiteral("samples")] = one.line == 2 ? 1.0 : 0.0;
        counters.kernels.push_back(longer);
        const Heat both = heatOf(counters, nullptr, madeTexts(2));
        QCOMPARE(both.kernels.size(), std::size_t(1));
        QCOMPARE(both.kernels[0].launches, 2);
        QCOMPARE(both.samples, 48.0);
        QCOMPARE(both.lines[0].line, 2);
        QCOMPARE(both.lines[0].share, (5 + 30) / 40.0);
        QCOMPARE(both.lines[1].share, 5 / 40.0);
        const Heat second = heatOf(counters, nullptr, madeTexts(2), {QString(), 1});
        QCOMPARE(second.lines[0].share, 1.0);
        QCOMPARE(second.samples, 16.0);
        QVERIFY(heatOf(counters, nullptr, madeTexts(2), {QStringLiteral("other"), -1}).isEmpty());
        for (KernelCounters &kernel : counters.kernels)
            kernel.name = QStringLiteral("void <unnamed>::k<(int)4>(float *)");
        QVERIFY(!heatOf(counters, nullptr, madeTexts(2), {QStringLiteral("k<4>"), -1}).isEmpty());
        // Without times each sample weighs the same.
        for (KernelCounters &kernel : counters.kernels)
            kernel.metrics.clear();
        QCOMPARE(heatOf(counters, nullptr, madeTexts(2)).lines[0].share, 32 / 48.0);
    }

    void saysWhichLaunchesHaveNoSamples() {
        Counters counters = madeCounters(160);
        counters.kernels.push_back(counters.kernels[0]);
        counters.kernels[1].instructions.clear();
        counters.kernels.push_back(counters.kernels[1]);
        counters.kernels[2].mangled = QStringLiteral("_Z5otherv");
        const Heat heat = heatOf(counters, nullptr, madeTexts(10));
        QCOMPARE(heat.kernels.size(), std::size_t(1));
        QCOMPARE(heat.kernels[0].unsampled, 1);
        const QString problems = heat.problems.join('\n');
        QVERIFY2(problems.contains("Launches of k without samples, which are left out: 1."),
                 qPrintable(problems));
        QVERIFY2(problems.contains("No launch of other has samples: one was counted"), qPrintable(problems));
        QVERIFY2(heatOf(madeCounters(16), nullptr, madeTexts(1))
                     .problems.join(' ')
                     .contains("16 samples only: its shares say little"),
                 "few samples");
    }

    void ratiosAndStalls() {
        Counters counters = madeCounters(17, 9);
        counters.kernels[0].instructions[0].values[QStringLiteral("sectors")] = 64;
        counters.kernels[0].instructions[0].values[QStringLiteral("sectorsIdeal")] = 16;
        counters.kernels[0].instructions[0].values[QStringLiteral("stall.barrier")] = 3;
        const HeatCounts counts = heatOf(counters, nullptr, madeTexts(2)).lines[0].counts;
        QCOMPARE(counts.samples, 24.0);
        QCOMPARE(counts.sectorsRatio(), std::optional(4.0));
        QVERIFY(!counts.wavefrontsRatio());
        QCOMPARE(counts.activeThreads(), std::optional(16.0));
        QCOMPARE(counts.topStall(), QStringLiteral("wait"));
        QCOMPARE(stallTexts(counts, 1),
                 QStringList(QStringLiteral("89\u00a0%: waits a fixed time for its last instruction")));
        QCOMPARE(stallTexts(counts, 5).size(), 2);
    }

    // A wait is sampled where a value is used: what is to be mended stands where it was asked for.
    void leadsFromAWaitToWhatWasAskedFor() {
        const RecordedHeat recorded("embed_tokens");
        const Heat heat = recorded.heat();
        const HeatLine &hottest = heat.lines.front();
        QCOMPARE(hottest.line, 45);
        QVERIFY(hottest.text.startsWith("make_float4(v[s][i].x + p[i].x"));
        QVERIFY(!hottest.awaited.empty());
        QVERIFY2(awaitedText(hottest).contains("33"), qPrintable(awaitedText(hottest)));
        const HeatLine *end = heat.lineAt(recorded.file, 46);
        QVERIFY(end != nullptr);
        QCOMPARE(awaitedText(*end), QStringLiteral("line 43")); // the store before the end
        HeatLine own = *end;
        own.awaited = {{CodePlace{own.file, own.line}, own.counts.samples}};
        QCOMPARE(awaitedText(own), QString());
        own.awaited = {{CodePlace{own.file, 7}, own.counts.samples / 10}}; // little of what it does
        QCOMPARE(awaitedText(own), QString());
    }

    void tenThousandInstructions() {
        const Counters counters = madeCounters(10000);
        Inspection inspection;
        InspectedKernel kernel;
        kernel.resources.mangled = QStringLiteral("_Z1kPf");
        kernel.sass.emplace();
        kernel.sass->chains = {
            {{QStringLiteral("/usr/include/a.hpp"), 7}, {QStringLiteral("kernels/k.cu"), 3}}};
        for (int i = 0; i < 10000; ++i) {
            CodeLine line;
            line.address = i * 16;
            line.opcode = i == 9999 ? QStringLiteral("EXIT") : QStringLiteral("FFMA.FTZ");
            line.chain = 0;
            kernel.sass->lines.push_back(line);
        }
        inspection.kernels.push_back(kernel);
        QElapsedTimer clock;
        Counters inlined = counters;
        for (InstructionCounters &one : inlined.kernels[0].instructions) {
            one.file = QStringLiteral("/usr/include/a.hpp");
            one.line = 7;
        }
        clock.start();
        const Heat heat = heatOf(inlined, &inspection, madeTexts(700));
        const qint64 ms = clock.elapsed();
        QVERIFY(heat.kernels[0].basis == HeatBasis::Listing);
        QCOMPARE(heat.lines.size(), std::size_t(1));
        QCOMPARE(heat.lines[0].line, 3);
        QCOMPARE(heat.lines[0].counts.samples, 10000.0);
        QCOMPARE(heat.lines[0].inlined.front().second, 10000.0);
        QCOMPARE(heatOf(counters, nullptr, madeTexts(700)).lines.size(), std::size_t(625));
        QVERIFY2(ms < 2000, qPrintable(QString::number(ms))); // 50 ms here, in a Debug build
        clock.restart();
        QCOMPARE(countsByLine(heat.kernels[0], *kernel.sass).size(), std::size_t(10000));
        QVERIFY2(clock.elapsed() < 500, qPrintable(QString::number(clock.elapsed())));
    }

    void aListingTakesWhatStandsBehindItsEnd() {
        const RecordedHeat recorded("sum_by_label");
        const Heat heat = recorded.heat();
        const std::vector<HeatCounts> counts =
            countsByLine(heat.kernels[0], *recorded.inspection.kernels[0].sass);
        QCOMPARE(counts.size(), recorded.inspection.kernels[0].sass->lines.size());
        QVERIFY(counts.back().stalls.at(QStringLiteral("drain")) > 60000);
        double all = 0;
        for (const HeatCounts &one : counts)
            all += one.samples;
        QCOMPARE(all, heat.samples);
        KernelCode other = *recorded.inspection.kernels[0].sass;
        other.lines[3].opcode = QStringLiteral("DADD");
        QVERIFY(countsByLine(heat.kernels[0], other).empty());
    }

    void readsOpcodes_data() {
        QTest::addColumn<QString>("sass");
        QTest::addColumn<QString>("opcode");
        QTest::newRow("plain") << "LDC R1, c[0x0][0x28]"
                               << "LDC";
        QTest::newRow("predicate") << "@!P1  LDC.64 R40, c[0x0][0x210]"
                                   << "LDC.64";
        QTest::newRow("alone") << "EXIT"
                               << "EXIT";
        QTest::newRow("predicate alone") << "@P0"
                                         << "";
        QTest::newRow("nothing") << "  "
                                 << "";
    }

    void readsOpcodes() {
        QFETCH(QString, sass);
        QFETCH(QString, opcode);
        QCOMPARE(opcodeIn(sass).toString(), opcode);
    }
};

QObject *makeTestHeatOf() {
    return new TestHeatOf;
}

#include "tst_heat_of.moc"
