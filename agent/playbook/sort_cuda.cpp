// SPDX-License-Identifier: GPL-3.0-or-later
// Sorted rows as CUDA.
#include "agent/playbook/sort_text.h"

#include "agent/playbook/anchor_text.h"
#include "agent/playbook/cuda_head.h"
#include "agent/playbook/cuda_launcher.h"
#include "agent/playbook/loop_text.h"
#include "agent/playbook/scalar_text.h"
#include "agent/playbook/whole_numbers.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t leastThreads = 128; ///< of a block: short rows share one
constexpr std::int64_t mostThreads = 1024;
constexpr std::int64_t freeShared = 48 << 10;     ///< bytes that a block has without asking
constexpr std::int64_t threadsOfGpu = 128 * 1024; ///< with fewer in all a large GPU waits for each of them

constexpr auto sortText = R"(@head@@include@
#include <cmath>
#include <cstdint>

namespace {

constexpr std::int64_t kRows = @rows@;
constexpr int kColumns = @columns@;
@kept@constexpr int kPadded = @padded@; // a power of two: behind a row stand entries that are the last ones in any order
template <int PER_THREAD> constexpr int kLanes = kPadded / PER_THREAD; // threads of a row
// Launching a block costs more than a short row does: several share one.
template <int PER_THREAD> constexpr int kRowsOfBlock = kLanes<PER_THREAD> < @least@ ? @least@ / kLanes<PER_THREAD> : 1;

@entry@
// In shared memory a gap stands behind each 128 bytes, else threads whose entries are some places apart would all meet
// in a few banks.
constexpr int kLine = 128 / sizeof(Entry);
constexpr int kPitch = kPadded + kPadded / kLine; // of a row
__device__ int withGaps(int place) {
    return place + place / kLine;
}

@functions@__device__ void bringInOrder(Entry &first, Entry &second) {
    const bool isTurned = second < first;
    const Entry smaller = isTurned ? second : first;
    second = isTurned ? first : second;
    first = smaller;
}

// Each entry meets the one `distance` behind it, of the same thread.
template <int PER_THREAD> __device__ void meetOwn(Entry (&entries)[PER_THREAD], int distance) {
#pragma unroll
    for (int k = 0; k < PER_THREAD; ++k)
        if (k % (2 * distance) < distance)
            bringInOrder(entries[k], entries[k + distance]);
}

// Each entry meets one of the thread whose number differs by `mask`, in a warp by a shuffle, else through shared
// memory: the one at the same place, or, mirrored, the first one meets the last one. The thread in front keeps the
// smaller of two.
template <bool IS_MIRRORED, int PER_THREAD>
__device__ void meetOther(Entry (&entries)[PER_THREAD], Entry *exchange, int lane, int mask, bool isInFront) {
    Entry theirs[PER_THREAD];
    if (kLanes<PER_THREAD> > 32 && mask >= 32) {
#pragma unroll
        for (int k = 0; k < PER_THREAD; ++k)
            exchange[withGaps(lane * PER_THREAD + k)] = entries[k];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < PER_THREAD; ++k)
            theirs[k] = exchange[withGaps((lane ^ mask) * PER_THREAD + (IS_MIRRORED ? PER_THREAD - 1 - k : k))];
        __syncthreads(); // From here on it may be written again.
    } else {
#pragma unroll
        for (int k = 0; k < PER_THREAD; ++k)
            theirs[k] = shuffled(entries[IS_MIRRORED ? PER_THREAD - 1 - k : k], mask);
    }
#pragma unroll
    for (int k = 0; k < PER_THREAD; ++k)
        if ((theirs[k] < entries[k]) == isInFront)
            entries[k] = theirs[k];
}

// Two runs in order, side by side, become one: the first entry of one meets the last entry of the other, and so on
// inwards. Then no entry of the front half is larger than one of the back half, and each half is brought in order by
// entries that meet at half the distance, a quarter, an eighth.
template <int PER_THREAD> __device__ void sortRow(Entry (&entries)[PER_THREAD], Entry *exchange, int lane) {
#pragma unroll
    for (int run = 2; run <= PER_THREAD; run *= 2) { // of a thread's own
#pragma unroll
        for (int k = 0; k < PER_THREAD; ++k)
            if (k % run < run / 2)
                bringInOrder(entries[k], entries[k + run - 1 - 2 * (k % run)]);
#pragma unroll
        for (int distance = run / 4; distance > 0; distance /= 2)
            meetOwn(entries, distance);
    }
    for (int run = 2; run <= kLanes<PER_THREAD>; run *= 2) { // of so many threads
        meetOther<true>(entries, exchange, lane, run - 1, lane % run < run / 2);
        for (int distance = run / 4; distance > 0; distance /= 2)
            meetOther<false>(entries, exchange, lane, distance, (lane & distance) == 0);
#pragma unroll
        for (int distance = PER_THREAD / 2; distance > 0; distance /= 2)
            meetOwn(entries, distance);
    }
}

