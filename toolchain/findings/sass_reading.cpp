// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/findings/sass_reading.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

/// Whether the first operand is read and not written.
bool writesNothing(const QString &base) {
    static const QStringList names{
        QStringLiteral("STG"),  QStringLiteral("STS"),  QStringLiteral("STL"),     QStringLiteral("ST"),
        QStringLiteral("RED"),  QStringLiteral("REDG"), QStringLiteral("REDS"),    QStringLiteral("BAR"),
        QStringLiteral("EXIT"), QStringLiteral("BRA"),  QStringLiteral("LDGSTS"),  QStringLiteral("STSM"),
        QStringLiteral("CCTL"), QStringLiteral("RET"),  QStringLiteral("UTMALDG"), QStringLiteral("SYNCS")};
    return names.contains(base);
}

/// "R4", "R4.64", "R8.reuse": its number and how many follow it, by the suffix alone.
std::vector<int> registersIn(const QString &operand) {
    static const QRegularExpression form(QStringLiteral(R"((?<![A-Z0-9_])R(\d+)(\.64)?)"));
    std::vector<int> numbers;
    for (auto match = form.globalMatch(operand); match.hasNext();) {
        const auto one = match.next();
        const int number = one.captured(1).toInt();
        numbers.push_back(number);
        if (!one.captured(2).isEmpty())
            numbers.push_back(number + 1);
    }
    return numbers;
}

int registersWritten(const ReadInstruction &instruction) {
    if (const int bytes = loadedBytes(instruction); bytes > 0)
        return std::max(1, bytes / 4);
    const bool isWide = instruction.has("WIDE") || instruction.base.startsWith(QLatin1Char('D')) ||
                        instruction.has("F64") || instruction.has("64");
    return isWide ? 2 : 1;
}

void readRegisters(ReadInstruction &instruction) {
    // The destination is what stands before the first comma; predicates and addresses before it are none.
    const qsizetype comma = instruction.operands.indexOf(QLatin1Char(','));
    QString first = instruction.operands.left(comma < 0 ? instruction.operands.size() : comma);
    QString rest = comma < 0 ? QString() : instruction.operands.mid(comma + 1);
    // "ATOMG.E.ADD PT, R5, desc…", "SHFL.DOWN PT, R5, R4, …", "ISETP P0, PT, R1": a predicate first.
    const bool mayWriteSecond = isAtomic(instruction) || instruction.kind == OpcodeClass::Exchange;
    static const QRegularExpression predicate(QStringLiteral(R"(^\s*U?P(T|\d)\s*$)"));
    const bool leads = predicate.match(first).hasMatch();
    if (leads && mayWriteSecond) {
        const qsizetype next = rest.indexOf(QLatin1Char(','));
        first = rest.left(next < 0 ? rest.size() : next);
        rest = next < 0 ? QString() : rest.mid(next + 1);
    }
    const bool isAddress = first.contains(QLatin1Char('['));
    if (writesNothing(instruction.base) || isAddress || (leads && !mayWriteSecond)) {
        instruction.reads = registersIn(instruction.operands);
        return;
    }
    const std::vector<int> named = registersIn(first);
    if (!named.empty())
        for (int i = 0; i < registersWritten(instruction); ++i)
            instruction.writes.push_back(named.front() + i);
    instruction.reads = registersIn(rest);
}

ReadInstruction instructionOf(const QString &predicate, const QString &opcode, const QString &operands) {
    ReadInstruction instruction;
    instruction.predicate = predicate;
    instruction.opcode = opcode;
    instruction.base = opcode.section(QLatin1Char('.'), 0, 0);
    instruction.operands = operands;
    instruction.kind = opcodeClassOf(opcode);
    readRegisters(instruction);
    return instruction;
}

bool endsBlock(const ReadInstruction &instruction) {
    return instruction.kind == OpcodeClass::Control && instruction.base != QLatin1String("BSSY");
}

} // namespace

bool ReadInstruction::has(const char *modifier) const {
    return opcode.split(QLatin1Char('.')).contains(QLatin1String(modifier));
}

