// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/import_pages.h"

#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

/// A table of a page: the records after the line that begins with `head`.
struct Table {
    QStringList columns;
    std::vector<QStringList> rows;

    [[nodiscard]] int column(const QString &name) const { return static_cast<int>(columns.indexOf(name)); }
    [[nodiscard]] static QString cell(const QStringList &row, int column) {
        return column >= 0 && column < row.size() ? row[column] : QString();
    }
};

Table tableIn(const QByteArray &text, const char *head) {
    Table table;
    qsizetype next = 0;
    while (next < text.size()) {
        const QStringList record = csvRecord(text, next, next);
        if (table.columns.isEmpty()) {
            if (!record.isEmpty() && record.first() == QLatin1String(head))
                table.columns = record;
        } else if (record.size() > 1) {
            table.rows.push_back(record);
        }
    }
    return table;
}

std::optional<double> numberFrom(QString text) {
    text.remove(QLatin1Char(','));
    bool isNumber = false;
    const double value = text.toDouble(&isNumber);
    return isNumber && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// "(256, 1, 1)"
std::array<int, 3> sizesFrom(const QString &text) {
    std::array<int, 3> sizes{};
    static const QRegularExpression number(QStringLiteral("\\d+"));
    auto match = number.globalMatch(text);
    for (std::size_t i = 0; i < sizes.size() && match.hasNext(); ++i)
        sizes[i] = match.next().captured().toInt();
    return sizes;
}

QString functionOf(const QString &name) {
    static const QRegularExpression form(QStringLiteral("(?:^|[ :])([A-Za-z_]\\w*)(?:<.*>)?\\("));
    const auto match = form.match(name);
    return match.hasMatch() ? match.captured(1) : name;
}

void takeRules(std::vector<KernelCounters> &kernels, const Table &details) {
    const int id = details.column(QStringLiteral("ID"));
    const int section = details.column(QStringLiteral("Section Name"));
    const int rule = details.column(QStringLiteral("Rule Name"));
    const int type = details.column(QStringLiteral("Rule Type"));
    const int words = details.column(QStringLiteral("Rule Description"));
    const int speedupType = details.column(QStringLiteral("Estimated Speedup Type"));
    const int speedup = details.column(QStringLiteral("Estimated Speedup"));
    for (const QStringList &row : details.rows) {
        const int launch = Table::cell(row, id).toInt();
        if (Table::cell(row, words).isEmpty() || launch < 0 || launch >= static_cast<int>(kernels.size()))
            continue;
        CounterRule found;
        found.id = Table::cell(row, rule);
        found.name = found.id;
        found.section = Table::cell(row, section);
        found.message = Table::cell(row, words);
        const QString kind = Table::cell(row, type);
        found.kind = kind == QLatin1String("OPT")   ? CounterRule::Kind::Optimization
                     : kind == QLatin1String("WRN") ? CounterRule::Kind::Warning
                     : kind == QLatin1String("ERR") ? CounterRule::Kind::Error
                                                    : CounterRule::Kind::Note;
        found.speedupPercent = numberFrom(Table::cell(row, speedup));
        found.isGlobal =
            Table::cell(row, speedupType).compare(QLatin1String("global"), Qt::CaseInsensitive) == 0;
        kernels[static_cast<std::size_t>(launch)].rules.push_back(std::move(found));
    }
}

/// What the page «source» calls the values that InstructionCounters names.
const std::pair<const char *, const char *> instructionColumns[] = {
    {"# Samples", "samples"},
    {"Warp Stall Sampling (Not-issued Samples)", "samplesNotIssued"},
    {"Instructions Executed", "executed"},
    {"Predicated-On Thread Instructions Executed", "threads"},
    {"L2 Theoretical Sectors Global", "sectors"},
    {"L2 Theoretical Sectors Global Ideal", "sectorsIdeal"},
    {"L2 Theoretical Sectors Local", "localSectors"},
    {"L1 Wavefronts Shared", "wavefronts"},
    {"L1 Wavefronts Shared Ideal", "wavefrontsIdeal"},
    {"stall_barrier", "stall.barrier"},
    {"stall_branch_resolving", "stall.branch_resolving"},
    {"stall_dispatch", "stall.dispatch_stall"},
    {"stall_drain", "stall.drain"},
    {"stall_imc", "stall.imc_miss"},
    {"stall_lg", "stall.lg_throttle"},
    {"stall_long_sb", "stall.long_scoreboard"},
    {"stall_math", "stall.math_pipe_throttle"},
    {"stall_membar", "stall.membar"},
    {"stall_mio", "stall.mio_throttle"},
    {"stall_misc", "stall.misc"},
    {"stall_no_inst", "stall.no_instructions"},
    {"stall_not_selected", "stall.not_selected"},
    {"stall_selected", "stall.selected"},
    {"stall_short_sb", "stall.short_scoreboard"},
    {"stall_sleep", "stall.sleeping"},
    {"stall_tex", "stall.tex_throttle"},
    {"stall_wait", "stall.wait"},
};

/// The instructions of one launch, as the page «source» prints them.
struct CodeBlock {
    QString name;
    std::vector<InstructionCounters> instructions;
};

std::vector<CodeBlock> codeBlocksIn(const QByteArray &text) {
    std::vector<CodeBlock> blocks;
    QStringList columns;
    quint64 start = 0;
    qsizetype next = 0;
    while (next < text.size()) {
        const QStringList record = csvRecord(text, next, next);
        if (record.size() < 2)
            continue;
        if (record[0] == QLatin1String("Kernel Name")) {
            blocks.push_back({record[1], {}});
            columns.clear();
            continue;
        }
        if (record[0] == QLatin1String("Address") || record[0] == QLatin1String("#")) {
            columns = record;
            continue;
        }
        const auto cell = [&](const char *name) {
            return Table::cell(record, static_cast<int>(columns.indexOf(QLatin1String(name))));
        };
        bool isAddress = false;
        const quint64 address = cell("Address").toULongLong(&isAddress, 0);
        if (!isAddress || blocks.empty())
            continue;
        std::vector<InstructionCounters> &instructions = blocks.back().instructions;
        if (instructions.empty())
            start = address;
        InstructionCounters instruction;
        instruction.address = address - start;
        instruction.text = cell("Source").trimmed();
        for (const auto &[column, name] : instructionColumns) {
            const auto value = numberFrom(cell(column));
            if (value && *value != 0)
                instruction.values[QLatin1String(name)] = *value;
        }
        instructions.push_back(std::move(instruction));
    }
    // What fills a kernel's end is on the page, and counts nothing.
    for (CodeBlock &block : blocks)
        while (!block.instructions.empty() && block.instructions.back().values.empty())
            block.instructions.pop_back();
    return blocks;
}

/// The page «raw» has "f<32>" where the page «source» has "f<(int)32>".
QString withoutCasts(QString name) {
    static const QRegularExpression cast(QStringLiteral("(?<=[<, ])\\([a-z ]+\\)(?=[\\w-])"));
    return name.remove(cast);
}

/// Blocks stand in the order of the launches. ncu 2025.3.1 prints each twice; a launch without code has none,
/// so that names have to fit as well.
void takeInstructions(std::vector<KernelCounters> &kernels, const QByteArray &text) {
    std::vector<CodeBlock> blocks = codeBlocksIn(text);
    const std::size_t each = blocks.size() == 2 * kernels.size() ? 2 : 1;
    std::size_t launch = 0;
    for (std::size_t at = 0; at < blocks.size(); at += each) {
        const QString name = withoutCasts(blocks[at].name);
        while (launch < kernels.size() && withoutCasts(kernels[launch].name) != name)
            ++launch;
        if (launch == kernels.size())
            return;
        kernels[launch++].instructions = std::move(blocks[at].instructions);
    }
}

} // namespace

