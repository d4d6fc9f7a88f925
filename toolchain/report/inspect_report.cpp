// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report/inspect_report.h"

#include "toolchain/base/figures.h"
#include "toolchain/base/text_file.h"
#include "toolchain/report/text_table.h"
#include "toolchain/tool_output/kernel_name.h"

#include <QHash>

namespace warpwright {
namespace {

constexpr qsizetype longestName = 44;

QString nameOf(const InspectedKernel &kernel) {
    const QString name = shortKernelName(kernel.resources.name);
    return printable(name.size() > longestName ? name.left(longestName - 1) + QStringLiteral("…") : name);
}

QString mixText(const InspectedKernel &kernel) {
    QStringList parts;
    for (int i = 0; i < opcodeClassCount; ++i)
        if (const int count = kernel.mix->byClass[static_cast<std::size_t>(i)]; count > 0)
            parts << QStringLiteral("%1 %2").arg(numberText(count),
                                                 opcodeClassName(static_cast<OpcodeClass>(i)));
    return QStringLiteral("%1: %2").arg(countText(kernel.mix->total, QStringLiteral("instruction")),
                                        parts.join(QStringLiteral(", ")));
}

QString accessText(const InspectedKernel &kernel) {
    QStringList parts;
    for (const OpcodeMix::Access &one : kernel.mix->accesses)
        parts << QStringLiteral("%1 × %2 %3 bit").arg(one.count).arg(one.base).arg(one.access.widthBits);
    return parts.join(QStringLiteral(", "));
}

/// The lines of the sources that a listing names, each file read once.
class SourceLines {
public:
    explicit SourceLines(QString workspace) : m_workspace(std::move(workspace)) {}

