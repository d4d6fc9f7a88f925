// SPDX-License-Identifier: GPL-3.0-or-later
// Listings of SASS and PTX as the tools wrote them, and what is read out of them.
#include "tests/toolchain/scratch.h"
#include "toolchain/inspect/opcode_diff.h"
#include "toolchain/inspect/opcode_mix.h"
#include "toolchain/tool_output/listed_source.h"
#include "toolchain/tool_output/ptx_listing.h"
#include "toolchain/tool_output/sass_listing.h"

#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace warpwright;

namespace {

QString recordedSass(const QString &arch) {
    return QStringLiteral("nvdisasm/rows-%1-13.2.51.txt").arg(arch);
}

KernelCode kernelNamed(const std::vector<KernelCode> &kernels, const QString &part) {
    const auto found = std::find_if(kernels.begin(), kernels.end(),
                                    [&part](const KernelCode &one) { return one.name.contains(part); });
    return found == kernels.end() ? KernelCode() : *found;
}

/// "rows.cu:8 <- rows.cu:26"
QString placesOf(const KernelCode &code, const CodeLine &line) {
    QStringList places;
    if (const PlaceChain *chain = code.chainOf(line))
        for (const CodePlace &place : *chain)
            places << QStringLiteral("%1:%2").arg(place.file.section('/', -1)).arg(place.line);
    return places.join(" <- ");
}

CodeLine lineAt(const KernelCode &code, qint64 address) {
    const auto found = std::find_if(code.lines.begin(), code.lines.end(),
                                    [address](const CodeLine &line) { return line.address == address; });
    return found == code.lines.end() ? CodeLine() : *found;
}

} // namespace

class TestKernelCode : public QObject {
    Q_OBJECT

private slots:
    void readsTheKernelsOfEveryArchitecture_data() {
        QTest::addColumn<QString>("arch");
        for (const char *arch : {"sm_75", "sm_90a", "sm_120"})
            QTest::newRow(arch) << QString(arch);
    }

    void readsTheKernelsOfEveryArchitecture() {
        QFETCH(QString, arch);
        const QByteArray text = recorded(recordedSass(arch));
        const auto kernels = parseSass(text);
        QCOMPARE(kernels.size(), std::size_t(3));
        QStringList names;
        qsizetype read = 0;
        for (const KernelCode &kernel : kernels) {
            names << kernel.name;
            QCOMPARE(kernel.arch, arch);
            QVERIFY(!kernel.isFunction);
            for (const CodeLine &line : kernel.lines) {
                if (line.kind == CodeLine::Kind::Label)
                    continue;
                read += line.opcode == "NOP" ? 0 : 1; // sm_120 has one that is meant
                // Every instruction is one of the tool's: its text stands in the listing.
                QVERIFY2(text.contains(line.opcode.toUtf8()), qPrintable(line.opcode));
                QVERIFY2(line.chain >= 0, qPrintable(instructionText(line)));
            }
        }
        names.sort();
        QCOMPARE(names, QStringList({"tile(__half const*, __half const*, float*)",
                                     "void sumSquares<double, 512>(float4 const*, double*, int)",
                                     "void sumSquares<float, 256>(float4 const*, float*, int)"}));
        // Counted another way: all lines of code but NOPs and the three jumps to themselves.
        static const QRegularExpression code("^ +/\\*[0-9a-f]{4,}\\*/ +(?!NOP)[^.\\s][^\\n]*;",
                                             QRegularExpression::MultilineOption);
        qsizetype counted = 0;
        auto matches = code.globalMatch(QString::fromUtf8(text));
        while (matches.hasNext()) {
            matches.next();
            ++counted;
        }
        QCOMPARE(read, counted - 3);
    }