QStringList importWords(const QString &report, const QString &page) {
    QStringList words{QStringLiteral("--config-file"),
                      QStringLiteral("off"),
                      QStringLiteral("--import"),
                      report,
                      QStringLiteral("--csv"),
                      QStringLiteral("--page"),
                      page,
                      QStringLiteral("--print-units"),
                      QStringLiteral("base")};
    if (page == QLatin1String("raw"))
        words << QStringLiteral("--print-fp");
    if (page == QLatin1String("details"))
        words << QStringLiteral("--print-metric-name") << QStringLiteral("name");
    if (page == QLatin1String("source"))
        words << QStringLiteral("--print-source") << QStringLiteral("sass");
    return words;
}

Result<Counters> importedCounters(const QByteArray &raw, const QByteArray &details,
                                  const QByteArray &source) {
    const Table table = tableIn(raw, "ID");
    const int name = table.column(QStringLiteral("Kernel Name"));
    if (name < 0 || table.rows.size() < 2)
        return Result<Counters>::error(QStringLiteral("ncu printed no table of launches"));
    const QStringList &units = table.rows.front();
    const int first = table.column(QStringLiteral("CC")) + 1;
    Counters counters;
    for (std::size_t row = 1; row < table.rows.size(); ++row) {
        const QStringList &cells = table.rows[row];
        KernelCounters kernel;
        kernel.arm = QStringLiteral("imported");
        kernel.name = Table::cell(cells, name);
        kernel.function = functionOf(kernel.name);
        kernel.launch = static_cast<int>(row) - 1;
        kernel.grid = sizesFrom(Table::cell(cells, table.column(QStringLiteral("Grid Size"))));
        kernel.block = sizesFrom(Table::cell(cells, table.column(QStringLiteral("Block Size"))));
        for (int column = first; column < table.columns.size(); ++column) {
            const QString text = Table::cell(cells, column);
            // Our document leaves these out, too: see read_ncu_report.py.
            const QString &metric = table.columns[column];
            if (text.isEmpty() || metric.contains(QLatin1String("TriageCompute")) ||
                metric.startsWith(QLatin1String("derived_tempMetric")) ||
                metric.startsWith(QLatin1String("derived__pct_occupancy_per_")))
                continue;
            CounterValue value;
            value.number = numberFrom(text);
            if (!value.number && text != QLatin1String("nan") && text != QLatin1String("N/A"))
                value.text = text;
            value.unit = Table::cell(units, column);
            kernel.metrics[metric] = value;
        }
        counters.kernels.push_back(std::move(kernel));
    }
    const KernelCounters &any = counters.kernels.front();
    if (const auto found = any.metrics.find(QStringLiteral("device__attribute_display_name"));
        found != any.metrics.end())
        counters.device = found->second.text;
    counters.computeCapability = Table::cell(table.rows[1], table.column(QStringLiteral("CC")));
    counters.multiprocessors =
        static_cast<int>(any.number("device__attribute_multiprocessor_count").value_or(0));
    takeRules(counters.kernels, tableIn(details, "ID"));
    takeInstructions(counters.kernels, source);
    counters.problems << QStringLiteral(
        "Read from ncu's printed pages: lines of the source and the text of the "
        "sources are not among them.");
    return Result<Counters>::ok(std::move(counters));
}

QStringList csvRecord(const QByteArray &text, qsizetype begin, qsizetype &next) {
    QStringList fields;
    QByteArray field;
    bool isQuoted = false;
    qsizetype at = begin;
    for (; at < text.size(); ++at) {
        const char letter = text[at];
        if (isQuoted) {
            if (letter != '"')
                field += letter;
            else if (at + 1 < text.size() && text[at + 1] == '"')
                field += text[++at];
            else
                isQuoted = false;
        } else if (letter == '"') {
            isQuoted = true;
        } else if (letter == ',') {
            fields << QString::fromUtf8(std::exchange(field, {}));
        } else if (letter == '\n') {
            ++at;
            break;
        } else if (letter != '\r') {
            field += letter;
        }
    }
    fields << QString::fromUtf8(field);
    next = at;
    return fields;
}

} // namespace warpwright
