// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/vector_access.h"

#include "agent/playbook/codegen/cuda/device_helpers.h"
#include "agent/playbook/schedule/struct_loads.h"
#include "agent/playbook/schedule/vectorization.h"

#include <algorithm>
#include <functional>
#include <tuple>

namespace warpwright {
namespace {

QString cType(ElementType type) {
    return cTypeName(type, true);
}

} // namespace

QString stridedElement(const QString &vecs, std::int64_t apart, std::int64_t position) {
    const QString element = position == 0 ? QStringLiteral("k * %1").arg(apart)
                                          : QStringLiteral("k * %1 + %2").arg(apart).arg(position);
    return QStringLiteral("%1[(%2) / kWidth].at[(%2) % kWidth]").arg(vecs, element);
}

QString positionInVector(int width) {
    return width > 1 ? QStringLiteral("k") : QString();
}

QString addressInVector(const Kernel &kernel, const AffineExpr &address, const LoopNames &loops,
                        const QString &position) {
    QString text = indexExpression(address, loops.allCounters());
    const std::int64_t step =
        position.isEmpty() || address.steps.empty() ? 0 : address.steps[vectorLoop(kernel)];
    if (step != 0)
        text += step == 1 ? QStringLiteral(" + ") + position
                          : QStringLiteral(" + %1 * %2").arg(position).arg(step);
    return text;
}

void VectorAccess::clear() {
    m_vecs.clear();
    m_gathered.clear();
    m_strided.clear();
    m_shifted.clear();
    m_interleaved.clear();
    m_stored.clear();
}

QString VectorAccess::elementOf(int input) const {
    if (const auto spread = m_strided.find(input); spread != m_strided.end())
        return spread->second;
    if (const auto next = m_shifted.find(input); next != m_shifted.end())
        return next->second + QStringLiteral("[k]");
    const auto vec = m_vecs.find(input);
    return vec == m_vecs.end() ? QString() : vec->second + QStringLiteral(".at[k]");
}

QString VectorAccess::gathered(int step) const {
    const auto found = m_gathered.find(step);
    return found == m_gathered.end() ? QString() : found->second;
}

bool VectorAccess::isAll(const ReductionPass &pass) const {
    // A divisor may be 0 for elements outside the row.
    const auto mayDivideByZero = [this](const KernelStep &what) {
        const bool isIntegerDivision =
            what.type == ElementType::Int64 &&
            (what.op == Opcode::Divide || what.op == Opcode::Remainder || what.op == Opcode::Fmod);
        return isIntegerDivision && m_kernel.step(what.operands[1]).op != Opcode::Number;
    };
    return std::all_of(pass.computed.begin(), pass.computed.end(),
                       [&](int step) {
                           const KernelStep &what = m_kernel.step(step);
                           return !mayDivideByZero(what) &&
                                  (what.op != Opcode::Load || !elementOf(what.input).isEmpty() ||
                                   !gathered(step).isEmpty());
                       }) &&
           std::all_of(pass.stores.begin(), pass.stores.end(),
                       [this](int position) { return !elementToStore(position).isEmpty(); });
}

std::vector<int> VectorAccess::aheadOf(const ReductionPass &pass) const {
    constexpr std::size_t bytesOfCached = 4;
    std::map<int, int> found; // steps by input
    for (const int step : pass.computed) {
        const KernelStep &load = m_kernel.step(step);
        if (load.op != Opcode::Load)
            continue;
        const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(load.input)];
        if (what.isPlain() && m_kernel.levelOf(what.address) != StepLevel::Element)
            continue;
        if (!what.isPlain() || load.isGuarded || !isWide(m_kernel, what.address, m_width))
            return {};
        found[load.input] = step;
    }
    std::size_t bytes = 0;
    std::vector<int> steps;
    for (const auto &[input, step] : found) {
        steps.push_back(step);
        if (!m_cachedAsLoaded.contains(input))
            bytes += static_cast<std::size_t>(bytesOf(m_kernel.inputs[static_cast<std::size_t>(input)].type));
    }
    return bytes <= bytesOfCached * pass.cached.size() ? steps : std::vector<int>();
}