template <int PER_THREAD>
__global__ void __launch_bounds__(kLanes<PER_THREAD> * kRowsOfBlock<PER_THREAD>)
@signature@
    extern __shared__ __align__(1024) unsigned char shared[];
    const int lane = threadIdx.x % kLanes<PER_THREAD>;
    const int ofBlock = threadIdx.x / kLanes<PER_THREAD>;
    const @index@ wanted = @index@(blockIdx.x) * kRowsOfBlock<PER_THREAD> + ofBlock;
    // Threads beyond the last row have to be there when the others meet: they do that row again.
    const @index@ row = wanted < kRows ? wanted : kRows - 1;
@rowLines@    Entry *const exchange = reinterpret_cast<Entry *>(shared) + ofBlock * kPitch;
    Entry entries[PER_THREAD];
#pragma unroll
    for (int k = 0; k < PER_THREAD; ++k) {
        const int c = k * kLanes<PER_THREAD> + lane; // neighbours read neighbours: which thread begins with which is all one
        entries[k] = lastEntry(@lastPlace@);
        if (c < kColumns) {
@elements@        }
    }
    sortRow(entries, exchange, lane);
    // A thread's entries are neighbours now. They go through shared memory once more, to be written along memory.
#pragma unroll
    for (int k = 0; k < PER_THREAD; ++k)
        exchange[withGaps(lane * PER_THREAD + k)] = entries[k];
    if (kLanes<PER_THREAD> > 32)
        __syncthreads();
    else
        __syncwarp();
#pragma unroll
    for (int k = 0; k < PER_THREAD; ++k) {
        const int c = k * kLanes<PER_THREAD> + lane;
        if (c < @most@ && wanted < kRows) {
            const Entry entry = exchange[withGaps(c)];
@stores@        }
    }
}

template <int PER_THREAD>
@launch@
    constexpr int kThreads = kLanes<PER_THREAD> * kRowsOfBlock<PER_THREAD>;
    constexpr int kBytes = kRowsOfBlock<PER_THREAD> * kPitch * int(sizeof(Entry));
    constexpr std::int64_t kBlocks = (kRows + kRowsOfBlock<PER_THREAD> - 1) / kRowsOfBlock<PER_THREAD>;
@ask@    @function@<PER_THREAD><<<unsigned(kBlocks), kThreads, kBytes, stream>>>(@arguments@);
    return cudaGetLastError();
}

} // namespace

// config = entries of a row that a thread has: @words@. Returns 0, or a cudaError_t.
@launcher@
    switch (config) {
@cases@    }
}
)";

// What is compared, by the bytes of a key and by whether places go along.
constexpr auto plainEntry = R"(// What is compared: whole numbers, the elements' keys.
using Entry = std::int@bits@_t;

@key@__device__ Entry shuffled(Entry entry, int mask) {
    return __shfl_xor_sync(0xffffffffu, entry, mask);
}

__device__ Entry lastEntry() {
    return INT@bits@_MAX;
}
)";

constexpr auto packedEntry =
    R"(// What is compared: an element's key, and below it its place, so that equal ones stay as they were. @sign@
using Entry = std::int64_t;

@key@__device__ Entry entryOf(std::int32_t key, int low) {
    return (Entry(key) << 32) | low;
}

__device__ Entry shuffled(Entry entry, int mask) {
    return __shfl_xor_sync(0xffffffffu, entry, mask);
}

__device__ Entry lastEntry(int low) {
    return entryOf(INT32_MAX, low);
}
)";

constexpr auto wideEntry =
    R"(// What is compared: an element's key, and where that is the same its place, so that equal ones stay as they were. @sign@
struct Entry {
    std::int64_t key;
    int low;
};

