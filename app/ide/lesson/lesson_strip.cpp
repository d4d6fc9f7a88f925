// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/lesson/lesson_strip.h"

#include "agent/lessons/lesson_words.h"
#include "agent/record/live_run.h"
#include "app/ide/lesson/step_look.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/tool_tip_text.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace warpwright {

StepChip::StepChip(const Look &look, const LessonStep &step, bool isCurrent, QWidget *parent)
    : CardButton(look, true, parent), m_step(step), m_isCurrent(isCurrent) {
    setObjectName(QStringLiteral("lessonStep-%1").arg(step.number));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    const QString outcome = outcomeWords(step);
    const QString name = tr("Step %1: %2").arg(step.number).arg(step.title);
    setAccessibleName(outcome.isEmpty() ? name : name + QStringLiteral(", ") + outcome);
    setToolTip(toolTipText(outcome.isEmpty() ? name : name + QLatin1Char('\n') + outcome));
}

QSize StepChip::sizeHint() const {
    return {look().px(24), look().px(24)};
}

void StepChip::paintFace(QPainter &painter) {
    const StepLook mark = lookOf(m_step);
    const QFontMetrics metrics(look().font(TextRole::Axis, QFont::DemiBold));
    const QString number = QString::number(m_step.number);
    const int word = metrics.horizontalAdvance(number);
    const auto widthWith = [&](int icon, int gap) {
        return look().px(icon) + look().px(gap) + word;
    };
    // Where it is narrow the mark gets smaller: the number is what one speaks of.
    const bool isNarrow = widthWith(14, 4) + look().px(8) > width();
    const int icon = isNarrow ? 10 : 14;
    const int gap = isNarrow ? 2 : 4;
    const int both = widthWith(icon, gap);
    const bool hasNumber = both + look().px(isNarrow ? 4 : 8) <= width();
    int x = (width() - (hasNumber ? both : look().px(icon))) / 2;
    drawIcon(painter, QString::fromLatin1(mark.icon), x, height() / 2, icon, mark.token);
    if (hasNumber)
        drawLine(painter, number, x + look().px(icon) + look().px(gap), width(), height() / 2, TextRole::Axis,
                 m_isCurrent ? "accent.text" : "text.secondary",
                 m_isCurrent ? QFont::DemiBold : QFont::Normal);
}

LessonStrip::LessonStrip(const Look &look, QAction *show, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_place(new Words(look, TextRole::Small, "text.primary", this, QFont::DemiBold)),
      m_open(new ActionButton(look, ActionButton::Kind::Flat, this)),
      m_row(new QWidget(this)),
      m_chips(new QHBoxLayout(m_row)) {
    setObjectName(QStringLiteral("lessonStrip"));
    m_place->setElides();
    m_place->setObjectName(QStringLiteral("lessonPlace"));
    m_open->setObjectName(QStringLiteral("lessonOpen"));
    m_open->setAction(show, false);
    m_open->setText(tr("Lesson"));
    m_open->setIconName(QStringLiteral("lesson"));
    m_open->setSmall(true);
    auto *head = new QHBoxLayout;
    head->setSpacing(look.px(8));
    head->addWidget(m_place, 1);
    head->addWidget(m_open);
    m_chips->setContentsMargins(0, 0, 0, 0);
    m_chips->setSpacing(look.px(4));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(look.px(12), look.px(4), look.px(12), look.px(8));
    column->setSpacing(look.px(4));
    column->addLayout(head);
    column->addWidget(m_row);
    connect(&look, &Look::changed, this, qOverload<>(&QWidget::update));
    hide();
}

void LessonStrip::setContents(const std::optional<LessonContents> &contents) {
    setVisible(contents.has_value());
    if (!contents)
        return m_shown.clear();
    const LessonStory &story = contents->story;
    const QString place =
        contents->isRecording ? tr("Recorded lesson: %1").arg(contents->lesson.title)
        : contents->elsewhere
            ? tr("Lesson: %1, %2").arg(runsElsewhereWords(*contents->elsewhere), placeWords(story))
        : story.isResting() ? tr("Lesson: stopped at %1").arg(placeWords(story))
                            : tr("Lesson: %1").arg(placeWords(story));
    m_place->setText(place);
    m_place->setToolTip(toolTipText(place + QLatin1Char('\n') + contents->lesson.title));
    if (story.steps() == m_shown)
        return; // a chip that has the keys keeps them
    m_shown = story.steps();
    int focused = 0;
    while (QLayoutItem *item = m_chips->takeAt(0)) {
        if (item->widget()->hasFocus())
            focused = item->widget()->objectName().section(QLatin1Char('-'), -1).toInt();
        item->widget()->hide();
        item->widget()->setObjectName({});
        item->widget()->deleteLater();
        delete item;
    }
    for (const LessonStep &step : m_shown) {
        auto *chip = new StepChip(m_look, step, step.number == story.at(), m_row);
        connect(chip, &QAbstractButton::clicked, this,
                [this, number = step.number] { emit stepPicked(number); });
        m_chips->addWidget(chip);
        if (step.number == focused)
            chip->setFocus();
    }
}

void LessonStrip::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    painter.fillRect(0, height() - 1, width(), 1, m_look.color("border.subtle"));
}

} // namespace warpwright