QStringList VectorAccess::declared(int input, const QString &why, std::map<int, QString> &names) {
    const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(input)];
    QString name = m_names.nameOf(what.buffer) + QStringLiteral("Vecs");
    const auto isTaken = [&name](const auto &entry) {
        return entry.second == name;
    };
    while (std::any_of(m_cachedAsLoaded.begin(), m_cachedAsLoaded.end(), isTaken) ||
           std::any_of(m_ahead.begin(), m_ahead.end(), isTaken)) // two slices of one tensor
        name += QLatin1Char('2');
    names[input] = name;
    return {QStringLiteral("Vec<%1> %2[kVectors]; // %3").arg(cType(what.type), name, why)};
}

QStringList VectorAccess::declareCachedAsLoaded(const std::set<int> &steps) {
    QStringList lines;
    for (const int step : steps)
        lines << declared(m_kernel.step(step).input, QStringLiteral("as loaded: half as many registers"),
                          m_cachedAsLoaded);
    return lines;
}

QStringList VectorAccess::declareAhead(int step) {
    const int input = m_kernel.step(step).input;
    if (const auto cached = m_cachedAsLoaded.find(input); cached != m_cachedAsLoaded.end()) {
        m_ahead[input] = cached->second;
        return {};
    }
    return declared(input, QStringLiteral("all loads in flight together"), m_ahead);
}

QStringList VectorAccess::loadAhead(int step) {
    const int input = m_kernel.step(step).input;
    m_loaded.insert(input);
    const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(input)];
    return {QStringLiteral("%1[p] = %2;")
                .arg(m_ahead.at(input),
                     vecLoad(cType(what.type), m_names.nameOf(what.buffer),
                             indexExpression(what.address, m_loops.allCounters()), QString()))};
}

QStringList VectorAccess::load(const std::vector<int> &steps) {
    QStringList lines;
    if (m_width == 1) { // structs only
        for (const int step : steps)
            if (const KernelStep &load = m_kernel.step(step);
                load.op == Opcode::Load && !load.isGuarded &&
                isStructLoad(m_kernel, m_kernel.inputs[static_cast<std::size_t>(load.input)], m_width))
                lines << loadStruct(load);
        return lines;
    }
    for (const auto loaded : {&VectorAccess::loadVector, &VectorAccess::loadShifted})
        for (const int step : steps)
            if (m_kernel.step(step).op == Opcode::Load)
                lines << (this->*loaded)(step);
    return lines;
}

// Guarded loads are vectorized only where the condition is the same for the whole vector.
QStringList VectorAccess::loadVector(int step) {
    const KernelStep &load = m_kernel.step(step);
    if (isGatheredVector(m_kernel, load, m_width))
        return loadGathered(step);
    const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(load.input)];
    // An unaligned row may end where its tensor does: there the condition is checked per element.
    const bool isOneForAll =
        !load.isGuarded || (!m_unaligned && isInvariantAlongInner(m_kernel, load.operands.back()) &&
                            canLeaveOut(load.input, load.operands.back()));
    if (!m_unaligned && !load.isGuarded && isStructLoad(m_kernel, what, m_width))
        return loadStruct(load);
    if (!m_unaligned && isOneForAll && isStridedVector(m_kernel, what, m_width))
        return loadStrided(load);
    if (m_vecs.contains(load.input) || !what.isPlain() || !isOneForAll ||
        !isWide(m_kernel, what.address, m_width))
        return {};
    if (const auto ahead = m_ahead.find(load.input); ahead != m_ahead.end()) {
        m_vecs[load.input] = ahead->second + QStringLiteral("[p]");
        return {};
    }
    const QString buffer = m_names.nameOf(what.buffer);
    const auto asRead = m_cachedAsLoaded.find(load.input);
    const QString name =
        asRead == m_cachedAsLoaded.end() ? vecName(buffer, m_vecs) : asRead->second + QStringLiteral("[p]");
    m_vecs[load.input] = name;
    if (asRead != m_cachedAsLoaded.end() && !m_loaded.insert(load.input).second)
        return {};
    return {QStringLiteral("%1%2 = %3;")
                .arg(asRead == m_cachedAsLoaded.end() ? QStringLiteral("const auto ") : QString(), name,
                     vecLoad(cType(what.type), buffer, indexExpression(what.address, m_loops.allCounters()),
                             load.isGuarded ? m_text.text(load.operands.back()) : QString()))};
}