@key@__device__ bool operator<(const Entry &a, const Entry &b) {
    return a.key < b.key || (a.key == b.key && a.low < b.low);
}

__device__ Entry shuffled(const Entry &entry, int mask) {
    return {__shfl_xor_sync(0xffffffffu, entry.key, mask), __shfl_xor_sync(0xffffffffu, entry.low, mask)};
}

__device__ Entry lastEntry(int low) {
    return {INT64_MAX, low};
}
)";

constexpr auto floatKeys =
    R"(// The bits of positive numbers are in order as they are, those of negative ones when they are turned round, but for the
// sign. NaN is behind all others@zeros@.@turn@
__device__ std::int@bits@_t keyOf(@type@ value) {
    const std::int@bits@_t bits = @asBits@(value@plus@);
    const std::int@bits@_t key = bits ^ ((bits >> @shift@) & INT@bits@_MAX);
    return @not@(value != value ? INT@bits@_MAX : key);
}

)";

constexpr auto floatValues = R"(__device__ @type@ valueOf(std::int@bits@_t key) {
@turned@    return @asValue@(key ^ ((key >> @shift@) & INT@bits@_MAX));
}

)";

bool isWide(ElementType type) {
    return bytesOf(type) == 8;
}

class SortedRows {
public:
    SortedRows(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
               const KernelNames &names)
        : m_graph(graph),
          m_plan(plan),
          m_kernel(kernel),
          m_names(names),
          m_loops(kernel),
          m_type(kernel.step(kernel.stores[0].step).type == ElementType::Int64 && !kernel.leaves.empty()
                     ? kernel.leaves[0].type
                     : kernel.step(kernel.stores[0].step).type),
          m_isNarrow(hasNarrowCounters(kernel) && kernel.rows() * kernel.columns() < narrowest),
          m_text(kernel, TextDialect::Cuda, [this](int leaf) { return leafText(leaf); }) {}

    QString run() {
        const SortSizes &sort = m_kernel.sorting;
        const std::int64_t padded = wholePower(m_kernel.columns());
        const bool isAll = sort.kept == m_kernel.columns();
        const QStringList arguments = cudaArguments(m_graph, m_plan, m_names);
        const QString index = m_isNarrow ? QStringLiteral("int") : QStringLiteral("std::int64_t");
        const std::vector<int> choices = sortedOfThread(m_kernel);
        QString cases;
        QStringList words;
        for (std::size_t i = choices.size(); i-- > 0;) {
            cases += i == 0 ? QStringLiteral("    default:\n") : QStringLiteral("    case %1:\n").arg(i);
            cases +=
                wrappedCall(QStringLiteral("        return launch<%1>(").arg(choices[i]),
                            (arguments + QStringList(QStringLiteral("stream"))).join(QLatin1String(", ")),
                            QStringLiteral(");"));
            words.prepend(QStringLiteral("%1 -> %2").arg(i).arg(choices[i]));
        }
        QString rowLines;
        for (QString line : m_loops.outerCounterLines(m_kernel.rows() < narrowest))
            rowLines += QStringLiteral("    %1\n").arg(line.replace(QLatin1String("std::int64_t"), index));
        const QString elements = elementLines();
        const QString stores = storeLines();
        return filled(
            sortText,
            {{"head", head()},
             {"include", includes()},
             {"rows", QString::number(m_kernel.rows())},
             {"columns", QString::number(m_kernel.columns())},
             {"kept",
              isAll ? QString()
                    : QStringLiteral("constexpr int kKept = %1; // of a row in order\n").arg(sort.kept)},
             {"padded", QString::number(padded)},
             {"least", QString::number(leastThreads)},
             {"entry", entryText()},
             {"functions", functionTexts(m_text.functions(), TextDialect::Cuda)},
             {"signature", cudaSignature(m_graph, m_plan, m_names).chopped(1)},
             {"index", index},
             {"rowLines", rowLines},
             {"lastPlace",
              sort.isStable ? (hasSign() ? QStringLiteral("2 * c") : QStringLiteral("c")) : QString()},
             {"elements", elements},
             {"most", isAll ? QStringLiteral("kColumns") : QStringLiteral("kKept")},
             {"stores", stores},
             {"launch", wrappedCall(QStringLiteral("int launch("), typedParameters(), QStringLiteral(") {"))
                            .chopped(1)},
             {"ask", padded * bytesOfEntry(m_kernel) + padded * bytesOfEntry(m_kernel) / 8 > freeShared
                         ? QStringLiteral("    cudaFuncSetAttribute(%1<PER_THREAD>, "
                                          "cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);\n")
                               .arg(m_names.function)
                         : QString()},
             {"function", m_names.function},
             {"arguments", m_names.buffers.join(QLatin1String(", "))},
             {"words", words.join(QLatin1String(", "))},
             {"launcher", wrappedCall(QStringLiteral("extern \"C\" int %1(").arg(m_names.launcher()),
                                      launcherParameters(m_graph, m_plan, m_kernel, m_names) +
                                          QStringLiteral(", int config, cudaStream_t stream"),
                                      QStringLiteral(") {"))
                              .chopped(1)},
             {"cases", cases}});
    }

private:
    static constexpr std::int64_t narrowest = std::int64_t(1) << 30;

