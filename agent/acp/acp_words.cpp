// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_words.h"

#include "agent/model/model_words.h"

#include <QRegularExpression>

namespace warpwright {
namespace {

constexpr qsizetype longestTitle = 100;
constexpr int shownPaths = 5;
constexpr qsizetype longestData = 400;
constexpr int shownIssues = 5;

QString jsonLine(const Json &json) {
    const QString line =
        json.is_string() ? fromJson(json.get<std::string>()) : QString::fromUtf8(dumpJson(json));
    return line.size() > longestData ? line.left(longestData - 1) + QStringLiteral("…") : line;
}

QString proposalWords() {
    return QStringLiteral(
        "When a change is worth measuring by others, end your turn: what differs then in the "
        "folder becomes a proposal, which a person or a policy answers hunk by hunk, and you are "
        "told what became of it. One idea a proposal. The first line of your last message is its "
        "title, the rest the reason. If nothing more is worth trying, change nothing, and answer "
        "with a line that begins with DONE and says why.");
}

/// Of a tool that runs one: a text, or words.
QString commandIn(const Json &input) {
    const auto command = input.is_object() ? input.find("command") : input.end();
    if (command == input.end())
        return {};
    return command->is_string() ? fromJson(command->get<std::string>())
                                : stringsIn(*command).join(QLatin1Char(' '));
}

/// One place that it did not like, as zod and pydantic tell it: «mcpServers.0.env: expected array».
QString issueWords(const Json &issue) {
    if (!issue.is_object())
        return jsonLine(issue);
    const QString said = stringIn(issue, "message", stringIn(issue, "msg", stringIn(issue, "details")));
    if (said.isEmpty())
        return jsonLine(issue);
    QStringList path;
    for (const char *key : {"path", "loc"})
        if (const auto found = issue.find(key); found != issue.end() && found->is_array())
            for (const Json &step : *found)
                path << jsonLine(step);
    return path.isEmpty() ? said : path.join(QLatin1Char('.')) + QStringLiteral(": ") + said;
}

/// As a shell reads it.
QString shellWord(QString word) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_@%+=:,./-]+$"));
    if (plain.match(word).hasMatch())
        return word;
    return QLatin1Char('\'') + word.replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

} // namespace

QString acpTaskWords(const AgentRequest &request, const QString &folder, bool hasTools,
                     const AcpGuides &guides) {
    QStringList parts;
    parts << QStringLiteral(
        "Make the kernels of this workspace faster than its PyTorch reference, and right.");
    parts << QStringLiteral(
                 "You work in \"%1\", a copy that is yours alone. model.py is the reference. The candidate "
                 "is model_new.py (ModelNew, with the same interface) and what lies in kernels/; you may "
                 "write to these and to nothing else: what you change of the task's own files is put back.")
                 .arg(folder);
    QString files = QStringLiteral("The files:");
    for (const auto &[path, text] : request.texts)
        files += QStringLiteral("\n- %1, %2 bytes%3")
                     .arg(path)
                     .arg(text.size())
                     .arg(isCandidatePath(path) ? QString() : QStringLiteral(", to read only"));
    parts << files;
    parts
        << (hasTools
                ? QStringLiteral(
                      "The MCP server \"warpwright\" has the tools to compile, verify, profile and look into "
                      "this folder's kernels, on the device %1. Use them: no GPU is reachable otherwise, "
                      "and what they say is what counts. Its tool submit gives the next proposal a title, "
                      "a reason and a prediction; end your turn after it.")
                      .arg(request.device.isEmpty() ? QStringLiteral("auto") : request.device)
                : QStringLiteral(
                      "The device is %1. You cannot measure by yourself: every proposal is measured.")
                      .arg(request.device.isEmpty() ? QStringLiteral("auto") : request.device));
    if (!request.history.empty())
        parts << QStringLiteral("The iterations so far:\n") + ledgerWords(request);
    parts << proposalWords();
    if (!guides.rules.isEmpty())
        parts << QStringLiteral("The project's rules lie in your folder, and hold for the candidate: %1.")
                     .arg(guides.rules.join(QStringLiteral(", ")));
    if (!guides.skill.isEmpty())
        parts << (guides.isOwnSkill
                      ? QStringLiteral("# How kernels are made here, by the workspace's own SKILL.md\n\n")
                      : QStringLiteral("# How kernels are made here\n\n")) +
                     guides.skill.trimmed();
    return parts.join(QStringLiteral("\n\n"));
}

