// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/cuda_packs.h"

#include "agent/playbook/codegen/cuda/cuda_helpers.h"
#include "agent/playbook/schedule/grouped_elements.h"
#include "agent/playbook/schedule/packs_of_rows.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace warpwright {
namespace {

QString cType(ElementType type) {
    return cTypeName(type, true);
}

} // namespace

QString elementAmong(const QString &packs, std::int64_t apart, std::int64_t place) {
    const QString element = place == 0 ? QStringLiteral("k * %1").arg(apart)
                                       : QStringLiteral("k * %1 + %2").arg(apart).arg(place);
    return QStringLiteral("%1[(%2) / kWidth].at[(%2) % kWidth]").arg(packs, element);
}

QString placeInPack(int width) {
    return width > 1 ? QStringLiteral("k") : QString();
}

QString indexInPack(const FusedKernel &kernel, const AffineIndex &address, const LoopText &loops,
                    const QString &place) {
    QString text = indexText(address, loops.allCounters());
    const std::int64_t step =
        place.isEmpty() || address.steps.empty() ? 0 : address.steps[neighbourLoop(kernel)];
    if (step != 0)
        text += step == 1 ? QStringLiteral(" + ") + place : QStringLiteral(" + %1 * %2").arg(place).arg(step);
    return text;
}

void CudaPacks::clear() {
    m_packs.clear();
    m_gathered.clear();
    m_spread.clear();
    m_next.clear();
    m_around.clear();
    m_stored.clear();
}

QString CudaPacks::elementOf(int leaf) const {
    if (const auto spread = m_spread.find(leaf); spread != m_spread.end())
        return spread->second;
    if (const auto next = m_next.find(leaf); next != m_next.end())
        return next->second + QStringLiteral("[k]");
    const auto pack = m_packs.find(leaf);
    return pack == m_packs.end() ? QString() : pack->second + QStringLiteral(".at[k]");
}

QString CudaPacks::gathered(int step) const {
    const auto found = m_gathered.find(step);
    return found == m_gathered.end() ? QString() : found->second;
}

bool CudaPacks::isAll(const KernelPass &pass) const {
    // What is not 0 for the row's own elements may be for others.
    const auto isDivided = [this](const KernelStep &what) {
        const bool isWhole = what.type == ElementType::Int64 &&
                             (what.op == KernelOp::Divide || what.op == KernelOp::Remainder ||
                              what.op == KernelOp::TruncatedRemainder);
        return isWhole && m_kernel.step(what.operands[1]).op != KernelOp::Number;
    };
    return std::all_of(pass.computed.begin(), pass.computed.end(),
                       [&](int step) {
                           const KernelStep &what = m_kernel.step(step);
                           return !isDivided(what) &&
                                  (what.op != KernelOp::Load || !elementOf(what.leaf).isEmpty() ||
                                   !gathered(step).isEmpty());
                       }) &&
           std::all_of(pass.stores.begin(), pass.stores.end(),
                       [this](int place) { return !elementToStore(place).isEmpty(); });
}

std::vector<int> CudaPacks::aheadOf(const KernelPass &pass) const {
    constexpr std::size_t bytesOfKept = 4;
    std::map<int, int> found; // steps by leaf
    for (const int step : pass.computed) {
        const KernelStep &load = m_kernel.step(step);
        if (load.op != KernelOp::Load)
            continue;
        const KernelLeaf &what = m_kernel.leaves[static_cast<std::size_t>(load.leaf)];
        if (what.isPlain() && m_kernel.levelOf(what.address) != StepLevel::Element)
            continue;
        if (!what.isPlain() || load.isGuarded || !isWide(m_kernel, what.address, m_width))
            return {};
        found[load.leaf] = step;
    }
    std::size_t bytes = 0;
    std::vector<int> steps;
    for (const auto &[leaf, step] : found) {
        steps.push_back(step);
        if (!m_asRead.contains(leaf))
            bytes += static_cast<std::size_t>(bytesOf(m_kernel.leaves[static_cast<std::size_t>(leaf)].type));
    }
    return bytes <= bytesOfKept * pass.kept.size() ? steps : std::vector<int>();
}

QStringList CudaPacks::declared(int leaf, const QString &why, std::map<int, QString> &names) {
    const KernelLeaf &what = m_kernel.leaves[static_cast<std::size_t>(leaf)];
    QString name = m_names.nameOf(what.buffer) + QStringLiteral("Packs");
    const auto isTaken = [&name](const auto &entry) {
        return entry.second == name;
    };
    while (std::any_of(m_asRead.begin(), m_asRead.end(), isTaken) ||
           std::any_of(m_ahead.begin(), m_ahead.end(), isTaken)) // two parts of one tensor
        name += QLatin1Char('2');
    names[leaf] = name;
    return {QStringLiteral("Pack<%1> %2[kPacks]; // %3").arg(cType(what.type), name, why)};
}