// All loads of the input are guarded by this condition or a stricter one.
bool VectorAccess::canLeaveOut(int input, int guard) const {
    const std::function<bool(int)> implies = [&](int condition) {
        const KernelStep &step = m_kernel.step(condition);
        return condition == guard ||
               (step.op == Opcode::And && (implies(step.operands[0]) || implies(step.operands[1])));
    };
    return std::all_of(m_kernel.steps.begin(), m_kernel.steps.end(), [&](const KernelStep &step) {
        return step.op != Opcode::Load || step.input != input ||
               (step.isGuarded && implies(step.operands.back()));
    });
}

// A vector at an offset from a loaded one: only its last elements are loaded.
QStringList VectorAccess::loadShifted(int step) {
    const KernelStep &load = m_kernel.step(step);
    const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(load.input)];
    if (m_unaligned || !what.isPlain() || !elementOf(load.input).isEmpty())
        return {};
    for (const auto &[position, vec] : m_vecs) {
        if (position < 0)
            continue;
        const KernelInput &before = m_kernel.inputs[static_cast<std::size_t>(position)];
        const std::int64_t further = what.address.offset - before.address.offset;
        // A guarded vector may be skipped although elements next to it exist.
        const bool isLoaded =
            std::any_of(m_kernel.steps.begin(), m_kernel.steps.end(), [&](const KernelStep &some) {
                return some.op == Opcode::Load && some.input == position && !some.isGuarded;
            });
        if (before.buffer != what.buffer || before.address.steps != what.address.steps || further <= 0 ||
            further >= m_width || !isLoaded)
            continue;
        const QString buffer = m_names.nameOf(what.buffer);
        const QString type = cType(what.type);
        const QString address = indexExpression(before.address, m_loops.allCounters());
        // Elements that may lie outside the buffer are each guarded separately.
        const auto element = [&](std::int64_t k) {
            const QString there = QStringLiteral("%1[%2 + %3]").arg(buffer, address).arg(k + further);
            return load.isGuarded
                       ? QStringLiteral("%1 ? %2 : %3()")
                             .arg(m_ofElement(load.operands.back(), static_cast<int>(k)), there, type)
                       : there;
        };
        QStringList elements;
        for (std::int64_t k = 0; k < m_width; ++k)
            elements << (k + further < m_width ? QStringLiteral("%1.at[%2]").arg(vec).arg(k + further)
                                               : element(k));
        const QString name = buffer + QStringLiteral("Shifted") +
                             (m_shifted.empty() ? QString() : QString::number(m_shifted.size() + 1));
        m_shifted[load.input] = name;
        return {QStringLiteral("const %1 %2[] = {%3}; // at offset %4")
                    .arg(type, name, elements.join(QStringLiteral(", ")))
                    .arg(further)};
    }
    return {};
}

/// Of strided elements: the stride, which of the elements within it is read, and the address of the first
/// one.
static std::tuple<std::int64_t, std::int64_t, AffineExpr> aroundOf(const AffineExpr &address) {
    const std::int64_t apart = address.steps.back();
    const std::int64_t position = address.offset % apart;
    AffineExpr first = address;
    first.offset -= position;
    return {apart, position, first};
}

