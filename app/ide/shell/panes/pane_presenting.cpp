// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/panes/pane_presenting.h"

#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/presentation.h"
#include "app/ide/shell/panes/presented_steps.h"
#include "app/ide/shell/panes/presented_words.h"
#include "widgets/look/look.h"

#include <QVBoxLayout>

#include <utility>

namespace warpwright {

PanePresenting::PanePresenting(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_line(new PresentedLine(parts.look, &parts.workPage)) {
    static_cast<QVBoxLayout *>(m_parts.workPage.layout())->insertWidget(0, m_line);
    Presentation::Steps steps;
    steps.can = [this](int by) {
        return m_parts.steps.canGo(m_presentation->pane(), by);
    };
    steps.go = [this](int by) {
        m_parts.steps.go(m_presentation->pane(), by);
    };
    m_presentation =
        new Presentation({*window, m_parts.four, *m_line, m_parts.others}, std::move(steps), this);
    connect(&m_parts.words, &PresentedWords::changed, m_line, [this] { say(); });
}

void PanePresenting::say() {
    if (!m_presentation->isOn())
        return;
    const auto [about, place] = m_parts.words.of(m_presentation->pane());
    QStringList places = place;
    places.removeAll(QString());
    places << tr("Esc ends");
    m_line->say(about, places.join(QStringLiteral(" · ")));
}

} // namespace warpwright
