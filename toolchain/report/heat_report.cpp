// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report/heat_report.h"

#include "toolchain/base/figures.h"
#include "toolchain/counters/kernel_figures.h"
#include "toolchain/report/text_table.h"

#include <cmath>

namespace warpwright {
namespace {

constexpr int widestSource = 56;
constexpr int barCells = 8;
constexpr int reasonColumn = 64;
constexpr double leastTold = 0.01; ///< share of an instruction whose reason is told

const QString none = QStringLiteral("–");

QString bar(double share) {
    const int cells = static_cast<int>(std::lround(share * barCells));
    return QString(cells, QLatin1Char('#')).leftJustified(barCells, QLatin1Char('.'));
}

QString timesText(const std::optional<double> &ratio) {
    return ratio ? QStringLiteral("%1×").arg(numberText(*ratio, *ratio < 9.95 ? 1 : 0)) : none;
}

QString cut(const QString &text, int columns) {
    return text.size() <= columns ? text : text.left(columns - 1) + QStringLiteral("…");
}

/// "97 % waits for global or local memory"
QString topText(const HeatCounts &counts) {
    const QString top = counts.topStall();
    return top.isEmpty()
               ? none
               : QStringLiteral("%1 %2").arg(percentText(counts.stallShare(top), 0), stallWords(top));
}

QString basisText(HeatBasis basis) {
    switch (basis) {
    case HeatBasis::Listing:
        return QStringLiteral("lines by the compiler's listing");
    case HeatBasis::Report:
        return QStringLiteral("lines by the report alone");
    case HeatBasis::Nothing:
        break;
    }
    return QStringLiteral("no lines are known");
}

QString headOf(const KernelHeat &kernel, const Terminal &terminal) {
    return QStringLiteral("%1  %2\n")
        .arg(
            inked(terminal, Ink::Strong, printableLine(kernel.name)),
            inked(terminal, Ink::Faint,
                  QStringLiteral("%1 of the sampled time · %2 · %3 of them in lines of the text · %4")
                      .arg(percentText(kernel.share),
                           countText(static_cast<qsizetype>(kernel.counts.samples), QStringLiteral("sample")),
                           percentText(kernel.charged), basisText(kernel.basis))));
}

QString linesText(const KernelHeat &kernel, int most, const Terminal &terminal) {
    TextTable table({1, 5, 6, 7});
    table.heading({QStringLiteral("share"),
                   {},
                   QStringLiteral("line"),
                   QStringLiteral("most of it"),
                   QStringLiteral("for"),
                   QStringLiteral("executed"),
                   QStringLiteral("sectors × ideal"),
                   QStringLiteral("shared × ideal"),
                   QStringLiteral("source")});
    int shown = 0;
    int more = 0;
    for (const HeatLine &line : kernel.lines) {
        if (!(line.counts.samples > 0))
            continue;
        if (most > 0 && shown == most) {
            ++more;
            continue;
        }
        ++shown;
        const QString awaited = awaitedText(line);
        table.row({bar(line.share), percentText(line.share),
                   QStringLiteral("%1:%2").arg(printableLine(line.file)).arg(line.line), topText(line.counts),
                   awaited.isEmpty() ? none : awaited, scaledText(line.counts.executed, QString()),
                   timesText(line.counts.sectorsRatio()), timesText(line.counts.wavefrontsRatio()),
                   cut(printableLine(line.text), widestSource)});
    }
    QString text = table.text(terminal, 2);
    if (shown == 0)
        text = QStringLiteral("  no line of the text has a sample\n");
    if (more > 0)
        text += QStringLiteral("  %1 more: --lines 0\n").arg(countText(more, QStringLiteral("line")));
    return text;
}

} // namespace

QString heatText(const Heat &heat, int most, const Terminal &terminal) {
    QString text;
    for (const KernelHeat &kernel : heat.kernels)
        text += headOf(kernel, terminal) + linesText(kernel, most, terminal) + QLatin1Char('\n');
    for (const QString &problem : heat.problems)
        text += inked(terminal, Ink::Unsure, wrapped(printable(problem), terminal.columns, 0)) +
                QLatin1Char('\n');
    return text;
}

QString heatListingText(const Heat &heat, const Terminal &terminal) {
    QString text;
    for (const KernelHeat &kernel : heat.kernels) {
        text += headOf(kernel, terminal);
        CodePlace before;
        for (const HeatInstruction &one : kernel.instructions) {
            const CodePlace &place = one.place.line > 0 ? one.place : one.innermost;
            if (!(place == before) && place.line > 0) {
                const HeatLine *line = heat.lineAt(place.file, place.line);
                const QString source = line == nullptr ? QString() : QStringLiteral("  ") + line->text;
                text +=
                    inked(terminal, Ink::Faint,
                          printableLine(
                              QStringLiteral("  // %1:%2%3").arg(place.file).arg(place.line).arg(source))) +
                    QLatin1Char('\n');
            }
            before = place;
            const double share = kernel.counts.cost > 0 ? one.counts.cost / kernel.counts.cost : 0;
            QString row = QStringLiteral("  %1 %2  %3  %4")
                              .arg(share > 0 ? percentText(share) : QString(), 8)
                              .arg(one.counts.samples > 0 ? numberText(one.counts.samples) : QString(), 9)
                              .arg(one.address, 4, 16, QLatin1Char('0'))
                              .arg(one.text.isEmpty() ? none : one.text);
            if (share >= leastTold)
                row = row.leftJustified(reasonColumn) + QStringLiteral("  ; ") + topText(one.counts);
            if (share >= leastTold && one.awaited >= 0)
                row += QStringLiteral(", for %1")
                           .arg(kernel.instructions[static_cast<std::size_t>(one.awaited)].address, 4, 16,
                                QLatin1Char('0'));
            while (row.endsWith(QLatin1Char(' ')))
                row.chop(1);
            text += printable(row) + QLatin1Char('\n');
        }
        text += QLatin1Char('\n');
    }
    return text;
}

} // namespace warpwright
