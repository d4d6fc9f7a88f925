// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report/timeline_report.h"

#include "toolchain/base/figures.h"
#include "toolchain/report/text_table.h"
#include "toolchain/timeline/timeline_summary.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace warpwright {
namespace {

using Kind = TimelineEvent::Kind;

constexpr qsizetype longestName = 44;
constexpr std::size_t mostRows = 12;
constexpr int laneLabel = 14;
constexpr std::size_t mostLanes = 8;

QString shortened(const QString &name) {
    return printableLine(name.size() > longestName ? name.left(longestName - 1) + QStringLiteral("…") : name);
}

QString nameOf(const WorkShare &share) {
    TimelineEvent event;
    event.kind = share.kind;
    event.name = share.name;
    return shortNameOf(event);
}

/// How much of each cell of a line is taken, in three steps.
class Lane {
public:
    Lane(int cells, double end) : m_taken(static_cast<std::size_t>(cells), 0), m_cellUs(end / cells) {}

    void add(const TimelineEvent &event) {
        const double last = static_cast<double>(m_taken.size());
        const double from = std::clamp(event.startUs / m_cellUs, 0.0, last);
        const double to = std::clamp(event.endUs() / m_cellUs, from, last);
        for (auto cell = static_cast<std::size_t>(from); cell < m_taken.size(); ++cell) {
            const double left = static_cast<double>(cell);
            if (left >= to && left > from)
                break;
            m_taken[cell] += std::min(to, left + 1) - std::max(from, left);
            m_hasSome = true;
            if (m_taken[cell] <= 0)
                m_taken[cell] = 0.01; // shorter than can be told, but there
        }
    }

    [[nodiscard]] QString text(double endUs) const {
        QString cells;
        for (std::size_t cell = 0; cell < m_taken.size() && static_cast<double>(cell) * m_cellUs < endUs;
             ++cell)
            cells += m_taken[cell] >= 0.75   ? QChar(0x2588) // all of it
                     : m_taken[cell] >= 0.25 ? QChar(0x2592) // some
                     : m_taken[cell] > 0     ? QChar(0x2591)
                                             : QChar(0x00b7);
        return cells;
    }

    [[nodiscard]] bool hasSome() const { return m_hasSome; }

private:
    std::vector<double> m_taken;
    double m_cellUs;
    bool m_hasSome = false;
};

QString lanesText(const TimelineArm &arm, double endUs, int cells) {
    Lane host(cells, endUs);
    std::map<int, Lane> streams;
    Lane regions(cells, endUs);
    for (const TimelineEvent &event : arm.events) {
        if (event.isOnDevice())
            streams.try_emplace(event.stream.value_or(0), cells, endUs).first->second.add(event);
        else if (event.kind == Kind::Region)
            regions.add(event);
        else if (event.kind == Kind::Operator || event.kind == Kind::Launch || event.kind == Kind::Graph)
            host.add(event);
    }
    QString text;
    const auto line = [&](const QString &label, const Lane &lane) {
        text +=
            QStringLiteral("  %1%2\n").arg(label.leftJustified(laneLabel), lane.text(arm.callMicroseconds()));
    };
    if (host.hasSome())
        line(QStringLiteral("host"), host);
    std::size_t shown = 0;
    for (const auto &[stream, lane] : streams)
        if (++shown <= mostLanes)
            line(QStringLiteral("stream %1").arg(stream), lane);
    if (streams.size() > mostLanes)
        text += QStringLiteral("  %1 not drawn\n")
                    .arg(countText(static_cast<qsizetype>(streams.size() - mostLanes),
                                   QStringLiteral("more stream")));
    if (regions.hasSome())
        line(QStringLiteral("regions"), regions);
    return text;
}

QString workTable(const TimelineAnalysis &analysis, const Terminal &terminal) {
    const bool isDevice = analysis.worksBy == Kind::Kernel;
    TextTable table({1, 2, 3, 4, 5});
    QStringList heads{workName(analysis.worksBy), QStringLiteral("count"), QStringLiteral("time"),
                      QStringLiteral("share")};
    if (isDevice)
        heads << QStringLiteral("launch") << QStringLiteral("queued for");
    table.heading(heads);
    for (std::size_t i = 0; i < analysis.work.size() && i < mostRows; ++i) {
        const WorkShare &row = analysis.work[i];
        QStringList cells{shortened(nameOf(row)), numberText(row.count), timeText(row.microseconds),
                          percentText(row.share)};
        if (isDevice)
            cells << (row.launchMicroseconds ? timeText(*row.launchMicroseconds) : QStringLiteral("–"))
                  << (row.queueMicroseconds ? timeText(*row.queueMicroseconds) : QStringLiteral("–"));
        table.row(cells);
    }
    QString text = table.text(terminal, 2);
    if (analysis.work.size() > mostRows)
        text += QStringLiteral("  and %1 more\n").arg(analysis.work.size() - mostRows);
    return text;
}

} // namespace

QString timelineText(const Timeline &timeline, const Terminal &terminal) {
    double endUs = 0;
    for (const TimelineArm &arm : timeline.arms)
        endUs = std::max(endUs, arm.callMicroseconds());
    QString of =
        timeline.iteration > 0 ? QStringLiteral(", iteration %1").arg(timeline.iteration) : QString();
    if (!timeline.device.isEmpty())
        of.prepend(QStringLiteral(" on %1").arg(printableLine(timeline.device)));
    QString text =
        inked(terminal, Ink::Strong, QStringLiteral("Timeline of one call%1").arg(of)) + QLatin1Char('\n');
    text += wrapped(methodOf(timeline), terminal.columns, 0) + QLatin1Char('\n');
    for (const QString &problem : timeline.problems)
        text += wrapped(printableLine(problem), terminal.columns, 0) + QLatin1Char('\n');
    const int cells = std::clamp(terminal.columns - laneLabel - 4, 20, 120);
    for (const TimelineArm &arm : timeline.arms) {
        const TimelineAnalysis analysis = analysed(arm);
        text += QLatin1Char('\n') + inked(terminal, Ink::Strong, printableLine(arm.name));
        if (analysis.callUs > 0)
            text += QStringLiteral("  %1").arg(timeText(analysis.callUs));
        text += QLatin1Char('\n');
        if (endUs > 0)
            text += lanesText(arm, endUs, cells);
        if (!analysis.work.empty())
            text += workTable(analysis, terminal);
        for (const QString &sentence : sentencesOf(arm, analysis))
            text += QStringLiteral("  ") + wrapped(printableLine(sentence), terminal.columns - 2, 2) +
                    QLatin1Char('\n');
    }
    return text;
}

} // namespace warpwright
