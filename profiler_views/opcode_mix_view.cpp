// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/opcode_mix_view.h"

#include "toolchain/base/figures.h"
#include "widgets/look/look.h"

#include <QPainter>

#include <algorithm>
#include <numeric>

namespace warpwright {

OpcodeMixView::OpcodeMixView(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {
    setObjectName(QStringLiteral("opcodeMix"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&look, &Look::changed, this, [this] {
        updateGeometry();
        update();
    });
}

std::vector<OpcodeMixView::Share> OpcodeMixView::shares() const {
    std::vector<Share> made{
        {tr("tensor core"), "syntax.cuda"}, {tr("arithmetic"), "syntax.function"},
        {tr("memory"), "syntax.type"},      {tr("barriers and exchange"), "syntax.preproc"},
        {tr("control"), "syntax.keyword"},  {tr("integer and moves"), "border.strong"}};
    const auto add = [this, &made](std::size_t share, std::initializer_list<OpcodeClass> kinds) {
        for (const OpcodeClass kind : kinds)
            made[share].count += m_mix->count(kind);
    };
    add(0, {OpcodeClass::Tensor});
    add(1, {OpcodeClass::Fp32, OpcodeClass::Fp64, OpcodeClass::Half, OpcodeClass::Special});
    add(2, {OpcodeClass::Load, OpcodeClass::Store, OpcodeClass::AsyncCopy, OpcodeClass::Atomic,
            OpcodeClass::Texture});
    add(3, {OpcodeClass::Barrier, OpcodeClass::Exchange});
    add(4, {OpcodeClass::Control});
    const int counted = std::accumulate(made.begin(), made.end(), 0,
                                        [](int sum, const Share &share) { return sum + share.count; });
    made[5].count = m_mix->total - counted;
    return made;
}

QString OpcodeMixView::words() const {
    if (!m_mix)
        return {};
    std::vector<std::pair<int, QString>> classes;
    for (int i = 0; i < opcodeClassCount; ++i)
        if (const int count = m_mix->byClass[static_cast<std::size_t>(i)]; count > 0)
            classes.emplace_back(count, opcodeClassName(static_cast<OpcodeClass>(i)));
    std::stable_sort(classes.begin(), classes.end(),
                     [](const auto &a, const auto &b) { return a.first > b.first; });
    QStringList parts;
    for (const auto &[count, name] : classes)
        parts << QStringLiteral("%1 %2").arg(numberText(count), name);
    return tr("%1: %2").arg(countText(m_mix->total, tr("SASS instruction")),
                            parts.join(QStringLiteral(", ")));
}

void OpcodeMixView::setMix(const std::optional<OpcodeMix> &mix) {
    m_mix = mix;
    setVisible(m_mix.has_value());
    QStringList lines{words()};
    if (m_mix) {
        for (const OpcodeMix::Access &one : m_mix->accesses)
            lines << tr("%1 × %2, %3 bits a thread, %4")
                         .arg(one.count)
                         .arg(one.base)
                         .arg(one.access.widthBits)
                         .arg(one.access.space);
        lines << tr("counted as they stand, not as often as they run");
    }
    setToolTip(lines.join(QLatin1Char('\n')));
    setAccessibleName(words());
    update();
}

void OpcodeMixView::setBarOnly(bool isBarOnly) {
    if (m_isBarOnly == isBarOnly)
        return;
    m_isBarOnly = isBarOnly;
    updateGeometry();
    update();
}

QSize OpcodeMixView::sizeHint() const {
    if (m_isBarOnly)
        return {m_look.px(200), m_look.px(12)};
    return {m_look.px(200), QFontMetrics(m_look.font(TextRole::Small)).height() + m_look.px(18)};
}

void OpcodeMixView::paintEvent(QPaintEvent *) {
    if (!m_mix || m_mix->total == 0)
        return;
    QPainter painter(this);
    const int margin = m_look.px(12);
    const int room = width() - 2 * margin;
    const QRect bar(margin, m_look.px(2), room, m_look.px(6));
    int left = bar.left();
    int done = 0;
    for (const Share &share : shares()) {
        if (share.count == 0)
            continue;
        done += share.count;
        const int end = bar.left() + static_cast<int>(static_cast<qint64>(room) * done / m_mix->total);
        painter.fillRect(left, bar.top(), std::max(1, end - left - 1), bar.height(),
                         m_look.color(share.token));
        left = end;
    }
    if (m_isBarOnly)
        return;
    painter.setFont(m_look.font(TextRole::Small));
    painter.setPen(m_look.color("text.secondary"));
    painter.drawText(QRect(margin, bar.bottom() + m_look.px(4), room, height() - bar.bottom() - m_look.px(6)),
                     Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetrics(painter.font()).elidedText(words(), Qt::ElideRight, room));
}

} // namespace warpwright
