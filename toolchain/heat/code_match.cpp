// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/heat/code_match.h"

namespace warpwright {
namespace {

QStringView baseOf(QStringView opcode) {
    const auto dot = opcode.indexOf(QLatin1Char('.'));
    return dot < 0 ? opcode : opcode.first(dot);
}

bool isFilling(QStringView opcode) {
    return opcode == QLatin1String("BRA") || opcode == QLatin1String("NOP");
}

CodeMatch differs(const QString &why) {
    CodeMatch match;
    match.why = why;
    return match;
}

} // namespace

QStringView opcodeIn(QStringView sass) {
    QStringView text = sass.trimmed();
    const auto wordEnd = [&text] {
        const auto blank = text.indexOf(QLatin1Char(' '));
        return blank < 0 ? text.size() : blank;
    };
    if (text.startsWith(QLatin1Char('@')))
        text = text.sliced(wordEnd()).trimmed();
    return text.first(wordEnd());
}

CodeMatch matchCode(const CountedCode &counted, const KernelCode &listing) {
    CodeMatch match;
    match.lines.reserve(counted.size());
    std::size_t at = 0;
    int last = -1;
    for (std::size_t line = 0; line < listing.lines.size(); ++line) {
        const CodeLine &code = listing.lines[line];
        if (code.kind != CodeLine::Kind::Instruction)
            continue;
        if (at == counted.size())
            return differs(QStringLiteral("the listing goes on after the %1 instructions that were counted")
                               .arg(counted.size()));
        const auto &[address, sass] = counted[at];
        const QStringView opcode = baseOf(opcodeIn(sass));
        if (opcode.isEmpty())
            return differs(QStringLiteral("the report does not hold its instructions"));
        if (address != code.address || opcode != baseOf(code.opcode))
            return differs(QStringLiteral("instruction %1 is %2 in the listing and %3 in the report")
                               .arg(at + 1)
                               .arg(code.opcode, opcodeIn(sass).toString()));
        last = static_cast<int>(line);
        match.lines.push_back(last);
        ++at;
    }
    if (last < 0)
        return differs(QStringLiteral("the listing is empty"));
    for (; at < counted.size(); ++at) {
        if (!isFilling(baseOf(opcodeIn(counted[at].second))))
            return differs(QStringLiteral("the report goes on after the %1 instructions of the listing")
                               .arg(match.lines.size()));
        match.lines.push_back(last);
    }
    match.isSame = true;
    return match;
}

std::vector<HeatCounts> countsByLine(const KernelHeat &kernel, const KernelCode &listing) {
    CountedCode counted;
    counted.reserve(kernel.instructions.size());
    for (const HeatInstruction &one : kernel.instructions)
        counted.emplace_back(one.address, one.text);
    const CodeMatch match = matchCode(counted, listing);
    if (!match.isSame)
        return {};
    std::vector<HeatCounts> counts(listing.lines.size());
    for (std::size_t i = 0; i < match.lines.size(); ++i)
        counts[static_cast<std::size_t>(match.lines[i])].add(kernel.instructions[i].counts);
    return counts;
}

} // namespace warpwright
