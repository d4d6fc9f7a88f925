// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/hunk_answers.h"

#include "agent/review/text_change.h"

#include <algorithm>

namespace warpwright {
namespace {

TextLines newLinesIn(const Json &body) {
    const auto lines = body.find("newLines");
    Result<TextLines> read = lines == body.end() ? Result<TextLines>::ok({}) : linesFromJson(*lines);
    return read.hasValue() ? std::move(read).value() : TextLines();
}

} // namespace

HunkAnswers::HunkAnswers(const Json &proposal) {
    // A renaming is answered as a hunk is.
    for (const char *list : {"hunks", "renames"})
        if (const auto hunks = proposal.find(list); hunks != proposal.end() && hunks->is_array())
            for (const Json &hunk : *hunks)
                m_hunks.push_back(stringIn(hunk, "id"));
}

void HunkAnswers::take(const QString &kind, const Json &body) {
    const QString hunk = stringIn(body, "hunk");
    if (kind == QLatin1String("decision")) {
        // What is none of ours is no answer, least of all one for all that are open.
        static const QStringList answers{QStringLiteral("accept"), QStringLiteral("reject"),
                                         QStringLiteral("edit")};
        if (!answers.contains(stringIn(body, "answer")) || (hunk.isEmpty() && body.contains("hunk")))
            return;
        const Given given{stringIn(body, "answer"), stringIn(body, "by"), stringIn(body, "reason"),
                          newLinesIn(body), false};
        if (!hunk.isEmpty())
            m_given[hunk] = given;
        else
            for (const QString &open : m_hunks)
                if (m_conflicts.count(open) == 0)
                    m_given.emplace(open, given);
    } else if (kind == QLatin1String("conflict")) {
        m_conflicts.insert(hunk);
        m_given.erase(hunk);
    } else if (kind == QLatin1String("conflict-resolved")) {
        const QString side = stringIn(body, "resolution");
        m_conflicts.erase(hunk);
        m_given[hunk] = {side == QLatin1String("mine")     ? QStringLiteral("reject")
                         : side == QLatin1String("theirs") ? QStringLiteral("accept")
                                                           : QStringLiteral("edit"),
                         QStringLiteral("person"),
                         {},
                         newLinesIn(body),
                         true};
    } else if (kind == QLatin1String("decision-undone")) {
        if (auto taken = m_given.extract(hunk); !taken.empty())
            m_takenBack[hunk] = std::move(taken.mapped());
    } else if (kind == QLatin1String("decision-redone")) {
        if (auto again = m_takenBack.extract(hunk); !again.empty())
            m_given[hunk] = std::move(again.mapped());
    }
}

bool HunkAnswers::areAllRejected() const {
    return !m_hunks.empty() && std::all_of(m_hunks.begin(), m_hunks.end(), [this](const QString &hunk) {
        const auto found = m_given.find(hunk);
        return found != m_given.end() && found->second.answer == QLatin1String("reject");
    });
}

} // namespace warpwright
