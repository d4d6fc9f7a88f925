// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/inspect/opcode_mix.h"

#include <QStringList>

#include <algorithm>
#include <tuple>

namespace warpwright {
namespace {

qsizetype rankOf(const QString &space) {
    static const QStringList order{QStringLiteral("global"), QStringLiteral("generic"),
                                   QStringLiteral("shared"), QStringLiteral("local"),
                                   QStringLiteral("constant")};
    const auto at = order.indexOf(space);
    return at < 0 ? order.size() : at;
}

} // namespace

OpcodeMix opcodeMixOf(const KernelCode &code) {
    OpcodeMix mix;
    for (const CodeLine &line : code.lines) {
        if (line.kind != CodeLine::Kind::Instruction)
            continue;
        ++mix.total;
        ++mix.byClass[static_cast<std::size_t>(opcodeClassOf(line.opcode))];
        const auto access = memoryAccessOf(line.opcode);
        if (!access)
            continue;
        const QString base = line.opcode.section(QLatin1Char('.'), 0, 0);
        const auto known =
            std::find_if(mix.accesses.begin(), mix.accesses.end(), [&](const OpcodeMix::Access &one) {
                return one.base == base && one.access == *access;
            });
        if (known == mix.accesses.end())
            mix.accesses.push_back({base, *access, 1});
        else
            ++known->count;
    }
    std::sort(mix.accesses.begin(), mix.accesses.end(), [](const auto &a, const auto &b) {
        return std::tuple(rankOf(a.access.space), a.base, -a.access.widthBits) <
               std::tuple(rankOf(b.access.space), b.base, -b.access.widthBits);
    });
    return mix;
}

} // namespace warpwright
