// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/closing_picture.h"

#include "app/ide/kit/card.h"
#include "profiler_views/lesson/lesson_times_view.h"
#include "widgets/frame/action_button.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>

namespace warpwright {

ClosingPicture::ClosingPicture(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_head(new CardHead(look, tr("Time after each step"), {}, this)),
      m_note(new Words(look, TextRole::Small, "text.secondary", this)) {
    setObjectName(QStringLiteral("lessonClosing"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, look.px(8), 0, look.px(8));
    column->setSpacing(look.px(8));
    auto *head = new QHBoxLayout;
    head->setSpacing(look.px(6));
    head->addWidget(m_head, 1);
    for (const auto &[kind, text, spoken] :
         {std::tuple(QStringLiteral("png"), tr("PNG…"), tr("Export the picture as PNG")),
          std::tuple(QStringLiteral("svg"), tr("SVG…"), tr("Export the picture as SVG")),
          std::tuple(QStringLiteral("csv"), tr("CSV…"), tr("Export the numbers as CSV"))}) {
        auto *button = new ActionButton(look, ActionButton::Kind::Flat, this);
        button->setObjectName(QStringLiteral("lessonExport-") + kind);
        button->setText(text);
        button->setIconName(QStringLiteral("export"));
        button->setAccessibleName(spoken);
        button->setToolTip(spoken);
        button->setSmall(true);
        connect(button, &QAbstractButton::clicked, this, [this, kind = kind] { emit exportAsked(kind); });
        head->addWidget(button);
        m_exports.push_back(button);
    }
    column->addLayout(head);
    auto *card = new Card(look, this);
    m_chart = new LessonTimesView(look, card);
    m_chart->setObjectName(QStringLiteral("lessonChart"));
    card->add(m_chart);
    column->addWidget(card);
    m_note->setObjectName(QStringLiteral("lessonChartNote"));
    m_note->setProse();
    m_note->setText(
        tr("A row is counted from the text before it, as that was timed side by side in the same run "
           "(the dashed line); its factor decides. Two rows are of two runs: their lengths may differ "
           "where nothing did."));
    column->addWidget(m_note);
}

void ClosingPicture::show(const LessonTimes &times, bool isWhole) {
    m_chart->show(times);
    m_head->setRemark(isWhole ? tr("the lesson in one picture: predicted beside measured")
                              : tr("predicted beside measured"));
    m_note->setVisible(std::any_of(times.steps.begin(), times.steps.end(),
                                   [](const StepTimes &step) { return step.base.has_value(); }));
    for (ActionButton *button : m_exports)
        button->setVisible(!m_chart->isEmpty());
}

} // namespace warpwright