std::vector<ReadInstruction> readListing(const KernelCode &code, const QString &source) {
    std::vector<ReadInstruction> read;
    QHash<QString, std::size_t> labels;
    bool begins = true;
    for (const CodeLine &line : code.lines) {
        if (line.kind == CodeLine::Kind::Label) {
            labels.insert(line.opcode, read.size());
            begins = true;
            continue;
        }
        ReadInstruction instruction = instructionOf(line.predicate, line.opcode, line.operands);
        instruction.address = line.address < 0 ? 0 : static_cast<quint64>(line.address);
        instruction.beginsBlock = begins;
        const CodePlace place = placeOf(code, line, source);
        instruction.file = place.file;
        instruction.line = place.line;
        begins = endsBlock(instruction);
        read.push_back(std::move(instruction));
    }
    static const QRegularExpression target(QStringLiteral(R"(\(?(\.L_x?_?\w+)\)?)"));
    for (std::size_t i = 0; i < read.size(); ++i) {
        if (read[i].base != QLatin1String("BRA"))
            continue;
        const auto match = target.match(read[i].operands);
        const auto found = labels.constFind(match.captured(1));
        // A branch to itself stands after the end of each kernel.
        if (match.hasMatch() && found != labels.constEnd() && *found < i)
            for (std::size_t k = *found; k <= i; ++k)
                read[k].isInLoop = true;
    }
    return read;
}

std::vector<ReadInstruction> readCounted(const KernelCounters &kernel) {
    static const QRegularExpression form(QStringLiteral(R"(^(@!?U?P\w+\s+)?([A-Z][\w.]*)\s*(.*)$)"));
    const double blocks = static_cast<double>(kernel.grid[0]) * kernel.grid[1] * kernel.grid[2];
    const double warps = blocks * std::ceil(kernel.threadsPerBlock() / 32.0);
    std::vector<ReadInstruction> read;
    bool begins = true;
    for (const InstructionCounters &counts : kernel.instructions) {
        const auto match = form.match(counts.text.trimmed());
        ReadInstruction instruction =
            instructionOf(match.captured(1).trimmed(), match.captured(2), match.captured(3));
        instruction.address = counts.address;
        instruction.file = counts.file;
        instruction.line = counts.line;
        instruction.counts = &counts;
        instruction.isInLoop = warps > 0 && counts.value(QStringLiteral("executed")) >= 3 * warps;
        // Where two neighbours are executed differently often, control may have gone between them.
        const double before = read.empty() ? 0 : read.back().count("executed");
        instruction.beginsBlock = begins || before != instruction.count("executed");
        begins = endsBlock(instruction);
        read.push_back(std::move(instruction));
    }
    return read;
}

int loadedBytes(const ReadInstruction &instruction) {
    static const QStringList loads{QStringLiteral("LDG"), QStringLiteral("LDL"), QStringLiteral("LDS"),
                                   QStringLiteral("LD"), QStringLiteral("LDC")};
    if (!loads.contains(instruction.base))
        return 0;
    const auto access = memoryAccessOf(instruction.opcode);
    return access ? access->widthBits / 8 : 0;
}

bool isAtomic(const ReadInstruction &instruction) {
    return instruction.kind == OpcodeClass::Atomic;
}

bool isGlobalLoad(const ReadInstruction &instruction) {
    return instruction.base == QLatin1String("LDG") || instruction.base == QLatin1String("LD");
}

bool isGlobalStore(const ReadInstruction &instruction) {
    return instruction.base == QLatin1String("STG") || instruction.base == QLatin1String("ST");
}

bool isLocalAccess(const ReadInstruction &instruction) {
    return instruction.base == QLatin1String("LDL") || instruction.base == QLatin1String("STL");
}

bool isLongLoad(const ReadInstruction &instruction) {
    const OpcodeClass kind = instruction.kind;
    return isGlobalLoad(instruction) || instruction.base == QLatin1String("LDL") ||
           kind == OpcodeClass::Texture || instruction.base == QLatin1String("ATOM") ||
           instruction.base == QLatin1String("ATOMG");
}

