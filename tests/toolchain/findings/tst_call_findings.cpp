// SPDX-License-Identifier: GPL-3.0-or-later
// What a whole call tells: launches by clock, timeline and counters, times of two devices, and kernels that
// were written by somebody else to be found.
#include "tests/toolchain/findings/counted_kernel.h"
#include "tests/toolchain/scratch.h"
#include "tests/toolchain/timeline/made_timeline.h"

#include <QTest>

using namespace warpwright;

namespace {

/// So short that little else than its start and end is in it.
CountedKernel brief(double microseconds = 2.5, double busy = 5) {
    CountedKernel kernel("k", microseconds);
    kernel.metric("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", busy);
    kernel.metric("lts__throughput.avg.pct_of_peak_sustained_elapsed", 2);
    return kernel.metric("sm__throughput.avg.pct_of_peak_sustained_elapsed", 2);
}

std::vector<CountedKernel> times(int count, const CountedKernel &kernel) {
    return std::vector<CountedKernel>(static_cast<std::size_t>(count), kernel);
}

/// Launches every 10 µs of kernels of 3 µs, and the host's call of 4 µs before each.
Timeline spaced(int count) {
    MadeArm arm(QStringLiteral("candidate"), 10.0 * count);
    for (int i = 0; i < count; ++i)
        arm.kernel(QStringLiteral("k(float const*)"), 10 * i + 1, 4, 10 * i + 6, 3);
    arm.sync(10.0 * count - 5, 4);
    Timeline timeline;
    timeline.id = QStringLiteral("t1");
    timeline.device = QStringLiteral("NVIDIA H200");
    timeline.arms = {arm.arm()};
    return timeline;
}

/// Collected on an H200; metrics that no detector reads are taken out, and of the second what hardly ran.
FindingInput recordedInput(const char *name, const CandidateTexts &texts) {
    const auto json = parseJson(recorded(QStringLiteral("ncu/%1.counters.json").arg(QLatin1String(name))));
    FindingInput input;
    input.counters = countersFromJson(json.value()).value();
    input.texts = texts;
    input.counters->textHash = textHashOf(texts);
    return input;
}

const CandidateTexts launcher{
    {"kernels/norm.cu", "__global__ void k();\nvoid f() {\n for (;;)\n  k<<<64, 256>>>();\n}\n"}};

CandidateTexts linear(const QByteArray &reference) {
    return {{"model.py", reference}, {"kernels/relu.cu", "__global__ void linearRelu();\n"}};
}

bool has(const Finding &finding, double value, const QString &unit) {
    return std::any_of(finding.evidence.begin(), finding.evidence.end(), [&](const FindingEvidence &one) {
        return qFuzzyCompare(one.value, value) && one.unit == unit;
    });
}

} // namespace

class TestCallFindings : public QObject {
    Q_OBJECT

private slots:
    void readsLaunchesOfARealReport() {
        FindingInput input = recordedInput("h200-brief-launches", launcher);
        QCOMPARE(input.counters->kernels.size(), std::size_t(96));
        const Findings findings = findingsOf(input);
        QCOMPARE(idsOf(findings), QStringList("launch-bound"));
        const Finding &told = findings.list.front();
        QCOMPARE(told.file, QStringLiteral("kernels/norm.cu"));
        QCOMPARE(told.line, 4);
        QVERIFY(told.isMeasured && told.kernel.isEmpty());
        QVERIFY(has(told, 96, QString()) && has(told, 2.624, QStringLiteral("µs")));
        QVERIFY(has(told, 3.8, QStringLiteral("µs"))); // what is assumed is said
        QVERIFY(*told.gainMicroseconds > 200 && *told.gainMicroseconds < *findings.callMicroseconds);
        QVERIFY2(told.message.startsWith("96 launches take 2.6"), qPrintable(told.message));
        // A report from elsewhere may be of many calls.
        input.counters->importedFrom = "of-a-program.ncu-rep";
        QVERIFY(findingsOf(input).list.empty());
    }