    void readsOneKernelExactly() {
        const KernelCode code =
            kernelNamed(parseSass(recorded(recordedSass("sm_90a"))), "sumSquares<float, 256>");
        QCOMPARE(code.mangled, QStringLiteral("_Z10sumSquaresIfLi256EEvPK6float4PT_i"));
        QCOMPARE(code.launchThreads, 256);
        QCOMPARE(code.instructionCount(), 0x510 / 16); // the last one stands at 0x500
        const CodeLine load = lineAt(code, 0xe0);
        QCOMPARE(instructionText(load), QStringLiteral("LDG.E.128 R4, desc[UR6][R4.64]"));
        QCOMPARE(placesOf(code, load), QStringLiteral("rows.cu:25"));
        const CodeLine branch = lineAt(code, 0x170);
        QCOMPARE(branch.predicate, QStringLiteral("@!P0"));
        QCOMPARE(branch.opcode, QStringLiteral("BRA"));
        QCOMPARE(branch.operands, QStringLiteral("`(.L_x_9)"));
        // What was inlined once, twice, and stands in its own line again.
        QCOMPARE(placesOf(code, lineAt(code, 0x120)), QStringLiteral("rows.cu:8 <- rows.cu:26"));
        QCOMPARE(placesOf(code, lineAt(code, 0x130)), QStringLiteral("rows.cu:26"));
        QCOMPARE(placesOf(code, lineAt(code, 0x190)),
                 QStringLiteral("sm_30_intrinsics.hpp:449 <- helpers.cuh:6 <- rows.cu:28"));
        QCOMPARE(placesOf(code, lineAt(code, 0x370)), QStringLiteral("helpers.cuh:6 <- rows.cu:34"));
        // A function that was not inlined lies inside, under a name that a person can read.
        QCOMPARE(lineAt(code, 0x3e0).operands, QStringLiteral("`((anonymous namespace)::slow(float, int))"));
        const auto label = std::find_if(code.lines.begin(), code.lines.end(), [](const CodeLine &line) {
            return line.kind == CodeLine::Kind::Label && line.opcode.contains("slow");
        });
        QVERIFY(label != code.lines.end());
        QCOMPARE(label->opcode, QStringLiteral("(anonymous namespace)::slow(float, int)"));
        QCOMPARE((label + 1)->address, qint64(0x440));
        QCOMPARE(placesOf(code, *(label + 1)), QStringLiteral("rows.cu:13"));
    }

    void readsLaunchBoundsOfEach() {
        const auto kernels = parseSass(recorded(recordedSass("sm_90a")));
        QCOMPARE(kernelNamed(kernels, "sumSquares<double").launchThreads, 512);
        QCOMPARE(kernelNamed(kernels, "tile").launchThreads, 0);
    }

