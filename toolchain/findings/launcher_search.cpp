// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/findings/launcher_search.h"

#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace warpwright {
namespace {

const QRegularExpression &namesBeforeParenthesis() {
    static const QRegularExpression names(QStringLiteral(R"(([A-Za-z_]\w*)\s*\()"));
    return names;
}

/// "k" of `__global__ void __launch_bounds__(256) k(const float *x)`.
QString nameIn(const QString &head) {
    static const QSet<QString> others{QStringLiteral("__launch_bounds__"), QStringLiteral("__attribute__"),
                                      QStringLiteral("__declspec"),        QStringLiteral("__align__"),
                                      QStringLiteral("alignas"),           QStringLiteral("decltype"),
                                      QStringLiteral("requires"),          QStringLiteral("noexcept")};
    for (auto match = namesBeforeParenthesis().globalMatch(head); match.hasNext();) {
        const auto one = match.next();
        const QStringView before = QStringView(head).left(one.capturedStart());
        if (before.count(QLatin1Char('(')) == before.count(QLatin1Char(')')) &&
            !others.contains(one.captured(1)))
            return one.captured(1);
    }
    return {};
}

} // namespace

QString withoutDirectives(QString code) {
    bool goesOn = false;
    for (qsizetype begin = 0; begin < code.size();) {
        qsizetype end = code.indexOf(QLatin1Char('\n'), begin);
        if (end < 0)
            end = code.size();
        qsizetype first = begin;
        while (first < end && code[first].isSpace())
            ++first;
        if (goesOn || (first < end && code[first] == QLatin1Char('#'))) {
            qsizetype last = end - 1;
            while (last > begin && code[last].isSpace())
                --last;
            goesOn = last >= begin && code[last] == QLatin1Char('\\');
            std::fill(code.begin() + begin, code.begin() + end, QLatin1Char(' '));
        }
        begin = end + 1;
    }
    return code;
}

LauncherSearch::LauncherSearch(QString code, std::function<bool(int)> isGuarded)
    : m_code(std::move(code)), m_isGuarded(std::move(isGuarded)), m_lineStarts{0} {
    for (qsizetype i = 0; i < m_code.size(); ++i)
        if (m_code[i] == QLatin1Char('\n'))
            m_lineStarts.push_back(i + 1);
    findFunctions();
    for (const Function &function : m_functions)
        if (!function.name.isEmpty())
            m_uses.insert(function.name, {});
    for (auto match = namesBeforeParenthesis().globalMatch(m_code); match.hasNext();) {
        const auto one = match.next();
        if (const auto uses = m_uses.find(one.captured(1)); uses != m_uses.end())
            uses->push_back(one.capturedStart());
    }
}

// Of the outermost braces those that are functions'. Namespaces, extern "C" and structs are looked into.
void LauncherSearch::findFunctions() {
    qsizetype open = -1;
    qsizetype begin = 0; // of what stands before the braces
    int depth = 0;
    for (qsizetype i = 0; i < m_code.size(); ++i) {
        const QChar letter = m_code[i];
        if (letter == QLatin1Char('{')) {
            if (depth > 0) {
                ++depth;
                continue;
            }
            const QStringView head = QStringView(m_code).mid(begin, i - begin);
            if (!head.contains(QLatin1Char('(')) && !head.contains(QLatin1Char('='))) {
                begin = i + 1;
            } else {
                depth = 1;
                open = i;
            }
        } else if (letter == QLatin1Char('}')) {
            if (depth > 0 && --depth == 0) {
                const QString head = m_code.mid(begin, open - begin);
                m_functions.push_back({nameIn(head), head.contains(QLatin1String("extern")), open, i});
                begin = i + 1;
            } else if (depth == 0) {
                begin = i + 1;
            }
        } else if (letter == QLatin1Char(';') && depth == 0) {
            begin = i + 1;
        }
    }
}

int LauncherSearch::lineAt(qsizetype place) const {
    return static_cast<int>(std::upper_bound(m_lineStarts.begin(), m_lineStarts.end(), place) -
                            m_lineStarts.begin());
}

int LauncherSearch::functionAt(qsizetype place) const {
    const auto after = std::upper_bound(m_functions.begin(), m_functions.end(), place,
                                        [](qsizetype at, const Function &one) { return at < one.open; });
    if (after == m_functions.begin() || place > std::prev(after)->close)
        return -1;
    return static_cast<int>(after - m_functions.begin()) - 1;
}

bool LauncherSearch::runsInEachCall(qsizetype place) {
    const int function = functionAt(place);
    return function >= 0 && isRun(function);
}

bool LauncherSearch::isRun(int index) {
    Function &function = m_functions[static_cast<std::size_t>(index)];
    if (function.answer != Answer::Unknown)
        return function.answer == Answer::Yes; // asked already: it calls itself, and that is no way to it
    function.answer = Answer::Asked;
    const QStringView body = QStringView(m_code).mid(function.open, function.close - function.open);
    bool isYes = function.isForOthers || body.contains(QLatin1String("<<<")) ||
                 body.contains(QLatin1String("cudaLaunchKernel"));
    if (!isYes)
        for (const qsizetype at : m_uses.value(function.name)) {
            const int caller = functionAt(at);
            if (caller < 0 || caller == index || m_isGuarded(lineAt(at)) || !isRun(caller))
                continue;
            isYes = true;
            break;
        }
    function.answer = isYes ? Answer::Yes : Answer::No;
    return isYes;
}

} // namespace warpwright
