// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/cuda_packs.h"

#include "agent/playbook/cuda_choices.h"
#include "agent/playbook/cuda_helpers.h"

namespace warpwright {
namespace {

QString cType(ElementType type) {
    return cTypeName(type, true);
}

} // namespace

void CudaPacks::clear() {
    m_packs.clear();
    m_gathered.clear();
    m_spread.clear();
    m_around.clear();
}

QString CudaPacks::elementOf(int leaf) const {
    if (const auto spread = m_spread.find(leaf); spread != m_spread.end())
        return spread->second;
    const auto pack = m_packs.find(leaf);
    return pack == m_packs.end() ? QString() : pack->second + QStringLiteral(".at[k]");
}

QString CudaPacks::gathered(int step) const {
    const auto found = m_gathered.find(step);
    return found == m_gathered.end() ? QString() : found->second;
}

// Under a condition only where that is one for all of the pack.
QStringList CudaPacks::load(int step) {
    const KernelStep &load = m_kernel.step(step);
    if (isGatheredPack(m_kernel, load, m_width))
        return loadGathered(step);
    const KernelLeaf &what = m_kernel.leaves[static_cast<std::size_t>(load.leaf)];
    // A row that packs do not fill ends where its tensor may: there a condition is looked at for each
    // element.
    const bool isOneForAll =
        !load.isGuarded || (!m_ragged && m_kernel.step(load.operands.back()).level <= StepLevel::Row);
    if (m_width > 1 && !m_ragged && isOneForAll && isSpread(m_kernel, what, m_width))
        return loadSpread(load);
    if (m_packs.contains(load.leaf) || !what.isPlain() || !isOneForAll ||
        !isWide(m_kernel, what.address, m_width))
        return {};
    const QString buffer = m_names.nameOf(what.buffer);
    const QString name = packName(buffer, m_packs);
    m_packs[load.leaf] = name;
    return {QStringLiteral("const auto %1 = %2;")
                .arg(name, packLoad(cType(what.type), buffer, indexText(what.address, m_loops.allCounters()),
                                    load.isGuarded ? m_text.text(load.operands.back()) : QString()))};
}

QStringList CudaPacks::loadSpread(const KernelStep &load) {
    const KernelLeaf &what = m_kernel.leaves[static_cast<std::size_t>(load.leaf)];
    if (m_spread.contains(load.leaf))
        return {};
    const std::int64_t apart = what.address.steps.back();
    const std::int64_t place = what.address.offset % apart;
    AffineIndex first = what.address;
    first.offset -= place;
    const QString buffer = m_names.nameOf(what.buffer);
    // Under another condition it is another load.
    const QString guard = load.isGuarded ? m_text.text(load.operands.back()) : QString();
    const auto key = std::pair(load.isGuarded ? -1 - load.leaf : what.buffer, first);
    QStringList lines;
    QString name;
    if (const auto known = m_around.find(key); known != m_around.end()) {
        name = known->second;
    } else {
        name = packName(buffer, m_packs);
        m_packs[-1 - static_cast<int>(m_kernel.steps.size()) - load.leaf] =
            name; // no leaf's: the name is taken
        m_around[key] = name;
        const QString type = cType(what.type);
        const QString address = indexText(first, m_loops.allCounters());
        QStringList packs;
        for (std::int64_t i = 0; i < apart; ++i)
            packs << packLoad(type, buffer,
                              i == 0 ? address : QStringLiteral("%1 + %2").arg(address).arg(i * m_width),
                              guard);
        for (qsizetype i = 0; i < packs.size(); ++i)
            lines << (i == 0 ? QStringLiteral("const Pack<%1> %2[] = {").arg(type, name)
                             : QStringLiteral("    ")) +
                         packs[i] + (i + 1 < packs.size() ? QStringLiteral(",") : QStringLiteral("};"));
    }
    const QString element = place == 0 ? QStringLiteral("k * %1").arg(apart)
                                       : QStringLiteral("k * %1 + %2").arg(apart).arg(place);
    m_spread[load.leaf] = QStringLiteral("%1[(%2) / kWidth].at[(%2) % kWidth]").arg(name, element);
    return lines;
}

QStringList CudaPacks::loadGathered(int step) {
    const KernelStep &load = m_kernel.step(step);
    const KernelLeaf &what = m_kernel.leaves[static_cast<std::size_t>(load.leaf)];
    const QString buffer = m_names.nameOf(what.buffer);
    const QString name = packName(buffer, m_packs);
    const QString address = m_text.place(load, indexText(what.address, m_loops.allCounters()));
    const QString guard = load.isGuarded ? m_text.text(load.operands.back()) : QString();
    m_packs[-1 - step] = name; // no leaf's: others may read it elsewhere
    const QString element = m_text.loaded(load, name + QStringLiteral(".at[k]"));
    m_gathered[step] = load.isGuarded ? QStringLiteral("(%1)").arg(element) : element;
    return {
        QStringLiteral("const auto %1 = %2;").arg(name, packLoad(cType(what.type), buffer, address, guard))};
}

QString CudaPacks::storing(const KernelStore &store, const QString &pack) const {
    if (m_ragged)
        return QStringLiteral("storePart(%1, c, %2);").arg(beginningOf(store.buffer, store.address), pack);
    return packStore(cType(store.type), m_names.nameOf(store.buffer),
                     indexText(store.address, m_loops.allCounters()), pack);
}

// Where a row begins.
QString CudaPacks::beginningOf(int buffer, AffineIndex address) const {
    address.steps.back() = 0;
    const QString place = indexText(address, m_loops.allCounters());
    const QString name = m_names.nameOf(buffer);
    return place == QLatin1String("0") ? name : QStringLiteral("%1 + %2").arg(name, place);
}

} // namespace warpwright