    void readsProductsOfARealReport_data() {
        QTest::addColumn<QByteArray>("reference");
        QTest::addColumn<QString>("ids");
        const auto row = [](const char *name, const char *reference, const char *ids) {
            QTest::newRow(name) << QByteArray(reference) << QString::fromLatin1(ids);
        };
        row("a layer of bfloat16",
            "import torch\ny = torch.nn.functional.linear(x.bfloat16(), w)  # as it was\n", "no-matrix-unit");
        row("a product of half", "y = x.half() @ w\n", "no-matrix-unit");
        row("a layer of float", "y = torch.nn.functional.linear(x, w)  # not bfloat16\n",
            "low-occupancy-harmless");
        row("no product", "y = torch.relu(x.bfloat16())\n", "low-occupancy-harmless");
        row("no reference", "", "low-occupancy-harmless");
    }

    void readsProductsOfARealReport() {
        QFETCH(const QByteArray, reference);
        QFETCH(const QString, ids);
        FindingInput input = recordedInput("h200-scalar-products", linear(reference));
        const Findings findings = findingsOf(input);
        QCOMPARE(idsOf(findings).join(' '), ids);
        if (ids != QLatin1String("no-matrix-unit"))
            return;
        const Finding &told = findings.list.front();
        QCOMPARE(told.kernel, QStringLiteral("linearRelu"));
        QCOMPARE(told.file, QStringLiteral("kernels/relu.cu"));
        QCOMPARE(told.line, 81); // fmaf(a[i], b[j], sums[i][j])
        QVERIFY(*told.gainShare > 0.85 && *told.gainShare < 0.97);
        // A matrix instruction anywhere in the call, and nothing stands still.
        input.counters->kernels.front().opcodes["HMMA"] = 1;
        QVERIFY(!idsOf(findingsOf(input)).contains("no-matrix-unit"));
        // A check elsewhere: its count of products holds, of 16-bit tensors or of others.
        input.counters->kernels.front().opcodes.erase("HMMA");
        input.evaluation = checkOf(7900, 1e6, 8.6e9);
        input.evaluation->device = OrderedJson{{"kind", "cpu"}, {"name", "CPU"}};
        QVERIFY(!idsOf(findingsOf(input)).contains("no-matrix-unit"));
        input.evaluation->task["halfMatrixFlops"] = 8.6e9;
        QVERIFY(idsOf(findingsOf(input)).contains("no-matrix-unit"));
        // A check of the same device that stopped after the compilers: no clock, no ceilings, no count.
        input.evaluation = Evaluation();
        input.evaluation->device = OrderedJson{{"kind", "cuda"}, {"name", "NVIDIA H200"}};
        QVERIFY(idsOf(findingsOf(input)).contains("no-matrix-unit"));
    }

    void kernelsOfAnotherFolderAreTheSame() {
        // The anonymous namespace's name holds hashes of the file's path.
        FindingInput input = recordedInput("h200-scalar-products", linear("y = x.half() @ w\n"));
        QString mangled = input.counters->kernels.front().mangled;
        QVERIFY2(mangled.startsWith("_ZN47_GLOBAL__N__499a8c05_14_linear_relu_cu_483348e210linearRelu"),
                 qPrintable(mangled));
        mangled.replace("499a8c05", "0123abcd").replace("483348e2", "89ef4567");
        input.evaluation = checkOf(7900, 1e6, 0, {"FP32", "FP16"});
        input.evaluation->device = OrderedJson{{"kind", "cpu"}, {"name", "CPU"}};
        KernelResources own;
        own.name = "(anonymous namespace)::linearRelu(__nv_bfloat16 const*)";
        own.mangled = mangled;
        input.evaluation->compile.kernels = {own};
        QCOMPARE(idsOf(findingsOf(input)), QStringList("no-matrix-unit"));
        // Another kernel in a file of this name is another one.
        input.evaluation->compile.kernels.front().mangled.replace("10linearRelu", "10linearGelu");
        QVERIFY(findingsOf(input).list.empty());
    }