    void passesOverWhatIsNoListing_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("words") << QByteArray("nvdisasm fatal   : Unknown option '-gx'\n");
        QTest::newRow("a remark that is cut") << QByteArray("//--- .text.k ---\n//## File \"a.cu\", line\n");
        QTest::newRow("a remark without an end") << QByteArray("//--- .text.k ---\n//## File \"a.cu\n");
        QTest::newRow("a chain that goes on in another kernel")
            << QByteArray("//--- .text.k ---\n//## File \"a\", line 1 inlined at \"b\", line 2\n"
                          "//--- .text.l ---\n//## File \"b\", line 2\n");
        QTest::newRow("an instruction without an end")
            << QByteArray("//--- .text.k ---\n  /*0000*/  MOV R1, R2\n");
        QTest::newRow("an address that is none") << QByteArray("//--- .text.k ---\n  /*zz*/  MOV R1, R2 ;\n");
    }

    void passesOverWhatIsNoListing() {
        QFETCH(QByteArray, text);
        QVERIFY(parseSass(text).empty());
        QVERIFY(parsePtx(text).empty());
    }

    /// As nvcc 13.0 and ptxas write them: numbers for letters, and a folder's end at the last backslash.
    void readsNamesBeyondAscii_data() {
        QTest::addColumn<QByteArray>("written");
        QTest::addColumn<QString>("name");
        QTest::newRow("plain") << QByteArray("/w/kernels/237e.cu") << QStringLiteral("/w/kernels/237e.cu");
        QTest::newRow("PTX") << QByteArray(R"(/w/gr\303\266\303\237e.cu)") << QStringLiteral("/w/größe.cu");
        QTest::newRow("SASS") << QByteArray(R"(/w/gr\303\266\303/237e.cu)") << QStringLiteral("/w/größe.cu");
        QTest::newRow("one letter") << QByteArray(R"(/w/b\303/266dy.cuh)") << QStringLiteral("/w/bödy.cuh");
        QTest::newRow("three bytes") << QByteArray(R"(/w/\346\240/270.cu)") << QStringLiteral("/w/核.cu");
        QTest::newRow("of a folder") << QByteArray(R"(/w/\303\274/237e.cu)")
                                     << QStringLiteral("/w/ü/237e.cu");
        QTest::newRow("no letter") << QByteArray(R"(/w/\303x.cu)") << QString(R"(/w/\303x.cu)");
        QTest::newRow("a backslash") << QByteArray(R"(/w\a\77.cu\)") << QString(R"(/w\a\77.cu\)");
        QTest::newRow("nothing") << QByteArray() << QString();
    }
    void readsNamesBeyondAscii() {
        QFETCH(QByteArray, written);
        QTEST(listedSource(written), "name");
        const QByteArray sass = QByteArray("//----- .text.k -----\n.other k,@\"STO_CUDA_ENTRY\"\n.text.k:\n"
                                           "//## File \"") +
                                written + "\", line 2\n/*0000*/ EXIT ;\n";
        if (!written.isEmpty())
            QTEST(placeOf(parseSass(sass).at(0), lineAt(parseSass(sass).at(0), 0), {}).file, "name");
    }

    void aCutListingGivesWhatIsThere() {
        QByteArray text = recorded(recordedSass("sm_90a"));
        text.truncate(text.indexOf("/*0120*/", text.indexOf(".text._Z10sumSquaresIdLi512")));
        const auto kernels = parseSass(text);
        QVERIFY(!kernels.empty());
        QCOMPARE(lineAt(kernels.back(), 0xe0).opcode, QStringLiteral("LDG.E.128"));
    }

    void readsPtx() {
        const auto kernels = parsePtx(recorded("nvdisasm/rows-compute_90a-13.0.88.ptx"));
        QStringList names;
        for (const KernelCode &kernel : kernels)
            names << kernel.name + (kernel.isFunction ? " (function)" : "");
        names.sort();
        QCOMPARE(names, QStringList({"(anonymous namespace)::slow(float, int) (function)",
                                     "tile(__half const*, __half const*, float*)",
                                     "void sumSquares<double, 512>(float4 const*, double*, int)",
                                     "void sumSquares<float, 256>(float4 const*, float*, int)"}));
        const KernelCode code = kernelNamed(kernels, "sumSquares<float, 256>");
        QCOMPARE(code.launchThreads, 256);
        QCOMPARE(code.arch, QStringLiteral("sm_90a"));
        const auto find = [&code](const char *opcode) {
            const auto found =
                std::find_if(code.lines.begin(), code.lines.end(),
                             [opcode](const CodeLine &line) { return line.opcode == QLatin1String(opcode); });
            return found == code.lines.end() ? CodeLine() : *found;
        };
        const QHash<QString, int> bounds = launchBoundsIn(recorded("nvdisasm/rows-compute_90a-13.0.88.ptx"));
        QCOMPARE(bounds.size(), 3); // functions that a kernel calls have none
        for (const KernelCode &kernel : kernels)
            QCOMPARE(bounds.value(kernel.mangled), kernel.launchThreads);
        const CodeLine load = find("ld.global.v4.f32");
        QVERIFY2(load.operands.startsWith("{%f"), qPrintable(load.operands));
        QCOMPARE(placesOf(code, load), QStringLiteral("rows.cu:25"));
        QCOMPARE(placesOf(code, find("mul.f32")), QStringLiteral("rows.cu:8 <- rows.cu:26"));
        QCOMPARE(placesOf(code, find("shfl.sync.bfly.b32")),
                 QStringLiteral("sm_30_intrinsics.hpp:449 <- helpers.cuh:6 <- rows.cu:28"));
        // A call spans seven lines of PTX and is one instruction.
        const CodeLine call = find("call.uni");
        QVERIFY2(call.operands.contains("slow") && call.operands.contains("param1"),
                 qPrintable(call.operands));
        QVERIFY(std::any_of(code.lines.begin(), code.lines.end(), [](const CodeLine &line) {
            return line.kind == CodeLine::Kind::Label && line.opcode.startsWith("$L__BB");
        }));
        QCOMPARE(kernelNamed(kernels, "tile").launchThreads, 0);
    }

    void findsTheLinesOfASourceLine() {
        KernelCode code = kernelNamed(parseSass(recorded(recordedSass("sm_90a"))), "sumSquares<float, 256>");
        nameFilesFrom("/rows", code);
        QStringList opcodes;
        for (const int line : linesFrom(code, "rows.cu", 26))
            opcodes << code.lines[static_cast<std::size_t>(line)].opcode;
        // With what was inlined there.
        QCOMPARE(opcodes, QStringList({"FMUL", "FFMA", "FFMA", "FFMA", "FADD"}));
        QCOMPARE(linesFrom(code, "rows.cu", 8).size(), std::size_t(1));
        QCOMPARE(linesFrom(code, "rows.cu", 4).size(), std::size_t(0));
        QCOMPARE(linesFrom(code, "other.cu", 26).size(), std::size_t(0));

        const CodeLine shuffle = lineAt(code, 0x190);
        QCOMPARE(placeOf(code, shuffle), (CodePlace{"helpers.cuh", 6})); // not the system's header
        QCOMPARE(placeOf(code, shuffle, "rows.cu"), (CodePlace{"rows.cu", 28}));
        QCOMPARE(placeOf(code, CodeLine()), CodePlace());
    }

    void knowsOpcodes_data() {
        QTest::addColumn<QString>("opcode");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("access"); ///< "global 128"
        const auto row = [](const char *opcode, const char *kind, const char *access = "") {
            QTest::newRow(opcode) << QString(opcode) << QString(kind) << QString(access);
        };
        row("FFMA", "fp32");
        row("FSETP.GT.AND", "fp32");
        row("DFMA", "fp64");
        row("HFMA2.BF16_V2", "half");
        row("HMMA.16816.F32", "tensor");
        row("HGMMA.64x128x16.F32", "tensor");
        row("UTCHMMA", "tensor");
        row("IMMA.16832.S8.S8", "tensor");
        row("MUFU.RSQ", "special");
        row("IMAD.WIDE.U32", "integer");
        row("LOP3.LUT", "integer");
        row("I2F.F64", "convert");
        row("S2R", "move");
        row("SHFL.BFLY", "exchange");
        row("UIADD3", "uniform");
        row("LDG.E.128.CONSTANT", "load", "global 128");
        row("LDG.E.128.SYS", "load", "global 128");
        row("LDG.E", "load", "global 32");
        row("LDG.E.U16.CONSTANT", "load", "global 16");
        row("LDS.U.64", "load", "shared 64");
        row("LDSM.16.M88.4", "load", "shared 128");
        row("LDSM.16.M88", "load", "shared 32");
        row("LDL.64", "load", "local 64");
        row("LDCU.128", "load", "constant 128");
        row("LD.E.STRONG.GPU", "load", "generic 32");
        row("STG.E.U8", "store", "global 8");
        row("STS.128", "store", "shared 128");
        row("LDGSTS.E.BYPASS.128", "asyncCopy", "global 128");
        row("UTMALDG.2D", "asyncCopy");
        row("ATOMG.E.ADD.STRONG.GPU", "atomic", "global 32");
        row("ATOMS.CAST.SPIN", "atomic", "shared 32");
        row("TEX.LZ", "texture");
        row("BAR.SYNC.DEFER_BLOCKING", "barrier");
        row("WARPSYNC.ALL", "barrier");
        row("EXIT", "control");
        row("BSSY.RECONVERGENT", "control");
        row("NOP", "other");
        row("FROBNICATE", "other");
        row("", "other");
    }

    void knowsOpcodes() {
        QFETCH(QString, opcode);
        QTEST(opcodeClassKey(opcodeClassOf(opcode)), "kind");
        const auto access = memoryAccessOf(opcode);
        QTEST(access ? QStringLiteral("%1 %2").arg(access->space).arg(access->widthBits) : QString(),
              "access");
    }

    void countsWhatAKernelDoes() {
        const auto kernels = parseSass(recorded(recordedSass("sm_90a")));
        const OpcodeMix tile = opcodeMixOf(kernelNamed(kernels, "tile"));
        QCOMPARE(tile.count(OpcodeClass::Tensor), 2);
        QCOMPARE(tile.count(OpcodeClass::Barrier), 0);
        QCOMPARE(tile.count(OpcodeClass::Other), 0); // no NOP that only fills
        QCOMPARE(std::find_if(tile.accesses.begin(), tile.accesses.end(),
                              [](const auto &one) { return one.base == "LDG"; })
                     ->count,
                 8);
        QCOMPARE(tile.accesses.front().base, QStringLiteral("LDG")); // global memory first

        const KernelCode code = kernelNamed(kernels, "sumSquares<float, 256>");
        const OpcodeMix rows = opcodeMixOf(code);
        QCOMPARE(rows.total, 81);
        QCOMPARE(rows.count(OpcodeClass::Exchange), 8);
        QCOMPARE(rows.count(OpcodeClass::Barrier), 1);
        QCOMPARE(rows.count(OpcodeClass::Store), 2);
        int sum = 0;
        for (const int count : rows.byClass)
            sum += count;
        QCOMPARE(sum, rows.total);
        const auto wide = std::find_if(rows.accesses.begin(), rows.accesses.end(), [](const auto &one) {
            return one.access == MemoryAccess{"global", 128};
        });
        QVERIFY(wide != rows.accesses.end());
        QCOMPARE(wide->count, 1);
    }

    void everyRecordedOpcodeIsKnown() {
        for (const char *arch : {"sm_75", "sm_90a", "sm_120"})
            for (const KernelCode &kernel : parseSass(recorded(recordedSass(arch))))
                for (const CodeLine &line : kernel.lines)
                    if (line.kind == CodeLine::Kind::Instruction && line.opcode != "NOP")
                        QVERIFY2(opcodeClassOf(line.opcode) != OpcodeClass::Other, qPrintable(line.opcode));
    }

    void alignsTwoListings() {
        const auto kernels = parseSass(recorded(recordedSass("sm_90a")));
        const KernelCode rows = kernelNamed(kernels, "sumSquares<float, 256>");
        KernelCode other = rows;
        for (CodeLine &line : other.lines) // registers do not count
            line.operands.replace("R4", "R99");
        const auto same = compareCode(rows, other);
        QCOMPARE(same.size(), std::size_t(rows.instructionCount()));
        QVERIFY(std::all_of(same.begin(), same.end(),
                            [](const ComparedCode &row) { return row.kind == ComparedCode::Kind::Same; }));

        const auto at = std::find_if(other.lines.begin(), other.lines.end(),
                                     [](const CodeLine &line) { return line.opcode == "LDG.E.128"; });
        at->opcode = "LDG.E";
        other.lines.insert(at, *at);
        const auto rowsNow = compareCode(rows, other);
        int changed = 0, added = 0;
        for (const ComparedCode &row : rowsNow) {
            changed += row.kind == ComparedCode::Kind::Changed ? 1 : 0;
            added += row.kind == ComparedCode::Kind::Added ? 1 : 0;
            if (row.kind == ComparedCode::Kind::Changed) {
                QCOMPARE(rows.lines[static_cast<std::size_t>(row.left)].opcode, QStringLiteral("LDG.E.128"));
                QCOMPARE(other.lines[static_cast<std::size_t>(row.right)].opcode, QStringLiteral("LDG.E"));
            }
            if (row.kind == ComparedCode::Kind::Same)
                QCOMPARE(rows.lines[static_cast<std::size_t>(row.left)].opcode,
                         other.lines[static_cast<std::size_t>(row.right)].opcode);
        }
        QCOMPARE(changed, 1);
        QCOMPARE(added, 1);
        QCOMPARE(rowsNow.size(), same.size() + 1);

        const auto gone = compareCode(rows, KernelCode());
        QCOMPARE(gone.size(), same.size());
        QCOMPARE(gone.front().kind, ComparedCode::Kind::Removed);
        QVERIFY(compareCode(KernelCode(), KernelCode()).empty());
    }

    void mergesTwoListings() {
        const auto kernels = parseSass(recorded(recordedSass("sm_90a")));
        const KernelCode before = kernelNamed(kernels, "sumSquares<float, 256>");
        const MergedListing alone = mergedListing(before, before);
        QVERIFY(alone.code.lines == before.lines && alone.added == 0 && alone.removed == 0);

        KernelCode after = before;
        const auto load = std::find_if(after.lines.begin(), after.lines.end(),
                                       [](const CodeLine &line) { return line.opcode == "LDG.E.128"; });
        load->opcode = "LDG.E";
        after.lines.insert(load, *load);
        const MergedListing merged = mergedListing(before, after);
        QCOMPARE(merged.removed, 1);
        QCOMPARE(merged.added, 2);
        QCOMPARE(merged.kinds.size(), merged.code.lines.size());
        // Without what is gone it is the newer listing, labels and all.
        std::vector<CodeLine> left;
        for (std::size_t i = 0; i < merged.kinds.size(); ++i) {
            const CodeLine &line = merged.code.lines[i];
            if (merged.kinds[i] != ComparedCode::Kind::Removed) {
                left.push_back(line);
                continue;
            }
            QCOMPARE(line.opcode, QStringLiteral("LDG.E.128"));
            QVERIFY(line.address < 0 && line.chain < 0);
            QCOMPARE(merged.kinds[i + 1], ComparedCode::Kind::Added);
        }
        QVERIFY(left == after.lines);
        QCOMPARE(mergedListing(KernelCode(), after).added, after.instructionCount());
        QCOMPARE(mergedListing(before, KernelCode()).removed, before.instructionCount());
    }
};

QObject *makeTestKernelCode() {
    return new TestKernelCode;
}

#include "tst_kernel_code.moc"
