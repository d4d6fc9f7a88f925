// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/heat/code_match.h"

namespace warpwright {
namespace {

QString baseOf(const QString &opcode) {
    return opcode.section(QLatin1Char('.'), 0, 0);
}

bool isFilling(const QString &opcode) {
    return opcode == QLatin1String("BRA") || opcode == QLatin1String("NOP");
}

CodeMatch differs(const QString &why) {
    CodeMatch match;
    match.why = why;
    return match;
}

} // namespace

QString opcodeIn(const QString &sass) {
    const QString text = sass.simplified();
    const int word = text.startsWith(QLatin1Char('@')) ? 1 : 0;
    return text.section(QLatin1Char(' '), word, word);
}

CodeMatch matchCode(const std::vector<InstructionCounters> &counted, const KernelCode &listing) {
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
        const InstructionCounters &one = counted[at];
        const QString opcode = baseOf(opcodeIn(one.text));
        if (opcode.isEmpty())
            return differs(QStringLiteral("the report does not hold its instructions"));
        if (static_cast<qint64>(one.address) != code.address || opcode != baseOf(code.opcode))
            return differs(QStringLiteral("instruction %1 is %2 in the listing and %3 in the report")
                               .arg(at + 1)
                               .arg(code.opcode, opcodeIn(one.text)));
        last = static_cast<int>(line);
        match.lines.push_back(last);
        ++at;
    }
    if (last < 0)
        return differs(QStringLiteral("the listing is empty"));
    for (; at < counted.size(); ++at) {
        if (!isFilling(baseOf(opcodeIn(counted[at].text))))
            return differs(QStringLiteral("the report goes on after the %1 instructions of the listing")
                               .arg(match.lines.size()));
        match.lines.push_back(last);
    }
    match.isSame = true;
    return match;
}

} // namespace warpwright
