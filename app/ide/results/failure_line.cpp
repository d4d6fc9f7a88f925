// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/results/failure_line.h"

#include "app/ide/kit/card.h"
#include "widgets/frame/action_button.h"

#include <QHBoxLayout>
#include <QTimer>

namespace warpwright {
namespace {

constexpr int copiedMs = 1500;

} // namespace

FailureLine::FailureLine(const Look &look, QWidget *parent)
    : QWidget(parent),
      m_where(new Words(look, TextRole::Small, "text.primary", this)),
      m_written(new Words(look, TextRole::Small, "text.secondary", this)),
      m_store(new ActionButton(look, ActionButton::Kind::Plain, this)),
      m_ask(new ActionButton(look, ActionButton::Kind::Plain, this)),
      m_copy(new ActionButton(look, ActionButton::Kind::Plain, this)) {
    m_where->setProse();
    m_where->setObjectName(QStringLiteral("wrongElement"));
    m_written->setProse();
    m_written->setObjectName(QStringLiteral("wrongElementStores"));
    m_store->setObjectName(QStringLiteral("goToStore"));
    m_ask->setObjectName(QStringLiteral("askAboutFailure"));
    m_copy->setObjectName(QStringLiteral("copyProgram"));
    m_store->setText(tr("Go to the store"));
    m_store->setIconName(QStringLiteral("target"));
    m_ask->setText(tr("Ask the agent"));
    m_ask->setIconName(QStringLiteral("send"));
    m_ask->setToolTip(
        tr("Puts the pattern, the worst elements and the map as text into the agent's box, to be "
           "changed and sent"));
    m_copy->setText(tr("Copy repro"));
    m_copy->setIconName(QStringLiteral("copy"));
    auto *buttons = new QHBoxLayout;
    buttons->setSpacing(look.px(6));
    for (ActionButton *button : {m_store, m_ask, m_copy}) {
        button->setSmall(true);
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(look.px(12), look.px(2), look.px(12), look.px(10));
    column->setSpacing(look.px(4));
    column->addWidget(m_where);
    column->addWidget(m_written);
    column->addLayout(buttons);
    connect(m_store, &ActionButton::clicked, this, &FailureLine::goToNext);
    connect(m_ask, &ActionButton::clicked, this, &FailureLine::agentAsked);
    connect(m_copy, &ActionButton::clicked, this, &FailureLine::programAsked);
    setWhyNoProgram({});
    hide();
}

void FailureLine::setElement(const std::optional<WrongElement> &element) {
    m_element = element;
    m_next = 0;
    describe();
}

void FailureLine::setStores(std::vector<StoreSite> sites, int unplaced, const QString &whyNot) {
    m_sites = whyNot.isEmpty() ? std::move(sites) : std::vector<StoreSite>();
    m_stores = whyNot.isEmpty() ? storeWords(m_sites, unplaced) : whyNot;
    m_next = 0;
    describe();
}

void FailureLine::setWhyNoProgram(const QString &why) {
    m_copy->setEnabled(why.isEmpty());
    m_copy->setToolTip(why.isEmpty()
                           ? tr("Copies a Python program that calls reference and candidate on this "
                                "round's inputs and looks at this element")
                           : why);
}

void FailureLine::sayCopied() {
    m_copy->setText(tr("Copied"));
    QTimer::singleShot(copiedMs, m_copy, [this] { m_copy->setText(tr("Copy repro")); });
}

// Where several lines store, each click goes to the next one.
void FailureLine::goToNext() {
    if (m_sites.empty())
        return;
    const StoreSite site = m_sites[m_next % m_sites.size()];
    m_next = (m_next + 1) % m_sites.size();
    emit placeActivated(site.file, site.line, 1);
}

void FailureLine::describe() {
    setVisible(m_element.has_value());
    if (!m_element)
        return;
    m_where->setText(elementWords(*m_element));
    m_written->setText(m_stores);
    m_written->setVisible(!m_stores.isEmpty());
    m_store->setVisible(!m_sites.empty());
    m_store->setText(m_sites.size() == 1 ? tr("Go to the store") : tr("Go to the next store"));
}

} // namespace warpwright
