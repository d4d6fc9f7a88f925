// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/failure_map/store_sites.h"

#include "toolchain/tool_output/kernel_name.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::size_t mostNamed = 4;

/// Global stores, generic ones, reductions and atomics in memory, and TMA's writes.
bool isStore(const QString &opcode) {
    static const QStringList bases{QStringLiteral("STG"),     QStringLiteral("ST"),
                                   QStringLiteral("RED"),     QStringLiteral("REDG"),
                                   QStringLiteral("ATOMG"),   QStringLiteral("ATOM"),
                                   QStringLiteral("UTMASTG"), QStringLiteral("UTMAREDG")};
    return bases.contains(opcode.section(QLatin1Char('.'), 0, 0));
}

} // namespace

std::vector<StoreSite> storeSites(const Inspection &inspection, int *unplaced) {
    std::vector<StoreSite> sites;
    int without = 0;
    for (const InspectedKernel &kernel : inspection.kernels) {
        if (!kernel.sass)
            continue;
        for (const CodeLine &line : kernel.sass->lines) {
            if (line.kind != CodeLine::Kind::Instruction || !isStore(line.opcode))
                continue;
            const CodePlace place = placeOf(*kernel.sass, line, kernel.source);
            if (place.line <= 0 || place.file.startsWith(QLatin1Char('/'))) {
                ++without;
                continue;
            }
            const bool isKnown = std::any_of(sites.begin(), sites.end(), [&place](const StoreSite &site) {
                return site.file == place.file && site.line == place.line;
            });
            if (!isKnown)
                sites.push_back(
                    {place.file, place.line, shortKernelName(kernel.resources.name), line.opcode});
        }
    }
    if (unplaced != nullptr)
        *unplaced = without;
    return sites;
}

QString storeWords(const std::vector<StoreSite> &sites, int unplaced) {
    const auto named = [](const StoreSite &site) {
        return QStringLiteral("%1:%2 (%3)").arg(site.file).arg(site.line).arg(site.kernel);
    };
    if (sites.empty())
        return unplaced > 0
                   ? QStringLiteral("Which line wrote it is not known: the listing names no lines.")
                   : QStringLiteral("Which line wrote it is not known: no kernel of this text stores "
                                    "to memory, so a library did.");
    if (sites.size() == 1 && unplaced == 0)
        return QStringLiteral("The store for it is at %1: no other line of the kernels stores to memory.")
            .arg(named(sites.front()));
    QStringList lines;
    for (std::size_t i = 0; i < std::min(sites.size(), mostNamed); ++i)
        lines << named(sites[i]);
    if (sites.size() > mostNamed)
        lines << QStringLiteral("%1 more").arg(sites.size() - mostNamed);
    return QStringLiteral("Which line wrote it is not known; these store to memory: %1.")
        .arg(lines.join(QStringLiteral(", ")));
}

} // namespace warpwright
