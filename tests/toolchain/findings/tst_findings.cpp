// SPDX-License-Identifier: GPL-3.0-or-later
// All detectors together: a real report, what a text alone tells, what is told once, document and text.
#include "tests/toolchain/findings/counted_kernel.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/findings/findings_json.h"
#include "toolchain/findings/sass_reading.h"
#include "toolchain/report/findings_report.h"
#include "toolchain/tool_output/sass_listing.h"

#include <QTest>

using namespace warpwright;

namespace {

Counters realReport() {
    const auto json = parseJson(recorded("ncu/h200-three-kernels.json"));
    Result<Counters> counters = countersFromJson(json.value());
    return std::move(counters).value();
}

/// Only the launches of this kernel.
FindingInput realInput(const QString &function) {
    FindingInput input;
    input.counters = realReport();
    std::erase_if(input.counters->kernels,
                  [&function](const KernelCounters &kernel) { return kernel.function != function; });
    return input;
}

Inspection inspected(const QByteArray &sass, const QByteArray &ptxas, const QString &arch) {
    InspectedSource source{"kernels/rows.cu", parsePtxasReport(ptxas), parseSass(sass), {}};
    Inspection made;
    made.workspace = "/rows";
    made.architecture = arch;
    made.status = CompileStatus::Passed;
    made.kernels = inspectedKernels({source}, "/rows", 0);
    return made;
}

KernelCode codeOf(const std::vector<std::pair<const char *, const char *>> &lines) {
    KernelCode code;
    code.mangled = "_Z1k";
    code.arch = "sm_90a";
    code.chains = {{{"kernels/k.cu", 7}}};
    for (const auto &[opcode, operands] : lines) {
        CodeLine line;
        line.kind = *opcode == '.' ? CodeLine::Kind::Label : CodeLine::Kind::Instruction;
        line.opcode = opcode;
        line.operands = operands;
        line.chain = 0;
        line.address = static_cast<qint64>(16 * code.lines.size());
        code.lines.push_back(line);
    }
    return code;
}

/// As the compiler alone knows it.
FindingInput listed(const std::vector<std::pair<const char *, const char *>> &lines, int spillBytes = 0) {
    InspectedKernel kernel;
    kernel.source = "kernels/k.cu";
    kernel.resources.name = "k(float *)";
    kernel.resources.mangled = "_Z1k";
    kernel.resources.arch = "sm_90a";
    kernel.resources.registers = 64;
    kernel.resources.spillLoadBytes = kernel.resources.spillStoreBytes = spillBytes;
    kernel.sass = codeOf(lines);
    FindingInput input;
    input.inspection.emplace();
    input.inspection->status = CompileStatus::Passed;
    input.inspection->kernels = {kernel};
    return input;
}

} // namespace

class TestFindings : public QObject {
    Q_OBJECT

private slots:
    void readsARealReport_data() {
        QTest::addColumn<QString>("function");
        QTest::addColumn<QString>("ids");
        QTest::newRow("clean") << "copy4"
                               << "";
        QTest::newRow("strided") << "strided"
                                 << "uncoalesced";
        // 128 barriers of 1024 threads are most of its time; its conflicts are of a single load.
        QTest::newRow("banks") << "banks"
                               << "barrier-wait bank-conflict";
    }

    void readsARealReport() {
        QFETCH(const QString, function);
        QFETCH(const QString, ids);
        const FindingInput input = realInput(function);
        QVERIFY(!input.counters->kernels.empty());
        const Findings findings = findingsOf(input);
        QCOMPARE(idsOf(findings).join(' '), ids);
        double sum = 0;
        for (const Finding &finding : findings.list) {
            QVERIFY(finding.isMeasured);
            QVERIFY(finding.line > 0);
            sum += *finding.gainMicroseconds;
        }
        QVERIFY(sum <= *findings.callMicroseconds);
    }

