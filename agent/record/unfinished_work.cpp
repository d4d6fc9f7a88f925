// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/unfinished_work.h"

#include "agent/review/text_change.h"
#include "toolchain/base/figures.h"

namespace warpwright {
namespace {

constexpr qsizetype mostNamed = 5;

} // namespace

QString changedLinesWords(const CandidateTexts &base, const CandidateTexts &texts) {
    std::map<QString, std::pair<qsizetype, qsizetype>> counts; ///< added, taken away
    for (const LineChange &hunk : textChange(base, texts).hunks) {
        counts[hunk.file].first += static_cast<qsizetype>(hunk.newLines.size());
        counts[hunk.file].second += static_cast<qsizetype>(hunk.oldLines.size());
    }
    QStringList files;
    for (const auto &[file, count] : counts) {
        if (files.size() == mostNamed) {
            files << QStringLiteral("%1 more").arg(
                countText(static_cast<qsizetype>(counts.size()) - mostNamed, QStringLiteral("file")));
            break;
        }
        files << QStringLiteral("%1 (%2 added, %3 taken away)")
                     .arg(file, countText(count.first, QStringLiteral("line")),
                          numberText(static_cast<double>(count.second)));
    }
    return files.join(QStringLiteral(", "));
}

QString unfinishedWords(const QString &agent, const CandidateTexts &base, const CandidateTexts &texts) {
    return QStringLiteral("%1 had changed this, and not proposed it yet: %2. It is kept in the record of the "
                          "run, and its copy begins with it when the run is continued.")
        .arg(agent, changedLinesWords(base, texts));
}

QString takenUpWords(const QString &agent, const CandidateTexts &base, const CandidateTexts &texts) {
    return QStringLiteral("%1 goes on with what it had changed and not proposed: %2.")
        .arg(agent, changedLinesWords(base, texts));
}

QString notTakenUpWords(const QString &agent, const CandidateTexts &base, const CandidateTexts &texts) {
    return QStringLiteral(
               "%1 begins anew: the text has changed since, and what it had changed and not proposed "
               "does not fit it any more: %2.")
        .arg(agent, changedLinesWords(base, texts));
}

Json unfinishedMemory(bool isUnfinished) {
    return Json{{"unfinished", isUnfinished}};
}

std::optional<bool> unfinishedIn(const Json &memory) {
    const auto found = memory.is_object() ? memory.find("unfinished") : memory.end();
    return found != memory.end() && found->is_boolean() ? std::optional(found->get<bool>()) : std::nullopt;
}

std::optional<bool> unfinishedIn(const TrajectoryEvent &event) {
    const auto memory = event.body.find("memory");
    return event.kind == QLatin1String("agent-memory") && memory != event.body.end() ? unfinishedIn(*memory)
                                                                                     : std::nullopt;
}

} // namespace warpwright
