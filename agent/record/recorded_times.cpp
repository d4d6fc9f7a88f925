// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/recorded_times.h"

#include "toolchain/base/figures.h"
#include "toolchain/evaluation/evaluation_store.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <functional>

namespace warpwright {
namespace {

// Both were written from the same numbers, with as many digits as a number has.
bool isSame(double one, double other) {
    return std::abs(one - other) <= 1e-9 * std::max(std::abs(one), std::abs(other));
}

using Words = std::function<QString(double)>;

/// «the record says 2.174 µs, the stored evaluation 12.17 µs»: so many digits that they differ.
QString saidOtherwise(const QString &recorded, const QString &stored) {
    return QStringLiteral("the record says %1, the stored evaluation %2").arg(recorded, stored);
}

void compare(const char *what, const std::optional<double> &recorded, const std::optional<double> &stored,
             const Words &words, QStringList &differences) {
    if (recorded.has_value() == stored.has_value() && (!recorded || isSame(*recorded, *stored)))
        return;
    QString one = recorded ? words(*recorded) : QStringLiteral("nothing");
    QString other = stored ? words(*stored) : QStringLiteral("nothing");
    if (one == other) {
        one = QString::number(*recorded, 'g', 12);
        other = QString::number(*stored, 'g', 12);
    }
    differences << QStringLiteral("%1: %2").arg(QLatin1String(what), saidOtherwise(one, other));
}

template <typename Part>
std::optional<double> valueOf(const std::optional<Part> &part, double Part::*value) {
    return part ? std::optional((*part).*value) : std::nullopt;
}

// A verdict may be kept from the text before: then the one that was measured is what the document says.
Verdict measuredVerdict(const EvaluationSummary &summary) {
    return summary.unexercised ? summary.unexercised->measuredVerdict : summary.verdict;
}

QStringList differencesOf(const EvaluationSummary &recorded, const EvaluationSummary &stored) {
    QStringList differences;
    if (measuredVerdict(recorded) != measuredVerdict(stored))
        differences << QStringLiteral("verdict: %1")
                           .arg(saidOtherwise(verdictName(measuredVerdict(recorded)),
                                              verdictName(measuredVerdict(stored))));
    if (!recorded.unexercised && !stored.unexercised && recorded.reward != stored.reward) {
        const auto words = [](const std::optional<int> &reward) {
            return reward ? QString::number(*reward) : QStringLiteral("nothing");
        };
        differences
            << QStringLiteral("reward: %1").arg(saidOtherwise(words(recorded.reward), words(stored.reward)));
    }
    const Words time = [](double microseconds) {
        return timeText(microseconds);
    };
    const Words factor = [](double value) {
        return factorText(value);
    };
    for (const auto &[what, value] : {std::pair{"time", &ArmTiming::medianMicroseconds},
                                      std::pair{"lower end of the time", &ArmTiming::lowMicroseconds},
                                      std::pair{"upper end of the time", &ArmTiming::highMicroseconds}})
        compare(what, valueOf(recorded.candidate, value), valueOf(stored.candidate, value), time,
                differences);
    for (const auto &[what, value] : {std::pair{"speed-up over eager", &SpeedUp::value},
                                      std::pair{"lower end of the speed-up", &SpeedUp::low},
                                      std::pair{"upper end of the speed-up", &SpeedUp::high}})
        compare(what, valueOf(recorded.eager, value), valueOf(stored.eager, value), factor, differences);
    return differences;
}

} // namespace

RecordedTimes::RecordedTimes(const QString &trajectory) {
    const QString beside = QFileInfo(trajectory).absolutePath();
    for (const QString &state : {beside, QDir::cleanPath(beside + QStringLiteral("/../.."))})
        if (QFileInfo(state + QStringLiteral("/evaluations")).isDir())
            m_states << state;
}

const RecordedTimes::Stored &RecordedTimes::stored(const QString &id) {
    const auto known = m_read.constFind(id);
    if (known != m_read.constEnd())
        return *known;
    Stored found;
    for (const QString &state : m_states) {
        const EvaluationStore store(state);
        if (!QFileInfo::exists(store.pathOf(id)))
            continue;
        const Result<Evaluation> loaded = store.load(id);
        if (loaded.hasValue())
            found.summary = summaryOf(loaded.value());
        else
            found.why = loaded.message();
        break;
    }
    return *m_read.insert(id, found);
}

void RecordedTimes::take(const TrajectoryEvent &event) {
    if (event.kind != QLatin1String("evaluation") || !event.body.contains("summary"))
        return;
    const std::optional<EvaluationSummary> recorded = summaryFromJson(event.body["summary"]);
    if (!recorded)
        return;
    ++m_told;
    const QString id = event.text("evaluation").isEmpty() ? recorded->id : event.text("evaluation");
    // A name of ours has no folders in it.
    if (id.isEmpty() || id.contains(QLatin1Char('/')))
        return;
    const Stored &kept = stored(id);
    if (!kept.why.isEmpty()) {
        m_mismatches.push_back(
            {event.number, QStringLiteral("Event %1: its evaluation is stored, and cannot be read: %2")
                               .arg(QString::number(event.number), kept.why)});
        return;
    }
    if (!kept.summary)
        return;
    ++m_checked;
    if (const QStringList differences = differencesOf(*recorded, *kept.summary); !differences.isEmpty())
        m_mismatches.push_back({event.number, QStringLiteral("Event %1, evaluation %2: %3.")
                                                  .arg(QString::number(event.number), id,
                                                       differences.join(QStringLiteral("; ")))});
}

QString RecordedTimes::words() const {
    if (m_told == 0)
        return {};
    const QString all = countText(m_told, QStringLiteral("evaluation"));
    if (!m_mismatches.empty())
        return QStringLiteral("times: NOT as stored, %1 of %2 differ")
            .arg(QString::number(m_mismatches.size()), all);
    if (m_checked == 0)
        return QStringLiteral("times: not checked, no evaluation stored");
    if (m_checked < m_told)
        return QStringLiteral("times: as stored, %1 of %2; the others are not stored here")
            .arg(QString::number(m_checked), all);
    return QStringLiteral("times: as stored, %1").arg(all);
}

} // namespace warpwright