std::optional<int> bytesInFlight(const std::vector<ReadInstruction> &code) {
    struct Asked {
        std::vector<int> registers;
        int bytes = 0;
    };
    std::vector<Asked> asked;
    int copies = 0; // LDGSTS, until somebody waits for them
    int most = 0;
    for (const ReadInstruction &instruction : code) {
        if (instruction.base.startsWith(QLatin1String("UTMALDG")) ||
            instruction.base.startsWith(QLatin1String("UBLKCP")))
            return std::nullopt;
        const auto touches = [&instruction](const Asked &one) {
            return std::any_of(one.registers.begin(), one.registers.end(), [&instruction](int number) {
                return std::count(instruction.reads.begin(), instruction.reads.end(), number) > 0 ||
                       std::count(instruction.writes.begin(), instruction.writes.end(), number) > 0;
            });
        };
        asked.erase(std::remove_if(asked.begin(), asked.end(), touches), asked.end());
        if (instruction.base == QLatin1String("DEPBAR"))
            copies = 0;
        if (instruction.base == QLatin1String("LDGSTS")) {
            const auto access = memoryAccessOf(instruction.opcode);
            copies += access ? access->widthBits / 8 : 4;
        }
        // What was never executed asks for nothing.
        const bool runs = instruction.counts == nullptr || instruction.count("executed") > 0;
        if (isGlobalLoad(instruction) && runs)
            asked.push_back({instruction.writes, loadedBytes(instruction)});
        int now = copies;
        for (const Asked &one : asked)
            now += one.bytes;
        most = std::max(most, now);
    }
    return most;
}

std::vector<AdjacentLoads> adjacentLoads(const std::vector<ReadInstruction> &code) {
    static const QRegularExpression form(
        QStringLiteral(R"(\[(R\d+)(?:\.U32|\.64)?(\+UR\d+)?(?:\+(-?)0x([0-9a-f]+))?\]\s*$)"));
    struct Seen {
        std::size_t at = 0;
        QString base;
        int number = 0;
        int bytes = 0;
        qint64 offset = 0;
    };
    std::vector<Seen> open;
    std::vector<AdjacentLoads> found;
    const auto close = [&open, &found](const auto &isMeant) {
        std::vector<Seen> group;
        std::copy_if(open.begin(), open.end(), std::back_inserter(group), isMeant);
        open.erase(std::remove_if(open.begin(), open.end(), isMeant), open.end());
        std::sort(group.begin(), group.end(), [](const Seen &one, const Seen &other) {
            return std::tie(one.base, one.bytes, one.offset) <
                   std::tie(other.base, other.bytes, other.offset);
        });
        for (std::size_t i = 0; i < group.size();) {
            std::size_t end = i + 1;
            while (end < group.size() && group[end].base == group[i].base &&
                   group[end].bytes == group[i].bytes &&
                   group[end].offset == group[end - 1].offset + group[i].bytes)
                ++end;
            AdjacentLoads run;
            run.bytes = group[i].bytes;
            for (std::size_t k = i; k < end; ++k)
                run.at.push_back(group[k].at);
            if (run.count() > 1 && run.bytes < 16)
                found.push_back(std::move(run));
            i = end;
        }
    };
    for (std::size_t i = 0; i < code.size(); ++i) {
        const ReadInstruction &instruction = code[i];
        if (instruction.beginsBlock)
            close([](const Seen &) { return true; });
        // A volatile or atomic load must stay one of its own.
        if (instruction.base == QLatin1String("LDG") && !instruction.has("STRONG")) {
            if (const auto match = form.match(instruction.operands); match.hasMatch()) {
                const qint64 offset = match.captured(4).toLongLong(nullptr, 16);
                open.push_back({i, match.captured(1) + match.captured(2), match.captured(1).mid(1).toInt(),
                                loadedBytes(instruction), match.captured(3).isEmpty() ? offset : -offset});
            }
        }
        for (const int number : instruction.writes)
            close([number](const Seen &one) { return one.number == number || one.number + 1 == number; });
    }
    close([](const Seen &) { return true; });
    return found;
}

} // namespace warpwright