    void aWellMadeKernelIsLeftAlone() {
        // The sample softmax-rows, collected on an H200 by wright counters; 2560 rows, 61 % of memory's peak.
        const auto json = parseJson(recorded("ncu/h200-softmax-rows.counters.json"));
        FindingInput input;
        input.counters = countersFromJson(json.value()).value();
        QCOMPARE(input.counters->kernelsOf("candidate").size(), std::size_t(1));
        QVERIFY(input.counters->kernels.front().instructions.size() > 300);
        QCOMPARE(idsOf(findingsOf(input)).join(' '), QString());
    }

    void namesTheLineThatCosts() {
        const Findings strided = findingsOf(realInput("strided"));
        QCOMPARE(strided.list.front().line, 10); // x[r * cols + c]
        QVERIFY(*strided.list.front().gainShare > 0.6 && *strided.list.front().gainShare < 0.85);
        const Findings banks = findingsOf(realInput("banks"));
        const Finding &conflict = banks.list.at(1);
        QCOMPARE(conflict.line, 18); // t[tx][ty]
        QVERIFY(std::any_of(conflict.evidence.begin(), conflict.evidence.end(),
                            [](const FindingEvidence &one) { return one.value == 32 && one.unit == "×"; }));
    }

    void doesNotUseCountersOfAnotherText() {
        FindingInput input = realInput("strided");
        input.texts["model_new.py"] = "import torch";
        input.counters->textHash = QString(64, 'a');
        Findings findings = findingsOf(input);
        QVERIFY(findings.list.empty());
        QCOMPARE(findings.missing.size(), 1);
        QVERIFY2(findings.missing[0].contains("another text"), qPrintable(findings.missing[0]));
        QVERIFY(!findings.looked.contains("counters"));
        input.counters->textHash.clear();
        findings = findingsOf(input);
        QVERIFY2(findings.missing.value(0).contains("imported"), qPrintable(findings.missing.join(' ')));
        input.counters->textHash = textHashOf(input.texts);
        QCOMPARE(idsOf(findingsOf(input)), QStringList("uncoalesced"));
    }

    void passesOverKernelsOfOthers() {
        FindingInput input = realInput("strided");
        input.evaluation = checkOf(400, 1e6);
        KernelResources own;
        own.mangled = "_Z6another";
        own.name = "another(float *)";
        input.evaluation->compile.kernels = {own};
        QVERIFY(findingsOf(input).list.empty());
    }

    void gainsOfAKernelNeverSumAboveItsTime() {
        FindingInput input = realInput("banks");
        // A call that took half of what the profiler saw: shares are of that.
        input.evaluation = checkOf(40, 1e6);
        const Findings findings = findingsOf(input);
        QCOMPARE(findings.callMicroseconds, std::optional<double>(40));
        double sum = 0;
        for (const Finding &finding : findings.list)
            sum += *finding.gainMicroseconds;
        QVERIFY2(sum < 40 * 0.7, qPrintable(QString::number(sum)));
        for (std::size_t i = 1; i < findings.list.size(); ++i)
            QVERIFY(*findings.list[i].gainMicroseconds <= *findings.list[i - 1].gainMicroseconds);
    }

    void oneKernelInTwoShapesTellsOnce() {
        FindingInput input = realInput("strided");
        input.counters->kernels.push_back(input.counters->kernels.front());
        input.counters->kernels.back().grid[0] *= 2;
        const Findings findings = findingsOf(input);
        QCOMPARE(idsOf(findings), QStringList("uncoalesced"));
        QVERIFY(*findings.list.front().gainShare > 0.6);
    }

    void realListingsAreClean_data() {
        QTest::addColumn<QString>("sass");
        QTest::addColumn<QString>("ptxas");
        QTest::addColumn<QString>("arch");
        QTest::newRow("sm_75") << "rows-sm_75-13.2.51.txt"
                               << "ptxas-sm_75-13.0.88.txt"
                               << "sm_75";
        QTest::newRow("sm_90a") << "rows-sm_90a-13.2.51.txt"
                                << "ptxas-sm_90a-13.0.88.txt"
                                << "sm_90a";
        QTest::newRow("sm_120") << "rows-sm_120-13.2.51.txt"
                                << "ptxas-sm_120-13.0.88.txt"
                                << "sm_120";
    }