    [[nodiscard]] bool isFloat() const { return isFloating(m_type); }
    /// The lowest bit of an entry says that an element is -0.0.
    [[nodiscard]] bool hasSign() const {
        return m_kernel.sorting.isStable && isFloat() && m_kernel.sorting.values >= 0;
    }

    QString leafText(int leaf) const {
        if (leaf < 0)
            return indexText(m_kernel.step(-1 - leaf).index, m_loops.allCounters());
        const KernelLeaf &what = m_kernel.leaves[static_cast<std::size_t>(leaf)];
        return QStringLiteral("%1[%2]").arg(m_names.nameOf(what.buffer),
                                            indexText(what.address, m_loops.allCounters()));
    }

    QString head() const {
        return anchorHead(
            m_kernel, m_names,
            QStringLiteral(
                "A row is sorted by a bitonic network: which entries meet is the same whatever the values "
                "are, "
                "so no thread waits for another one's branch, and a row that is in order takes as long as "
                "any. "
                "Entries that are near each other meet in a thread's registers, others by shuffles within a "
                "warp, and only the few steps across warps need shared memory. Memory is read once and "
                "written "
                "once.%1")
                .arg(m_kernel.sorting.isStable
                         ? QStringLiteral(" Equal elements stay in the order in which they were.")
                         : QString()));
    }

    QString includes() const {
        const auto uses = [this](ElementType type) {
            const auto isIt = [type](const auto &memory) {
                return memory.type == type;
            };
            return std::any_of(m_kernel.leaves.begin(), m_kernel.leaves.end(), isIt) ||
                   std::any_of(m_kernel.stores.begin(), m_kernel.stores.end(), isIt);
        };
        QString text = QStringLiteral("#include <cuda_runtime.h>\n");
        if (uses(ElementType::Float16))
            text += QStringLiteral("#include <cuda_fp16.h>\n");
        if (uses(ElementType::BFloat16))
            text += QStringLiteral("#include <cuda_bf16.h>\n");
        return text;
    }

    QString typedParameters() const {
        QStringList parameters;
        const auto add = [&](int buffer, const QString &constant) {
            parameters << QStringLiteral("%1%2 *%3")
                              .arg(constant, cTypeName(typeOfBuffer(m_graph, m_plan, buffer), true),
                                   m_names.nameOf(buffer));
        };
        for (const int buffer : m_names.readBuffers)
            add(buffer, QStringLiteral("const "));
        for (const int buffer : m_names.writtenBuffers)
            add(buffer, {});
        return parameters.join(QLatin1String(", ")) + QStringLiteral(", cudaStream_t stream");
    }