QStringList CudaPacks::keepAsRead(const std::set<int> &steps) {
    QStringList lines;
    for (const int step : steps)
        lines << declared(m_kernel.step(step).leaf, QStringLiteral("as they come: half as many registers"),
                          m_asRead);
    return lines;
}

QStringList CudaPacks::declareAhead(int step) {
    const int leaf = m_kernel.step(step).leaf;
    if (const auto kept = m_asRead.find(leaf); kept != m_asRead.end()) {
        m_ahead[leaf] = kept->second;
        return {};
    }
    return declared(leaf, QStringLiteral("all on their way together"), m_ahead);
}

QStringList CudaPacks::loadAhead(int step) {
    const int leaf = m_kernel.step(step).leaf;
    m_loaded.insert(leaf);
    const KernelLeaf &what = m_kernel.leaves[static_cast<std::size_t>(leaf)];
    return {QStringLiteral("%1[p] = %2;")
                .arg(m_ahead.at(leaf), packLoad(cType(what.type), m_names.nameOf(what.buffer),
                                                indexText(what.address, m_loops.allCounters()), QString()))};
}

QStringList CudaPacks::load(const std::vector<int> &steps) {
    QStringList lines;
    if (m_width == 1) { // groups alone
        for (const int step : steps)
            if (const KernelStep &load = m_kernel.step(step);
                load.op == KernelOp::Load && !load.isGuarded &&
                isGrouped(m_kernel, m_kernel.leaves[static_cast<std::size_t>(load.leaf)], m_width))
                lines << loadGroup(load);
        return lines;
    }
    for (const auto loaded : {&CudaPacks::loadPack, &CudaPacks::loadNext})
        for (const int step : steps)
            if (m_kernel.step(step).op == KernelOp::Load)
                lines << (this->*loaded)(step);
    return lines;
}

// Under a condition only where that is one for all of the pack.
QStringList CudaPacks::loadPack(int step) {
    const KernelStep &load = m_kernel.step(step);
    if (isGatheredPack(m_kernel, load, m_width))
        return loadGathered(step);
    const KernelLeaf &what = m_kernel.leaves[static_cast<std::size_t>(load.leaf)];
    // A row that packs do not fill ends where its tensor may: there a condition is looked at for each
    // element.
    const bool isOneForAll =
        !load.isGuarded || (!m_ragged && isOneForNeighbours(m_kernel, load.operands.back()) &&
                            canLeaveOut(load.leaf, load.operands.back()));
    if (!m_ragged && !load.isGuarded && isGrouped(m_kernel, what, m_width))
        return loadGroup(load);
    if (!m_ragged && isOneForAll && isSpread(m_kernel, what, m_width))
        return loadSpread(load);
    if (m_packs.contains(load.leaf) || !what.isPlain() || !isOneForAll ||
        !isWide(m_kernel, what.address, m_width))
        return {};
    if (const auto ahead = m_ahead.find(load.leaf); ahead != m_ahead.end()) {
        m_packs[load.leaf] = ahead->second + QStringLiteral("[p]");
        return {};
    }
    const QString buffer = m_names.nameOf(what.buffer);
    const auto asRead = m_asRead.find(load.leaf);
    const QString name =
        asRead == m_asRead.end() ? packName(buffer, m_packs) : asRead->second + QStringLiteral("[p]");
    m_packs[load.leaf] = name;
    if (asRead != m_asRead.end() && !m_loaded.insert(load.leaf).second)
        return {};
    return {QStringLiteral("%1%2 = %3;")
                .arg(asRead == m_asRead.end() ? QStringLiteral("const auto ") : QString(), name,
                     packLoad(cType(what.type), buffer, indexText(what.address, m_loops.allCounters()),
                              load.isGuarded ? m_text.text(load.operands.back()) : QString()))};
}

// Whoever reads the leaf asks for no more than what is there under this condition.
bool CudaPacks::canLeaveOut(int leaf, int guard) const {
    const std::function<bool(int)> asks = [&](int condition) {
        const KernelStep &step = m_kernel.step(condition);
        return condition == guard ||
               (step.op == KernelOp::And && (asks(step.operands[0]) || asks(step.operands[1])));
    };
    return std::all_of(m_kernel.steps.begin(), m_kernel.steps.end(), [&](const KernelStep &step) {
        return step.op != KernelOp::Load || step.leaf != leaf ||
               (step.isGuarded && asks(step.operands.back()));
    });
}