    void realListingsAreClean() {
        QFETCH(const QString, sass);
        QFETCH(const QString, ptxas);
        QFETCH(const QString, arch);
        FindingInput input;
        input.inspection = inspected(recorded("nvdisasm/" + sass), recorded("nvdisasm/" + ptxas), arch);
        QCOMPARE(input.inspection->kernels.size(), std::size_t(3));
        const Findings findings = findingsOf(input);
        QCOMPARE(idsOf(findings).join(' '), QString());
        QCOMPARE(findings.looked, QStringList({"ptxas", "SASS"}));
    }

    void readsLoopsAndRegistersOfARealListing() {
        const std::vector<KernelCode> codes = parseSass(recorded("nvdisasm/rows-sm_90a-13.2.51.txt"));
        bool hasLoop = false;
        for (const KernelCode &code : codes) {
            const std::vector<ReadInstruction> read = readListing(code, "rows.cu");
            QCOMPARE(static_cast<int>(read.size()), code.instructionCount());
            for (const ReadInstruction &one : read)
                if (one.base == "LDG" && one.isInLoop) {
                    hasLoop = true;
                    QCOMPARE(loadedBytes(one), 16);
                    QCOMPARE(one.writes.size(), std::size_t(4));
                }
            QVERIFY(!read.back().isInLoop); // the branch to itself behind the end is no loop
            if (code.name.contains("sumSquares"))
                QCOMPARE(bytesInFlight(read), std::optional<int>(16));
        }
        QVERIFY(hasLoop);
    }

    void knowsWhatAnInstructionWrites_data() {
        QTest::addColumn<QString>("opcode");
        QTest::addColumn<QString>("operands");
        QTest::addColumn<QString>("writes");
        QTest::addColumn<QString>("reads");
        const auto row = [](const char *opcode, const char *operands, const char *writes, const char *reads) {
            QTest::newRow(opcode) << opcode << operands << writes << reads;
        };
        row("LDG.E.128.CONSTANT", "R8, desc[UR4][R4.64]", "8 9 10 11", "4 5");
        row("LDS.64", "R2, [R9+0x10]", "2 3", "9");
        row("STG.E.128", "desc[UR4][R2.64], R8", "", "2 3 8");
        row("STS", "[R3], R10", "", "3 10");
        row("ATOMG.E.ADD.STRONG.GPU", "PT, R5, desc[UR4][R2.64], R7", "5", "2 3 7");
        row("RED.E.ADD", "desc[UR4][R2.64], R7", "", "2 3 7");
        row("SHFL.BFLY", "PT, R6, R5, 0x10, 0x1f", "6", "5");
        row("ISETP.GE.AND", "P0, PT, R7, R0, PT", "", "7 0");
        row("IMAD.WIDE", "R4, R7, 0x10, R4", "4 5", "7 4");
        row("DFMA", "R4, R6, R8, R4", "4 5", "6 8 4");
        row("IADD3", "R4, P0, R4, R6, RZ", "4", "4 6");
        row("BRA", "`(.L_x_3)", "", "");
    }

    void knowsWhatAnInstructionWrites() {
        QFETCH(const QString, opcode);
        QFETCH(const QString, operands);
        QFETCH(const QString, writes);
        QFETCH(const QString, reads);
        const QByteArray name = opcode.toLatin1(), rest = operands.toLatin1();
        const std::vector<ReadInstruction> read =
            readListing(codeOf({{name.constData(), rest.constData()}}), {});
        const auto text = [](const std::vector<int> &numbers) {
            QStringList words;
            for (const int number : numbers)
                words << QString::number(number);
            return words.join(' ');
        };
        QCOMPARE(text(read.at(0).writes), writes);
        QCOMPARE(text(read.at(0).reads), reads);
    }

