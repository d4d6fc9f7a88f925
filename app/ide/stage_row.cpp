// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/stage_row.h"

#include "profiler_views/verdict_look.h"
#include "toolchain/figures.h"
#include "widgets/look.h"

#include <QPainter>

namespace warpwright {
namespace {

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
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
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
    update();
}

// Remarks go, the first stage's first, so that each stage is in sight.
std::size_t StageRow::remarksLeftOut() const {
    const QFontMetrics name(m_look.font(TextRole::Small, QFont::DemiBold));
    const QFontMetrics remark(m_look.font(TextRole::Small));
    int wanted = m_look.px(12);
    for (const Stage &stage : m_stages)
        wanted += m_look.px(16 + 5 + 5 + 16) + name.horizontalAdvance(stage.name) +
                  remark.horizontalAdvance(stage.remark);
    std::size_t out = 0;
    for (; out < m_stages.size() && wanted - m_look.px(16) > width(); ++out)
        wanted -= remark.horizontalAdvance(m_stages[out].remark);
    return out;
}

QSize StageRow::sizeHint() const {
    return {m_look.px(200), m_look.px(32)};
}

void StageRow::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    int x = m_look.px(12);
    std::size_t bare = remarksLeftOut();
    for (const Stage &stage : m_stages) {
        const int icon = m_look.px(16);
        m_look.icon(stage.icon, m_look.color(stage.token))
            .paint(&painter, QRect(x, (height() - icon) / 2, icon, icon));
        x += icon + m_look.px(5);
        const auto draw = [&](const QString &text, QFont::Weight weight, const char *token) {
            painter.setFont(m_look.font(TextRole::Small, weight));
            painter.setPen(m_look.color(token));
            painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignVCenter | Qt::AlignLeft, text);
            x += painter.fontMetrics().horizontalAdvance(text);
        };
        draw(stage.name, QFont::DemiBold, stage.isQuiet ? "text.secondary" : "text.primary");
        x += m_look.px(5);
        if (bare > 0)
            --bare;
        else
            draw(stage.remark, QFont::Normal, "text.tertiary");
        x += m_look.px(16);
    }
    painter.fillRect(0, height() - 1, width(), 1, m_look.color("border.subtle"));
}

} // namespace warpwright
