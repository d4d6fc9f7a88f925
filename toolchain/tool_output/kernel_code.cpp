// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/tool_output/kernel_code.h"

#include <QDir>

#include <algorithm>

namespace warpwright {

int KernelCode::instructionCount() const {
    return static_cast<int>(std::count_if(lines.begin(), lines.end(), [](const CodeLine &line) {
        return line.kind == CodeLine::Kind::Instruction;
    }));
}

int ChainCollector::numberOf(const PlaceChain &chain) {
    if (chain.empty())
        return -1;
    // Neighbours share their chains, and a loop comes back to few: from the end it is found soon.
    constexpr std::size_t looksBack = 64;
    const std::size_t count = m_chains.size();
    for (std::size_t i = 0; i < std::min(count, looksBack); ++i)
        if (m_chains[count - 1 - i] == chain)
            return static_cast<int>(count - 1 - i);
    m_chains.push_back(chain);
    return static_cast<int>(count);
}

QString instructionText(const CodeLine &line) {
    QString text = line.predicate.isEmpty() ? line.opcode : line.predicate + QLatin1Char(' ') + line.opcode;
    if (!line.operands.isEmpty())
        text += QLatin1Char(' ') + line.operands;
    return text;
}

void nameFilesFrom(const QString &folder, KernelCode &code) {
    const QString below = folder + QLatin1Char('/');
    for (PlaceChain &chain : code.chains)
        for (CodePlace &place : chain) {
            place.file = QDir::cleanPath(place.file);
            if (place.file.startsWith(below))
                place.file.remove(0, below.size());
        }
}

std::vector<int> linesFrom(const KernelCode &code, const QString &file, int line) {
    std::vector<bool> isFrom;
    isFrom.reserve(code.chains.size());
    const CodePlace wanted{file, line};
    for (const PlaceChain &chain : code.chains)
        isFrom.push_back(std::find(chain.begin(), chain.end(), wanted) != chain.end());
    std::vector<int> found;
    for (std::size_t i = 0; i < code.lines.size(); ++i)
        if (const CodeLine &one = code.lines[i];
            one.chain >= 0 && isFrom[static_cast<std::size_t>(one.chain)])
            found.push_back(static_cast<int>(i));
    return found;
}

CodePlace placeOf(const KernelCode &code, const CodeLine &line, const QString &file) {
    const PlaceChain *chain = code.chainOf(line);
    if (chain == nullptr)
        return {};
    const auto first = [chain](const auto &fits) -> const CodePlace * {
        const auto found = std::find_if(chain->begin(), chain->end(), fits);
        return found == chain->end() ? nullptr : &*found;
    };
    if (const CodePlace *place = first([&file](const CodePlace &one) { return one.file == file; }))
        return *place;
    if (const CodePlace *place =
            first([](const CodePlace &one) { return !one.file.startsWith(QLatin1Char('/')); }))
        return *place;
    return chain->front();
}

} // namespace warpwright
