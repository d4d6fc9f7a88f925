// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/cuda_emitter.h"

#include "agent/playbook/convolution_cuda.h"
#include "agent/playbook/cuda_choices.h"
#include "agent/playbook/cuda_launcher.h"
#include "agent/playbook/depthwise_cuda.h"
#include "agent/playbook/kernel_schedule.h"
#include "agent/playbook/loop_text.h"
#include "agent/playbook/product_cuda.h"
#include "agent/playbook/scalar_text.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t longSum = 2048; ///< beyond it float loses digits that torch's sums keep

enum class Mode { Flat, BlockOfRow, LanesOfRows };

class CudaEmitter {
public:
    CudaEmitter(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                const KernelNames &names, const KernelTuning &tuning)
        : m_graph(graph),
          m_plan(plan),
          m_kernel(kernel),
          m_names(names),
          m_mode(!kernel.hasReductions()                     ? Mode::Flat
                 : familyOf(kernel) == KernelFamily::Columns ? Mode::LanesOfRows
                                                             : Mode::BlockOfRow),
          m_isOnePass(tuning.isOnePass && m_mode == Mode::BlockOfRow && canBeOnePass(kernel)),
          m_width(tuning.hasWideLoads && m_mode != Mode::LanesOfRows ? widthOf(kernel) : 1),
          m_schedule(scheduleOf(kernel, m_isOnePass ? Keeping::All : Keeping::Nothing)),
          m_loops(kernel),
          m_text(kernel, TextDialect::Cuda, [this](int leaf) { return leafText(leaf); }) {}

    QString run() {
        const QString body = kernelText();
        QString ours = constants();
        ours += functionTexts(m_text.functions(), TextDialect::Cuda);
        if (m_width > 1)
            ours += QLatin1String("// Neighbours that one instruction loads or stores.\n"
                                  "template <typename T> struct alignas(sizeof(T) * kWidth) Pack {\n"
                                  "    T at[kWidth];\n};\n\n");
        if (m_mode == Mode::BlockOfRow)
            ours += reduceBlock();
        if (m_mode == Mode::LanesOfRows)
            ours += reduceLanes();
        return head() + QStringLiteral("namespace {\n\n") + ours + body +
               QLatin1String("} // namespace\n\n") +
               cudaLauncher(m_graph, m_plan, m_kernel, m_names, m_isOnePass);
    }

private:
    QString head() const {
        QString text;
        for (const QString &line : formulaOf(m_kernel, m_names).split(QLatin1Char('\n')))
            text += wrapped(line, QStringLiteral("//   "), QStringLiteral("//       "));
        const QString why = m_mode == Mode::Flat
                                ? QStringLiteral("Every element is read once and written once; what is "
                                                 "computed between stays in registers, so "
                                                 "the speed of memory is all that is left.")
                            : m_mode == Mode::LanesOfRows
                                ? QStringLiteral("The elements of a sum lie far apart, and its neighbours "
                                                 "side by side. So a thread takes one of "
                                                 "the neighbours: the 32 of a warp read one line of memory "
                                                 "together. Several warps share the length "
                                                 "of a sum and meet in shared memory.")
                            : m_isOnePass ? QStringLiteral("One block takes one row and keeps it in "
                                                           "registers from the first read to the last write; "
                                                           "threads meet once for each sum.")
                                          : QStringLiteral("One block takes one row, and goes through it "
                                                           "once for each sum that has to be complete "
                                                           "before the next loop begins.");
        text += QLatin1String("//\n") + wrapped(why, QStringLiteral("// "), QStringLiteral("// "));
        text += QLatin1String("#include <cuda_runtime.h>\n");
        const auto uses = [this](ElementType type) {
            return std::any_of(m_kernel.leaves.begin(), m_kernel.leaves.end(),
                               [type](const KernelLeaf &leaf) { return leaf.type == type; }) ||
                   std::any_of(m_kernel.stores.begin(), m_kernel.stores.end(),
                               [type](const KernelStore &store) { return store.type == type; });
        };
        if (uses(ElementType::BFloat16))
            text += QLatin1String("#include <cuda_bf16.h>\n");
        if (uses(ElementType::Float16))
            text += QLatin1String("#include <cuda_fp16.h>\n");
        return text + QLatin1String("\n#include <cmath>\n#include <cstdint>\n\n");
    }