    QString entryText() const {
        const bool isStable = m_kernel.sorting.isStable;
        const bool isWideKey = isWide(m_type);
        const bool isTurned = m_kernel.sorting.isDescending;
        const QString bits = isWideKey ? QStringLiteral("64") : QStringLiteral("32");
        const QString type = isWideKey ? QStringLiteral("double") : QStringLiteral("float");
        QString keys;
        if (isFloat()) {
            keys = floatKeys;
            if (m_kernel.sorting.values >= 0)
                keys += floatValues;
            keys = filled(
                keys, {{"zeros", isStable ? QStringLiteral(", and both zeros are equal") : QString()},
                       {"turn", isTurned ? QStringLiteral(" All of it turned round: the largest comes first.")
                                         : QString()},
                       {"asBits", isWideKey ? QStringLiteral("__double_as_longlong")
                                            : QStringLiteral("__float_as_int")},
                       {"asValue", isWideKey ? QStringLiteral("__longlong_as_double")
                                             : QStringLiteral("__int_as_float")},
                       {"plus", !isStable   ? QString()
                                : isWideKey ? QStringLiteral(" + 0.0")
                                            : QStringLiteral(" + 0.0f")},
                       {"shift", isWideKey ? QStringLiteral("63") : QStringLiteral("31")},
                       {"not", isTurned ? QStringLiteral("~") : QString()},
                       {"turned", isTurned ? QStringLiteral("    key = ~key;\n") : QString()},
                       {"type", type}});
            if (!isTurned)
                keys.replace(QLatin1String("return (value != value ? INT%1_MAX : key);"),
                             QLatin1String("return value != value ? INT%1_MAX : key;"));
        }
        return filled(!isStable   ? plainEntry
                      : isWideKey ? wideEntry
                                  : packedEntry,
                      {{"key", keys},
                       {"sign", hasSign() ? QStringLiteral("The lowest bit says\n// that it is -0.0, "
                                                           "which has the key of 0.0.")
                                          : QString()},
                       {"bits", bits}})
                   .replace(QLatin1String("were. \n"), QLatin1String("were.\n"))
                   .trimmed() +
               QLatin1Char('\n');
    }

    QString wrappedLine(const QString &line) const {
        return wrapped(line, QString(12, QLatin1Char(' ')), QString(16, QLatin1Char(' ')));
    }

    // An element, and the entry that it becomes.
    QString elementLines() {
        QString lines;
        std::vector<int> uses(m_kernel.steps.size(), 0);
        for (const KernelStep &step : m_kernel.steps)
            for (const int operand : step.operands)
                ++uses[static_cast<std::size_t>(operand)];
        int count = 0;
        for (std::size_t i = 0; i < m_kernel.steps.size(); ++i) {
            const auto step = static_cast<int>(i);
            if (uses[i] < 2 || m_kernel.step(step).op <= KernelOp::Index)
                continue;
            const QString name = QStringLiteral("h%1").arg(++count);
            lines += wrappedLine(
                QStringLiteral("const %1 %2 = %3;")
                    .arg(cTypeName(m_kernel.step(step).type, true), name, m_text.definition(step)));
            m_text.name(step, name);
        }
        const int element = m_kernel.stores[0].step;
        const QString number = QStringLiteral("std::int%1_t").arg(isWide(m_type) ? 64 : 32);
        QString value = m_text.text(element);
        if (isFloat() && (m_kernel.steps.size() > 1 || hasSign())) {
            lines += wrappedLine(QStringLiteral("const %1 value = %2;")
                                     .arg(cTypeName(m_kernel.step(element).type, true), value));
            value = QStringLiteral("value");
        }
        const QString key =
            isFloat()
                ? QStringLiteral("keyOf(%1)").arg(value)
                : QStringLiteral("%1%2(%3)")
                      .arg(m_kernel.sorting.isDescending ? QStringLiteral("~") : QString(), number, value);
        if (!m_kernel.sorting.isStable)
            return lines + wrappedLine(QStringLiteral("entries[k] = %1;").arg(key));
        QString low = QStringLiteral("c");
        if (hasSign()) {
            lines += wrappedLine(
                isWide(m_type)
                    ? QStringLiteral("const bool isMinusZero = __double_as_longlong(value) == INT64_MIN;")
                    : QStringLiteral("const bool isMinusZero = __float_as_int(value) == INT32_MIN;"));
            low = QStringLiteral("2 * c + isMinusZero");
        }
        return lines + wrappedLine((isWide(m_type) ? QStringLiteral("entries[k] = {%1, %2};")
                                                   : QStringLiteral("entries[k] = entryOf(%1, %2);"))
                                       .arg(key, low));
    }

