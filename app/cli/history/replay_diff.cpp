// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/history/replay_diff.h"

#include "agent/review/text_change.h"
#include "toolchain/base/figures.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int linesAround = 3;

/// A hunk as it is recorded.
struct RecordedHunk {
    QString id;
    LineChange lines;
};

const Json &listIn(const Json &body, const char *name) {
    static const Json none = Json::array();
    const auto found = body.find(name);
    return found != body.end() && found->is_array() ? *found : none;
}

std::vector<RecordedHunk> hunksOf(const Json &body) {
    std::vector<RecordedHunk> hunks;
    for (const Json &entry : listIn(body, "hunks"))
        if (Result<LineChange> lines = lineChangeFromJson(entry); lines.hasValue())
            hunks.push_back({stringIn(entry, "id"), std::move(lines).value()});
    return hunks;
}

QString outcomeWords(const ScenedProposal &proposal) {
    switch (proposal.outcome) {
    case ScenedProposal::Outcome::Applied:
        return QStringLiteral("applied");
    case ScenedProposal::Outcome::KeptAsBranch:
        return QStringLiteral("kept as a branch");
    case ScenedProposal::Outcome::Discarded:
        return QStringLiteral("left out");
    case ScenedProposal::Outcome::Open:
        break;
    }
    return proposal.answers.areAllRejected() ? QStringLiteral("rejected") : QStringLiteral("not decided");
}

QString lineText(QLatin1Char sign, const QByteArray &line, Ink ink, const Terminal &terminal) {
    QString words = QString::fromUtf8(line);
    const bool isWhole = words.endsWith(QLatin1Char('\n'));
    while (words.endsWith(QLatin1Char('\n')) || words.endsWith(QLatin1Char('\r')))
        words.chop(1);
    return inked(terminal, ink, sign + printable(words)) + QLatin1Char('\n') +
           (isWhole ? QString() : QStringLiteral("\\ No newline at end of file\n"));
}

/// «hunk 2, kernels/a.cpp: rejected by person: why; alone −4.1 ± 0.6 µs»
QString headText(const ScenedProposal &proposal, const QString &id, const QString &what,
                 const Terminal &terminal) {
    QString head = QStringLiteral("hunk %1, %2: %3").arg(id, what, proposal.answerWords(id));
    if (const QString reason = proposal.answerReason(id); !reason.isEmpty())
        head += QStringLiteral(": ") + reason.simplified();
    const auto found = proposal.evidences.find(id.toInt());
    if (found != proposal.evidences.end() && found->second.alone && found->second.alone->difference &&
        found->second.alone->after.candidate) {
        const TimeRatio &difference = *found->second.alone->difference;
        head +=
            QStringLiteral("; alone ") + timeScaleOf(found->second.alone->after.candidate->medianMicroseconds)
                                             .difference(difference.value, difference.low, difference.high);
    }
    return inked(terminal, Ink::Strong, printable(head)) + QLatin1Char('\n');
}

/// What the person wrote in the place of a hunk's lines.
QString insteadText(const ScenedProposal &proposal, const QString &id, const Terminal &terminal) {
    const auto given = proposal.answers.given().find(id);
    if (given == proposal.answers.given().end() ||
        (!given->second.isOfConflict && given->second.answer != QLatin1String("edit")))
        return {};
    QString text = QStringLiteral("in place of hunk %1 was written:\n").arg(printable(id));
    for (const QByteArray &line : given->second.newLines)
        text += lineText(QLatin1Char('>'), line, Ink::Unsure, terminal);
    return text;
}

/// Where a side of a part begins, as diff counts: from 1, and the line before where it has none.
int placeOf(int start, int count) {
    return count == 0 ? start : start + 1;
}

