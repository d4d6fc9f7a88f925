// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/event_summary.h"

#include "agent/interface/prediction.h"
#include "agent/review/hunk_groups.h"
#include "toolchain/base/figures.h"
#include "toolchain/evaluation/unexercised.h"
#include "toolchain/history/iteration_words.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>

#include <cmath>
#include <functional>

namespace warpwright {
namespace {

using Event = TrajectoryEvent;

constexpr qsizetype longestSummary = 160;

QString oneLine(const QString &text) {
    QString line = text.section(QLatin1Char('\n'), 0, 0).simplified();
    if (line.isEmpty())
        line = text.simplified();
    return line.size() > longestSummary ? line.left(longestSummary - 1) + QStringLiteral("…") : line;
}

/// «what: why», or «what» alone.
QString because(const QString &what, const QString &why) {
    return why.isEmpty() ? what : QStringLiteral("%1: %2").arg(what, why);
}

/// What an agent says is Markdown: in one line without its signs.
QString inPlainWords(QString text) {
    static const QRegularExpression strong(QStringLiteral("\\*\\*(?=\\S)([^*\n]+)(?<=\\S)\\*\\*"));
    static const QRegularExpression code(QStringLiteral("`([^`\n]+)`"));
    static const QRegularExpression heading(QStringLiteral("^#{1,6} +"), QRegularExpression::MultilineOption);
    return text.replace(strong, QStringLiteral("\\1"))
        .replace(code, QStringLiteral("\\1"))
        .replace(heading, QString());
}

const Json &part(const Event &event, const char *field) {
    static const Json nothing;
    const auto found = event.body.find(field);
    return found == event.body.end() ? nothing : *found;
}

double numberOf(const Event &event, const char *field) {
    const Json &value = part(event, field);
    return value.is_number() ? value.get<double>() : 0;
}

/// "3", "1.5": as it was said.
QString limitText(double limit) {
    return numberText(limit, limit == std::floor(limit) ? 0 : 2);
}

QString countOf(const Event &event, const char *field, const char *singular) {
    const Json &list = part(event, field);
    return countText(list.is_array() ? static_cast<qsizetype>(list.size()) : 0, QLatin1String(singular));
}

QString filesOf(const Event &event) {
    QStringList files;
    for (const Json &hunk : part(event, "hunks"))
        if (const QString file = stringIn(hunk, "file"); !file.isEmpty() && !files.contains(file))
            files << file;
    return files.size() > 3 ? QStringLiteral("%1 files").arg(files.size()) : files.join(QStringLiteral(", "));
}

QString expected(const Event &event) {
    const Prediction prediction = predictionFromJson(part(event, "prediction"));
    return prediction.timeRatio ? promisedWords(prediction) : prediction.words;
}

/// «p7» or «p7, hunk h2»
QString subjectOf(const Event &event) {
    const QString hunk = event.text("hunk");
    return hunk.isEmpty() ? event.text("proposal")
                          : QStringLiteral("%1, hunk %2").arg(event.text("proposal"), hunk);
}

QString proposalText(const Event &event) {
    QStringList facts{countOf(event, "hunks", "hunk")};
    if (const QString hope = expected(event); !hope.isEmpty())
        facts << QStringLiteral("expects ") + hope;
    return QStringLiteral("%1: %2 (%3)")
        .arg(event.text("proposal"), event.text("title"), facts.join(QStringLiteral(", ")));
}

QString evaluationText(const Event &event) {
    const QString of = event.text("of");
    QString subject = of == QLatin1String("iteration")
                          ? QStringLiteral("iteration %1").arg(event.integer("iteration"))
                          : subjectOf(event);
    if (of == QLatin1String("without-hunk"))
        subject = QStringLiteral("%1 without hunk %2").arg(event.text("proposal"), event.text("hunk"));
    const std::optional<EvaluationSummary> summary = summaryFromJson(part(event, "summary"));
    if (!summary)
        return QStringLiteral("%1 was evaluated").arg(subject);
    QString text = QStringLiteral("%1: %2").arg(subject, verdictName(summary->verdict));
    const std::optional<SpeedUp> &speedUp = listedSpeedUp(*summary);
    if (summary->unexercised)
        return text + QStringLiteral(", ") + unexercisedSentence(summary->unexercised);
    if (summary->verdict == Verdict::Pass && speedUp)
        text += QStringLiteral(", %1 over %2")
                    .arg(factorText(speedUp->value, speedUp->low, speedUp->high).both(), speedUp->arm);
    return text;
}

QString iterationText(const Event &event) {
    const qint64 parent = event.integer("parent");
    return because(parent > 0
                       ? QStringLiteral("iteration %1 from %2").arg(event.integer("number")).arg(parent)
                       : QStringLiteral("iteration %1").arg(event.integer("number")),
                   event.text("note"));
}

QString usageText(const Event &event) {
    QString text =
        QStringLiteral("%1 tokens in, %2 out")
            .arg(numberText(numberOf(event, "tokensIn")), numberText(numberOf(event, "tokensOut")));
    // Without prices it says nothing.
    if (part(event, "cost").is_number() && !event.text("currency").isEmpty())
        text += QStringLiteral(", %1 %2").arg(numberText(numberOf(event, "cost"), 4), event.text("currency"));
    return text;
}

QString planText(const Event &event) {
    int done = 0;
    for (const Json &item : part(event, "items"))
        done += stringIn(item, "state") == QLatin1String("done") ? 1 : 0;
    return QStringLiteral("plan: %1, %2 done").arg(countOf(event, "items", "item")).arg(done);
}

QString toolText(const Event &event) {
    return QStringLiteral("%1 %2, %3")
        .arg(event.text("name"), event.text("outcome"), durationText(numberOf(event, "seconds")));
}

/// What an agent keeps for itself, so that it can go on elsewhere.
QString rememberedText(const Json &memory) {
    const auto said = memory.is_object() ? memory.find("said") : memory.end();
    if (memory.is_object() && said == memory.end() && memory.contains("session"))
        return QStringLiteral("the agent keeps its session");
    if (!memory.is_object() || said == memory.end())
        return QStringLiteral("the agent keeps its copy of the text");
    const auto message = said->find("message");
    const QString role = message == said->end() ? QString() : stringIn(*message, "role");
    return role == QLatin1String("system")   ? QStringLiteral("the agent keeps its instructions")
           : role == QLatin1String("person") ? QStringLiteral("the agent keeps what it was told")
           : role == QLatin1String("model")  ? QStringLiteral("the agent keeps its own turn")
                                             : QStringLiteral("the agent keeps what the tools answered");
}

using Teller = std::function<QString(const Event &)>;

Teller telling(const char *what) {
    return [what](const Event &event) {
        return because(QLatin1String(what), event.text("why"));
    };
}

const QHash<QString, Teller> &tellers() {
    const auto asked = [](const Event &event) {
        return QStringLiteral("asked: %1").arg(event.text("question"));
    };
    const auto decided = [](const Event &event) {
        return because(
            QStringLiteral("%1 by %2: %3").arg(subjectOf(event), event.text("by"), event.text("answer")),
            event.text("reason"));
    };
    static const QHash<QString, Teller> all{
        {"run-began",
         [](const Event &event) {
             return QStringLiteral("run of %1 began, mode %2")
                 .arg(stringIn(part(event, "agent"), "name", stringIn(part(event, "agent"), "kind")),
                      event.text("mode"));
         }},
        {"run-continued",
         [](const Event &event) {
             const QString by = stringIn(part(event, "agent"), "name");
             return by.isEmpty()
                        ? QStringLiteral("run opened again")
                        : QStringLiteral("run opened again, with %1 in the place of the agent before")
                              .arg(by);
         }},
        {"mode-changed",
         [](const Event &event) {
             return QStringLiteral("mode %1 instead of %2").arg(event.text("to"), event.text("from"));
         }},
        {"message",
         [](const Event &event) {
             const QString author = event.text("author");
             return because(author.isEmpty() ? event.text("role") : author, inPlainWords(event.text("text")));
         }},
        {"messages-waiting",
         [](const Event &event) {
             return QStringLiteral("%1 to the agent waiting").arg(countOf(event, "texts", "message"));
         }},
        {"agent-memory",
         [](const Event &event) {
             return rememberedText(part(event, "memory"));
         }},
        {"plan", planText},
        {"tool-call",
         [](const Event &event) {
             return because(toolText(event), event.text("outcome") == QLatin1String("ok")
                                                 ? QString()
                                                 : oneLine(event.text("result")));
         }},
        {"prompt", asked},
        {"prompt-answered",
         [](const Event &event) {
             return QStringLiteral("answered by %1: %2").arg(event.text("by"), event.text("answer"));
         }},
        {"prompt-removed", telling("question taken back")},
        {"proposal", proposalText},
        {"bet",
         [](const Event &event) {
             const QString bet = expected(event);
             return bet.isEmpty() ? QStringLiteral("%1 takes the bet on %2 back")
                                        .arg(event.text("by"), event.text("proposal"))
                                  : QStringLiteral("%1 bets on %2: %3")
                                        .arg(event.text("by"), event.text("proposal"), bet);
         }},
        {"result-hidden",
         [](const Event &event) {
             return event.text("proposal") + QStringLiteral(": its result is hidden until a bet is placed");
         }},
        {"result-shown",
         [](const Event &event) {
             return because(event.text("proposal") + QStringLiteral(": its result is shown"),
                            event.text("why"));
         }},
        {"decision", decided},
        {"decision-undone",
         [](const Event &event) {
             return subjectOf(event) + QStringLiteral(": undone");
         }},
        {"decision-redone",
         [](const Event &event) {
             return subjectOf(event) + QStringLiteral(": redone");
         }},
        {"hand-edit",
         [](const Event &event) {
             return QStringLiteral("edited by hand: %1 in %2")
                 .arg(countOf(event, "hunks", "hunk"), filesOf(event));
         }},
        {"conflict",
         [](const Event &event) {
             return subjectOf(event) + QStringLiteral(": wants lines that stand otherwise now");
         }},
        {"conflict-resolved",
         [](const Event &event) {
             return QStringLiteral("%1: conflict resolved, %2")
                 .arg(subjectOf(event), event.text("resolution"));
         }},
        {"applied",
         [](const Event &event) {
             QStringList uncalled;
             for (const Json &name : part(event, "uncalled"))
                 if (name.is_string())
                     uncalled << fromJson(name.get<std::string>());
             const QString left = uncalledWords(uncalled);
             return QStringLiteral("%1 applied: %2 in %3")
                        .arg(event.text("proposal"), countOf(event, "hunks", "hunk"), filesOf(event)) +
                    (left.isEmpty() ? QString() : QStringLiteral("; ") + left);
         }},
        {"restored",
         [](const Event &event) {
             return because(QStringLiteral("text of iteration %1 again").arg(event.integer("iteration")),
                            event.text("why"));
         }},
        {"evaluation", evaluationText},
        {"iteration", iterationText},
        {"policy",
         [](const Event &event) {
             return because(
                 QStringLiteral("%1 by policy: %2").arg(event.text("proposal"), event.text("answer")),
                 event.text("why"));
         }},
        {"step",
         [](const Event &event) {
             const QString answer = event.text("answer");
             return answer == QLatin1String("keep")   ? QStringLiteral("the step is kept")
                    : answer == QLatin1String("undo") ? QStringLiteral("the step is taken back")
                                                      : QStringLiteral("step: %1").arg(answer);
         }},
        {"usage", usageText},
        {"budgets-changed",
         [](const Event &event) {
             QStringList limits;
             for (const auto &[name, limit] : part(event, "to").items())
                 if (limit.is_number())
                     limits << QStringLiteral("%1 %2").arg(QString::fromStdString(name),
                                                           limitText(limit.get<double>()));
             return QStringLiteral("budgets: %1")
                 .arg(limits.isEmpty() ? QStringLiteral("none") : limits.join(QStringLiteral(", ")));
         }},
        {"budget-reached",
         [](const Event &event) {
             return QStringLiteral("budget reached: %1 (%2 of %3)")
                 .arg(event.text("budget"), limitText(numberOf(event, "used")),
                      limitText(numberOf(event, "limit")));
         }},
        {"run-paused", telling("paused")},
        {"run-resumed", telling("resumed")},
        {"run-stopped", telling("stopped")},
        {"run-ended", telling("ended")},
    };
    return all;
}

/// Fields whose strings are people's or agents' words.
const QSet<QString> &wordFields() {
    static const QSet<QString> fields{"text",     "reason",  "note",   "title",      "why",
                                      "question", "answer",  "result", "words",      "move",
                                      "name",     "options", "items",  "prediction", "author",
                                      "agent",    "mine",    "theirs", "arguments",  "texts"};
    return fields;
}

void collect(const Json &value, QStringList &words) {
    if (value.is_string())
        words << fromJson(value.get<std::string>());
    else if (value.is_structured())
        for (const Json &inner : value)
            collect(inner, words);
}

} // namespace

QString eventSummary(const TrajectoryEvent &event) {
    const auto teller = tellers().constFind(event.kind);
    return teller == tellers().constEnd() ? event.kind : oneLine((*teller)(event));
}

QString eventProse(const TrajectoryEvent &event) {
    if (event.kind == QLatin1String("message"))
        return event.text("text");
    // What a tool said comes whole.
    QStringList lines{event.kind == QLatin1String("tool-call") ? toolText(event) : eventSummary(event)};
    for (const char *field : {"reason", "why", "result"})
        if (const QString text = event.text(field); !text.isEmpty() && !lines.first().contains(text))
            lines << text;
    for (const Json &text : part(event, "texts"))
        if (text.is_string())
            lines << fromJson(text.get<std::string>());
    for (const Json &item : part(event, "items"))
        lines << QStringLiteral("%1: %2").arg(stringIn(item, "state"), stringIn(item, "text"));
    return lines.join(QLatin1Char('\n'));
}

QString eventWords(const TrajectoryEvent &event) {
    QStringList words;
    for (const auto &[field, value] : event.body.items())
        if (wordFields().contains(fromJson(field)))
            collect(value, words);
    return words.join(QLatin1Char('\n'));
}

} // namespace warpwright
