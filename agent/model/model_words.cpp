// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/model/model_words.h"

#include "toolchain/base/figures.h"
#include "toolchain/base/verdict.h"
#include "toolchain/history/best_iteration.h"

#include <QRegularExpression>

namespace warpwright {
namespace {

constexpr qsizetype longestLastWords = 300;
constexpr int ledgerLines = 30;

QString shownLines(const TextLines &lines, const QString &sign) {
    QString text;
    for (const QByteArray &line : lines) {
        QString shown = QString::fromUtf8(line);
        while (shown.endsWith(QLatin1Char('\n')) || shown.endsWith(QLatin1Char('\r')))
            shown.chop(1);
        text += QStringLiteral("\n    %1 %2").arg(sign, shown);
    }
    return text;
}

QString hunkWords(const AnsweredHunk &hunk) {
    QString reason = hunk.reason.trimmed();
    while (reason.endsWith(QLatin1Char('.')))
        reason.chop(1);
    const QString why = reason.isEmpty() ? QString() : QStringLiteral(", because: %1").arg(reason);
    const QString name = QStringLiteral("%1, hunk %2").arg(hunk.file).arg(hunk.hunk);
    switch (hunk.state) {
    case HunkState::Accepted:
        return QStringLiteral("- %1: accepted%2.").arg(name, why);
    case HunkState::Rejected:
        return QStringLiteral("- %1: REJECTED%2. Wanted and not taken:").arg(name, why) +
               shownLines(hunk.oldLines, QStringLiteral("-")) +
               shownLines(hunk.newLines, QStringLiteral("+"));
    case HunkState::Edited:
        return QStringLiteral("- %1: accepted as the person edited it%2. There now:").arg(name, why) +
               shownLines(hunk.standing, QStringLiteral(" "));
    case HunkState::Open:
    case HunkState::Conflict:
        break;
    }
    return QStringLiteral("- %1: not answered.").arg(name);
}

QString outcomeWords(const Feedback &feedback, const AgentRequest &request) {
    switch (feedback.outcome) {
    case Feedback::Outcome::Applied:
        return QStringLiteral("Applied: it is iteration %1, the text that you go on from.")
            .arg(request.iteration);
    case Feedback::Outcome::Rejected:
        return QStringLiteral("Not taken.");
    case Feedback::Outcome::KeptAsBranch:
        return QStringLiteral("Kept beside the text and not taken: it was not faster beyond doubt.");
    case Feedback::Outcome::Undone:
        return QStringLiteral("Tried in the workspace, and taken back.");
    }
    return {};
}

QString factsOf(const EvaluationSummary &summary) {
    QString text = verdictName(summary.verdict);
    if (summary.reward)
        text += QStringLiteral(", reward %1").arg(*summary.reward);
    if (summary.candidate)
        text += QStringLiteral(", %1").arg(
            timeScaleOf(summary.candidate->medianMicroseconds, summary.candidate->lowMicroseconds,
                        summary.candidate->highMicroseconds)
                .withSpread(summary.candidate->medianMicroseconds, summary.candidate->lowMicroseconds,
                            summary.candidate->highMicroseconds));
    if (summary.eager)
        text += QStringLiteral(", %1 over eager")
                    .arg(factorText(summary.eager->value, summary.eager->low, summary.eager->high).both());
    return text;
}

} // namespace

QString noJsonWords(const QString &tool, const QString &problem) {
    return QStringLiteral("%1 was not called: its arguments are no JSON (%2). Send one JSON object.")
        .arg(tool, problem);
}

QString noObjectWords(const QString &tool) {
    return QStringLiteral("%1 was not called: its arguments have to be one JSON object.").arg(tool);
}

QString sameCallWords(const QString &tool, int times) {
    return QStringLiteral(
               "%1 was not called: this is the same call with the same arguments for the %2th time in a "
               "row, and nothing was changed in between. Change something, or answer DONE.")
        .arg(tool)
        .arg(times);
}

QString afterSubmitWords() {
    return QStringLiteral("Not carried out: submit ended the turn. Call it again if it is still wanted.");
}

QString unfinishedCallWords() {
    return QStringLiteral(
        "Not carried out to its end: the run was stopped meanwhile. Call it again if it is still "
        "wanted.");
}

QString noCallQuestion(bool saidNothing) {
    return (saidNothing ? QStringLiteral("Your answer was empty. ")
                        : QStringLiteral("You called no tool. ")) +
           QStringLiteral(
               "Only what you do with tools changes anything. Go on with a call: measure, change "
               "something, or submit what is ready. If nothing more is worth trying, answer with a line "
               "that begins with DONE and says why.");
}

QString cutOffQuestion(qint64 answerTokens) {
    return QStringLiteral(
               "Your answer was cut off at the limit of %1 tokens, before a tool was called. Go on in "
               "smaller steps: change a file by edit instead of writing it whole.")
        .arg(answerTokens);
}

QString summaryQuestion() {
    return QStringLiteral("The context is nearly full. Sum up what you need to go on, in at most 800 words, "
                          "without calling a tool: "
                          "what was tried and what each did to correctness and time (with figures); what the "
                          "best text does; what "
                          "failed and why; what is left to try, the most promising first. The rules, the "
                          "reference and the list of "
                          "iterations stay with you.");
}

QString noSummaryWords() {
    return QStringLiteral("(None: the window was too full for it. What you know is the list below, and what "
                          "your copy holds.)");
}

QString ledgerWords(const AgentRequest &request) {
    QStringList lines;
    for (const IterationRecord &record : request.history) {
        const QString facts = record.latest ? factsOf(*record.latest) : QStringLiteral("not measured");
        lines << QStringLiteral("- iteration %1 (from %2), %3: %4")
                     .arg(record.iteration.number)
                     .arg(record.iteration.parent)
                     .arg(noteOf(record).isEmpty() ? QStringLiteral("no note") : noteOf(record), facts);
    }
    if (lines.size() > ledgerLines) {
        const qsizetype left = lines.size() - ledgerLines;
        lines = lines.mid(left);
        lines.prepend(QStringLiteral("- %1 earlier ones: call history").arg(left));
    }
    if (const BestOf best = bestOf(request.history); best.number > 0)
        lines << QStringLiteral(
                     "The best that passed is iteration %1; the text that you go on from is %2. %3")
                     .arg(QString::number(best.number), QString::number(request.iteration),
                          notToldApartText(best))
                     .trimmed();
    return lines.join(QLatin1Char('\n'));
}

QString summaryWords(const QString &summary, const AgentRequest &request) {
    return QStringLiteral(
               "What came before was cut from this conversation to save room. Your own summary of it:\n\n"
               "%1\n\nThe iterations so far:\n%2\n\nYour copy holds what you had changed. Read a file "
               "again before you change it.")
        .arg(summary.trimmed(), ledgerWords(request));
}

QString feedbackWords(const Feedback &feedback, const AgentRequest &request) {
    QStringList lines{outcomeWords(feedback, request)};
    if (!feedback.why.isEmpty())
        lines << feedback.why;
    if (feedback.ratio)
        lines << QStringLiteral("Time over the text before: %1 (%2 to %3).")
                     .arg(percentText(feedback.ratio->value), percentText(feedback.ratio->low),
                          percentText(feedback.ratio->high));
    const bool isPlain =
        std::all_of(feedback.hunks.begin(), feedback.hunks.end(), [](const AnsweredHunk &hunk) {
            return hunk.state == HunkState::Accepted && hunk.reason.isEmpty();
        });
    if (!isPlain)
        for (const AnsweredHunk &hunk : feedback.hunks)
            lines << hunkWords(hunk);
    if (request.lastEvaluation)
        lines << QStringLiteral("Measured of iteration %1: %2.")
                     .arg(request.iteration)
                     .arg(factsOf(summaryOf(*request.lastEvaluation)));
    lines << QStringLiteral(
                 "Your copy holds iteration %1 again, as it was reviewed. Read a file before you change it.")
                 .arg(request.iteration);
    return lines.join(QLatin1Char('\n'));
}

QString goOnWords(const AgentRequest &request) {
    return QStringLiteral(
               "The run was left and goes on now. The text is iteration %1. The iterations so far:\n%2\n")
        .arg(request.iteration)
        .arg(ledgerWords(request));
}

QString personsWords(const QStringList &messages) {
    QString text;
    for (const QString &message : messages)
        text += QStringLiteral("\nThe person writes: %1\n").arg(message);
    return text;
}

bool saysDone(const QString &text) {
    static const QRegularExpression line(QStringLiteral("^[\\s*_#>`]*DONE\\b"),
                                         QRegularExpression::MultilineOption);
    // Servers without a reader of thoughts leave them in the text.
    static const QRegularExpression thoughts(QStringLiteral("<think>.*?(?:</think>|\\z)"),
                                             QRegularExpression::DotMatchesEverythingOption);
    return line.match(QString(text).remove(thoughts)).hasMatch();
}

QString doneWords(const QString &text) {
    const QString words = text.simplified();
    if (words.isEmpty())
        return QStringLiteral("it said nothing");
    return words.size() > longestLastWords ? QStringLiteral("… ") + words.right(longestLastWords) : words;
}

QString thinkingWords(const QString &model) {
    return QStringLiteral("%1 thinks").arg(model);
}

QString waitingWords(const QString &why, int milliseconds) {
    return milliseconds <= 0
               ? QStringLiteral("%1; tries again now").arg(why)
               : QStringLiteral("%1; tries again in %2").arg(why, durationText(milliseconds / 1000.0));
}

QString callArrivesWords(const QString &tool, qint64 bytes) {
    return QStringLiteral("writes a call of %1: %2").arg(tool, bytesText(static_cast<double>(bytes)));
}

QString refusedWords(const QString &model, const QString &text) {
    return QStringLiteral("%1 would not go on: %2 Say it otherwise in a message, or take another model.")
        .arg(model, text.trimmed().isEmpty() ? QStringLiteral("it gave no reason.") : doneWords(text));
}

QString smallWindowWords(const ModelProfile &profile, qint64 window, qint64 taken, qint64 needed) {
    return QStringLiteral("The window of %1 is too small for this workspace: it has %2 tokens, and %3 are "
                          "needed (rules, task and tools take about %4, the rest is for answers and work). "
                          "Start its server with a larger one and set the same in its profile (wright "
                          "models), or take another model.")
        .arg(profile.name, numberText(static_cast<double>(window)), numberText(static_cast<double>(needed)),
             numberText(static_cast<double>(taken)));
}

QString cutSilentlyWords(const ModelProfile &profile, qint64 sent, qint64 counted) {
    return QStringLiteral("%1 counted %2 tokens where about %3 were sent: its server seems to cut off what "
                          "is over its own window, without a word, and the model does not see the rules any "
                          "more. Give the server a larger window (Ollama: start it with "
                          "OLLAMA_CONTEXT_LENGTH=32768 or more), or set the model's context to what it "
                          "really has.")
        .arg(profile.name, numberText(static_cast<double>(counted)), numberText(static_cast<double>(sent)));
}

QString contextFullWords(const ModelProfile &profile, const QString &problem) {
    return QStringLiteral(
               "The conversation does not fit the window of %1, though all that may go was left out%2. "
               "Its profile says %3 tokens: set what the server really takes (wright models), or take a "
               "model of a larger window.")
        .arg(profile.name, problem.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(problem))
        .arg(profile.contextTokens);
}

qint64 toolTokens(const std::vector<ChatTool> &tools) {
    qsizetype bytes = 0;
    for (const ChatTool &tool : tools)
        bytes += tool.name.size() + tool.description.size() +
                 static_cast<qsizetype>(tool.parameters.dump().size());
    return bytes / 4;
}

} // namespace warpwright