    QString line(const CodePlace &place) {
        auto known = m_files.find(place.file);
        if (known == m_files.end()) {
            const QString path = place.file.startsWith(QLatin1Char('/'))
                                     ? place.file
                                     : m_workspace + QLatin1Char('/') + place.file;
            const auto text = readTextFile(path);
            known = m_files.insert(place.file, text.hasValue()
                                                   ? QString::fromUtf8(text.value()).split(QLatin1Char('\n'))
                                                   : QStringList());
        }
        return known->value(place.line - 1).trimmed();
    }

private:
    QString m_workspace;
    QHash<QString, QStringList> m_files;
};

QString placeText(const CodePlace &place) {
    return QStringLiteral("%1:%2").arg(place.file).arg(place.line);
}

} // namespace

QString resourcesText(const Inspection &inspection, const std::vector<InspectedKernel> &kernels,
                      const Terminal &terminal) {
    TextTable resources({1, 3, 5, 6});
    resources.heading({QStringLiteral("kernel"), QStringLiteral("registers"), QStringLiteral("spills"),
                       QStringLiteral("shared"), QStringLiteral("stack"), QStringLiteral("barriers"),
                       QStringLiteral("launch bound"), QStringLiteral("source")});
    TextTable occupancy({1, 2});
    occupancy.heading({QStringLiteral("kernel"), QStringLiteral("threads"), QStringLiteral("blocks"),
                       QStringLiteral("theoretical occupancy")});
    QString mixes;
    bool hasOccupancy = false;
    for (const InspectedKernel &kernel : kernels) {
        const KernelResources &own = kernel.resources;
        const int spills = own.spillLoadBytes + own.spillStoreBytes;
        resources.row(
            {nameOf(kernel), QString::number(own.registers),
             spills == 0 ? QStringLiteral("none") : bytesText(spills), bytesText(own.staticSharedBytes),
             bytesText(own.stackBytes), QString::number(own.barriers),
             kernel.launchThreads() > 0 ? QString::number(kernel.launchThreads()) : QStringLiteral("none"),
             printable(kernel.source)},
            spills > 0 ? Ink::Unsure : Ink::Plain);
        for (const Occupancy &one : kernel.occupancies) {
            hasOccupancy = true;
            occupancy.row({&one == &kernel.occupancies.front() ? nameOf(kernel) : QString(),
                           QString::number(one.threads), QString::number(one.blocks), occupancyText(one)},
                          one.blocks == 0 ? Ink::Bad : Ink::Plain);
        }
        if (kernel.mix)
            mixes += QStringLiteral("  %1\n    %2\n    %3\n")
                         .arg(inked(terminal, Ink::Strong, nameOf(kernel)),
                              wrapped(mixText(kernel), terminal.columns - 4, 4),
                              wrapped(accessText(kernel), terminal.columns - 4, 4));
    }
    QString text =
        QStringLiteral("resources for %1, nvcc %2\n").arg(inspection.architecture, inspection.nvcc) +
        resources.text(terminal, 2);
    text += hasOccupancy ? QLatin1Char('\n') + occupancy.text(terminal, 2)
                         : QStringLiteral("\n  occupancy: the limits of an SM of %1 are not known\n")
                               .arg(inspection.architecture);
    if (!mixes.isEmpty())
        text += QStringLiteral("\ninstructions as they stand, not as often as they run\n") + mixes;
    return text;
}

QString changesText(int iteration, const std::vector<InspectedKernel> &before,
                    const std::vector<InspectedKernel> &after, const Terminal &terminal) {
    TextTable table;
    table.heading({QStringLiteral("kernel"), QStringLiteral("registers"), QStringLiteral("spills"),
                   QStringLiteral("shared"), QStringLiteral("instructions")});
    QString listings;
    for (const ComparedKernel &one : compareKernels(before, after)) {
        const InspectedKernel *old = one.before < 0 ? nullptr : &before[static_cast<std::size_t>(one.before)];
        const InspectedKernel *now = one.after < 0 ? nullptr : &after[static_cast<std::size_t>(one.after)];
        const QString name = nameOf(now != nullptr ? *now : *old);
        if (old == nullptr || now == nullptr) {
            table.row({name, old == nullptr ? QStringLiteral("new") : QStringLiteral("gone")});
            continue;
        }
        const auto pair = [](const QString &left, const QString &right) {
            return left == right ? left : QStringLiteral("%1 -> %2").arg(left, right);
        };
        const auto spills = [](const InspectedKernel &kernel) {
            return bytesText(kernel.resources.spillLoadBytes + kernel.resources.spillStoreBytes);
        };
        const auto instructions = [](const InspectedKernel &kernel) {
            return kernel.mix ? numberText(kernel.mix->total) : QString();
        };
        table.row(
            {name, pair(QString::number(old->resources.registers), QString::number(now->resources.registers)),
             pair(spills(*old), spills(*now)),
             pair(bytesText(old->resources.staticSharedBytes), bytesText(now->resources.staticSharedBytes)),
             pair(instructions(*old), instructions(*now))});
        const auto line = [](const InspectedKernel &kernel, int index) {
            const CodeLine &code = kernel.sass->lines[static_cast<std::size_t>(index)];
            return QStringLiteral("%1  %2")
                .arg(code.address, 4, 16, QLatin1Char('0'))
                .arg(instructionText(code));
        };
        QString rows;
        for (const ComparedCode &row : one.rows) {
            if (row.kind == ComparedCode::Kind::Same)
                continue;
            if (row.left >= 0)
                rows +=
                    inked(terminal, Ink::Bad, printable(QStringLiteral("    - ") + line(*old, row.left))) +
                    QLatin1Char('\n');
            if (row.right >= 0)
                rows +=
                    inked(terminal, Ink::Good, printable(QStringLiteral("    + ") + line(*now, row.right))) +
                    QLatin1Char('\n');
        }
        if (!rows.isEmpty())
            listings +=
                QStringLiteral("\n  %1: %2 the same\n")
                    .arg(inked(terminal, Ink::Strong, name),
                         countText(one.count(ComparedCode::Kind::Same), QStringLiteral("instruction"))) +
                rows;
    }
    return QStringLiteral("since iteration %1\n").arg(iteration) + table.text(terminal, 2) + listings;
}

QString listingText(const KernelCode &code, const QString &title, const QString &workspace,
                    const Terminal &terminal) {
    QString text = inked(terminal, Ink::Strong, printable(title)) + QLatin1Char('\n');
    SourceLines sources(workspace);
    int chainBefore = -2;
    for (const CodeLine &line : code.lines) {
        if (line.kind == CodeLine::Kind::Label) {
            text += QStringLiteral("  %1:\n").arg(printable(line.opcode));
            continue;
        }
        if (const PlaceChain *chain = code.chainOf(line); chain != nullptr && line.chain != chainBefore) {
            QStringList places;
            for (const CodePlace &place : *chain)
                places << placeText(place);
            text += inked(terminal, Ink::Faint,
                          QStringLiteral("  // %1  %2")
                              .arg(printable(places.join(QStringLiteral(" <- "))),
                                   printable(sources.line(chain->front())))) +
                    QLatin1Char('\n');
        }
        chainBefore = line.chain;
        const QString address =
            line.address < 0 ? QString() : QStringLiteral("%1  ").arg(line.address, 4, 16, QLatin1Char('0'));
        QString row =
            QStringLiteral("      %1%2%3 %4")
                .arg(address, line.predicate.leftJustified(6), line.opcode.leftJustified(20), line.operands);
        while (row.endsWith(QLatin1Char(' ')))
            row.chop(1);
        text += printable(row) + QLatin1Char('\n');
    }
    return text;
}

} // namespace warpwright