    QString constants() const {
        QString text;
        if (m_mode != Mode::Flat)
            text += QStringLiteral("constexpr std::int64_t kRows = %1;\nconstexpr int kColumns = %2;\n")
                        .arg(m_kernel.rows())
                        .arg(m_kernel.columns());
        if (m_width > 1)
            text += QStringLiteral("constexpr int kWidth = %1; // elements of a 16-byte load\n").arg(m_width);
        if (m_mode == Mode::Flat) {
            const std::int64_t packs = m_kernel.rows() * m_kernel.columns() / m_width;
            text += QStringLiteral("constexpr std::int64_t kPacks = %1;%2\n")
                        .arg(packs)
                        .arg(m_width == 1 ? QStringLiteral(" // elements") : QString());
            if (m_kernel.outer > 0)
                text += QStringLiteral("constexpr std::int64_t kPacksPerRow = %1;\n")
                            .arg(m_kernel.columns() / m_width);
            text += QLatin1String("constexpr int kThreads = 256;\n");
        }
        if (m_mode == Mode::LanesOfRows)
            text +=
                QLatin1String("constexpr int kLanes = 32; // a warp's threads, for neighbours in memory\n");
        return text + QLatin1Char('\n');
    }

    static QString reduceBlock() {
        return QStringLiteral(
            "// Combines one value per thread, and every thread gets the result: a butterfly within each "
            "warp, then\n"
            "// one word per warp through shared memory. `partials` must not be in use for anything else.\n"
            "template <int THREADS, typename T, typename Combine>\n"
            "__device__ T reduceBlock(T value, T *partials, Combine combine) {\n"
            "#pragma unroll\n"
            "    for (int distance = 16; distance > 0; distance /= 2)\n"
            "        value = combine(value, __shfl_xor_sync(0xffffffffu, value, distance));\n"
            "    if (THREADS == 32)\n"
            "        return value;\n"
            "    if (threadIdx.x % 32 == 0)\n"
            "        partials[threadIdx.x / 32] = value;\n"
            "    __syncthreads();\n"
            "    value = partials[0];\n"
            "#pragma unroll\n"
            "    for (int warp = 1; warp < THREADS / 32; ++warp)\n"
            "        value = combine(value, partials[warp]);\n"
            "    return value;\n"
            "}\n\n");
    }

    static QString reduceLanes() {
        return QStringLiteral("// Combines what the groups of a block hold for each lane, and every thread "
                              "gets its lane's result.\n"
                              "// `partials` must not be in use for anything else.\n"
                              "template <int GROUPS, typename T, typename Combine>\n"
                              "__device__ T reduceLanes(T value, T (*partials)[kLanes], Combine combine) {\n"
                              "    partials[threadIdx.y][threadIdx.x] = value;\n"
                              "    __syncthreads();\n"
                              "    value = partials[0][threadIdx.x];\n"
                              "#pragma unroll\n"
                              "    for (int group = 1; group < GROUPS; ++group)\n"
                              "        value = combine(value, partials[group][threadIdx.x]);\n"
                              "    return value;\n"
                              "}\n\n");
    }

    QString cType(ElementType type) const { return cTypeName(type, true); }

