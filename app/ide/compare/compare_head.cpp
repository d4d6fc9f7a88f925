// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/compare/compare_head.h"

#include "app/ide/kit/verdict_badge.h"
#include "toolchain/evaluation/said_difference.h"
#include "toolchain/evaluation/unexercised.h"
#include "widgets/look/look.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace warpwright {
namespace {

const QString nothing = QStringLiteral("—");
constexpr int cellHeight = 62;
constexpr int leastCell = 208;

QString spoken(const ComparedMetric &metric) {
    QStringList parts{metric.left == metric.right
                          ? MetricStrip::tr("%1: %2").arg(metric.name, metric.left)
                          : MetricStrip::tr("%1: %2, then %3").arg(metric.name, metric.left, metric.right)};
    if (!metric.delta.isEmpty())
        parts << (metric.isNoise ? noDifferenceWords() + QStringLiteral(", ") + metric.delta : metric.delta);
    if (!metric.remark.isEmpty())
        parts << metric.remark;
    return parts.join(QStringLiteral(", "));
}

} // namespace

CompareHead::CompareHead(const Look &look, QWidget *parent)
    : QWidget(parent), m_look(look), m_verdict(lookOf(Verdict::NotRun)) {
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    connect(&look, &Look::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void CompareHead::show(const ComparedSide &side, const QString &time, const QString &speedUp) {
    m_title = side.title;
    m_note = side.note;
    m_hasVerdict = !side.isBaseline();
    m_isStale = side.isStale && side.evaluation.has_value();
    const Verdict verdict = side.evaluation ? side.evaluation->verdict : Verdict::NotRun;
    const std::optional<Unexercised> unexercised =
        side.evaluation ? side.evaluation->unexercised : std::nullopt;
    m_verdict = m_isStale          ? staleLook()
                : !side.evaluation ? notCheckedLook() // the list's word
                                   : lookOf(verdict, unexercised);
    const QString word = !m_hasVerdict ? tr("baseline")
                         : m_isStale   ? tr("stale, was %1").arg(lookOf(verdict).word)
                                       : m_verdict.word;
    m_time = time == nothing ? QString() : time;
    m_speedUp = speedUp == nothing ? QString() : speedUp;
    QStringList parts{m_title, word,      m_hasVerdict ? unexercisedSentence(unexercised) : QString(),
                      m_time,  m_speedUp, m_note};
    parts.removeAll(QString());
    setAccessibleName(parts.join(QStringLiteral(", ")));
    setToolTip(parts.join(QLatin1Char('\n')));
    update();
}

void CompareHead::say(const QString &title, const QString &why) {
    m_title = title;
    m_note = why;
    m_time.clear();
    m_speedUp.clear();
    m_hasVerdict = m_isStale = false;
    const QStringList parts{title, why};
    setAccessibleName(parts.join(QStringLiteral(", ")));
    setToolTip(parts.join(QLatin1Char('\n')));
    update();
}

QSize CompareHead::sizeHint() const {
    return {m_look.px(240), m_look.px(56)};
}

void CompareHead::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.card"));
    const int edge = m_look.px(12);
    const int first = m_look.px(18);
    const int right = width() - edge;
    painter.setFont(m_look.font(TextRole::Title, QFont::DemiBold));
    painter.setPen(m_look.color("text.primary"));
    const QFontMetrics metrics = painter.fontMetrics();
    int x = edge;
    const QString title = metrics.elidedText(m_title, Qt::ElideRight, std::max(0, right - x));
    painter.drawText(QRect(x, first - metrics.height() / 2, right - x, metrics.height()),
                     Qt::AlignVCenter | Qt::AlignLeft, title);
    x += metrics.horizontalAdvance(title) + m_look.px(10);
    if (m_hasVerdict && x + drawVerdictBadge(nullptr, m_look, m_verdict, m_isStale, 0, 0) <= right)
        x += drawVerdictBadge(&painter, m_look, m_verdict, m_isStale, x, first) + m_look.px(12);
    const auto word = [&](const QString &text, QFont::Weight weight, const char *token) {
        painter.setFont(m_look.font(TextRole::Body, weight));
        const int width = painter.fontMetrics().horizontalAdvance(text);
        if (text.isEmpty() || x + width > right)
            return;
        painter.setPen(m_look.color(m_isStale ? "text.tertiary" : token));
        painter.drawText(QRect(x, first - m_look.px(10), width + 2, m_look.px(20)),
                         Qt::AlignVCenter | Qt::AlignLeft, text);
        x += width + m_look.px(12);
    };
    word(m_time, QFont::DemiBold, "text.primary");
    word(m_speedUp, QFont::Normal, "text.secondary");
    painter.setFont(m_look.font(TextRole::Small));
    painter.setPen(m_look.color("text.secondary"));
    const QRect second(edge, m_look.px(33), right - edge, m_look.px(16));
    painter.drawText(second, Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(m_note, Qt::ElideRight, second.width()));
}

MetricStrip::MetricStrip(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {
    setObjectName(QStringLiteral("compareMetrics"));
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&look, &Look::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void MetricStrip::show(std::vector<ComparedMetric> metrics) {
    m_metrics = std::move(metrics);
    QStringList parts;
    for (const ComparedMetric &metric : m_metrics)
        parts << spoken(metric);
    setAccessibleName(parts.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

int MetricStrip::perRow(int width) const {
    const int count = std::max(1, static_cast<int>(m_metrics.size()));
    const int most = std::clamp(width / m_look.px(leastCell), 1, count);
    const int rows = (count + most - 1) / most;
    return (count + rows - 1) / rows; // rows of like length: not four cells and one below
}

int MetricStrip::heightForWidth(int width) const {
    const int columns = perRow(width);
    const int rows = (static_cast<int>(m_metrics.size()) + columns - 1) / columns;
    return heightOfRows(std::max(1, rows));
}

int MetricStrip::heightOfRows(int count) const {
    return count * m_look.px(cellHeight) + 1;
}

QSize MetricStrip::sizeHint() const {
    return {m_look.px(leastCell), heightForWidth(std::max(width(), m_look.px(leastCell)))};
}

QRect MetricStrip::cell(int index) const {
    const int columns = perRow(width());
    const int left = index % columns * width() / columns;
    const int right = (index % columns + 1) * width() / columns;
    return {left, index / columns * m_look.px(cellHeight), right - left, m_look.px(cellHeight)};
}

bool MetricStrip::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        auto *help = static_cast<QHelpEvent *>(event);
        for (int i = 0; i < static_cast<int>(m_metrics.size()); ++i)
            if (cell(i).contains(help->pos()))
                QToolTip::showText(help->globalPos(), spoken(m_metrics[static_cast<std::size_t>(i)]), this);
        return true;
    }
    return QWidget::event(event);
}

void MetricStrip::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    for (int i = 0; i < static_cast<int>(m_metrics.size()); ++i) {
        const ComparedMetric &metric = m_metrics[static_cast<std::size_t>(i)];
        const QRect box = cell(i);
        if (box.left() > 0)
            painter.fillRect(box.left(), box.top() + m_look.px(8), 1, box.height() - m_look.px(16),
                             m_look.color("border.subtle"));
        const int edge = m_look.px(12);
        const auto line = [&](int y, int height, TextRole role, QFont::Weight weight, const char *token,
                              const QString &text) {
            painter.setFont(m_look.font(role, weight));
            painter.setPen(m_look.color(token));
            const QRect place(box.left() + edge, box.top() + m_look.px(y), box.width() - 2 * edge,
                              m_look.px(height));
            painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft,
                             painter.fontMetrics().elidedText(text, Qt::ElideRight, place.width()));
        };
        line(6, 14, TextRole::Axis, QFont::Normal, "text.tertiary",
             metric.remark.isEmpty() || metric.delta.isEmpty()
                 ? metric.name
                 : metric.name + QStringLiteral(", ") + metric.remark);
        line(21, 18, TextRole::Small, QFont::Normal, "text.secondary",
             metric.left == metric.right ? metric.left : metric.left + QStringLiteral(" → ") + metric.right);
        if (metric.delta.isEmpty())
            line(39, 18, TextRole::Small, QFont::Normal, "text.tertiary", metric.remark);
        else if (metric.isNoise)
            line(39, 18, TextRole::Body, QFont::DemiBold, "verdict.inconclusive", noDifferenceWords());
        else
            line(39, 18, TextRole::Body, QFont::DemiBold, "text.primary",
                 metric.delta == QLatin1String("0") || metric.delta == QLatin1String("0 B") ? tr("no change")
                                                                                            : metric.delta);
    }
    painter.fillRect(0, height() - 1, width(), 1, m_look.color("border.normal"));
}

} // namespace warpwright