    void aListingAloneTells_data() {
        QTest::addColumn<FindingInput>("input");
        QTest::addColumn<QString>("ids");
        using Lines = std::vector<std::pair<const char *, const char *>>;
        const auto looped = [](Lines lines) {
            lines.insert(lines.begin(), {".L_x_1", ""});
            lines.push_back({"BRA", "`(.L_x_1)"});
            lines.push_back({"EXIT", ""});
            return lines;
        };
        const Lines spill{{"STL", "[R1], R8"}, {"LDL", "R9, [R1]"}, {"FADD", "R2, R9, R9"}};
        QTest::newRow("spills in a loop") << listed(looped(spill), 8) << "spill";
        QTest::newRow("spills outside of loops") << listed(spill, 8) << "";
        const Lines doubles{{"F2F.F64.F32", "R4, R2"}, {"DADD", "R6, R4, R4"}};
        QTest::newRow("doubles in a loop") << listed(looped(doubles)) << "fp64";
        QTest::newRow("doubles at the end") << listed(doubles) << "";
        const Lines division{
            {"I2F.U32.RP", "R0, R9"}, {"MUFU.RCP", "R0, R0"}, {"F2I.FTZ.U32.TRUNC.NTZ", "R5, R4"}};
        QTest::newRow("a division in a loop") << listed(looped(division)) << "integer-division";
        QTest::newRow("a division before it") << listed(division) << "";
        const Lines narrow{{"LDG.E", "R8, desc[UR4][R4.64]"},
                           {"LDG.E", "R9, desc[UR4][R4.64+0x4]"},
                           {"LDG.E", "R10, desc[UR4][R4.64+0x8]"},
                           {"LDG.E", "R11, desc[UR4][R4.64+0xc]"}};
        QTest::newRow("four loads side by side") << listed(looped(narrow)) << "narrow-access";
        Lines strong = narrow;
        for (auto &[opcode, operands] : strong)
            opcode = "LDG.E.STRONG.SYS";
        QTest::newRow("volatile loads side by side") << listed(looped(strong)) << "";
        Lines wide = narrow;
        wide.push_back({"LDG.E.128", "R12, desc[UR4][R4.64]"});
        QTest::newRow("the path for edges") << listed(looped(wide)) << "";
        Lines strided = narrow;
        strided[1].second = "R9, desc[UR4][R4.64+0x400]";
        QTest::newRow("loads that lie apart") << listed(looped(strided)) << "";
        Lines carries;
        for (int i = 0; i < 8; ++i) {
            carries.push_back({"IADD3", "R4, P0, R4, R6, RZ"});
            carries.push_back({"IADD3.X", "R5, R5, R7, RZ, P0, !PT"});
        }
        QTest::newRow("64-bit sums in a loop") << listed(looped(carries)) << "wide-index";
        QTest::newRow("64-bit sums before it") << listed(carries) << "";
    }

    void aListingAloneTells() {
        QFETCH(const FindingInput, input);
        QFETCH(const QString, ids);
        const Findings findings = findingsOf(input);
        QCOMPARE(idsOf(findings).join(' '), ids);
        if (ids.isEmpty())
            return;
        QVERIFY(!findings.list.front().isMeasured);
        QVERIFY(!findings.list.front().gainMicroseconds);
        QCOMPARE(findings.list.front().line, 7);
        QCOMPARE(findings.list.front().file, QStringLiteral("kernels/k.cu"));
    }

    void registersThatLimitEveryBlock() {
        FindingInput input = listed({{"FFMA", "R2, R2, R2, R2"}, {"EXIT", ""}});
        InspectedKernel &kernel = input.inspection->kernels.front();
        kernel.resources.registers = 255;
        for (const int threads : {128, 256})
            kernel.occupancies.push_back(
                occupancyOf(*multiprocessorLimits("sm_90"), {threads, 255, 0, 0, 0}));
        QCOMPARE(idsOf(findingsOf(input)), QStringList("register-limited"));
        kernel.sass = codeOf({{"HGMMA.64x128x16.F32", "R24, gdesc[UR8], R24"}, {"EXIT", ""}});
        QVERIFY(findingsOf(input).list.empty());
    }

