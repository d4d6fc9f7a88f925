// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/timeline/timeline_model.h"

#include "profiler_views/value_role.h"
#include "toolchain/base/figures.h"
#include "toolchain/timeline/timeline_summary.h"

#include <algorithm>

namespace warpwright {
namespace {

using Kind = TimelineEvent::Kind;

constexpr const char *heads[] = {"arm",       "what",    "name",   "start",   "duration",
                                 "shortest",  "longest", "stream", "grid",    "block",
                                 "registers", "shared",  "bytes",  "threads", "waited for"};
constexpr const char *csvHeads[] = {"arm",         "what",         "name",   "start_us", "duration_us",
                                    "shortest_us", "longest_us",   "stream", "grid",     "block",
                                    "registers",   "shared_bytes", "bytes",  "threads",  "on_critical_path"};

QString sizesText(const std::array<int, 3> &sizes) {
    return QStringLiteral("%1 × %2 × %3").arg(sizes[0]).arg(sizes[1]).arg(sizes[2]);
}

template <typename Value>
QVariant variantOf(const std::optional<Value> &value) {
    return value ? QVariant(*value) : QVariant();
}

} // namespace

void TimelineModel::setTimeline(const Timeline &timeline, std::optional<double> checkedMicroseconds) {
    beginResetModel();
    m_timeline = timeline;
    m_checkedMicroseconds = checkedMicroseconds;
    m_analyses.clear();
    m_onPath.clear();
    m_lanes.clear();
    m_rows.clear();
    for (std::size_t arm = 0; arm < m_timeline.arms.size(); ++arm) {
        m_analyses.push_back(analysed(m_timeline.arms[arm]));
        std::set<std::size_t> onPath;
        for (const PathStep &step : m_analyses.back().path)
            if (step.event)
                onPath.insert(*step.event);
        m_onPath.push_back(std::move(onPath));
        for (TimelineLane &lane : lanesOf(m_timeline.arms[arm], arm))
            m_lanes.push_back(std::move(lane));
        for (std::size_t event = 0; event < m_timeline.arms[arm].events.size(); ++event)
            m_rows.emplace_back(arm, event);
    }
    endResetModel();
}

bool TimelineModel::isOnPath(std::size_t arm, std::size_t event) const {
    return arm < m_onPath.size() && m_onPath[arm].count(event) > 0;
}

double TimelineModel::endUs() const {
    double end = 0;
    for (const TimelineArm &arm : m_timeline.arms)
        end = std::max(end, arm.callMicroseconds());
    return end;
}

QString TimelineModel::titleOf(std::size_t place) const {
    const TimelineArm &arm = m_timeline.arms[place];
    if (!arm.problem.isEmpty())
        return QStringLiteral("not traced: %1").arg(arm.problem);
    const TimeScale scale = timeScaleOf(arm.callMicroseconds());
    QStringList parts{QStringLiteral("%1 traced").arg(scale.text(arm.callMicroseconds()))};
    if (const auto untraced = arm.untracedMedian())
        parts << QStringLiteral("%1 untraced").arg(scale.text(*untraced));
    const TimelineAnalysis &analysis = m_analyses[place];
    if (!analysis.work.empty())
        parts << QStringLiteral("%1 %2").arg(percentText(analysis.busyShare()),
                                             analysis.worksBy == Kind::Kernel ? QStringLiteral("of it busy")
                                             : analysis.worksBy == Kind::Region
                                                 ? QStringLiteral("of it in parallel regions")
                                                 : QStringLiteral("of it in operators"));
    return parts.join(QStringLiteral(", "));
}

QString TimelineModel::toolTipOf(const TimelineLane &lane, const TimelineSpan &span) const {
    const TimelineArm &arm = m_timeline.arms[lane.arm];
    const TimelineEvent &event = arm.events[span.event];
    if (span.count > 1)
        return QStringLiteral("%1 from %2 to %3\neach is shorter than a pixel: zoom in\nthe first: %4")
            .arg(countText(static_cast<qsizetype>(span.count), QStringLiteral("event")),
                 timeText(span.startUs), timeText(span.endUs), event.name.left(200));
    QStringList lines{event.name.left(400)};
    lines << QStringLiteral("%1 of %2, %3").arg(workName(event.kind), arm.name, lane.label);
    QString time = QStringLiteral("%1 from %2 on").arg(timeText(event.durationUs), timeText(event.startUs));
    if (event.lowUs && event.highUs)
        time += QStringLiteral("; %1 to %2 over %3")
                    .arg(timeText(*event.lowUs), timeText(*event.highUs),
                         countText(static_cast<qsizetype>(arm.calls.size()), QStringLiteral("call")));
    lines << time;
    if (event.grid[0] > 0)
        lines << QStringLiteral("%1 blocks of %2 threads").arg(sizesText(event.grid), sizesText(event.block));
    QStringList uses;
    if (event.registers)
        uses << countText(*event.registers, QStringLiteral("register"));
    if (event.sharedBytes)
        uses << QStringLiteral("%1 shared memory").arg(bytesText(*event.sharedBytes));
    if (event.bytes)
        uses << QStringLiteral("%1, %2").arg(
            scaledText(*event.bytes, QStringLiteral("B")),
            scaledText(event.durationUs > 0 ? *event.bytes / event.durationUs * 1e6 : 0,
                       QStringLiteral("B/s")));
    if (event.threads > 0)
        uses << countText(event.threads, QStringLiteral("thread"))
             << QStringLiteral("%1 of their time at work")
                    .arg(percentText(event.durationUs > 0
                                         ? std::min(1.0, event.busyUs / event.durationUs / event.threads)
                                         : 0))
             << QStringLiteral("the longest %1").arg(timeText(event.longestUs));
    if (!uses.isEmpty())
        lines << uses.join(QStringLiteral(", "));
    if (event.graph != 0)
        lines << QStringLiteral("run by a graph's replay");
    if (isOnPath(lane.arm, span.event))
        lines << QStringLiteral("the end of the call waits for it");
    return lines.join(QLatin1Char('\n'));
}

QString TimelineModel::words() const {
    QStringList lines = m_timeline.problems;
    for (std::size_t place = 0; place < m_timeline.arms.size(); ++place) {
        const TimelineArm &arm = m_timeline.arms[place];
        QStringList sentences = sentencesOf(arm, m_analyses[place]);
        if (arm.name == QLatin1String("candidate"))
            sentences << timesSentence(arm, m_timeline.isOnCpu, m_checkedMicroseconds);
        lines << QStringLiteral("%1: %2").arg(arm.name, sentences.join(QLatin1Char(' ')).trimmed());
    }
    return lines.join(QLatin1String("\n\n"));
}

QString TimelineModel::shortWords() const {
    QStringList lines = m_timeline.problems;
    for (std::size_t arm = 0; arm < m_timeline.arms.size(); ++arm) {
        if (m_timeline.arms[arm].name != QLatin1String("candidate"))
            continue;
        const QStringList sentences = sentencesOf(m_timeline.arms[arm], m_analyses[arm]);
        QStringList kept = sentences.mid(0, 1);
        for (const QString &sentence : sentences)
            if (sentence.startsWith(QLatin1String("The end of the call waits for")))
                kept << sentence.section(QLatin1String("). "), 0, 0, QString::SectionIncludeTrailingSep)
                            .trimmed();
        kept << timesSentence(m_timeline.arms[arm], m_timeline.isOnCpu, m_checkedMicroseconds);
        lines << QStringLiteral("%1: %2").arg(m_timeline.arms[arm].name,
                                              kept.join(QLatin1Char(' ')).trimmed());
    }
    return lines.join(QLatin1Char('\n'));
}

QString TimelineModel::gapWord(std::size_t arm) const {
    const Kind worksBy = m_analyses[arm].worksBy;
    return worksBy == Kind::Kernel   ? QStringLiteral("idle")
           : worksBy == Kind::Region ? QStringLiteral("one thread")
                                     : QStringLiteral("outside");
}

QString TimelineModel::gapText(std::size_t arm, const TimelineGap &gap) const {
    const bool isDevice = m_analyses[arm].worksBy == Kind::Kernel;
    const auto why = [&] {
        switch (gap.cause) {
        case TimelineGap::Cause::First:
            return isDevice ? QStringLiteral("before the first runs") : QStringLiteral("before the first");
        case TimelineGap::Cause::Launch:
            return QStringLiteral("the host had not launched what follows");
        case TimelineGap::Cause::Last:
            return isDevice ? QStringLiteral("until the host saw the end") : QStringLiteral("after the last");
        case TimelineGap::Cause::Between:
            break;
        }
        return isDevice ? QStringLiteral("what follows was queued in time") : QStringLiteral("between two");
    };
    const QString what = isDevice ? QStringLiteral("the device is idle")
                         : m_analyses[arm].worksBy == Kind::Region
                             ? QStringLiteral("outside of parallel regions, in one thread")
                             : QStringLiteral("outside of torch's operators");
    return QStringLiteral("%1 for %2\n%3\nfrom %4 to %5")
        .arg(what, timeText(gap.microseconds()), why(), timeText(gap.startUs), timeText(gap.endUs));
}

QString TimelineModel::summary() const {
    return words() + QLatin1String("\n\n") + methodOf(m_timeline);
}

int TimelineModel::rowCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int TimelineModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant TimelineModel::valueOf(std::size_t arm, std::size_t place, int column) const {
    const TimelineEvent &event = m_timeline.arms[arm].events[place];
    switch (column) {
    case Arm:
        return m_timeline.arms[arm].name;
    case What:
        return workName(event.kind);
    case Name:
        return event.name;
    case Start:
        return event.startUs;
    case Duration:
        return event.durationUs;
    case Low:
        return variantOf(event.lowUs);
    case High:
        return variantOf(event.highUs);
    case Stream:
        return variantOf(event.stream);
    case Grid:
        return event.grid[0] > 0 ? QVariant(sizesText(event.grid)) : QVariant();
    case Block:
        return event.block[0] > 0 ? QVariant(sizesText(event.block)) : QVariant();
    case Registers:
        return variantOf(event.registers);
    case Shared:
        return variantOf(event.sharedBytes);
    case Bytes:
        return variantOf(event.bytes);
    case Threads:
        return event.threads > 0 ? QVariant(event.threads) : QVariant();
    case Path:
        return isOnPath(arm, place);
    default:
        return {};
    }
}

QVariant TimelineModel::data(const QModelIndex &index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const auto [arm, event] = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    const QVariant value = valueOf(arm, event, column);
    if (role == ValueRole)
        return value;
    const bool isTime = column == Start || column == Duration || column == Low || column == High;
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((isTime || column == Registers || column == Shared || column == Bytes
                                     ? Qt::AlignRight
                                     : Qt::AlignLeft) |
                                Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    if (isTime)
        return value.isValid() ? QVariant(timeText(value.toDouble())) : QVariant();
    if (column == Name)
        return shortNameOf(m_timeline.arms[arm].events[event]);
    if (column == Shared)
        return value.isValid() ? QVariant(bytesText(value.toDouble())) : QVariant();
    if (column == Bytes)
        return value.isValid() ? QVariant(scaledText(value.toDouble(), QStringLiteral("B"))) : QVariant();
    if (column == Path)
        return value.toBool() ? QStringLiteral("yes") : QString();
    return value;
}

QVariant TimelineModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::DisplayRole)
        return QString::fromLatin1(heads[section]);
    return role == ValueRole ? QVariant(QString::fromLatin1(csvHeads[section])) : QVariant();
}

} // namespace warpwright
