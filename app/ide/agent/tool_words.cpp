// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/tool_words.h"

#include "toolchain/base/figures.h"

#include <QCoreApplication>
#include <QHash>
#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

constexpr qsizetype mostLetters = 12'000; ///< of one argument or a result
constexpr qsizetype mostInLine = 120;

QString words(const char *text) {
    return QCoreApplication::translate("ToolWords", text);
}

QString iconOf(const QString &tool) {
    static const QHash<QString, QString> icons{{QStringLiteral("read"), QStringLiteral("file")},
                                               {QStringLiteral("write"), QStringLiteral("new-file")},
                                               {QStringLiteral("edit"), QStringLiteral("edit")},
                                               {QStringLiteral("glob"), QStringLiteral("folder")},
                                               {QStringLiteral("grep"), QStringLiteral("search")},
                                               {QStringLiteral("todo"), QStringLiteral("accept")},
                                               {QStringLiteral("verify"), QStringLiteral("shield")},
                                               {QStringLiteral("profile"), QStringLiteral("chart")},
                                               {QStringLiteral("inspect"), QStringLiteral("sass")},
                                               {QStringLiteral("counters"), QStringLiteral("roofline")},
                                               {QStringLiteral("timeline"), QStringLiteral("timeline")},
                                               {QStringLiteral("findings"), QStringLiteral("finding")},
                                               {QStringLiteral("sanitize"), QStringLiteral("doctor")},
                                               {QStringLiteral("sweep"), QStringLiteral("samples")},
                                               {QStringLiteral("device_facts"), QStringLiteral("gpu")},
                                               {QStringLiteral("history"), QStringLiteral("history")},
                                               {QStringLiteral("expert"), QStringLiteral("playbook")},
                                               {QStringLiteral("submit"), QStringLiteral("send")},
                                               {QStringLiteral("skill"), QStringLiteral("lesson")}};
    return icons.value(tool, QStringLiteral("terminal"));
}

QString cut(const QString &text) {
    if (text.size() <= mostLetters)
        return text;
    return text.left(mostLetters) + QLatin1Char('\n') +
           words("… and %1 more, in the record of the run")
               .arg(countText(text.size() - mostLetters, words("letter")));
}

QString firstLine(const QString &text) {
    const qsizetype from = text.indexOf(QRegularExpression(QStringLiteral("\\S")));
    const qsizetype end = from < 0 ? -1 : text.indexOf(u'\n', from);
    return from < 0 ? QString()
                    : text.mid(from, end < 0 ? mostInLine : std::min(end - from, mostInLine)).trimmed();
}

QString textOf(const Json &value) {
    return value.is_string() ? QString::fromStdString(value.get_ref<const std::string &>())
                             : QString::fromUtf8(dumpJson(value));
}

/// What tells this call from another of the same tool.
QString aboutOf(const Json &arguments) {
    if (!arguments.is_object())
        return {};
    for (const char *name : {"path", "command", "pattern", "kernel", "title", "page"})
        if (const QString said = firstLine(stringIn(arguments, name)); !said.isEmpty())
            return said;
    for (const auto &[name, value] : arguments.items())
        if (value.is_string())
            return firstLine(textOf(value));
        else if (value.is_array() && value.size() == 1 && value.front().is_string())
            return firstLine(textOf(value.front()));
        else if (value.is_array())
            return QStringLiteral("%1 %2").arg(value.size()).arg(QString::fromStdString(name));
    return {};
}

/// Old lines and new ones, as in a patch without places.
QString editsText(const Json &edits) {
    QStringList lines;
    const auto add = [&lines](const QString &mark, const QString &text) {
        for (const QString &line : text.split(u'\n'))
            lines << mark + line;
    };
    for (const Json &edit : edits) {
        add(QStringLiteral("- "), stringIn(edit, "old"));
        add(QStringLiteral("+ "), stringIn(edit, "new"));
    }
    return lines.join(u'\n');
}

bool areEdits(const Json &value) {
    return value.is_array() && !value.empty() &&
           std::all_of(value.begin(), value.end(), [](const Json &edit) {
               return edit.is_object() && edit.contains("old") && edit.contains("new");
           });
}

/// All arguments but the one that the line says whole.
QString argumentsText(const Json &arguments, const QString &about) {
    QStringList parts;
    if (!arguments.is_object())
        return arguments.is_null() ? QString() : cut(textOf(arguments));
    for (const auto &[name, value] : arguments.items()) {
        const QString key = QString::fromStdString(name);
        const QString text = areEdits(value) ? editsText(value) : textOf(value);
        if (text == about)
            continue;
        parts << (text.contains(u'\n') ? key + QStringLiteral(":\n") + cut(text)
                                       : key + QStringLiteral(": ") + cut(text));
    }
    return parts.join(u'\n');
}

} // namespace

AgentEvent toolEvent(const ToolCall &call, bool hasEnded) {
    AgentEvent event;
    event.kind = AgentEvent::Tool;
    event.name = QString(call.name).replace(u'_', u' ');
    event.icon = iconOf(call.name);
    event.about = aboutOf(call.arguments);
    if (event.about.contains(u'/') && event.name.contains(event.about)) // a title that says it already
        event.about.clear();
    event.outcome = AgentEvent::Running;
    event.text = argumentsText(call.arguments, event.about);
    if (!hasEnded)
        return event;
    if (!event.text.isEmpty() && !call.result.isEmpty())
        event.text += QStringLiteral("\n\n");
    event.text += cut(call.result);
    event.result = durationText(call.seconds);
    event.outcome = call.outcome == QLatin1String("ok")          ? AgentEvent::Succeeded
                    : call.outcome == QLatin1String("denied")    ? AgentEvent::Denied
                    : call.outcome == QLatin1String("cancelled") ? AgentEvent::Cancelled
                                                                 : AgentEvent::Failed;
    return event;
}

QString toolProgressWords(const QString &text, int index, int count) {
    if (count <= 0)
        return text;
    const QString place = words("%1 of %2").arg(index).arg(count);
    return text.isEmpty() ? place : text + QStringLiteral(", ") + place;
}

} // namespace warpwright