    void readsTheLauncher_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("line"); // 0: nothing
        const auto cuda = [](const char *name, const QByteArray &text, int line) {
            QTest::newRow(name) << "kernels/k.cu" << text << line;
        };
        cuda("a synchronisation", "void f() {\n k<<<1, 1>>>();\n cudaDeviceSynchronize();\n}\n", 3);
        cuda("with its result checked",
             "extern \"C\" int f() {\n if (cudaDeviceSynchronize() != cudaSuccess) fail();\n}\n", 2);
        cuda("in a comment", "void f() {\n // cudaDeviceSynchronize();\n}\n", 0);
        cuda("in a text", "const char *s = \"cudaDeviceSynchronize()\";\n", 0);
        cuda("for debugging", "#ifdef DEBUG\n cudaDeviceSynchronize();\n#endif\n", 0);
        cuda("an allocation",
             "namespace {\nvoid f() {\n float *p;\n cudaMalloc(&p, 4);\n k<<<1, 1>>>(p);\n "
             "cudaFree(p);\n}\n}\n",
             4);
        cuda("an allocation for a plan",
             "int plan() {\n cudaDeviceSynchronize();\n return cudaMalloc(&p.work, 4);\n}\nvoid f() {\n "
             "k<<<1, 1>>>();\n}\n",
             0);
        cuda("in a function that the launcher calls",
             "float valueOf(const float *p) {\n float v;\n cudaStreamSynchronize(s);\n return v;\n}\n"
             "void f() {\n k<<<1, 1>>>(p);\n const float v = valueOf(p);\n}\n",
             3);
        cuda("in one that it calls once",
             "int planned() {\n cudaDeviceSynchronize();\n return 1;\n}\nvoid f() {\n"
             " static const int plan = planned();\n k<<<1, 1>>>(plan);\n}\n",
             0);
        cuda("a macro above it is not its name",
             "#define CEIL(a, b) (((a) + (b) - 1) / (b))\nfloat *table(int n) {\n cudaDeviceSynchronize();\n"
             " return p;\n}\nvoid f() {\n k<<<CEIL(n, 256), 256>>>();\n}\n",
             0);
        cuda("behind a macro of several lines",
             "#define CHECK(x) do { \\\n x; \\\n } while (0)\nfloat valueOf() {\n cudaStreamSynchronize(s);\n"
             " return v;\n}\nvoid f() {\n k<<<1, 1>>>();\n use(valueOf());\n}\n",
             5);
        cuda("functions that call each other",
             "void a() {\n cudaDeviceSynchronize();\n b();\n}\nvoid b() {\n a();\n}\n", 0);
        cuda("an allocation that is kept",
             "void f() {\n if (buffer == nullptr)\n  cudaMalloc(&buffer, 4);\n}\n", 0);
        cuda("asynchronous ones",
             "void f() {\n cudaMallocAsync(&p, 4, s);\n cudaMemcpyAsync(a, b, 4, d, s);\n}\n", 0);
        const auto python = [](const char *name, const QByteArray &text, int line) {
            QTest::newRow(name) << "model_new.py" << text << line;
        };
        python("item() in forward",
               "class ModelNew:\n    def forward(self, x):\n        return x.max().item()\n", 3);
        python("item() in __init__",
               "class ModelNew:\n    def __init__(self, x):\n        self.n = x.max().item()\n", 0);
        QTest::newRow("the reference may")
            << "model.py" << QByteArray("class Model:\n    def forward(self, x):\n        return x.item()\n")
            << 0;
    }

    void readsTheLauncher() {
        QFETCH(const QString, path);
        QFETCH(const QByteArray, text);
        QFETCH(const int, line);
        FindingInput input;
        input.texts[path] = text;
        const Findings findings = findingsOf(input);
        QCOMPARE(idsOf(findings).join(' '), line > 0 ? QStringLiteral("host-sync") : QString());
        if (line > 0) {
            QCOMPARE(findings.list.front().line, line);
            QCOMPARE(findings.list.front().file, path);
            QVERIFY(!findings.list.front().isMeasured);
        }
    }

    void aSynchronisationThatCostsNothingIsNotTold() {
        FindingInput input = inputOf({CountedKernel("k", 100)});
        input.texts["kernels/k.cu"] = "void f() {\n k<<<1, 1>>>();\n cudaDeviceSynchronize();\n}\n";
        input.counters->textHash = textHashOf(input.texts);
        input.evaluation = checkOf(102, 1e6);
        QVERIFY(findingsOf(input).list.empty());
        input.evaluation = checkOf(140, 1e6);
        const Findings findings = findingsOf(input);
        QCOMPARE(idsOf(findings), QStringList("host-sync"));
        QVERIFY(findings.list.front().isMeasured);
        QCOMPARE(*findings.list.front().gainMicroseconds, 40.0);
    }

    void writesOneDocument() {
        FindingsSubject subject;
        subject.program = "wright 1";
        subject.workspace = "/w";
        const OrderedJson json = toJson(findingsOf(realInput("strided")), subject);
        QCOMPARE(stringIn(json, "schema"), QStringLiteral("warpwright.findings/1"));
        const OrderedJson &finding = json["findings"][0];
        QCOMPARE(stringIn(finding, "id"), QStringLiteral("uncoalesced"));
        QCOMPARE(finding["place"]["line"].get<int>(), 10);
        QVERIFY(finding["gain"]["microseconds"].get<double>() > 0);
        QVERIFY(finding["evidence"].size() >= 2);
        QVERIFY(json["of"]["counters"].is_null());
    }

    void writesTheSameWordsForAll() {
        Findings findings = findingsOf(realInput("banks"));
        findings.missing << "no check of this text: wright check /w";
        const QString text = findingsText(findings, {});
        QVERIFY2(text.contains("1. Warps wait at __syncthreads() in a loop  [barrier-wait] up to "),
                 qPrintable(text));
        QVERIFY(text.contains("2. Bank conflicts in shared memory"));
        QVERIFY(text.contains("try: "));
        QVERIFY(text.contains("Looked at: SASS, counters."));
        QVERIFY(text.endsWith("no check of this text: wright check /w\n"));
        for (const QString &line : text.split('\n'))
            QVERIFY2(line.size() <= 110, qPrintable(line));
        const QString first = findingsText(findings, {}, 1);
        QVERIFY(first.contains("1 more are not shown") && !first.contains("Bank conflicts in"));
        QVERIFY(findingsText({}, {}).startsWith("Nothing was found.\n"));
        // Where nothing was counted, what is missing comes first.
        Findings blind;
        blind.missing << "no counters of this text: wright counters /w";
        blind.looked = QStringList{"source", "ptxas"};
        QVERIFY(findingsText(blind, {}).startsWith("no counters of this text: wright counters /w\n"
                                                   "Nothing was found in source, ptxas.\n"));
        // A note answers no question about what was not looked at.
        Finding note;
        note.title = "Near the measured speed of light";
        note.isNote = true;
        blind.list = {note};
        QVERIFY(findingsText(blind, {}).startsWith("no counters of this text: wright counters /w\n"
                                                   "1. Near the measured speed of light"));
        blind.list.clear();
        blind.looked << "counters";
        QVERIFY(findingsText(blind, {}).startsWith("Nothing was found.\n"));
        QCOMPARE(findingsNamed(findings, "banks").list.size(), std::size_t(2));
        QVERIFY(findingsNamed(findings, "copy4").list.empty());
    }

    void garbageGivesNothing() {
        FindingInput input = inputOf({CountedKernel()});
        KernelCounters &kernel = input.counters->kernels.front();
        kernel.grid = {};
        kernel.block = {};
        for (auto &[name, value] : kernel.metrics)
            value.number = 0;
        kernel.instructions.resize(3);
        kernel.instructions[0].text = "?!";
        kernel.instructions[1].text = "@P0";
        kernel.instructions[2].values["samples"] = 1e9;
        QVERIFY(findingsOf(input).list.empty());
        QVERIFY(findingsOf({}).list.empty());
    }
};

QObject *makeTestFindings() {
    return new TestFindings;
}

#include "tst_findings.moc"
