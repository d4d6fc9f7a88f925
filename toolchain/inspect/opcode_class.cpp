// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/inspect/opcode_class.h"

#include <QHash>
#include <QStringList>

namespace warpwright {
namespace {

QHash<QString, OpcodeClass> makeTable() {
    QHash<QString, OpcodeClass> table;
    const auto add = [&table](OpcodeClass kind, const char *names) {
        for (const QString &name : QString::fromLatin1(names).split(QLatin1Char(' ')))
            table.insert(name, kind);
    };
    add(OpcodeClass::Fp32,
        "FADD FADD2 FADD32I FCHK FFMA FFMA2 FFMA32I FMNMX FMNMX3 FMUL FMUL2 FMUL32I FSEL FSET "
        "FSETP FSWZADD");
    add(OpcodeClass::Fp64, "DADD DFMA DMNMX DMUL DSET DSETP");
    add(OpcodeClass::Half, "HADD2 HADD2_32I HFMA2 HFMA2_32I HMNMX2 HMUL2 HMUL2_32I HSET2 HSETP2");
    add(OpcodeClass::Special, "MUFU");
    add(OpcodeClass::Integer, "BFE BFI BMSK BREV FLO IABS IADD IADD2 IADD3 IADD32I IDP IDP4A IMAD IMAD32I "
                              "IMNMX IMUL IMUL32I ISCADD "
                              "ISCADD32I ISETP LEA LOP LOP3 LOP32I POPC SGXT SHF SHL SHR VABSDIFF VABSDIFF4 "
                              "VADD VADDMNMX VHMNMX VIADD "
                              "VIADDMNMX VIMNMX VIMNMX3 XMAD");
    add(OpcodeClass::Convert, "F2F F2FP F2I F2IP FRND I2F I2FP I2I I2IP");
    add(OpcodeClass::Move,
        "MOV MOV32I MOVM PRMT SEL S2R S2UR CS2R B2R R2B R2UR P2R R2P PLOP3 PSET PSETP GETLMEMBASE "
        "SETLMEMBASE LEPC");
    add(OpcodeClass::Exchange, "SHFL VOTE VOTEU MATCH REDUX CREDUX ELECT");
    add(OpcodeClass::Load, "LD LDC LDCU LDG LDL LDS LDSM LDTM ULDC");
    add(OpcodeClass::Store, "ST STG STL STS STSM STTM");
    add(OpcodeClass::AsyncCopy,
        "LDGSTS STAS UBLKCP UBLKPF UBLKRED UTCCP UTCSHIFT UTMALDG UTMAPF UTMAREDG UTMASTG");
    add(OpcodeClass::Atomic, "ATOM ATOMG ATOMS RED REDG REDS REDAS UREDGR UATOMG");
    add(OpcodeClass::Texture, "FOOTPRINT SUATOM SULD SURED SUST TEX TLD TLD4 TMML TXD TXQ");
    add(OpcodeClass::Barrier, "ACQBLK ACQSHMINIT ARRIVES BAR CCTL CCTLL CCTLT CGAERRBAR DEPBAR ENDCOLLECTIVE "
                              "ERRBAR FENCE LDGDEPBAR MEMBAR "
                              "SYNCS UCGABAR_ARV UCGABAR_WAIT UTCATOMSWS UTCBAR UTMACCTL UTMACMDFLUSH "
                              "UVIRTCOUNT WARPGROUP WARPSYNC");
    add(OpcodeClass::Control, "BMOV BPT BRA BREAK BRX BRXU BSSY BSYNC CALL COLLECTIVE EXIT JMP JMX JMXU KILL "
                              "NANOSLEEP PMTRIG PREEXIT RET "
                              "RPCMOV RTT SETCTAID USETMAXREG WARPGROUPSET YIELD");
    add(OpcodeClass::Other, "NOP");
    return table;
}

struct Names {
    const char *text;
    const char *key;
};
constexpr std::array<Names, opcodeClassCount> names{{{"tensor core", "tensor"},
                                                     {"FP32", "fp32"},
                                                     {"FP64", "fp64"},
                                                     {"half", "half"},
                                                     {"special function", "special"},
                                                     {"integer", "integer"},
                                                     {"conversion", "convert"},
                                                     {"move", "move"},
                                                     {"warp exchange", "exchange"},
                                                     {"uniform", "uniform"},
                                                     {"load", "load"},
                                                     {"store", "store"},
                                                     {"async copy", "asyncCopy"},
                                                     {"atomic", "atomic"},
                                                     {"texture", "texture"},
                                                     {"barrier", "barrier"},
                                                     {"control", "control"},
                                                     {"other", "other"}}};

QString spaceOf(const QString &base) {
    static const QHash<QString, QString> spaces{{QStringLiteral("LD"), QStringLiteral("generic")},
                                                {QStringLiteral("ST"), QStringLiteral("generic")},
                                                {QStringLiteral("ATOM"), QStringLiteral("generic")},
                                                {QStringLiteral("RED"), QStringLiteral("global")},
                                                {QStringLiteral("LDG"), QStringLiteral("global")},
                                                {QStringLiteral("STG"), QStringLiteral("global")},
                                                {QStringLiteral("ATOMG"), QStringLiteral("global")},
                                                {QStringLiteral("REDG"), QStringLiteral("global")},
                                                {QStringLiteral("LDGSTS"), QStringLiteral("global")},
                                                {QStringLiteral("LDS"), QStringLiteral("shared")},
                                                {QStringLiteral("STS"), QStringLiteral("shared")},
                                                {QStringLiteral("LDSM"), QStringLiteral("shared")},
                                                {QStringLiteral("STSM"), QStringLiteral("shared")},
                                                {QStringLiteral("ATOMS"), QStringLiteral("shared")},
                                                {QStringLiteral("REDS"), QStringLiteral("shared")},
                                                {QStringLiteral("LDL"), QStringLiteral("local")},
                                                {QStringLiteral("STL"), QStringLiteral("local")},
                                                {QStringLiteral("LDC"), QStringLiteral("constant")},
                                                {QStringLiteral("LDCU"), QStringLiteral("constant")},
                                                {QStringLiteral("ULDC"), QStringLiteral("constant")},
                                                {QStringLiteral("STAS"), QStringLiteral("shared")}};
    return spaces.value(base);
}

} // namespace

QString opcodeClassName(OpcodeClass kind) {
    return QString::fromLatin1(names[static_cast<std::size_t>(kind)].text);
}

QString opcodeClassKey(OpcodeClass kind) {
    return QString::fromLatin1(names[static_cast<std::size_t>(kind)].key);
}

OpcodeClass opcodeClassOf(const QString &opcode) {
    static const QHash<QString, OpcodeClass> table = makeTable();
    const QString base = opcode.section(QLatin1Char('.'), 0, 0);
    if (const auto known = table.constFind(base); known != table.constEnd())
        return *known;
    // HMMA, QGMMA, UTCOMMA: each generation brings more of them, and nothing else ends so.
    if (base.endsWith(QLatin1String("MMA")))
        return OpcodeClass::Tensor;
    return base.startsWith(QLatin1Char('U')) ? OpcodeClass::Uniform : OpcodeClass::Other;
}

std::optional<MemoryAccess> memoryAccessOf(const QString &opcode) {
    const QStringList parts = opcode.split(QLatin1Char('.'));
    MemoryAccess access;
    access.space = spaceOf(parts.first());
    if (access.space.isEmpty())
        return std::nullopt;
    const bool isMatrix = parts.first() == QLatin1String("LDSM") || parts.first() == QLatin1String("STSM");
    for (const QString &part : parts.mid(1)) {
        if (isMatrix) {
            // LDSM.16.M88.4: four matrices of 8x8 halves, 32 bits of each for a thread.
            if (part == QLatin1String("2") || part == QLatin1String("4"))
                access.widthBits = 32 * part.toInt();
        } else if (part == QLatin1String("U8") || part == QLatin1String("S8")) {
            access.widthBits = 8;
        } else if (part == QLatin1String("U16") || part == QLatin1String("S16")) {
            access.widthBits = 16;
        } else if (part == QLatin1String("64") || part == QLatin1String("128") ||
                   part == QLatin1String("256")) {
            access.widthBits = part.toInt();
        }
    }
    return access;
}

} // namespace warpwright