QStringList VectorAccess::loadStrided(const KernelStep &load) {
    const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(load.input)];
    if (m_strided.contains(load.input))
        return {};
    const auto [apart, position, first] = aroundOf(what.address);
    const QString buffer = m_names.nameOf(what.buffer);
    // Under a condition it is a load of its own.
    const QString guard = load.isGuarded ? m_text.text(load.operands.back()) : QString();
    const auto key = std::pair(load.isGuarded ? -1 - load.input : what.buffer, first);
    QStringList lines;
    QString name;
    if (const auto known = m_interleaved.find(key); known != m_interleaved.end()) {
        name = known->second;
    } else {
        name = vecName(buffer, m_vecs);
        m_vecs[-1 - static_cast<int>(m_kernel.steps.size()) - load.input] = name; // reserves the name
        m_interleaved[key] = name;
        const QString type = cType(what.type);
        const QString address = indexExpression(first, m_loops.allCounters());
        QStringList vecs;
        for (std::int64_t i = 0; i < apart; ++i)
            vecs << vecLoad(type, buffer,
                            i == 0 ? address : QStringLiteral("%1 + %2").arg(address).arg(i * m_width),
                            guard);
        for (qsizetype i = 0; i < vecs.size(); ++i)
            lines << (i == 0 ? QStringLiteral("const Vec<%1> %2[] = {").arg(type, name)
                             : QStringLiteral("    ")) +
                         vecs[i] + (i + 1 < vecs.size() ? QStringLiteral(",") : QStringLiteral("};"));
    }
    m_strided[load.input] = stridedElement(name, apart, position);
    return lines;
}

QStringList VectorAccess::loadStruct(const KernelStep &load) {
    const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(load.input)];
    if (m_strided.contains(load.input))
        return {};
    const auto [apart, position, first] = aroundOf(what.address);
    const QString buffer = m_names.nameOf(what.buffer);
    QString &name = m_interleaved[{what.buffer, first}];
    QStringList lines;
    if (name.isEmpty()) {
        name = vecName(buffer, m_vecs, QStringLiteral("Array"));
        m_vecs[-1 - static_cast<int>(m_kernel.steps.size()) - load.input] = name; // reserves the name
        m_hasStructs = true;
        lines << QStringLiteral("const auto %1 = *reinterpret_cast<const AlignedArray<%2, %3> *>(%4 + %5);")
                     .arg(name, cType(what.type))
                     .arg(apart * m_width)
                     .arg(buffer, indexExpression(first, m_loops.allCounters()));
    }
    m_strided[load.input] = m_width == 1 ? QStringLiteral("%1.at[%2]").arg(name).arg(position)
                            : position == 0
                                ? QStringLiteral("%1.at[k * %2]").arg(name).arg(apart)
                                : QStringLiteral("%1.at[k * %2 + %3]").arg(name).arg(apart).arg(position);
    return lines;
}

QStringList VectorAccess::loadGathered(int step) {
    const KernelStep &load = m_kernel.step(step);
    const KernelInput &what = m_kernel.inputs[static_cast<std::size_t>(load.input)];
    const QString buffer = m_names.nameOf(what.buffer);
    const QString name = vecName(buffer, m_vecs);
    const QString address = m_text.position(load, indexExpression(what.address, m_loops.allCounters()));
    const QString guard = load.isGuarded ? m_text.text(load.operands.back()) : QString();
    m_vecs[-1 - step] = name; // no input's: others may gather elsewhere
    const QString element = m_text.loaded(load, name + QStringLiteral(".at[k]"));
    m_gathered[step] = load.isGuarded ? QStringLiteral("(%1)").arg(element) : element;
    return {
        QStringLiteral("const auto %1 = %2;").arg(name, vecLoad(cType(what.type), buffer, address, guard))};
}

// The stores that interleave in one buffer and together write every element there, such as a point's
// coordinates, from the first one on. None: this one is not the first, or elements are left out.
std::vector<int> VectorAccess::storesBetween(int position, const std::vector<int> &positions) const {
    const KernelStore &first = m_kernel.stores[static_cast<std::size_t>(position)];
    const std::int64_t apart = first.address.steps.empty() ? 0 : first.address.steps.back();
    if (m_unaligned || m_kernel.isScattered() || !isStridedVectorStore(m_kernel, first.address, m_width))
        return {};
    std::vector<int> found = {position};
    AffineExpr next = first.address;
    while (static_cast<std::int64_t>(found.size()) < apart) {
        ++next.offset;
        const auto other = std::find_if(positions.begin(), positions.end(), [&](int some) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(some)];
            return store.buffer == first.buffer && store.address == next;
        });
        if (other == positions.end())
            return {};
        found.push_back(*other);
    }
    return found;
}

