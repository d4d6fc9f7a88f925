// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/row_maker.h"

#include "toolchain/base/figures.h"

#include <QLocale>

#include <algorithm>

namespace warpwright {
namespace {

constexpr double sectorBytes = 32;

QString sizesText(const std::array<int, 3> &sizes) {
    const QString last = sizes[2] > 1 ? QStringLiteral(" × ") + numberText(sizes[2]) : QString();
    const QString middle =
        sizes[1] > 1 || !last.isEmpty() ? QStringLiteral(" × ") + numberText(sizes[1]) : QString();
    return numberText(sizes[0]) + middle + last;
}

} // namespace

RowMaker::RowMaker(const CountedLaunch &launch, const CountedLaunch &baseline)
    : m_launch(launch), m_baseline(baseline), m_now(*launch.launch()), m_before(baseline.launch()) {}

std::optional<double> RowMaker::number(const QString &metric) const {
    return m_now.number(metric);
}

QString RowMaker::textOf(const QString &metric) const {
    const auto found = m_now.metrics.find(metric);
    return found == m_now.metrics.end() ? QString() : found->second.text;
}

CounterRow &RowMaker::add(const QString &label, const QString &metric, const QString &help) {
    CounterRow row;
    row.section = m_section;
    row.label = label;
    row.metric = metric;
    row.help = help;
    m_rows.push_back(row);
    return m_rows.back();
}

void RowMaker::fill(CounterRow &row, const CounterReading &read, double full) {
    row.value = read(m_now);
    if (!row.value) {
        const bool isThere = m_now.metrics.contains(row.metric);
        row.missing =
            isThere ? QStringLiteral("no value: the tool says n/a") : notCollected(*m_launch.counters);
        return;
    }
    row.text = counterText(*row.value, row.unit);
    if (row.exact.isEmpty()) {
        CounterValue exact;
        exact.number = row.value;
        exact.unit = row.unit;
        row.exact = exactText(exact);
    }
    if (full > 0)
        row.share = std::clamp(*row.value / full, 0.0, 1.0);
    if (m_before == nullptr)
        return;
    row.before = read(*m_before);
    if (!row.before)
        return;
    if (full > 0)
        row.beforeShare = std::clamp(*row.before / full, 0.0, 1.0);
    const std::optional<CounterRange> now = rangeOf(*m_launch.counters, m_now, read);
    const std::optional<CounterRange> before = rangeOf(*m_baseline.counters, *m_before, read);
    row.change = changeOf(*row.value, *row.before, now, before);
    row.isSingle = !now || !before || now->launches == 1 || before->launches == 1;
    if (!row.isSingle)
        row.spread = QStringLiteral("%1 launches, %2 to %3; baseline %4 launches, %5 to %6")
                         .arg(now->launches)
                         .arg(counterText(now->low, row.unit), counterText(now->high, row.unit))
                         .arg(before->launches)
                         .arg(counterText(before->low, row.unit), counterText(before->high, row.unit));
    else
        row.spread = QStringLiteral("one measurement, no spread");
}

void RowMaker::bar(const QString &label, const QString &metric, const QString &help, double full,
                   bool isStrong) {
    CounterRow &row = add(label, metric, help);
    row.isStrong = isStrong;
    if (const auto found = m_now.metrics.find(metric); found != m_now.metrics.end()) {
        row.exact = exactText(found->second);
        // "inst" and "warp" stand in the section's remark.
        row.unit = found->second.unit == QLatin1String("%") ? found->second.unit : QString();
    }
    fill(
        row, [&metric](const KernelCounters &kernel) { return kernel.number(metric); }, full);
}

void RowMaker::fact(const char *label, const char *metric, const char *help,
                    const std::optional<QString> &unit, bool isStrong) {
    CounterRow &row = add(QString::fromUtf8(label), QString::fromLatin1(metric), QString::fromUtf8(help));
    row.isStrong = isStrong;
    if (const auto found = m_now.metrics.find(row.metric); found != m_now.metrics.end()) {
        row.exact = exactText(found->second);
        row.unit = unit.value_or(found->second.unit);
    }
    fill(
        row, [metric](const KernelCounters &kernel) { return kernel.number(metric); }, 0);
}

void RowMaker::sizes(const char *label, const char *metric, const std::array<int, 3> &sizes) {
    CounterRow &row = add(QString::fromUtf8(label), QString::fromLatin1(metric), QString());
    const auto productOf = [](const std::array<int, 3> &three) {
        return static_cast<double>(three[0]) * three[1] * three[2];
    };
    const bool isGrid = row.metric == QLatin1String("launch__grid_size");
    fill(
        row,
        [&productOf, isGrid](const KernelCounters &kernel) {
            return std::optional(productOf(isGrid ? kernel.grid : kernel.block));
        },
        0);
    row.text = sizesText(sizes);
}

void RowMaker::opcode(const QString &name, double count, double total) {
    CounterRow &row = add(name, QStringLiteral("sass__inst_executed_per_opcode: ") + name,
                          percentText(count / total) + QStringLiteral(" of all executed instructions"));
    fill(
        row,
        [&name](const KernelCounters &kernel) -> std::optional<double> {
            const auto found = kernel.opcodes.find(name);
            if (found == kernel.opcodes.end())
                return kernel.opcodes.empty() ? std::nullopt : std::optional(0.0);
            return found->second;
        },
        total);
}

void RowMaker::missing(const char *label, const QString &metric, const QString &why) {
    add(QString::fromUtf8(label), metric, QString()).missing =
        why.isEmpty() ? notCollected(*m_launch.counters) : why;
}

// The pipe to shared memory counts trips of other instructions, too: that it was busy tells nothing.
bool RowMaker::usesShared() const {
    const std::optional<double> fixed = number("launch__shared_mem_per_block_static");
    const std::optional<double> dynamic = number("launch__shared_mem_per_block_dynamic");
    if (fixed && dynamic && *fixed + *dynamic == 0)
        return false;
    if (m_now.opcodes.empty())
        return true;
    return std::any_of(m_now.opcodes.begin(), m_now.opcodes.end(), [](const auto &opcode) {
        static const QStringList shared{
            QStringLiteral("LDS"),    QStringLiteral("STS"),     QStringLiteral("LDSM"),
            QStringLiteral("STSM"),   QStringLiteral("ATOMS"),   QStringLiteral("LDGSTS"),
            QStringLiteral("UBLKCP"), QStringLiteral("UTMALDG"), QStringLiteral("UTMASTG"),
            QStringLiteral("REDS"),   QStringLiteral("HGMMA"),   QStringLiteral("SYNCS")};
        return shared.contains(opcode.first.section(QLatin1Char('.'), 0, 0));
    });
}

// `share`: the metric of the link's share of its peak; may be empty.
void RowMaker::link(const char *label, const char *metric, const char *help, double bytesEach,
                    std::initializer_list<const char *> counts, const char *share) {
    CounterRow &row = add(QString::fromUtf8(label), QString::fromLatin1(metric), QString::fromUtf8(help));
    row.unit = bytesEach > 0 ? QStringLiteral("byte") : QStringLiteral("trips");
    if (const auto found = m_now.metrics.find(row.metric); found != m_now.metrics.end())
        row.exact = exactText(found->second); // as the metric counts it: of some that is no byte
    const std::vector<const char *> names(counts);
    const double each = bytesEach > 0 ? bytesEach : 1;
    fill(
        row,
        [&names, each](const KernelCounters &kernel) {
            std::optional<double> sum;
            for (const char *name : names)
                if (const std::optional<double> count = kernel.number(name))
                    sum = sum.value_or(0) + *count * each;
            return sum;
        },
        0);
    if (!row.value || share == nullptr)
        return;
    if (const std::optional<double> percent = m_now.number(share)) {
        row.share = std::clamp(*percent / 100, 0.0, 1.0);
        row.help += QStringLiteral("\n%1 of the link's peak (%2)")
                        .arg(percentText(*percent / 100), QLatin1String(share));
    }
    if (m_before != nullptr && row.before)
        if (const std::optional<double> percent = m_before->number(share))
            row.beforeShare = std::clamp(*percent / 100, 0.0, 1.0);
}

void RowMaker::addMemory() {
    begin(CounterSection::Memory);
    link("kernel → L1: loads", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
         "sectors of 32 bytes of global and local loads", sectorBytes,
         {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"},
         "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum.pct_of_peak_sustained_elapsed");
    link("kernel → L1: stores", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
         "sectors of 32 bytes of global and local stores", sectorBytes,
         {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"},
         "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum.pct_of_peak_sustained_elapsed");
    if (!usesShared())
        missing("kernel → shared", QStringLiteral("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"),
                sharedIsNotUsed());
    else
        link("kernel → shared", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
             "wavefronts: trips that the requests took, one each where no bank conflicts", 0,
             {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"},
             "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed");
    link("L1 → L2: reads", "lts__t_sectors_srcunit_tex_op_read.sum", "sectors of 32 bytes", sectorBytes,
         {"lts__t_sectors_srcunit_tex_op_read.sum"},
         "lts__t_sectors_srcunit_tex_op_read.avg.pct_of_peak_sustained_elapsed");
    link("L1 → L2: writes", "lts__t_sectors_srcunit_tex_op_write.sum", "sectors of 32 bytes", sectorBytes,
         {"lts__t_sectors_srcunit_tex_op_write.sum"},
         "lts__t_sectors_srcunit_tex_op_write.avg.pct_of_peak_sustained_elapsed");
    link("L2 → DRAM: reads", "dram__bytes_read.sum", "", 1, {"dram__bytes_read.sum"},
         "dram__bytes_read.sum.pct_of_peak_sustained_elapsed");
    link("L2 → DRAM: writes", "dram__bytes_write.sum", "", 1, {"dram__bytes_write.sum"},
         "dram__bytes_write.sum.pct_of_peak_sustained_elapsed");
    fact("L1 hit rate", "l1tex__t_sector_hit_rate.pct", "sectors found there");
    fact("L2 hit rate", "lts__t_sector_hit_rate.pct", "sectors found there");
    fact("Bank conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
         "extra trips to shared memory because threads of a warp met in a bank");
}

void RowMaker::addRules(const KernelCounters &kernel) {
    begin(CounterSection::Rules);
    std::vector<const CounterRule *> rules;
    for (const CounterRule &rule : kernel.rules)
        if (rule.kind != CounterRule::Kind::None && !rule.message.isEmpty())
            rules.push_back(&rule);
    std::stable_sort(rules.begin(), rules.end(), [](const CounterRule *a, const CounterRule *b) {
        return a->speedupPercent.value_or(-1) > b->speedupPercent.value_or(-1);
    });
    for (const CounterRule *rule : rules) {
        CounterRow &row = add(rule->title.isEmpty() ? rule->name : rule->title, rule->id, rule->message);
        row.isStrong = rule->speedupPercent.has_value();
        row.value = rule->speedupPercent;
        row.unit = QStringLiteral("%");
        if (row.value) {
            row.text =
                (rule->isGlobal ? QStringLiteral("est. speedup %1") : QStringLiteral("est. local speedup %1"))
                    .arg(percentText(*row.value / 100));
            row.exact =
                QString::number(*row.value, 'g', QLocale::FloatingPointShortest) + QStringLiteral(" %");
        } else {
            row.text = QStringLiteral("note");
            row.exact = QStringLiteral("no estimate");
        }
    }
    if (rules.empty())
        add(QStringLiteral("Rules"), QStringLiteral("rules"), QString()).missing =
            kernel.rules.empty() ? notCollected(*m_launch.counters)
                                 : QStringLiteral("no rule has anything to say");
}

} // namespace warpwright
