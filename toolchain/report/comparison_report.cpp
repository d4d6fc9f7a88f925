// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report/comparison_report.h"

#include "toolchain/base/figures.h"
#include "toolchain/base/verdict.h"
#include "toolchain/report/text_table.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

using Group = ComparisonRow::Group;
using State = ComparisonRow::State;

// Two blanks before, three between: 99 columns.
constexpr qsizetype nameWidth = 32;
constexpr qsizetype sideWidth = 19;
constexpr qsizetype differenceWidth = 18;
constexpr qsizetype wordsWidth = 22; ///< «no difference measured»: the names have the less
constexpr int mostRows = 12;

QString fitted(const QString &text, qsizetype width) {
    const QString line = printableLine(text);
    return line.size() <= width ? line : line.left(width - 1) + QStringLiteral("…");
}

QString differenceOf(const ComparisonRow &row) {
    if (row.difference.isEmpty())
        return row.state == State::Differs && row.group == Group::Verdict ? QStringLiteral("differs")
               : row.state == State::Differs                              ? QString()
                                                                          : stateWord(row.state);
    return row.differenceWords();
}

QString headText(const ComparisonHead &head, const Terminal &terminal) {
    QString text = inked(terminal, Ink::Strong, head.title.toLower());
    if (!head.note.isEmpty())
        text += QStringLiteral("   ") + printable(head.note);
    QStringList facts;
    if (head.verdict)
        facts << inked(terminal, inkOf(*head.verdict), verdictName(*head.verdict));
    for (const QString &fact : {head.time, head.device, head.trust})
        if (!fact.isEmpty())
            facts << printable(fact);
    if (facts.isEmpty())
        facts << (head.choice.isArm() ? QStringLiteral("no time of it is stored")
                                      : QStringLiteral("not checked"));
    return text + QStringLiteral("\n  ") + wrapped(facts.join(QStringLiteral(" · ")), 96, 2) +
           QLatin1Char('\n');
}

bool isShown(const ComparisonRow &row, bool showsAll) {
    return showsAll || row.isDifference() || row.state == State::NotComparable ||
           row.group == Group::Verdict || row.group == Group::Time;
}

using Rows = std::vector<const ComparisonRow *>;

QString restText(const Rows &hidden, int moreDiffer) {
    QStringList parts;
    if (moreDiffer > 0)
        parts << QStringLiteral("%1 more differ").arg(moreDiffer);
    for (const auto &[state, words] :
         {std::pair(State::Missing, "%1 not collected"),
          std::pair(State::Noise, "no difference measured in %1"), std::pair(State::Same, "%1 the same")}) {
        const auto count = std::count_if(hidden.begin(), hidden.end(),
                                         [wanted = state](const auto *row) { return row->state == wanted; });
        if (count > 0)
            parts << QString::fromLatin1(words).arg(count);
    }
    return parts.join(QStringLiteral(", "));
}

// Why there is no difference, and how times came about: once each.
QString remarksText(const Rows &shown, const Terminal &terminal) {
    QString text;
    std::set<QString> said;
    for (const ComparisonRow *row : shown) {
        const bool isTold = row->group == Group::Time || row->state == State::NotComparable;
        const QString remark = row->remarkWords();
        if (!isTold || remark.isEmpty() || !said.insert(remark).second)
            continue;
        text += QStringLiteral("  ") +
                inked(terminal, Ink::Faint,
                      wrapped(printable(QStringLiteral("%1: %2").arg(row->name, remark)), 96, 4)) +
                QLatin1Char('\n');
    }
    return text;
}