    QString leafText(int leaf) const {
        if (leaf < 0) {
            AffineIndex index = m_kernel.step(-1 - leaf).index;
            QString text = indexText(index, m_loops.allCounters());
            if (m_width > 1 && m_isInPack && !index.steps.empty() && index.steps.back() != 0)
                text += index.steps.back() == 1 ? QStringLiteral(" + k")
                                                : QStringLiteral(" + k * %1").arg(index.steps.back());
            return text;
        }
        if (const auto pack = m_packs.find(leaf); pack != m_packs.end())
            return pack->second + QStringLiteral(".at[k]");
        const KernelLeaf &what = m_kernel.leaves[static_cast<std::size_t>(leaf)];
        return QStringLiteral("%1[%2]").arg(m_names.nameOf(what.buffer), elementIndex(what.address));
    }

    QString elementIndex(const AffineIndex &address) const {
        QString text = indexText(address, m_loops.allCounters());
        if (m_width > 1 && m_isInPack && !address.steps.empty() && address.steps.back() != 0)
            text += address.steps.back() == 1 ? QStringLiteral(" + k")
                                              : QStringLiteral(" + k * %1").arg(address.steps.back());
        return text;
    }

    void line(const QString &text) {
        m_body += QString(m_indent * 4, QLatin1Char(' ')) + text + QLatin1Char('\n');
    }

    QString kernelParameters() const {
        QStringList parameters;
        for (const int buffer : m_names.readBuffers)
            parameters << QStringLiteral("const %1 *__restrict__ %2")
                              .arg(cType(typeOfBuffer(m_graph, m_plan, buffer)), m_names.nameOf(buffer));
        for (const int buffer : m_names.writtenBuffers)
            parameters << QStringLiteral("%1 *__restrict__ %2")
                              .arg(cType(typeOfBuffer(m_graph, m_plan, buffer)), m_names.nameOf(buffer));
        return parameters.join(QLatin1String(", "));
    }

    QString kernelText() {
        m_indent = 1;
        if (m_mode == Mode::Flat)
            flatBody();
        else
            rowBody();
        QString head;
        if (m_mode == Mode::Flat)
            head = QStringLiteral("__global__ void __launch_bounds__(kThreads)\n    ");
        else if (m_mode == Mode::BlockOfRow)
            head = QStringLiteral("template <int THREADS>\n__global__ void __launch_bounds__(THREADS)\n    ");
        else
            head = QStringLiteral(
                "template <int GROUPS>\n__global__ void __launch_bounds__(kLanes * GROUPS)\n    ");
        const QString signature = wrappedCall(QStringLiteral("    %1(").arg(m_names.function),
                                              kernelParameters(), QStringLiteral(") {"));
        return head + signature.mid(4) + m_body + QLatin1String("}\n\n");
    }

