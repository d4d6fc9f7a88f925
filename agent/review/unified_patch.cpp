// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/unified_patch.h"

#include <QRegularExpression>

#include <algorithm>
#include <optional>

namespace warpwright {
namespace {

QString pathIn(QString words) {
    if (const qsizetype tab = words.indexOf(QLatin1Char('\t')); tab >= 0)
        words.truncate(tab); // diff -u puts a time there
    words = words.trimmed();
    if (words == QLatin1String("/dev/null"))
        return {};
    if (words.startsWith(QLatin1String("a/")) || words.startsWith(QLatin1String("b/")))
        words.remove(0, 2);
    return words;
}

/// One line after the other, with its number for messages.
class Reader {
public:
    explicit Reader(const QByteArray &text) : m_lines(linesOf(text)) {}

    [[nodiscard]] bool atEnd() const { return m_next >= m_lines.size(); }
    [[nodiscard]] const QByteArray &peek() const { return m_lines[m_next]; }
    [[nodiscard]] bool sees(const char *words) const { return !atEnd() && peek().startsWith(words); }
    [[nodiscard]] QString words() const { return QString::fromUtf8(peek()).trimmed(); }
    void next() { ++m_next; }
    [[nodiscard]] QString wrong(const QString &why) const {
        return QStringLiteral("line %1: %2").arg(m_next + 1).arg(why);
    }

private:
    TextLines m_lines;
    std::size_t m_next = 0;
};

/// The reason when it is none; empty: `hunk` is read.
QString readHunk(Reader &reader, PatchHunk &hunk) {
    static const QRegularExpression head(QStringLiteral("^@@ -(\\d+)(?:,(\\d+))? \\+(\\d+)(?:,(\\d+))? @@"));
    const auto found = head.match(reader.words());
    if (!found.hasMatch())
        return reader.wrong(QStringLiteral("\"%1\" is no @@ -line,count +line,count @@").arg(reader.words()));
    const auto count = [&found](int part) {
        return found.captured(part).isEmpty() ? 1 : found.captured(part).toInt();
    };
    const int oldCount = count(2);
    const int newCount = count(4);
    // Of no lines the header names the line before.
    hunk.oldStart = oldCount == 0 ? found.captured(1).toInt() : found.captured(1).toInt() - 1;
    reader.next();
    const auto oldSize = [&hunk] {
        return static_cast<int>(hunk.oldLines.size());
    };
    const auto newSize = [&hunk] {
        return static_cast<int>(hunk.newLines.size());
    };
    TextLines *last[2] = {nullptr, nullptr};
    while (!reader.atEnd()) {
        const QByteArray &line = reader.peek();
        const char mark = line[0];
        if (mark == '\\') { // «\ No newline at end of file», of the line before
            for (TextLines *lines : last)
                if (lines != nullptr && !lines->empty() && lines->back().endsWith('\n'))
                    lines->back().chop(1);
            reader.next();
            continue;
        }
        if (oldSize() == oldCount && newSize() == newCount)
            break;
        // Editors strip the blank of an empty line of context.
        const bool isContext = mark == ' ' || mark == '\n' || mark == '\r';
        if (!isContext && mark != '-' && mark != '+')
            break;
        const QByteArray rest = mark == '\n' || mark == '\r' ? line : line.mid(1);
        last[0] = isContext || mark == '-' ? &hunk.oldLines : nullptr;
        last[1] = isContext || mark == '+' ? &hunk.newLines : nullptr;
        for (TextLines *lines : last)
            if (lines != nullptr)
                lines->push_back(rest);
        reader.next();
    }
    if (oldSize() != oldCount || newSize() != newCount)
        return reader.wrong(QStringLiteral("the hunk has %1 old and %2 new lines instead of %3 and %4")
                                .arg(oldSize())
                                .arg(newSize())
                                .arg(oldCount)
                                .arg(newCount));
    return {};
}

bool standsAt(const TextLines &lines, const TextLines &wanted, int start) {
    return start >= 0 && start + static_cast<int>(wanted.size()) <= static_cast<int>(lines.size()) &&
           std::equal(wanted.begin(), wanted.end(), lines.begin() + start);
}

std::optional<int> placeOf(const TextLines &lines, const TextLines &wanted, int expected, int atLeast) {
    const int most = static_cast<int>(lines.size());
    for (int away = 0; away <= most; ++away)
        for (const int start : {expected - away, expected + away})
            if (start >= atLeast && standsAt(lines, wanted, start))
                return start;
    return std::nullopt;
}

} // namespace

Result<UnifiedPatch> parseUnifiedPatch(const QByteArray &text) {
    using Answer = Result<UnifiedPatch>;
    UnifiedPatch patch;
    Reader reader(text);
    bool isHeader = true;
    while (!reader.atEnd()) {
        if (reader.sees("diff --git ")) {
            isHeader = false;
            patch.files.emplace_back();
            reader.next();
        } else if (reader.sees("rename from ") && !patch.files.empty()) {
            patch.files.back().from = reader.words().mid(12);
            reader.next();
        } else if (reader.sees("rename to ") && !patch.files.empty()) {
            patch.files.back().to = reader.words().mid(10);
            reader.next();
        } else if (reader.sees("--- ")) {
            const QString from = pathIn(reader.words().mid(4));
            reader.next();
            if (!reader.sees("+++ "))
                return Answer::error(reader.wrong(QStringLiteral("a line +++ belongs here")));
            // Without git's own line each --- begins a file.
            if (isHeader || patch.files.empty() || !patch.files.back().hunks.empty())
                patch.files.emplace_back();
            isHeader = false;
            patch.files.back().from = from;
            patch.files.back().to = pathIn(reader.words().mid(4));
            reader.next();
        } else if (reader.sees("@@ ")) {
            if (patch.files.empty())
                return Answer::error(reader.wrong(QStringLiteral("a hunk of no file")));
            PatchHunk hunk;
            if (const QString why = readHunk(reader, hunk); !why.isEmpty())
                return Answer::error(why);
            patch.files.back().hunks.push_back(std::move(hunk));
        } else if (reader.sees("GIT binary patch") || reader.sees("Binary files ")) {
            return Answer::error(reader.wrong(QStringLiteral("it changes a binary file")));
        } else {
            if (isHeader)
                patch.header += QString::fromUtf8(reader.peek());
            reader.next();
        }
    }
    if (patch.files.empty())
        return Answer::error(
            QStringLiteral("it changes no file: neither \"diff --git\" nor \"---\" and \"+++\""));
    return Answer::ok(std::move(patch));
}

Result<PatchedTexts> patched(const CandidateTexts &texts, const UnifiedPatch &patch) {
    using Answer = Result<PatchedTexts>;
    PatchedTexts done;
    done.texts = texts;
    for (const FilePatch &file : patch.files) {
        for (const QString &path : {file.from, file.to})
            if (!path.isEmpty() && (!isCandidatePath(path) || path.contains(QLatin1String(".."))))
                return Answer::error(
                    QStringLiteral("it changes \"%1\"; an agent writes model_new.py and kernels/ only")
                        .arg(path));
        const bool isMoved = file.from != file.to;
        if (!file.from.isEmpty() && texts.count(file.from) == 0)
            return Answer::error(QStringLiteral("\"%1\" is not there").arg(file.from));
        if (!file.to.isEmpty() && isMoved && done.texts.count(file.to) > 0)
            return Answer::error(QStringLiteral("\"%1\" is there already").arg(file.to));
        TextLines lines = file.from.isEmpty() ? TextLines() : linesOf(done.texts.at(file.from));
        int moved = 0;
        int atLeast = 0;
        for (const PatchHunk &hunk : file.hunks) {
            const std::optional<int> start = placeOf(lines, hunk.oldLines, hunk.oldStart + moved, atLeast);
            if (!start)
                return Answer::error(
                    QStringLiteral("its lines for line %1 of \"%2\" are nowhere in that file")
                        .arg(hunk.oldStart + 1)
                        .arg(file.from));
            apply(lines, {*start, static_cast<int>(hunk.oldLines.size()), hunk.newLines});
            moved = *start - hunk.oldStart + static_cast<int>(hunk.newLines.size()) -
                    static_cast<int>(hunk.oldLines.size());
            atLeast = *start + static_cast<int>(hunk.newLines.size());
        }
        if (!file.from.isEmpty() && isMoved)
            done.texts.erase(file.from);
        if (!file.to.isEmpty())
            done.texts[file.to] = joined(lines);
        if (!file.from.isEmpty() && !file.to.isEmpty() && isMoved)
            done.renames.push_back({file.from, file.to});
    }
    return Answer::ok(std::move(done));
}

} // namespace warpwright