    void scalarProductsByHand_data() {
        QTest::addColumn<double>("reads"); // words from shared memory for each product
        QTest::addColumn<double>("bytes"); // of memory
        QTest::addColumn<QString>("sass");
        QTest::addColumn<bool>("isTold");
        const char *product = "FFMA R6, R8, R12, R6";
        QTest::newRow("a tile") << 0.25 << 1e8 << product << true;
        QTest::newRow("a dot product") << 2.0 << 1e8 << product << false;
        QTest::newRow("memory sets the pace") << 0.25 << 1e10 << product << false;
        QTest::newRow("a square") << 0.25 << 1e8 << "FFMA R6, R8, R8, R6" << false;
        QTest::newRow("a polynomial") << 0.25 << 1e8 << "FFMA R6, R6, R8, 0.5" << false;
        QTest::newRow("a factor of the thread's own") << 0.25 << 1e8 << "FFMA R6, R8, R20, R6" << false;
    }

    void scalarProductsByHand() {
        QFETCH(const double, reads);
        QFETCH(const double, bytes);
        QFETCH(const QString, sass);
        QFETCH(const bool, isTold);
        CountedKernel kernel("gemm", 4000);
        kernel.metric("gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", 5);
        kernel.metric("gpc__cycles_elapsed.max", 8e6);
        kernel.metric("dram__bytes_read.sum", bytes);
        constexpr double products = 2.1e9;
        kernel.at("LDS.128 R8, [R4]", 20, {{"executed", products * reads / 8}})
            .at("LDS.128 R16, [R5]", 20, {{"executed", products * reads / 8}})
            .at("PRMT R12, RZ, 0x5410, R16", 20, {{"executed", products / 64}})
            .at("MOV R20, R2", 20)
            .at(qPrintable(sass), 21, {{"executed", products}, {"stall.math_pipe_throttle", 1000}})
            .at("EXIT", 22);
        FindingInput input = inputOf({kernel});
        input.texts = linear("y = torch.matmul(x.to(torch.bfloat16), w)\n");
        input.counters->textHash = textHashOf(input.texts);
        QCOMPARE(idsOf(findingsOf(input)).join(' '), isTold ? QStringLiteral("no-matrix-unit") : QString());
        // Tensor cores take no BF16 before sm_80.
        input.counters->computeCapability = "7.5";
        QVERIFY(findingsOf(input).list.empty());
    }

    void briefLaunchesByCountersAlone_data() {
        QTest::addColumn<std::vector<CountedKernel>>("kernels");
        QTest::addColumn<bool>("isTold");
        QTest::newRow("forty") << times(40, brief()) << true;
        QTest::newRow("forty that fill the device") << times(40, brief(2.5, 50)) << false;
        QTest::newRow("four") << times(4, brief()) << false;
        QTest::newRow("forty that work") << times(40, brief(6)) << false;
        std::vector<CountedKernel> beside = times(10, brief());
        beside.push_back(CountedKernel("large", 200));
        QTest::newRow("ten beside a large one") << beside << false;
        CountedKernel unknown = brief();
        unknown.value.metrics.clear();
        unknown.metric("gpu__time_duration.sum", 2500);
        QTest::newRow("nothing but times") << times(40, unknown) << false;
    }

    void briefLaunchesByCountersAlone() {
        QFETCH(const std::vector<CountedKernel>, kernels);
        QFETCH(const bool, isTold);
        const Findings findings = findingsOf(inputOf(kernels));
        QCOMPARE(idsOf(findings).join(' '), isTold ? QStringLiteral("launch-bound") : QString());
        if (isTold) // all but what fills the device to 80 %: 5 % of 100 µs
            QCOMPARE(*findings.list.front().gainMicroseconds, 100 * (1 - 0.05 / 0.8));
    }

