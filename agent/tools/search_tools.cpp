// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tools/search_tools.h"

#include "agent/tools/file_tools.h"
#include "agent/tools/kept_output.h"
#include "agent/tools/tool_arguments.h"
#include "toolchain/base/figures.h"

#include <QElapsedTimer>

#include <algorithm>

namespace warpwright {
namespace {

constexpr qint64 mostSearchedBytes = 16LL * 1024 * 1024;
constexpr int mostMatches = 300;
constexpr int longestMs = 10'000;
constexpr qsizetype longestLine = 400;

ToolAnswer ok(const QString &text, const QString &where) {
    return {ToolAnswer::Outcome::Ok, cutInTheMiddle(text, mostAnswerBytes, where), Json()};
}

std::vector<FoundFile> filesFor(const WorkFolder &work, const QString &pattern) {
    const bool wantsHidden = pattern.startsWith(QLatin1Char('.')) || pattern.contains(QLatin1String("/."));
    const QRegularExpression form = globExpression(pattern);
    std::vector<FoundFile> files = work.access().list({}, wantsHidden);
    std::erase_if(files, [&form](const FoundFile &file) {
        return !file.isFile || file.path.contains(QLatin1String("__pycache__/")) ||
               !form.match(file.path).hasMatch();
    });
    return files;
}

struct Found {
    QString text;
    int matches = 0;
    int files = 0;
    bool isCut = false; ///< there are more
    bool isTooLate = false;
    int unsearched = 0; ///< lines that PCRE gave up
};

void searchFile(const QString &path, const QString &text, const QRegularExpression &form, qsizetype context,
                const QElapsedTimer &clock, Found &found) {
    const QStringList lines = text.split(QLatin1Char('\n'));
    qsizetype shown = -1; // the last line that was
    bool isFirst = true;
    for (qsizetype at = 0; at < lines.size(); ++at) {
        if ((at & 63) == 0 && clock.elapsed() > longestMs) {
            found.isTooLate = true;
            return;
        }
        const QRegularExpressionMatch match = form.match(lines[at]);
        if (!match.isValid())
            ++found.unsearched;
        if (!match.hasMatch())
            continue;
        if (found.matches == mostMatches) {
            found.isCut = true;
            return;
        }
        ++found.matches;
        found.files += std::exchange(isFirst, false) ? 1 : 0;
        const qsizetype from = std::max(shown + 1, at - context);
        if (context > 0 && shown >= 0 && from > shown + 1)
            found.text += QStringLiteral("--\n");
        const qsizetype to = std::min(at + context, lines.size() - 1);
        for (qsizetype line = from; line <= to; ++line)
            found.text += QStringLiteral("%1:%2%3 %4\n")
                              .arg(path)
                              .arg(line + 1)
                              .arg(line == at ? QLatin1Char(':') : QLatin1Char('-'))
                              .arg(lines[line].left(longestLine));
        shown = std::max(shown, to);
    }
}

} // namespace

QRegularExpression globExpression(const QString &pattern) {
    QString form;
    int braces = 0;
    const QString whole = pattern.contains(QLatin1Char('/')) ? pattern : QStringLiteral("**/") + pattern;
    for (qsizetype at = 0; at < whole.size(); ++at) {
        const QChar letter = whole[at];
        if (letter == QLatin1Char('*') && whole.mid(at, 3) == QLatin1String("**/")) {
            form += QStringLiteral("(?:.*/)?");
            at += 2;
        } else if (letter == QLatin1Char('*') && whole.mid(at, 2) == QLatin1String("**")) {
            form += QStringLiteral(".*");
            ++at;
        } else if (letter == QLatin1Char('*')) {
            form += QStringLiteral("[^/]*");
        } else if (letter == QLatin1Char('?')) {
            form += QStringLiteral("[^/]");
        } else if (const qsizetype end = whole.indexOf(QLatin1Char(']'), at + 2);
                   letter == QLatin1Char('[') && end > 0) {
            QString letters = whole.mid(at + 1, end - at - 1);
            letters.replace(QLatin1Char('\\'), QLatin1String("\\\\"));
            if (letters.startsWith(QLatin1Char('!')))
                letters[0] = QLatin1Char('^');
            form += QLatin1Char('[') + letters + QLatin1Char(']');
            at = end;
        } else if (letter == QLatin1Char('{') && whole.indexOf(QLatin1Char('}'), at) > 0) {
            form += QStringLiteral("(?:");
            ++braces;
        } else if (letter == QLatin1Char('}') && braces > 0) {
            form += QLatin1Char(')');
            --braces;
        } else if (letter == QLatin1Char(',') && braces > 0) {
            form += QLatin1Char('|');
        } else {
            form += QRegularExpression::escape(QString(letter));
        }
    }
    return QRegularExpression(QRegularExpression::anchoredPattern(form));
}

ToolAnswer globTool(const WorkFolder &work, const Json &arguments) {
    const QString pattern = stringIn(arguments, "pattern");
    if (!globExpression(pattern).isValid())
        return failedAnswer(QStringLiteral("Cannot use the pattern \"%1\": \"%2\".")
                                .arg(pattern.left(200), globExpression(pattern).errorString()));
    QString text;
    for (const FoundFile &file : filesFor(work, pattern))
        text += file.path + QLatin1Char('\n');
    return ok(text.isEmpty() ? QStringLiteral("No file matches \"%1\".").arg(pattern.left(200)) : text,
              QStringLiteral("Use a narrower pattern."));
}

ToolAnswer grepTool(const WorkFolder &work, const Json &arguments) {
    const QString pattern = stringIn(arguments, "pattern");
    // A pattern that tries for ever is given up by PCRE after so many steps a line.
    QRegularExpression form(QStringLiteral("(*LIMIT_MATCH=1000000)") + pattern);
    if (boolArgument(arguments, "ignore_case"))
        form.setPatternOptions(QRegularExpression::CaseInsensitiveOption);
    if (!form.isValid())
        return failedAnswer(
            QStringLiteral("Cannot search for \"%1\": it is no regular expression (PCRE): %2.")
                .arg(pattern.left(200), form.errorString()));
    const QString names = stringIn(arguments, "glob", QStringLiteral("**"));
    if (!globExpression(names).isValid())
        return failedAnswer(
            QStringLiteral("Cannot use the glob \"%1\": it is no pattern of names.").arg(names.left(200)));
    QElapsedTimer clock;
    clock.start();
    Found found;
    for (const FoundFile &file : filesFor(work, names)) {
        const ReachedFile read = work.access().read(file.path, mostSearchedBytes);
        if (read.reach == Reach::Ok && !read.bytes.left(8192).contains('\0'))
            searchFile(file.path, QString::fromUtf8(read.bytes), form, intArgument(arguments, "context", 0),
                       clock, found);
        if (found.isCut || found.isTooLate)
            break;
    }
    QString text = found.text;
    if (found.matches == 0 && !found.isTooLate)
        text = QStringLiteral("Nothing matches \"%1\".\n").arg(pattern.left(200));
    else
        text += QStringLiteral("(%1 in %2%3)\n")
                    .arg(countText(found.matches, QStringLiteral("matching line")),
                         countText(found.files, QStringLiteral("file")),
                         found.isCut       ? QStringLiteral("; there are more")
                         : found.isTooLate ? QStringLiteral("; given up after 10 s: use a simpler pattern")
                                           : QString());
    if (found.unsearched > 0)
        text += QStringLiteral(
                    "(%1 not searched: the expression takes too many steps there; use a simpler one)\n")
                    .arg(countText(found.unsearched, QStringLiteral("line")));
    ToolAnswer answer = ok(text, QStringLiteral("Use a narrower pattern or glob."));
    if (found.isTooLate || found.unsearched > 0)
        answer.outcome = ToolAnswer::Outcome::Failed;
    return answer;
}

} // namespace warpwright