    void flatBody() {
        line(QStringLiteral("const std::int64_t all = std::int64_t(gridDim.x) * kThreads;"));
        line(QStringLiteral("for (std::int64_t pack = std::int64_t(blockIdx.x) * kThreads + threadIdx.x; "
                            "pack < kPacks; pack += all) {"));
        ++m_indent;
        const QString width = m_width > 1 ? QStringLiteral(" * kWidth") : QString();
        if (m_kernel.outer > 0) {
            line(QStringLiteral("const std::int64_t row = pack / kPacksPerRow;"));
            line(QStringLiteral("const std::int64_t c = pack % kPacksPerRow%1;").arg(width));
        } else if (!m_kernel.loops.empty()) {
            line(QStringLiteral("const std::int64_t c = pack%1;").arg(width));
        }
        for (const QString &text : m_loops.outerCounterLines())
            line(text);
        nameRowSteps(0);
        emitElements(0);
        // What all elements of a row share is written by the first of them.
        for (const int place : m_schedule.rowStores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(place)];
            if (m_kernel.outer > 0)
                line(QStringLiteral("if (c == 0)"));
            line(QStringLiteral("%1%2[%3] = %4;")
                     .arg(QString(m_kernel.outer > 0 ? 4 : 0, QLatin1Char(' ')), m_names.nameOf(store.buffer),
                          indexText(store.address, m_loops.allCounters()),
                          m_text.stored(store.step, store.type)));
        }
        --m_indent;
        line(QStringLiteral("}"));
    }

    void rowBody() {
        if (m_mode == Mode::BlockOfRow) {
            line(QStringLiteral("const std::int64_t row = blockIdx.x;"));
        } else {
            line(
                QStringLiteral("const std::int64_t mine = std::int64_t(blockIdx.x) * kLanes + threadIdx.x;"));
            line(QStringLiteral("// Threads beyond the last row have to be there when the others meet."));
            line(QStringLiteral("const bool isThere = mine < kRows;"));
            line(QStringLiteral("const std::int64_t row = isThere ? mine : kRows - 1;"));
        }
        for (const QString &text : m_loops.outerCounterLines())
            line(text);
        if (m_isOnePass) {
            line(QStringLiteral("// Known when compiled: an array that is indexed by unrolled loops only is "
                                "kept in registers."));
            line(QStringLiteral("constexpr int kPacks = (kColumns + THREADS%1 - 1) / (THREADS%1);")
                     .arg(m_width > 1 ? QStringLiteral(" * kWidth") : QString()));
        }
        int number = 0;
        for (const int step : m_schedule.kept) {
            const QString name = QStringLiteral("kept%1").arg(
                m_schedule.kept.size() > 1 ? QString::number(++number) : QString());
            line(QStringLiteral("%1 %2[kPacks]%3;")
                     .arg(cType(m_kernel.step(step).type), name,
                          m_width > 1 ? QStringLiteral("[kWidth]") : QString()));
            m_kept[step] = name;
        }
        for (const KernelStep &step : m_kernel.steps)
            if (isReduction(step.op)) {
                const auto place = static_cast<int>(&step - m_kernel.steps.data());
                const QString type = sumOf(place).type;
                line(m_mode == Mode::BlockOfRow ? QStringLiteral("__shared__ %1 %2Partials[THREADS / 32];")
                                                      .arg(type, m_loops.sumName(place))
                                                : QStringLiteral("__shared__ %1 %2Partials[GROUPS][kLanes];")
                                                      .arg(type, m_loops.sumName(place)));
            }
        for (std::size_t p = 0; p < m_schedule.passes.size(); ++p) {
            nameRowSteps(p);
            emitPass(p);
        }
        nameRowSteps(m_schedule.passes.size());
        if (m_schedule.rowStores.empty())
            return;
        line(m_mode == Mode::BlockOfRow ? QStringLiteral("if (threadIdx.x == 0) {")
                                        : QStringLiteral("if (isThere && threadIdx.y == 0) {"));
        ++m_indent;
        for (const int place : m_schedule.rowStores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(place)];
            line(QStringLiteral("%1[%2] = %3;")
                     .arg(m_names.nameOf(store.buffer), indexText(store.address, m_loops.allCounters()),
                          m_text.stored(store.step, store.type)));
        }
        --m_indent;
        line(QStringLiteral("}"));
    }

    void nameRowSteps(std::size_t p) {
        for (const int step : m_schedule.named[p]) {
            const QString name = QStringLiteral("r%1").arg(++m_rowNames);
            line(QStringLiteral("const %1 %2 = %3;")
                     .arg(cType(m_kernel.step(step).type), name, m_text.definition(step)));
            m_text.name(step, name);
        }
    }

    void emitPass(std::size_t p) {
        const KernelPass &pass = m_schedule.passes[p];
        if (pass.reductions.empty() && pass.stores.empty())
            return;
        if (p > 0)
            m_body += QLatin1Char('\n');
        for (const int step : pass.reductions) {
            const SumText sum = sumOf(step);
            line(QStringLiteral("%1 %2 = %3;").arg(sum.type, m_loops.sumName(step), sum.start));
        }
        const QString width = m_width > 1 ? QStringLiteral(" * kWidth") : QString();
        if (m_mode == Mode::LanesOfRows) {
            line(QStringLiteral("for (int c = threadIdx.y; isThere && c < kColumns; c += GROUPS) {"));
        } else if (m_isOnePass) {
            m_body += QLatin1String("#pragma unroll\n");
            line(QStringLiteral("for (int p = 0; p < kPacks; ++p) {"));
            ++m_indent;
            line(QStringLiteral("const int c = (p * THREADS + threadIdx.x)%1;").arg(width));
            line(QStringLiteral("if (c < kColumns) {"));
        } else {
            line(QStringLiteral("for (int c = threadIdx.x%1; c < kColumns; c += THREADS%1) {").arg(width));
        }
        ++m_indent;
        for (const QString &text : m_loops.innerCounterLines())
            line(text);
        emitElements(p);
        --m_indent;
        line(QStringLiteral("}"));
        if (m_isOnePass) {
            --m_indent;
            line(QStringLiteral("}"));
        }
        for (const int step : pass.reductions)
            combine(step);
    }

    void combine(int step) {
        const QString name = m_loops.sumName(step);
        const SumText sum = sumOf(step);
        const QString how = sum.sign == QLatin1String("max") || sum.sign == QLatin1String("min")
                                ? extreme(sum, QStringLiteral("a"), QStringLiteral("b"))
                                : QStringLiteral("a %1 b").arg(sum.sign);
        line(QStringLiteral("%1 = %2(%1, %1Partials, [](%3 a, %3 b) { return %4; });")
                 .arg(name,
                      m_mode == Mode::BlockOfRow ? QStringLiteral("reduceBlock<THREADS>")
                                                 : QStringLiteral("reduceLanes<GROUPS>"),
                      sum.type, how));
        const QString type = cTypeName(m_kernel.step(step).type, false);
        m_text.name(step, sum.type == type ? name : QStringLiteral("%1(%2)").arg(type, name));
    }

    // A group's part of a sum over far elements is one chain of additions.
    SumText sumOf(int step) const {
        return sumText(m_kernel, step, m_mode == Mode::LanesOfRows && m_kernel.columns() > longSum);
    }

    // fmaxf passes over a NaN, which torch does not; where nothing later shows it, it is carried along.
    static QString extreme(const SumText &sum, const QString &a, const QString &b) {
        const QString sign = sum.sign == QLatin1String("max") ? QStringLiteral(">") : QStringLiteral("<");
        return sum.countsNans ? QStringLiteral("%1 %3 %2 || %1 != %1 ? %1 : %2").arg(a, b, sign)
                              : QStringLiteral("%1 %3 %2 ? %1 : %2").arg(a, b, sign);
    }

    // What one thread does with a pack of neighbours, or with one element.
    void emitElements(std::size_t p) {
        const KernelPass &pass = m_schedule.passes[p];
        m_packs.clear();
        std::vector<std::pair<int, QString>> stored;
        if (m_width > 1) {
            for (const int step : pass.computed)
                if (m_kernel.step(step).op == KernelOp::Load)
                    loadPack(m_kernel.step(step).leaf);
            for (const int place : pass.stores) {
                const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(place)];
                if (!isWide(m_kernel, store.address, m_width))
                    continue;
                const QString name = m_names.nameOf(store.buffer) + QStringLiteral("Pack");
                line(QStringLiteral("Pack<%1> %2;").arg(cType(store.type), name));
                stored.emplace_back(place, name);
            }
            m_body += QLatin1String("#pragma unroll\n");
            line(QStringLiteral("for (int k = 0; k < kWidth; ++k) {"));
            ++m_indent;
            m_isInPack = true;
        }
        const QString place = m_width > 1 ? QStringLiteral("[p][k]") : QStringLiteral("[p]");
        for (const int step : pass.taken)
            m_text.name(step, m_kept[step] + place);
        std::vector<int> named;
        int names = 0;
        for (const int step : pass.computed) {
            const bool isKept = std::find(pass.kept.begin(), pass.kept.end(), step) != pass.kept.end();
            if (!isKept && usesIn(m_kernel, pass, step) < 2)
                continue;
            const QString name = QStringLiteral("h%1").arg(++names);
            line(QStringLiteral("const %1 %2 = %3;")
                     .arg(cType(m_kernel.step(step).type), name, m_text.definition(step)));
            m_text.name(step, name);
            named.push_back(step);
            if (isKept)
                line(QStringLiteral("%1%2 = %3;").arg(m_kept[step], place, name));
        }
        for (const int step : pass.reductions) {
            const SumText sum = sumOf(step);
            const QString name = m_loops.sumName(step);
            const QString element = m_text.text(m_kernel.step(step).operands[0]);
            line(sum.sign.startsWith(QLatin1Char('m'))
                     ? QStringLiteral("%1 = %2;").arg(name, extreme(sum, element, name))
                     : sum.update(name, element));
        }
        for (const int some : pass.stores) {
            const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(some)];
            const auto pack = std::find_if(stored.begin(), stored.end(),
                                           [some](const auto &entry) { return entry.first == some; });
            line(pack != stored.end() ? QStringLiteral("%1.at[k] = %2;")
                                            .arg(pack->second, m_text.stored(store.step, store.type))
                                      : QStringLiteral("%1[%2] = %3;")
                                            .arg(m_names.nameOf(store.buffer), elementIndex(store.address),
                                                 m_text.stored(store.step, store.type)));
        }
        if (m_width > 1) {
            --m_indent;
            line(QStringLiteral("}"));
            m_isInPack = false;
            for (const auto &[some, name] : stored) {
                const KernelStore &store = m_kernel.stores[static_cast<std::size_t>(some)];
                line(QStringLiteral("*reinterpret_cast<Pack<%1> *>(%2 + %3) = %4;")
                         .arg(cType(store.type), m_names.nameOf(store.buffer),
                              indexText(store.address, m_loops.allCounters()), name));
            }
        }
        for (const int step : named)
            m_text.forget(step);
        for (const int step : pass.taken)
            m_text.forget(step);
    }

    void loadPack(int leaf) {
        const KernelLeaf &what = m_kernel.leaves[static_cast<std::size_t>(leaf)];
        if (m_packs.contains(leaf) || !isWide(m_kernel, what.address, m_width))
            return;
        QString name = m_names.nameOf(what.buffer) + QStringLiteral("Pack");
        const auto isTaken = [this](const QString &some) {
            return std::any_of(m_packs.begin(), m_packs.end(),
                               [&some](const auto &entry) { return entry.second == some; });
        };
        for (int number = 2; isTaken(name); ++number)
            name = m_names.nameOf(what.buffer) + QStringLiteral("Pack%1").arg(number);
        line(QStringLiteral("const auto %1 = *reinterpret_cast<const Pack<%2> *>(%3 + %4);")
                 .arg(name, cType(what.type), m_names.nameOf(what.buffer),
                      indexText(what.address, m_loops.allCounters())));
        m_packs[leaf] = name;
    }

    const ReferenceGraph &m_graph;
    const KernelPlan &m_plan;
    const FusedKernel &m_kernel;
    const KernelNames &m_names;
    Mode m_mode;
    bool m_isOnePass;
    int m_width;
    KernelSchedule m_schedule;
    LoopText m_loops;
    ScalarText m_text;
    QString m_body;
    int m_indent = 0;
    int m_rowNames = 0;
    bool m_isInPack = false;
    std::map<int, QString> m_kept;
    std::map<int, QString> m_packs;
};

} // namespace

QString cudaText(const ReferenceGraph &graph, const KernelPlan &plan, const FusedKernel &kernel,
                 const KernelNames &names, const KernelTuning &tuning) {
    if (kernel.anchor == Anchor::Product)
        return productCudaText(graph, plan, kernel, names, tuning);
    if (kernel.anchor == Anchor::Convolution)
        return kernel.convolution.isDepthwise() ? depthwiseCudaText(graph, plan, kernel, names)
                                                : convolutionCudaText(graph, plan, kernel, names, tuning);
    return CudaEmitter(graph, plan, kernel, names, tuning).run();
}

} // namespace warpwright