    void aPartOfTheLaunchesIsNoCall() {
        FindingInput input = inputOf(times(24, CountedKernel("k", 100)));
        input.evaluation = checkOf(9600, 1e6); // of 96 such launches
        QCOMPARE(idsOf(findingsOf(input)), QStringList("launch-bound"));
        input.counters->isWholeCall = false;
        QVERIFY(findingsOf(input).list.empty());
        input.evaluation.reset();
        QVERIFY(findingsOf(input).callSource.contains("not all"));
        FindingInput part = inputOf(times(24, brief()));
        part.counters->isWholeCall = false;
        const Findings findings = findingsOf(part);
        QCOMPARE(idsOf(findings), QStringList("launch-bound"));
        QVERIFY(findings.list.front().evidence.front().what.contains("among those counted"));
    }

    void theTimelineTellsOfLaunches() {
        FindingInput input = inputOf(times(12, CountedKernel("k", 4.5)));
        QVERIFY(findingsOf(input).list.empty());
        input.timeline = spaced(12);
        Findings findings = findingsOf(input);
        QCOMPARE(idsOf(findings), QStringList("launch-bound"));
        QVERIFY(findings.looked.contains("timeline"));
        const Finding &told = findings.list.front();
        // 12 × 3 µs at work, 6 µs until the first runs, 1 µs after the last one; untraced a call takes 96 µs.
        QVERIFY(has(told, 96, QStringLiteral("µs")) && has(told, 43, QStringLiteral("µs")));
        QVERIFY(has(told, 4, QStringLiteral("µs")));
        QCOMPARE(*told.gainMicroseconds, 53.0);
        // The check's clock is of calls that follow each other: beginning and end are hidden there.
        input.evaluation = checkOf(80, 1e6);
        QCOMPARE(*findingsOf(input).list.front().gainMicroseconds, 80 - 36.0);
        input.evaluation.reset();
        input.timeline->device = QStringLiteral("NVIDIA L4");
        QVERIFY(findingsOf(input).list.empty());
        input.timeline = spaced(12);
        input.texts = launcher;
        input.counters->textHash = textHashOf(launcher);
        QVERIFY(findingsOf(input).list.empty()); // the timeline is of another text
    }

    void timesOfTwoDevicesAreNotMixed_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isUsed");
        QTest::newRow("a check without a GPU") << "cpu"
                                               << "AMD EPYC 9654" << false;
        QTest::newRow("a check on another GPU") << "cuda"
                                                << "NVIDIA L4" << false;
        QTest::newRow("a check on this GPU") << "cuda"
                                             << "NVIDIA H200" << true;
    }

    void timesOfTwoDevicesAreNotMixed() {
        QFETCH(const QString, kind);
        QFETCH(const QString, name);
        QFETCH(const bool, isUsed);
        FindingInput input = inputOf(times(4, CountedKernel("k", 20)));
        input.evaluation = checkOf(7900, 1e6);
        input.evaluation->device["kind"] = kind.toStdString();
        input.evaluation->device["name"] = name.toStdString();
        const Findings findings = findingsOf(input);
        QCOMPARE(idsOf(findings).join(' '), isUsed ? QStringLiteral("launch-bound") : QString());
        QCOMPARE(*findings.callMicroseconds, isUsed ? 7900.0 : 80.0);
        QCOMPARE(findings.looked.contains("clock"), isUsed);
        QCOMPARE(findings.missing.join(' '),
                 isUsed ? QString()
                        : QStringLiteral("The check of this text ran on %1, and its kernels were profiled on "
                                         "NVIDIA H200: the check's times are not used.")
                              .arg(name));
    }
};

QObject *makeTestCallFindings() {
    return new TestCallFindings;
}

#include "tst_call_findings.moc"