QStringList VectorAccess::beginStores(const std::vector<int> &positions) {
    QStringList lines;
    for (const int position : positions) {
        const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(position)];
        StoredVector vec;
        if (isWide(m_kernel, store.address, m_width))
            vec.positions = {position};
        else
            vec.positions = storesBetween(position, positions);
        if (vec.positions.empty())
            continue;
        // Parts of a concatenation go into one buffer, from a vector each.
        const auto before = std::count_if(m_stored.begin(), m_stored.end(), [&](const StoredVector &other) {
            return m_kernel.stores[static_cast<std::size_t>(other.positions[0])].buffer == store.buffer;
        });
        vec.name = m_names.nameOf(store.buffer) +
                   (before > 0 ? QStringLiteral("Part%1Vec").arg(before + 1) : QStringLiteral("Vec"));
        lines << QStringLiteral("%1Vec<%2> %3%4;")
                     .arg(isRun(vec) ? QStringLiteral("alignas(16) ") : QString(), cType(store.type),
                          vec.name,
                          vec.positions.size() > 1 ? QStringLiteral("[%1]").arg(vec.positions.size())
                                                   : QString());
        m_stored.push_back(std::move(vec));
    }
    return lines;
}

// Whether its stores fill 16 bytes together, for one instruction.
bool VectorAccess::isRun(const StoredVector &vec) const {
    const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(vec.positions[0])];
    const auto elements = static_cast<std::int64_t>(vec.positions.size()) * m_width;
    const std::vector<std::int64_t> &steps = store.address.steps;
    return vec.positions.size() > 1 && elements * bytesOf(store.type) == 16 &&
           store.address.offset % elements == 0 &&
           std::all_of(steps.begin(), steps.end() - 1,
                       [elements](std::int64_t step) { return step % elements == 0; });
}

QString VectorAccess::elementToStore(int position) const {
    for (const StoredVector &vec : m_stored) {
        const auto found = std::find(vec.positions.begin(), vec.positions.end(), position);
        if (found == vec.positions.end())
            continue;
        return vec.positions.size() == 1
                   ? vec.name + QStringLiteral(".at[k]")
                   : stridedElement(vec.name, static_cast<std::int64_t>(vec.positions.size()),
                                    found - vec.positions.begin());
    }
    return {};
}

std::vector<QString> VectorAccess::vectorsToStore() const {
    std::vector<QString> names;
    for (const StoredVector &vec : m_stored)
        names.push_back(vec.name);
    return names;
}

QStringList VectorAccess::endStores() const {
    QStringList lines;
    for (const StoredVector &vec : m_stored) {
        const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(vec.positions[0])];
        if (vec.positions.size() == 1)
            lines << storing(store, vec.name, 0);
        else if (isRun(vec))
            lines << QStringLiteral(
                         "*reinterpret_cast<uint4 *>(%1 + %2) = *reinterpret_cast<const uint4 *>(%3);")
                         .arg(m_names.nameOf(store.buffer),
                              indexExpression(store.address, m_loops.allCounters()), vec.name);
        else
            for (std::size_t i = 0; i < vec.positions.size(); ++i)
                lines << storing(store, QStringLiteral("%1[%2]").arg(vec.name).arg(i),
                                 static_cast<std::int64_t>(i) * m_width);
    }
    return lines;
}

// `further`: offset from the store's first element.
QString VectorAccess::storing(const KernelStore &store, const QString &vec, std::int64_t further) const {
    if (m_unaligned)
        return QStringLiteral("storePartialVec(%1, c, %2);")
            .arg(beginningOf(store.buffer, store.address), vec);
    AffineExpr address = store.address;
    address.offset += further;
    return vecStore(cType(store.type), m_names.nameOf(store.buffer),
                    indexExpression(address, m_loops.allCounters()), vec);
}

// Start of a row.
QString VectorAccess::beginningOf(int buffer, AffineExpr address) const {
    address.steps.back() = 0;
    const QString position = indexExpression(address, m_loops.allCounters());
    const QString name = m_names.nameOf(buffer);
    return position == QLatin1String("0") ? name : QStringLiteral("%1 + %2").arg(name, position);
}

} // namespace warpwright
