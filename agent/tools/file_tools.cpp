// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/file_tools.h"

#include "agent/tools/kept_output.h"
#include "agent/tools/piece_edit.h"
#include "agent/tools/tool_arguments.h"
#include "toolchain/base/figures.h"

#include <QCryptographicHash>

#include <algorithm>

namespace warpwright {
namespace {

constexpr qint64 mostReadBytes = 16LL * 1024 * 1024;
constexpr qint64 mostWrittenBytes = 8LL * 1024 * 1024;
constexpr qsizetype longestLine = 2000;
constexpr int usualLines = 2000;

QByteArray markOf(const QByteArray &text) {
    return QCryptographicHash::hash(text, QCryptographicHash::Sha256);
}

ToolAnswer cannot(const char *what, const QString &path, const ReachedFile &file) {
    const QString text =
        QStringLiteral("Cannot %1 \"%2\": %3.").arg(QString::fromLatin1(what), path.left(300), file.why);
    return file.reach == Reach::Outside ? deniedAnswer(text) : failedAnswer(text);
}

bool isBinary(const QByteArray &bytes) {
    return bytes.left(8192).contains('\0');
}

QString numbered(qsizetype number, QString line) {
    if (line.size() > longestLine) {
        const qsizetype more = line.size() - longestLine;
        line = line.left(longestLine) + QStringLiteral(" … and %1 more characters").arg(more);
    }
    return QStringLiteral("%1\t%2\n").arg(number, 6).arg(line);
}

/// What has to be seen before it is written over; empty: it was.
QString whyNotSeen(const FileMarks &marks, const QString &path, const QByteArray &there) {
    const auto seen = marks.find(path);
    if (seen == marks.end())
        return QStringLiteral("Cannot write \"%1\": it is there, and you have not read it. Read it first.")
            .arg(path);
    return seen->second == markOf(there)
               ? QString()
               : QStringLiteral("Cannot write \"%1\": it has changed since you read it. Read it again.")
                     .arg(path);
}

} // namespace

ToolAnswer failedAnswer(const QString &text) {
    return {ToolAnswer::Outcome::Failed, text, Json()};
}

ToolAnswer deniedAnswer(const QString &text) {
    return {ToolAnswer::Outcome::Denied, text, Json()};
}

FileAnswer readTool(const WorkFolder &work, FileMarks marks, const Json &arguments) {
    const QString asked = stringIn(arguments, "path");
    const ReachedFile file = work.access().read(asked, mostReadBytes);
    if (file.reach != Reach::Ok)
        return {cannot("read", asked, file), std::move(marks)};
    const QString path = work.access().relative(asked);
    if (isBinary(file.bytes))
        return {failedAnswer(QStringLiteral("Cannot show \"%1\": it is no text (%2).")
                                 .arg(path, bytesText(static_cast<double>(file.bytes.size())))),
                std::move(marks)};
    marks[path] = markOf(file.bytes);
    QStringList lines = QString::fromUtf8(file.bytes).split(QLatin1Char('\n'));
    if (lines.back().isEmpty())
        lines.removeLast();
    const qsizetype first = intArgument(arguments, "offset", 1);
    const qsizetype limit = intArgument(arguments, "limit", usualLines);
    if (lines.isEmpty())
        return {{ToolAnswer::Outcome::Ok, QStringLiteral("%1 is empty.").arg(path), Json()},
                std::move(marks)};
    if (first > lines.size())
        return {failedAnswer(QStringLiteral("Cannot read \"%1\" from line %2 on: it has %3.")
                                 .arg(path)
                                 .arg(first)
                                 .arg(countText(lines.size(), QStringLiteral("line")))),
                std::move(marks)};
    QString text;
    qsizetype bytes = 0;
    qsizetype next = first;
    for (; next <= lines.size() && next < first + limit; ++next) {
        QString line = lines[next - 1];
        if (line.endsWith(QLatin1Char('\r')))
            line.chop(1);
        line = numbered(next, line);
        bytes += line.toUtf8().size();
        if (bytes > mostAnswerBytes - 256 && next > first)
            break;
        text += line;
    }
    if (first > 1 || next <= lines.size())
        text +=
            QStringLiteral("(lines %1 to %2 of %3%4)\n")
                .arg(first)
                .arg(next - 1)
                .arg(lines.size())
                .arg(next <= lines.size() ? QStringLiteral("; read on with offset %1").arg(next) : QString());
    return {{ToolAnswer::Outcome::Ok, text, Json()}, std::move(marks)};
}

FileAnswer writeTool(const WorkFolder &work, FileMarks marks, const Json &arguments) {
    const QString asked = stringIn(arguments, "path");
    if (const QString why = work.whyNotWritable(asked); !why.isEmpty())
        return {deniedAnswer(QStringLiteral("Cannot write: ") + why), std::move(marks)};
    const QString path = work.access().relative(asked);
    const QByteArray content = stringIn(arguments, "content").toUtf8();
    if (content.size() > mostWrittenBytes)
        return {failedAnswer(QStringLiteral("Cannot write \"%1\": a text of the candidate has at most %2.")
                                 .arg(path, bytesText(static_cast<double>(mostWrittenBytes)))),
                std::move(marks)};
    const ReachedFile there = work.access().read(path, mostReadBytes);
    if (there.reach == Reach::Ok) {
        if (const QString why = whyNotSeen(marks, path, there.bytes); !why.isEmpty())
            return {failedAnswer(why), std::move(marks)};
    } else if (there.reach != Reach::NotThere) {
        return {cannot("write", path, there), std::move(marks)};
    }
    if (const ReachedFile written = work.access().write(path, content); written.reach != Reach::Ok)
        return {cannot("write", path, written), std::move(marks)};
    marks[path] = markOf(content);
    const auto lines = content.count('\n') + (content.isEmpty() || content.endsWith('\n') ? 0 : 1);
    return {
        {ToolAnswer::Outcome::Ok,
         QStringLiteral("%1 %2: %3, %4.")
             .arg(there.reach == Reach::Ok ? QStringLiteral("Wrote over") : QStringLiteral("Made"), path,
                  countText(lines, QStringLiteral("line")), bytesText(static_cast<double>(content.size()))),
         Json()},
        std::move(marks)};
}

FileAnswer editTool(const WorkFolder &work, FileMarks marks, const Json &arguments) {
    const QString asked = stringIn(arguments, "path");
    if (const QString why = work.whyNotWritable(asked); !why.isEmpty())
        return {deniedAnswer(QStringLiteral("Cannot edit: ") + why), std::move(marks)};
    const QString path = work.access().relative(asked);
    const ReachedFile there = work.access().read(path, mostReadBytes);
    if (there.reach != Reach::Ok)
        return {cannot("edit", path, there), std::move(marks)};
    if (const QString why = whyNotSeen(marks, path, there.bytes); !why.isEmpty())
        return {failedAnswer(why), std::move(marks)};
    // fromUtf8() drops a byte order mark; the file keeps it.
    const QByteArray mark =
        there.bytes.startsWith("\xEF\xBB\xBF") ? QByteArray("\xEF\xBB\xBF") : QByteArray();
    if (mark + QString::fromUtf8(there.bytes).toUtf8() != there.bytes)
        return {failedAnswer(QStringLiteral("Cannot edit \"%1\": it holds bytes that are no UTF-8. Write it "
                                            "anew.")
                                 .arg(path)),
                std::move(marks)};
    std::vector<PieceEdit> edits;
    for (const Json &one : arguments["edits"])
        edits.push_back({stringIn(one, "old"), stringIn(one, "new"), boolArgument(one, "all")});
    const Result<EditedText> edited = applyEdits(QString::fromUtf8(there.bytes), edits);
    if (!edited.hasValue())
        return {
            failedAnswer(cutInTheMiddle(
                QStringLiteral("Cannot edit \"%1\", and nothing was changed: %2").arg(path, edited.message()),
                mostAnswerBytes, {})),
            std::move(marks)};
    const QByteArray text = mark + edited.value().text.toUtf8();
    if (text.size() > mostWrittenBytes)
        return {failedAnswer(QStringLiteral("Cannot edit \"%1\": a text of the candidate has at most %2.")
                                 .arg(path, bytesText(static_cast<double>(mostWrittenBytes)))),
                std::move(marks)};
    if (const ReachedFile written = work.access().write(path, text); written.reach != Reach::Ok)
        return {cannot("edit", path, written), std::move(marks)};
    marks[path] = markOf(text);
    return {{ToolAnswer::Outcome::Ok,
             cutInTheMiddle(QStringLiteral("Edited %1 in %2:\n%3")
                                .arg(path, countText(edited.value().places, QStringLiteral("place")),
                                     edited.value().around),
                            mostAnswerBytes, {}),
             Json()},
            std::move(marks)};
}

} // namespace warpwright