    // What an entry says, at its place in order.
    QString storeLines() {
        const SortSizes &sort = m_kernel.sorting;
        const QString most =
            sort.kept == m_kernel.columns() ? QStringLiteral("kColumns") : QStringLiteral("kKept");
        const QString low =
            isWide(m_type) ? QStringLiteral("entry.low") : QStringLiteral("std::int32_t(entry)");
        QString lines;
        const auto store = [&](int number, const QString &value) {
            lines +=
                wrappedLine(QStringLiteral("%1[row * %2 + c] = %3;")
                                .arg(m_names.nameOf(m_kernel.stores[static_cast<std::size_t>(number)].buffer),
                                     most, value));
        };
        if (sort.values >= 0) {
            const QString key = !sort.isStable   ? QStringLiteral("entry")
                                : isWide(m_type) ? QStringLiteral("entry.key")
                                                 : QStringLiteral("std::int32_t(entry >> 32)");
            const int element = m_kernel.stores[static_cast<std::size_t>(sort.values)].step;
            QString value = isFloat()           ? QStringLiteral("valueOf(%1)").arg(key)
                            : sort.isDescending ? QStringLiteral("~%1").arg(key)
                                                : key;
            if (hasSign())
                value =
                    QStringLiteral("%1 & 1 ? %2 : %3")
                        .arg(low, isWide(m_type) ? QStringLiteral("-0.0") : QStringLiteral("-0.0f"), value);
            const ElementType type = m_kernel.stores[static_cast<std::size_t>(sort.values)].type;
            if (isFloat()) {
                m_text.name(element, value);
                store(sort.values, m_text.stored(element, type));
            } else {
                store(sort.values, QStringLiteral("static_cast<%1>(%2)").arg(cTypeName(type, true), value));
            }
        }
        if (sort.places >= 0)
            store(sort.places, hasSign() ? QStringLiteral("%1 / 2").arg(low) : low);
        return lines;
    }

    const ReferenceGraph &m_graph;
    const KernelPlan &m_plan;
    const FusedKernel &m_kernel;
    const KernelNames &m_names;
    LoopText m_loops;
    ElementType m_type; ///< of the elements
    bool m_isNarrow;    ///< 32 bits hold every place in memory
    ScalarText m_text;
};

} // namespace

int bytesOfEntry(const FusedKernel &kernel) {
    const KernelStep &element = kernel.step(kernel.stores[0].step);
    const ElementType type =
        element.type == ElementType::Int64 && !kernel.leaves.empty() ? kernel.leaves[0].type : element.type;
    return (isWide(type) ? 8 : 4) * (kernel.sorting.isStable ? 2 : 1);
}

std::vector<int> sortedOfThread(const FusedKernel &kernel) {
    const int bytes = bytesOfEntry(kernel);
    const std::int64_t padded = wholePower(kernel.columns());
    // More in registers is less to exchange, as long as there is room for them.
    std::vector<int> choices = bytes == 4   ? std::vector<int>{16, 8, 32, 4}
                               : bytes == 8 ? std::vector<int>{8, 16, 4, 2}
                                            : std::vector<int>{8, 4, 2, 1};
    const auto cannotBe = [&](int each) {
        return each > padded || padded / each > mostThreads;
    };
    choices.erase(std::remove_if(choices.begin(), choices.end(), cannotBe), choices.end());
    if (choices.empty())
        return {static_cast<int>(padded)};
    // Rows are few: more threads for each.
    if (kernel.rows() * padded / choices.front() < threadsOfGpu)
        std::sort(choices.begin(), choices.end());
    return choices;
}

QString sortCudaText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                     const KernelNames &names) {
    return SortedRows(graph, plan, kernel, names).run();
}

QStringList sortFormula(const FusedKernel &kernel, const KernelNames &names, const QString &element) {
    const SortSizes &sort = kernel.sorting;
    const auto nameOf = [&](int store) {
        return names.nameOf(kernel.stores[static_cast<std::size_t>(store)].buffer);
    };
    const QString which = sort.kept < kernel.columns()
                              ? QStringLiteral("the first %1 of each row").arg(sort.kept)
                              : QStringLiteral("each row");
    const QString order = sort.isDescending ? QStringLiteral("in order, from the largest on")
                                            : QStringLiteral("in order, from the smallest on");
    QStringList lines;
    if (sort.values >= 0)
        lines << QStringLiteral("%1 = %2 of %3, %4").arg(nameOf(sort.values), which, element, order);
    if (sort.places >= 0)
        lines << (sort.values >= 0 ? QStringLiteral("%1 = where in its row each was").arg(nameOf(sort.places))
                                   : QStringLiteral("%1 = where in its row each of %2 of %3 was, %4")
                                         .arg(nameOf(sort.places), which, element, order));
    return lines;
}

} // namespace warpwright
