// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/kit/stage_row.h"

#include "profiler_views/verdict_look.h"
#include "toolchain/base/figures.h"
#include "widgets/look/look.h"

#include <QPainter>

namespace warpwright {
namespace {

constexpr int rowHeight = 24; ///< px at 96 dpi of each line below the first

StageRow::Stage stageOf(const QString &name, StageStatus status, const QString &remark,
                        const VerdictLook &failedLook) {
    const VerdictLook look = status == StageStatus::Failed ? failedLook : lookOf(status);
    QString words = remark;
    if (status == StageStatus::NotRun)
        words = StageRow::tr("not run");
    else if (status == StageStatus::Cancelled)
        words = StageRow::tr("cancelled");
    return {name, words, QString::fromLatin1(look.icon), look.ink,
            status == StageStatus::NotRun || status == StageStatus::Cancelled};
}

QString secondsText(const std::optional<double> &seconds) {
    return seconds ? durationText(*seconds) : QString();
}

} // namespace

std::vector<StageRow::Stage> stagesOf(const CompileSection &compile, bool isBeingChecked) {
    std::vector<StageRow::Stage> stages = {
        stageOf(StageRow::tr("Compile"), compile.status, secondsText(compile.seconds),
                lookOf(Verdict::BuildFailed)),
        stageOf(StageRow::tr("Verify"), StageStatus::NotRun, {}, lookOf(Verdict::Wrong)),
        stageOf(StageRow::tr("Profile"), StageStatus::NotRun, {}, lookOf(Verdict::NotRun))};
    if (isBeingChecked)
        for (std::size_t i = 1; i < stages.size(); ++i) {
            stages[i].remark = StageRow::tr("checking");
            stages[i].icon = QStringLiteral("running");
        }
    return stages;
}

std::vector<StageRow::Stage> stagesOf(const Evaluation &evaluation, const MeasuredFigures &figures) {
    QStringList verify;
    if (figures.verify.roundsRun > 0)
        verify << (figures.verify.status == StageStatus::Failed
                       ? StageRow::tr("round %1").arg(figures.verify.roundsRun)
                       : StageRow::tr("%1 of %2")
                             .arg(figures.verify.roundsPassed)
                             .arg(figures.verify.roundsRun));
    if (figures.verify.seconds)
        verify << durationText(*figures.verify.seconds);
    return {stageOf(StageRow::tr("Compile"), evaluation.compile.status,
                    secondsText(evaluation.compile.seconds), lookOf(Verdict::BuildFailed)),
            stageOf(StageRow::tr("Verify"), figures.verify.status, verify.join(QStringLiteral(", ")),
                    lookOf(Verdict::Wrong)),
            stageOf(StageRow::tr("Profile"), figures.profile, secondsText(figures.profileSeconds),
                    lookOf(evaluation.verdict))};
}

std::vector<StageRow::Stage> ofTextBefore(std::vector<StageRow::Stage> stages) {
    for (StageRow::Stage &stage : stages) {
        stage.token = "text.tertiary";
        stage.isQuiet = true;
    }
    const VerdictLook stale = staleLook();
    stages.insert(stages.begin(), {stale.word, StageRow::tr("of the text before"),
                                   QString::fromLatin1(stale.icon), stale.ink, false});
    return stages;
}

StageRow::StageRow(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&look, &Look::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void StageRow::setStages(std::vector<Stage> stages) {
    m_stages = std::move(stages);
    QStringList words;
    for (const Stage &stage : m_stages)
        words << stage.name + QLatin1Char(' ') + stage.remark;
    setAccessibleName(words.join(QStringLiteral(", ")));
    setToolTip(accessibleName()); // all of it, also where there is no room
    updateGeometry();
    update();
}

int StageRow::widthOf(const Stage &stage, bool hasRemark) const {
    const QFontMetrics name(m_look.font(TextRole::Small, QFont::DemiBold));
    const QFontMetrics remark(m_look.font(TextRole::Small));
    const int words =
        hasRemark && !stage.remark.isEmpty() ? m_look.px(5) + remark.horizontalAdvance(stage.remark) : 0;
    return m_look.px(16 + 5) + name.horizontalAdvance(stage.name) + words;
}

// Remarks go, the first stage's first, so that each stage is in sight; where the names alone have no room in
// one line they take another one.
std::vector<StageRow::Placed> StageRow::layOut(int width) const {
    const int edge = m_look.px(12);
    const int gap = m_look.px(16);
    const int right = width - edge;
    const auto wanted = [&](std::size_t bare) {
        int all = edge - gap;
        for (std::size_t i = 0; i < m_stages.size(); ++i)
            all += gap + widthOf(m_stages[i], i >= bare);
        return all;
    };
    std::size_t bare = 0;
    while (bare < m_stages.size() && wanted(bare) > right)
        ++bare;
    const bool wraps = wanted(bare) > right;
    std::vector<Placed> placed;
    int x = edge;
    int row = 0;
    for (std::size_t i = 0; i < m_stages.size(); ++i) {
        const bool hasRemark = i >= bare;
        const int own = widthOf(m_stages[i], hasRemark);
        if (wraps && x > edge && x + own > right) {
            x = edge;
            ++row;
        }
        placed.push_back({x, row, hasRemark});
        x += own + gap;
    }
    return placed;
}

int StageRow::heightForWidth(int width) const {
    const std::vector<Placed> placed = layOut(width);
    return m_look.px(32) + (placed.empty() ? 0 : placed.back().row * m_look.px(rowHeight));
}

QSize StageRow::sizeHint() const {
    return {m_look.px(200), heightForWidth(std::max(width(), m_look.px(200)))};
}

void StageRow::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const std::vector<Placed> placed = layOut(width());
    for (std::size_t i = 0; i < m_stages.size(); ++i) {
        const Stage &stage = m_stages[i];
        const int top = placed[i].row * m_look.px(rowHeight);
        const int icon = m_look.px(16);
        int x = placed[i].x;
        m_look.icon(stage.icon, m_look.color(stage.token))
            .paint(&painter, QRect(x, top + (m_look.px(32) - icon) / 2, icon, icon));
        x += icon + m_look.px(5);
        const auto draw = [&](const QString &text, QFont::Weight weight, const char *token) {
            painter.setFont(m_look.font(TextRole::Small, weight));
            painter.setPen(m_look.color(token));
            const int room = std::max(0, width() - x);
            painter.drawText(QRect(x, top, room, m_look.px(32)), Qt::AlignVCenter | Qt::AlignLeft,
                             painter.fontMetrics().elidedText(text, Qt::ElideRight, room));
            x += painter.fontMetrics().horizontalAdvance(text);
        };
        draw(stage.name, QFont::DemiBold, stage.isQuiet ? "text.secondary" : "text.primary");
        x += m_look.px(5);
        if (placed[i].hasRemark)
            draw(stage.remark, QFont::Normal, "text.tertiary");
    }
    painter.fillRect(0, height() - 1, width(), 1, m_look.color("border.subtle"));
}

} // namespace warpwright