QString acpGoOnWords(const AgentRequest &request, const std::vector<Feedback> &feedback) {
    QStringList parts;
    for (const Feedback &one : feedback)
        parts << QStringLiteral("What became of your proposal %1: %2")
                     .arg(one.proposal, feedbackWords(one, request));
    if (feedback.empty())
        parts << goOnWords(request);
    parts << QStringLiteral("Go on with the next idea. ") + proposalWords();
    return parts.join(QStringLiteral("\n\n"));
}

QString acpNudgeWords(const QStringList &putBack) {
    QString words = QStringLiteral(
        "Your turn ended, and no file of the candidate differs from the text that you began with. ");
    if (!putBack.isEmpty())
        words += QStringLiteral("What you changed besides was undone:\n- %1\n")
                     .arg(putBack.join(QStringLiteral("\n- ")));
    return words +
           QStringLiteral(
               "Only what you write to model_new.py or kernels/ counts. Go on with a change, or, if "
               "nothing more is worth trying, answer with a line that begins with DONE and says why.");
}

QString acpRefusedWorkPrompt(const QString &why) {
    return QStringLiteral(
               "Your turn ended, and what your folder holds cannot be proposed. %1 Put that right, and "
               "end your turn again.")
        .arg(why);
}

QString acpRefusedWorkWords(const QString &agent, const QString &why) {
    return QStringLiteral("What %1 has made cannot be proposed, and it is asked to put that right. %2")
        .arg(agent, why);
}

QString acpLimitWords(const QString &agent, const AcpTurnEnd &end) {
    return QStringLiteral("%1 came to its own limit of %2 in this turn.")
        .arg(agent, end.stop == AcpStop::MaxTokens ? QStringLiteral("tokens") : QStringLiteral("requests"));
}

QString acpCutOffWords(const AcpTurnEnd &end) {
    return QStringLiteral(
               "Your turn was cut off at a limit of yours (%1). Go on from where you were, in smaller "
               "steps, and end your turn when a change is worth measuring.")
        .arg(end.word);
}

QString acpUnfinishedWords(const QString &lines) {
    return QStringLiteral(
               "\n\nYour folder holds what you had changed before and not proposed: %1. Go on from "
               "there.")
        .arg(lines);
}

QString acpTitle(const QString &lastMessage, const QStringList &changedFiles) {
    static const QRegularExpression marks(QStringLiteral("^[\\s#*_>`\\-]+|[\\s*_`:.]+$"));
    for (const QString &line : lastMessage.split(QLatin1Char('\n'))) {
        QString title = line.simplified();
        title.remove(marks);
        if (title.isEmpty())
            continue;
        return title.size() > longestTitle ? title.left(longestTitle - 1) + QStringLiteral("…") : title;
    }
    return QStringLiteral("Changes of %1").arg(changedFiles.join(QStringLiteral(", ")).left(longestTitle));
}

QString acpStopWords(const QString &agent, const AcpTurnEnd &end, const QString &lastMessage) {
    const QString said =
        lastMessage.trimmed().isEmpty() ? QString() : QStringLiteral(" It said: ") + doneWords(lastMessage);
    switch (end.stop) {
    case AcpStop::Refusal:
        return QStringLiteral("%1 would not go on.%2 Say it otherwise in a message, or take another agent.")
            .arg(agent, said);
    case AcpStop::MaxTokens:
        return QStringLiteral(
                   "%1 came to its limit of tokens twice, and changed nothing.%2 Give it more in its own "
                   "settings, or take another agent.")
            .arg(agent, said);
    case AcpStop::MaxRequests:
        return QStringLiteral(
                   "%1 came to its limit of requests in a turn twice, and changed nothing.%2 Give it more "
                   "in its own settings, or take another agent.")
            .arg(agent, said);
    case AcpStop::Cancelled:
        return QStringLiteral("%1 stopped by itself, as if it had been asked to.%2").arg(agent, said);
    case AcpStop::EndTurn:
    case AcpStop::Other:
        break;
    }
    return QStringLiteral("%1 ended its turn for a reason that is not known here: \"%2\".%3")
        .arg(agent, end.word, said);
}

QString acpErrorDataWords(const Json &data) {
    if (data.is_null() || (data.is_structured() && data.empty()))
        return {};
    if (data.is_object())
        if (const auto issues = data.find("issues"); issues != data.end() && issues->is_array())
            return acpErrorDataWords(*issues);
    if (!data.is_array())
        return issueWords(data).simplified();
    QStringList issues;
    for (const Json &issue : data) {
        if (issues.size() == shownIssues) {
            issues << QStringLiteral("and %1 more").arg(data.size() - shownIssues);
            break;
        }
        issues << issueWords(issue).simplified();
    }
    return issues.join(QStringLiteral("; "));
}

