// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/chat.h"
#include "agent/endpoints/model_profile.h"
#include "agent/interface/agent.h"

#include <QString>
#include <QStringList>

#include <vector>

/// What we say to a model, and of it to people: plain English, in one place.
namespace warpwright {

/// What a model is told while it works.
[[nodiscard]] QString noJsonWords(const QString &tool, const QString &problem);
[[nodiscard]] QString noObjectWords(const QString &tool);
[[nodiscard]] QString sameCallWords(const QString &tool, int times);
[[nodiscard]] QString afterSubmitWords();
[[nodiscard]] QString unfinishedCallWords();
[[nodiscard]] QString noCallQuestion(bool saidNothing);
[[nodiscard]] QString cutOffQuestion(qint64 answerTokens);
[[nodiscard]] QString summaryQuestion();
/// In the place of a summary that the model could not give.
[[nodiscard]] QString noSummaryWords();
/// The summary as it stands in the conversation from then on, with the ledger and the best text of the run.
[[nodiscard]] QString summaryWords(const QString &summary, const AgentRequest &request);
/// What became of its proposal, hunk by hunk, and what its copy holds now.
[[nodiscard]] QString feedbackWords(const Feedback &feedback, const AgentRequest &request);
/// Begins a turn of a run that was left while nothing was open.
[[nodiscard]] QString goOnWords(const AgentRequest &request);
/// «The person writes: …»; empty where nobody wrote.
[[nodiscard]] QString personsWords(const QStringList &messages);
/// Iterations with verdict and time, newest last; the text that is the best so far named.
[[nodiscard]] QString ledgerWords(const AgentRequest &request);

/// A line of its own that begins with DONE: it has nothing more to try.
[[nodiscard]] bool saysDone(const QString &text);
/// The last words of a model, short.
[[nodiscard]] QString doneWords(const QString &text);

/// What people see of what is going on.
[[nodiscard]] QString thinkingWords(const QString &model);
[[nodiscard]] QString waitingWords(const QString &why, int milliseconds);
[[nodiscard]] QString callArrivesWords(const QString &tool, qint64 bytes);
[[nodiscard]] QString refusedWords(const QString &model, const QString &text);
/// `taken`: by rules, task and tools; `needed`: of the whole window, at least.
[[nodiscard]] QString smallWindowWords(const ModelProfile &profile, qint64 window, qint64 taken,
                                       qint64 needed);
/// Of `sent` tokens, about, the endpoint counted so many.
[[nodiscard]] QString cutSilentlyWords(const ModelProfile &profile, qint64 sent, qint64 counted);
[[nodiscard]] QString contextFullWords(const ModelProfile &profile, const QString &problem);

/// So many tokens the list of tools takes in each request.
[[nodiscard]] qint64 toolTokens(const std::vector<ChatTool> &tools);

} // namespace warpwright