QString tableText(const Rows &rows, const StateComparison &comparison, const Terminal &terminal,
                  bool showsAll) {
    const ComparisonRow &first = *rows.front();
    QString title = groupName(first.group);
    if (!first.kernel.isEmpty())
        title += QStringLiteral(", ") + first.kernel;
    QString text = QLatin1Char('\n') + inked(terminal, Ink::Strong, wrapped(printableLine(title), 98, 4)) +
                   QLatin1Char('\n');
    Rows shown;
    Rows hidden;
    int moreDiffer = 0;
    for (const ComparisonRow *row : rows) {
        if (!isShown(*row, showsAll))
            hidden.push_back(row);
        else if (!showsAll && static_cast<int>(shown.size()) >= mostRows)
            ++moreDiffer;
        else
            shown.push_back(row);
    }
    TextTable table({1, 2, 3});
    if (!shown.empty())
        table.heading({QString(), fitted(comparison.left.title.toLower(), sideWidth),
                       fitted(comparison.right.title.toLower(), sideWidth), QStringLiteral("difference")});
    const bool hasWords =
        std::any_of(shown.begin(), shown.end(), [](const auto *row) { return row->state == State::Noise; });
    const qsizetype lastWidth = hasWords ? wordsWidth : differenceWidth;
    const qsizetype firstWidth = nameWidth + differenceWidth - lastWidth;
    for (const ComparisonRow *row : shown) {
        const bool isFaint = row->state == State::Noise || row->state == State::Same;
        const auto cell = [row](const QString &side) {
            return side.isEmpty() ? QStringLiteral("–")
                                  : fitted(side, row->group == Group::Verdict ? 30 : sideWidth);
        };
        table.row({fitted(row->name, firstWidth), cell(row->left), cell(row->right),
                   fitted(differenceOf(*row), lastWidth)},
                  isFaint ? Ink::Faint : Ink::Plain);
    }
    text += table.text(terminal, 2) + remarksText(shown, terminal);
    if (const QString rest = restText(hidden, moreDiffer); !rest.isEmpty())
        text += QStringLiteral("  ") + inked(terminal, Ink::Faint, rest) + QLatin1Char('\n');
    return text;
}

// A kernel of which nothing differs is a line.
bool isQuiet(const Rows &rows, bool showsAll) {
    return !showsAll && rows.front()->group != Group::Verdict && rows.front()->group != Group::Time &&
           std::none_of(rows.begin(), rows.end(), [](const auto *row) { return isShown(*row, false); });
}

} // namespace

QString comparisonText(const StateComparison &comparison, const Terminal &terminal, bool showsAll) {
    QString text = headText(comparison.left, terminal) + headText(comparison.right, terminal);
    for (const QString &notice : comparison.notices)
        text += inked(terminal, Ink::Unsure, wrapped(printable(notice), 98, 2)) + QLatin1Char('\n');
    std::size_t at = 0;
    std::map<Group, QStringList> quiet;
    const auto sayQuiet = [&](Group group) {
        if (const QStringList names = quiet[group]; !names.isEmpty())
            text += QStringLiteral("\n%1: nothing differs%2\n")
                        .arg(groupName(group),
                             names.join(QString()).isEmpty()
                                 ? QString()
                                 : QStringLiteral(" in ") +
                                       wrapped(printableLine(names.join(QStringLiteral(", "))), 70, 4));
    };
    while (at < comparison.rows.size()) {
        const ComparisonRow &first = comparison.rows[at];
        Rows rows;
        for (; at < comparison.rows.size() && comparison.rows[at].group == first.group &&
               comparison.rows[at].kernel == first.kernel;
             ++at)
            rows.push_back(&comparison.rows[at]);
        if (isQuiet(rows, showsAll))
            quiet[first.group] << first.kernel;
        else
            text += tableText(rows, comparison, terminal, showsAll);
        if (at == comparison.rows.size() || comparison.rows[at].group != first.group)
            sayQuiet(first.group);
    }
    if (!comparison.missing.empty())
        text += QLatin1Char('\n');
    for (const MissingPart &part : comparison.missing)
        text += inked(terminal, Ink::Faint, wrapped(printable(part.text()), 98, 2)) + QLatin1Char('\n');
    return text;
}

} // namespace warpwright