QString acpBrokenWords(const QString &why, const QString &lines) {
    return QStringLiteral("%1 What it had changed by then is proposed: %2.").arg(why, lines);
}

QString acpWorkLostWords(const QString &agent, const QString &why) {
    return QStringLiteral("What %1 had changed and not proposed is not kept: %2").arg(agent, why);
}

QString acpPermissionQuestion(const QString &agent, const AcpToolState &tool) {
    QString what =
        tool.title.isEmpty() ? (tool.kind.isEmpty() ? QStringLiteral("a tool") : tool.kind) : tool.title;
    QString question = QStringLiteral("%1 asks to do this: %2").arg(agent, what.simplified());
    QStringList paths = tool.paths;
    paths.removeIf([&what](const QString &path) { return what.contains(path); });
    if (!paths.isEmpty())
        question += QStringLiteral(" (%1%2)").arg(
            paths.mid(0, shownPaths).join(QStringLiteral(", ")),
            paths.size() > shownPaths ? QStringLiteral(" and %1 more").arg(paths.size() - shownPaths)
                                      : QString());
    const QString command = commandIn(tool.input);
    // Lines of a command are none of the question's.
    if (!command.isEmpty() && !question.contains(command.simplified()))
        question += QLatin1Char('\n') + QString(command).replace(QLatin1Char('\n'), QStringLiteral("\n  | "));
    return question;
}

QString acpNoSandboxQuestion(const QString &agent, const QString &why) {
    return QStringLiteral(
               "No sandbox can be built around %1: %2. Run it without one? It could then change your "
               "workspace, and what measures it, without asking.")
        .arg(agent, why);
}

QString acpRunsWithoutSandboxWords(const QString &agent, const QString &why) {
    return QStringLiteral(
               "%1 runs without a sandbox, as you allowed (%2): what is measured in this run rests on its "
               "good behaviour.")
        .arg(agent, why);
}

QString acpLoginCommand(const AcpProfile &agent, const AcpAuthMethod &method) {
    if (!method.isTerminal)
        return {};
    QStringList words = method.environment;
    words += method.command.isEmpty() ? QStringList{agent.command} + agent.arguments : method.command;
    words += method.arguments;
    for (QString &word : words)
        word = shellWord(word);
    return words.join(QLatin1Char(' '));
}

QString acpSignInQuestion(const AcpProfile &agent, const std::vector<AcpAuthMethod> &methods) {
    QString question = QStringLiteral("%1 wants you to sign in first. How?").arg(agent.name);
    for (const AcpAuthMethod &method : methods) {
        QStringList told;
        if (!method.description.isEmpty())
            told << method.description;
        if (method.isTerminal)
            told << QStringLiteral("run this in another terminal, then choose it here: %1")
                        .arg(acpLoginCommand(agent, method));
        if (!method.variables.isEmpty())
            told << QStringLiteral("it reads %1 from its environment")
                        .arg(method.variables.join(QStringLiteral(", ")));
        if (!told.isEmpty())
            question += QStringLiteral("\n%1: %2").arg(method.name, told.join(QStringLiteral("; ")));
    }
    return question;
}

QString acpNotSignedInWords(const AcpProfile &agent, const QString &way,
                            const std::vector<AcpAuthMethod> &methods) {
    QString taken = QStringLiteral("\"%1\"").arg(way);
    for (const AcpAuthMethod &method : methods)
        if (method.name == way && !method.description.isEmpty())
            taken += QStringLiteral(" (%1)").arg(method.description);
    const QString words =
        QStringLiteral("%1 asks for a sign-in once more, right after %2: that was not enough. ")
            .arg(agent.name, taken);
    for (const AcpAuthMethod &method : methods)
        if (method.isTerminal)
            return words + QStringLiteral("Run this in a terminal, and go on with the run: %1")
                               .arg(acpLoginCommand(agent, method));
    return words + QStringLiteral("Sign in with its own program, and go on with the run.");
}

QString acpPutBackWords(const QString &agent, const QStringList &lines) {
    return QStringLiteral("%1 changed what is not the candidate's:\n- %2")
        .arg(agent, lines.join(QStringLiteral("\n- ")));
}

} // namespace warpwright