// What lies some places on from a pack that is there: only the last ones are read anew.
QStringList CudaPacks::loadNext(int step) {
    const KernelStep &load = m_kernel.step(step);
    const KernelLeaf &what = m_kernel.leaves[static_cast<std::size_t>(load.leaf)];
    if (m_ragged || !what.isPlain() || !elementOf(load.leaf).isEmpty())
        return {};
    for (const auto &[place, pack] : m_packs) {
        if (place < 0)
            continue;
        const KernelLeaf &before = m_kernel.leaves[static_cast<std::size_t>(place)];
        const std::int64_t further = what.address.offset - before.address.offset;
        // A pack under a condition is left out where what is beside it may be there.
        const bool isLoaded =
            std::any_of(m_kernel.steps.begin(), m_kernel.steps.end(), [&](const KernelStep &some) {
                return some.op == KernelOp::Load && some.leaf == place && !some.isGuarded;
            });
        if (before.buffer != what.buffer || before.address.steps != what.address.steps || further <= 0 ||
            further >= m_width || !isLoaded)
            continue;
        const QString buffer = m_names.nameOf(what.buffer);
        const QString type = cType(what.type);
        const QString address = indexText(before.address, m_loops.allCounters());
        // Of elements that may lie beyond the memory each is asked for by itself.
        const auto element = [&](std::int64_t k) {
            const QString there = QStringLiteral("%1[%2 + %3]").arg(buffer, address).arg(k + further);
            return load.isGuarded
                       ? QStringLiteral("%1 ? %2 : %3()")
                             .arg(m_ofNeighbour(load.operands.back(), static_cast<int>(k)), there, type)
                       : there;
        };
        QStringList elements;
        for (std::int64_t k = 0; k < m_width; ++k)
            elements << (k + further < m_width ? QStringLiteral("%1.at[%2]").arg(pack).arg(k + further)
                                               : element(k));
        const QString name = buffer + QStringLiteral("Next") +
                             (m_next.empty() ? QString() : QString::number(m_next.size() + 1));
        m_next[load.leaf] = name;
        return {QStringLiteral("const %1 %2[] = {%3}; // %4 on")
                    .arg(type, name, elements.join(QStringLiteral(", ")))
                    .arg(further)};
    }
    return {};
}

/// Of elements that lie apart: how far, which of those between is read, and where the first of these is.
static std::tuple<std::int64_t, std::int64_t, AffineIndex> aroundOf(const AffineIndex &address) {
    const std::int64_t apart = address.steps.back();
    const std::int64_t place = address.offset % apart;
    AffineIndex first = address;
    first.offset -= place;
    return {apart, place, first};
}

QStringList CudaPacks::loadSpread(const KernelStep &load) {
    const KernelLeaf &what = m_kernel.leaves[static_cast<std::size_t>(load.leaf)];
    if (m_spread.contains(load.leaf))
        return {};
    const auto [apart, place, first] = aroundOf(what.address);
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
    m_spread[load.leaf] = elementAmong(name, apart, place);
    return lines;
}

QStringList CudaPacks::loadGroup(const KernelStep &load) {
    const KernelLeaf &what = m_kernel.leaves[static_cast<std::size_t>(load.leaf)];
    if (m_spread.contains(load.leaf))
        return {};
    const auto [apart, place, first] = aroundOf(what.address);
    const QString buffer = m_names.nameOf(what.buffer);
    QString &name = m_around[{what.buffer, first}];
    QStringList lines;
    if (name.isEmpty()) {
        name = packName(buffer, m_packs, QStringLiteral("Group"));
        m_packs[-1 - static_cast<int>(m_kernel.steps.size()) - load.leaf] =
            name; // no leaf's: the name is taken
        m_hasGroups = true;
        lines << QStringLiteral("const auto %1 = *reinterpret_cast<const Group<%2, %3> *>(%4 + %5);")
                     .arg(name, cType(what.type))
                     .arg(apart * m_width)
                     .arg(buffer, indexText(first, m_loops.allCounters()));
    }
    m_spread[load.leaf] = m_width == 1 ? QStringLiteral("%1.at[%2]").arg(name).arg(place)
                          : place == 0 ? QStringLiteral("%1.at[k * %2]").arg(name).arg(apart)
                                       : QStringLiteral("%1.at[k * %2 + %3]").arg(name).arg(apart).arg(place);
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

// All stores into one memory that together write every element there: a point's coordinates, by the place of
// the first of them. None: this one does not begin such, or some elements are nobody's.
std::vector<int> CudaPacks::storesBetween(int place, const std::vector<int> &places) const {
    const KernelStore &first = m_kernel.stores[static_cast<std::size_t>(place)];
    const std::int64_t apart = first.address.steps.empty() ? 0 : first.address.steps.back();
    if (m_ragged || !m_kernel.scatter.isEmpty() || !isSpreadStore(m_kernel, first.address, m_width))
        return {};
    std::vector<int> found = {place};
    AffineIndex next = first.address;
    while (static_cast<std::int64_t>(found.size()) < apart) {
        ++next.offset;
        const auto other = std::find_if(places.begin(), places.end(), [&](int some) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(some)];
            return store.buffer == first.buffer && store.address == next;
        });
        if (other == places.end())
            return {};
        found.push_back(*other);
    }
    return found;
}

