// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/text/scanned_text.h"

#include <QRegularExpression>

#include <algorithm>
#include <optional>

namespace warpwright {
namespace {

/// The line ends of `part`, and blanks for the rest.
QString blanked(QStringView part) {
    QString blank = part.toString();
    for (QChar &c : blank)
        if (c != QLatin1Char('\n'))
            c = QLatin1Char(' ');
    return blank;
}

QString withoutComments(const QString &text, Literals literals) {
    // A number is taken whole for the ' between its digits.
    static const QRegularExpression token(
        QStringLiteral("(?<comment>//(?:\\\\\\r?\\n|[^\\n])*+|/\\*.*?(?:\\*/|\\z))"
                       "|(?<include>^[ \\t]*#[ \\t]*include[ \\t]*(?:\"[^\"\\n]*\"|<[^>\\n]*>))"
                       "|(?<literal>\\b(?:u8|[uUL])?R\"(?<end>[^()\\\\\\s]{0,16})\\(.*?\\)\\k<end>\""
                       "|\"(?:\\\\.|[^\"\\\\\\n])*+\"|'(?:\\\\.|[^'\\\\\\n])++')"
                       "|(?<number>\\b\\d(?:'?[\\w.])*+)"),
        QRegularExpression::DotMatchesEverythingOption | QRegularExpression::MultilineOption);
    QString code;
    code.reserve(text.size());
    qsizetype at = 0;
    for (auto tokens = token.globalMatch(text); tokens.hasNext();) {
        const auto match = tokens.next();
        const bool isBlank =
            match.hasCaptured(u"comment") || (literals == Literals::Blanked && match.hasCaptured(u"literal"));
        code += QStringView(text).mid(at, match.capturedStart() - at);
        code += isBlank ? blanked(match.capturedView()) : match.captured();
        at = match.capturedEnd();
    }
    return code.append(QStringView(text).mid(at));
}

/// What the text alone says of a condition. All that is built here defines TORCH_EXTENSION_NAME.
std::optional<bool> decided(const QString &word, const QString &condition) {
    const QString name = QStringLiteral("TORCH_EXTENSION_NAME");
    if (word == QLatin1String("ifdef") || word == QLatin1String("ifndef"))
        return condition == name ? std::optional(word == QLatin1String("ifdef")) : std::nullopt;
    if (condition == QLatin1String("0") || condition == QLatin1String("false"))
        return false;
    if (condition == QLatin1String("1") || condition == QLatin1String("true") ||
        condition == QStringLiteral("defined(%1)").arg(name) ||
        condition == QStringLiteral("defined %1").arg(name))
        return true;
    return std::nullopt;
}

/// An #if and what follows it up to its #endif.
struct Branches {
    std::optional<bool> now;    ///< whether the present part is compiled
    std::optional<bool> before; ///< whether one of the parts before it is

    void next(const std::optional<bool> &condition) {
        if (before != true && now != false)
            before = now;
        now = before == true || condition == false ? std::optional(false)
              : before == false                    ? condition
                                                   : std::nullopt;
    }
};

/// Blanks what is not compiled, and marks what may not be.
void goThroughConditions(QStringList &lines, std::vector<bool> &isUnsure) {
    static const QRegularExpression directive(
        QStringLiteral("^\\s*(?:#|%:)\\s*(if|ifdef|ifndef|elif|else|endif)\\b\\s*(.*?)\\s*$"));
    std::vector<Branches> open;
    bool goesOn = false; // the directive of the line before
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QString line = lines[i].trimmed();
        const auto match = directive.match(line);
        const QString word = match.captured(1);
        if (word.startsWith(QLatin1String("if")))
            open.push_back({decided(word, match.captured(2)), false});
        else if (word == QLatin1String("endif") && !open.empty())
            open.pop_back();
        else if (!word.isEmpty() && !open.empty())
            open.back().next(word == QLatin1String("else") ? true : decided(word, match.captured(2)));
        const auto isOff = [](const Branches &branches) {
            return branches.now == false;
        };
        if (!match.hasMatch() && std::any_of(open.begin(), open.end(), isOff))
            lines[i] = blanked(lines[i]);
        isUnsure[static_cast<std::size_t>(i)] =
            goesOn ||
            std::any_of(open.begin(), open.end(), [](const Branches &branches) { return !branches.now; });
        goesOn = (goesOn || line.startsWith(QLatin1Char('#'))) && line.endsWith(QLatin1Char('\\'));
    }
}

} // namespace

int ScannedText::lineAt(qsizetype place) const {
    return static_cast<int>(QStringView(code).left(place).count(QLatin1Char('\n'))) + 1;
}

ScannedText scanText(const QByteArray &text, Literals literals) {
    QStringList lines = withoutComments(QString::fromUtf8(text), literals).split(QLatin1Char('\n'));
    ScannedText scanned;
    scanned.isUnsure.resize(static_cast<std::size_t>(lines.size()));
    goThroughConditions(lines, scanned.isUnsure);
    scanned.code = lines.join(QLatin1Char('\n'));
    return scanned;
}

} // namespace warpwright