/// The hunks of one file, none of whose surroundings meet.
QString fileText(const ScenedProposal &proposal, const TextLines &base,
                 const std::vector<RecordedHunk> &hunks, const Terminal &terminal) {
    const LineChange &first = hunks.front().lines;
    QString text =
        QStringLiteral("--- %1\n+++ %2\n")
            .arg(first.hadFile ? QLatin1String("a/") + printable(first.file) : QStringLiteral("/dev/null"),
                 first.hasFile ? QLatin1String("b/") + printable(first.file) : QStringLiteral("/dev/null"));
    int shift = 0; // of what stands above in the new text
    int until = 0; // of the base, so far
    for (std::size_t i = 0; i < hunks.size(); ++i) {
        const LineChange &lines = hunks[i].lines;
        const int start = lines.oldStart;
        const int end = start + static_cast<int>(lines.oldLines.size());
        const int lineCount = static_cast<int>(base.size());
        // Alike above and below: a program that reads diffs takes a shorter side for an end of the file.
        int around = linesAround;
        if (i > 0)
            around = std::min(around, (start - until) / 2);
        if (i + 1 < hunks.size())
            around = std::min(around, (hunks[i + 1].lines.oldStart - end) / 2);
        if (lineCount < end)
            around = 0; // the text that it was made for is not recorded
        const int before = std::clamp(around, 0, start);
        const int after = std::clamp(around, 0, std::max(0, lineCount - end));
        const int oldCount = end - start + before + after;
        const int newCount = static_cast<int>(lines.newLines.size()) + before + after;
        text += inked(terminal, Ink::Faint,
                      QStringLiteral("@@ -%1,%2 +%3,%4 @@ ")
                          .arg(placeOf(start - before, oldCount))
                          .arg(oldCount)
                          .arg(placeOf(start - before + shift, newCount))
                          .arg(newCount)) +
                headText(proposal, hunks[i].id, lines.file, terminal);
        const auto unchanged = [&](int from, int to) {
            for (int line = from; line < to; ++line)
                text +=
                    lineText(QLatin1Char(' '), base[static_cast<std::size_t>(line)], Ink::Plain, terminal);
        };
        unchanged(start - before, start);
        for (const QByteArray &line : lines.oldLines)
            text += lineText(QLatin1Char('-'), line, Ink::Bad, terminal);
        for (const QByteArray &line : lines.newLines)
            text += lineText(QLatin1Char('+'), line, Ink::Good, terminal);
        unchanged(end, end + after);
        shift += static_cast<int>(lines.newLines.size()) - static_cast<int>(lines.oldLines.size());
        until = end;
    }
    // Behind all of the file's hunks, so that a program which reads diffs finds each of them.
    for (const RecordedHunk &hunk : hunks)
        text += insteadText(proposal, hunk.id, terminal);
    return text;
}

} // namespace

Result<std::vector<ScenedProposal>> proposalsOf(const QString &trajectory, qint64 untilEvent) {
    using Answer = Result<std::vector<ScenedProposal>>;
    Result<RunScenes> opened = RunScenes::open(trajectory, historyBeside(trajectory));
    if (!opened.hasValue())
        return Answer::error(opened.message());
    RunScenes scenes = std::move(opened).value();
    std::vector<ScenedProposal> proposals;
    while (untilEvent == 0 || scenes.now().number < untilEvent) {
        const Result<bool> step = scenes.next();
        if (!step.hasValue())
            return Answer::error(step.message());
        if (!step.value())
            break;
        const std::optional<ScenedProposal> &now = scenes.now().proposal;
        if (!now)
            continue;
        if (scenes.now().event.kind == QLatin1String("proposal"))
            proposals.push_back(*now);
        else
            proposals.back() = *now;
    }
    return Answer::ok(std::move(proposals));
}

QString diffText(const ScenedProposal &proposal, const Terminal &terminal) {
    const Json &body = proposal.event.body;
    QString text =
        QLatin1Char('\n') +
        inked(terminal, Ink::Strong,
              printable(QStringLiteral("%1: %2, %3")
                            .arg(proposal.id, proposal.event.text("title"), outcomeWords(proposal)))) +
        QLatin1Char('\n');
    if (const QString reason = proposal.event.text("reason"); !reason.isEmpty())
        text += wrapped(printable(reason), terminal.columns, 0) + QLatin1Char('\n');
    QHash<QString, QString> nameBefore;
    for (const Json &rename : listIn(body, "renames")) {
        const QString from = stringIn(rename, "from");
        const QString to = stringIn(rename, "to");
        nameBefore.insert(to, from);
        text += headText(proposal, stringIn(rename, "id"), QStringLiteral("rename %1 to %2").arg(from, to),
                         terminal);
    }
    std::vector<RecordedHunk> ofFile;
    const auto tell = [&] {
        if (ofFile.empty())
            return;
        const QString file = ofFile.front().lines.file;
        const auto base = proposal.base.find(nameBefore.value(file, file));
        text += fileText(proposal, base == proposal.base.end() ? TextLines() : linesOf(base->second), ofFile,
                         terminal);
        ofFile.clear();
    };
    for (const RecordedHunk &hunk : hunksOf(body)) {
        if (!ofFile.empty() && ofFile.front().lines.file != hunk.lines.file)
            tell();
        ofFile.push_back(hunk);
    }
    tell();
    return text;
}

OrderedJson answersToJson(const ScenedProposal &proposal) {
    OrderedJson hunks = OrderedJson::array();
    for (const char *list : {"renames", "hunks"})
        for (const Json &entry : listIn(proposal.event.body, list)) {
            const QString id = stringIn(entry, "id");
            hunks.push_back(OrderedJson{{"id", toJson(id)},
                                        {"file", toJson(stringIn(entry, list[0] == 'r' ? "from" : "file"))},
                                        {"answer", toJson(proposal.answerWords(id))},
                                        {"reason", toJson(proposal.answerReason(id))}});
        }
    return OrderedJson{{"proposal", toJson(proposal.id)},
                       {"title", toJson(proposal.event.text("title"))},
                       {"outcome", toJson(outcomeWords(proposal))},
                       {"hunks", std::move(hunks)}};
}

} // namespace warpwright