QStringList CudaPacks::beginStores(const std::vector<int> &places) {
    QStringList lines;
    for (const int place : places) {
        const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(place)];
        StoredPack pack;
        if (isWide(m_kernel, store.address, m_width))
            pack.places = {place};
        else
            pack.places = storesBetween(place, places);
        if (pack.places.empty())
            continue;
        // Parts of a join go into one memory, from a pack each.
        const auto before = std::count_if(m_stored.begin(), m_stored.end(), [&](const StoredPack &other) {
            return m_kernel.stores[static_cast<std::size_t>(other.places[0])].buffer == store.buffer;
        });
        pack.name = m_names.nameOf(store.buffer) +
                    (before > 0 ? QStringLiteral("Part%1Pack").arg(before + 1) : QStringLiteral("Pack"));
        lines << QStringLiteral("%1Pack<%2> %3%4;")
                     .arg(isRun(pack) ? QStringLiteral("alignas(16) ") : QString(), cType(store.type),
                          pack.name,
                          pack.places.size() > 1 ? QStringLiteral("[%1]").arg(pack.places.size())
                                                 : QString());
        m_stored.push_back(std::move(pack));
    }
    return lines;
}

// Whether its stores fill 16 bytes between them, for one instruction.
bool CudaPacks::isRun(const StoredPack &pack) const {
    const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(pack.places[0])];
    const auto elements = static_cast<std::int64_t>(pack.places.size()) * m_width;
    const std::vector<std::int64_t> &steps = store.address.steps;
    return pack.places.size() > 1 && elements * bytesOf(store.type) == 16 &&
           store.address.offset % elements == 0 &&
           std::all_of(steps.begin(), steps.end() - 1,
                       [elements](std::int64_t step) { return step % elements == 0; });
}

QString CudaPacks::elementToStore(int place) const {
    for (const StoredPack &pack : m_stored) {
        const auto found = std::find(pack.places.begin(), pack.places.end(), place);
        if (found == pack.places.end())
            continue;
        return pack.places.size() == 1
                   ? pack.name + QStringLiteral(".at[k]")
                   : elementAmong(pack.name, static_cast<std::int64_t>(pack.places.size()),
                                  found - pack.places.begin());
    }
    return {};
}

std::vector<QString> CudaPacks::packsToStore() const {
    std::vector<QString> names;
    for (const StoredPack &pack : m_stored)
        names.push_back(pack.name);
    return names;
}

QStringList CudaPacks::endStores() const {
    QStringList lines;
    for (const StoredPack &pack : m_stored) {
        const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(pack.places[0])];
        if (pack.places.size() == 1)
            lines << storing(store, pack.name, 0);
        else if (isRun(pack))
            lines << QStringLiteral(
                         "*reinterpret_cast<uint4 *>(%1 + %2) = *reinterpret_cast<const uint4 *>(%3);")
                         .arg(m_names.nameOf(store.buffer), indexText(store.address, m_loops.allCounters()),
                              pack.name);
        else
            for (std::size_t i = 0; i < pack.places.size(); ++i)
                lines << storing(store, QStringLiteral("%1[%2]").arg(pack.name).arg(i),
                                 static_cast<std::int64_t>(i) * m_width);
    }
    return lines;
}

// `further`: so many elements behind where the store's first one goes.
QString CudaPacks::storing(const KernelStore &store, const QString &pack, std::int64_t further) const {
    if (m_ragged)
        return QStringLiteral("storePart(%1, c, %2);").arg(beginningOf(store.buffer, store.address), pack);
    AffineIndex address = store.address;
    address.offset += further;
    return packStore(cType(store.type), m_names.nameOf(store.buffer),
                     indexText(address, m_loops.allCounters()), pack);
}

// Where a row begins.
QString CudaPacks::beginningOf(int buffer, AffineIndex address) const {
    address.steps.back() = 0;
    const QString place = indexText(address, m_loops.allCounters());
    const QString name = m_names.nameOf(buffer);
    return place == QLatin1String("0") ? name : QStringLiteral("%1 + %2").arg(name, place);
}

} // namespace warpwright
