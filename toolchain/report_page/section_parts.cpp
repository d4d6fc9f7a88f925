// SPDX-License-Identifier: GPL-3.0-or-later
// What the parts of a report page are made of.
#include "toolchain/base/figures.h"
#include "toolchain/history/iteration_words.h"
#include "toolchain/report_page/sections.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr qsizetype longestLine = 1000;

struct Sign {
    const char16_t *shape;
    const char *kind;
};

/// Shape and colour of a verdict, as the window's icons have them.
Sign signOf(Verdict verdict) {
    switch (verdict) {
    case Verdict::Pass:
        return {u"✓", "pass"};
    case Verdict::Wrong:
    case Verdict::RunFailed:
        return {u"✕", "wrong"};
    case Verdict::Rejected:
    case Verdict::Impossible:
        return {u"⊘", "rejected"};
    case Verdict::BuildFailed:
    case Verdict::TaskFailed:
    case Verdict::Usage:
    case Verdict::Environment:
        return {u"▲", "build"};
    case Verdict::Inconclusive:
        return {u"◆", "unsure"};
    case Verdict::NotRun:
    case Verdict::Unverifiable:
    case Verdict::Cancelled:
        break;
    }
    return {u"–", "idle"};
}

} // namespace

void beginSection(Markup &page, const char *id, const QString &title) {
    page.begin("section", {{"id", QLatin1String(id)}});
    page.add("h2", title);
}

void beginTable(Markup &page, const QStringList &heads, std::initializer_list<int> numeric, bool isSortable) {
    page.begin("div", {{"class", "wide"}});
    page.begin("table", {{"class", isSortable ? "sortable" : "plain"}});
    page.begin("thead");
    page.begin("tr");
    for (int column = 0; column < heads.size(); ++column) {
        const bool isNumber = std::find(numeric.begin(), numeric.end(), column) != numeric.end();
        page.add("th", {{"scope", "col"}, {"class", isNumber ? "n" : "t"}}, heads[column]);
    }
    page.end();
    page.end();
    page.begin("tbody");
}

void endTable(Markup &page) {
    page.end();
    page.end();
    page.end();
}

void addNumber(Markup &page, const QString &text, std::optional<double> value) {
    page.add("td", {{"class", "n"}, {"data-v", value ? QString::number(*value, 'g', 8) : QString()}}, text);
}

void addFact(Markup &page, const QString &name, const QString &value) {
    if (value.isEmpty())
        return;
    page.add("dt", name);
    page.add("dd", value);
}

void addVerdict(Markup &page, const char *tag, Verdict verdict, const QString &word, const char *kind) {
    const Sign sign = signOf(verdict);
    page.add(tag, {{"class", QStringLiteral("%1 %2").arg(QLatin1String(kind), QLatin1String(sign.kind))}},
             QStringLiteral("%1 %2").arg(QString::fromUtf16(sign.shape), word));
}

void addVerdict(Markup &page, const char *tag, const std::optional<EvaluationSummary> &summary) {
    const bool isNotExercised = summary && summary->unexercised && summary->verdict == Verdict::Pass;
    addVerdict(page, tag, !summary || isNotExercised ? Verdict::NotRun : summary->verdict,
               verdictWord(summary));
}

void addCode(Markup &page, const QByteArray &text, qsizetype lines,
             const std::map<int, std::pair<double, QString>> *heat) {
    page.begin("div", {{"class", "wide"}});
    page.begin("table", {{"class", "code"}});
    page.begin("tbody");
    QStringList rows = QString::fromUtf8(text).split(QLatin1Char('\n'));
    if (rows.size() > 1 && rows.last().isEmpty())
        rows.removeLast();
    for (qsizetype i = 0; i < std::min(rows.size(), lines); ++i) {
        page.begin("tr");
        if (heat != nullptr) {
            const auto found = heat->find(static_cast<int>(i) + 1);
            if (found == heat->end()) {
                page.add("td", {{"class", "heat"}}, {});
            } else {
                // Six steps of 12 %, the last one open.
                const int step = std::clamp(static_cast<int>(found->second.first / 0.12), 0, 5);
                page.add("td",
                         {{"class", QStringLiteral("heat h%1").arg(step)}, {"title", found->second.second}},
                         percentText(found->second.first));
            }
        }
        page.add("td", {{"class", "line"}}, QString::number(i + 1));
        QString row = rows[i];
        if (row.endsWith(QLatin1Char('\r')))
            row.chop(1);
        page.add("td", cutText(row, longestLine));
        page.end();
    }
    page.end();
    page.end();
    page.end();
    if (rows.size() > lines)
        page.paragraph(QStringLiteral("%1 of this file are not shown.")
                           .arg(countText(rows.size() - lines, QStringLiteral("line"))),
                       "faint");
}

} // namespace warpwright
