// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/settings/profiles_table.h"

#include "app/ide/kit/card.h"
#include "app/ide/kit/message_card.h"
#include "app/ide/settings/finding_line.h"
#include "app/ide/settings/profile_row.h"
#include "widgets/frame/action_button.h"

#include <QApplication>
#include <QMenu>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace warpwright {

ProfilesTable::ProfilesTable(const Look &look, const QString &objectName, Texts texts, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_texts(std::move(texts)),
      m_head(new CardHead(look, m_texts.title, m_texts.remark, this)),
      m_problem(new MessageCard(look, this)),
      m_card(new Card(look, this)),
      m_add(new ActionButton(look, ActionButton::Kind::Plain, this)),
      m_menu(new QMenu(this)) {
    setObjectName(objectName);
    m_writer.setMaxThreadCount(1);
    m_problem->hide();
    m_add->setObjectName(QStringLiteral("addProfile"));
    m_add->setIconName(QStringLiteral("plus"));
    m_add->setText(m_texts.add);
    m_add->setHasMenu(true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(look.px(8));
    column->addWidget(m_head);
    column->addWidget(m_problem);
    column->addWidget(m_card);
    column->addWidget(m_add, 0, Qt::AlignLeft);
    connect(m_add, &QAbstractButton::clicked, this, &ProfilesTable::popUpMenu);
}

void ProfilesTable::popUpMenu() {
    m_menu->popup(m_add->mapToGlobal(QPoint(0, m_add->height())));
}

void ProfilesTable::offerNew() {
    if (m_form) {
        m_form->focusFirst();
        emit shownAt(m_form);
        return;
    }
    // The button is placed and brought into sight first.
    emit shownAt(m_add);
    QTimer::singleShot(0, this, [this] { QTimer::singleShot(0, this, &ProfilesTable::popUpMenu); });
}

ProfilesTable::~ProfilesTable() {
    m_writer.waitForDone(); // what was changed last is stored, too
}

void ProfilesTable::sayProblem(const QString &message) {
    m_problem->setVisible(!message.isEmpty());
    if (!message.isEmpty())
        m_problem->say(QStringLiteral("build-failed"), "verdict.buildFailed", "verdictBg.buildFailed",
                       m_texts.broken, message);
}

void ProfilesTable::show() {
    // The form stays as the person has it.
    if (m_form)
        m_form->setParent(this);
    m_card->clear();
    m_rows.clear();
    for (const auto &[name, facts, canRemove] : listed()) {
        auto *row = new ProfileRow(m_look, name, facts, canRemove, m_card);
        row->finding().say(m_findings.value(name));
        row->setTrying(isTrying(name));
        m_card->add(row);
        m_rows.push_back(row);
        connect(row, &ProfileRow::editAsked, this, [this, name = name] {
            if (mayLeaveForm())
                openForm(makeForm(name), name);
        });
        connect(row, &ProfileRow::removeAsked, this, [this, name = name] { remove(name); });
        connect(row, &ProfileRow::tryAsked, this, [this, name = name] { tryIt(name); });
        if (m_form && m_edited == name) {
            row->hide();
            m_card->add(m_form);
            m_form->show();
        }
    }
    if (m_form && m_form->parentWidget() == this) {
        m_card->add(m_form);
        m_form->show();
    }
    if (m_card->count() == 0) {
        auto *none = new Words(m_look, TextRole::Body, "text.secondary", m_card);
        none->setText(m_texts.none);
        none->setProse();
        none->setContentsMargins(m_look.px(16), m_look.px(12), m_look.px(16), m_look.px(12));
        m_card->add(none);
    }
}

bool ProfilesTable::mayLeaveForm() {
    if (!m_form || !m_form->isChanged())
        return true;
    sayInForm(tr("Save this one first, or cancel it."));
    m_form->focusFirst();
    return false;
}

bool ProfilesTable::leaveForm() {
    if (!m_form || !m_form->isAncestorOf(QApplication::focusWidget()))
        return false;
    if (m_form->mayClose())
        closeForm();
    else
        m_form->askToDrop(tr("What you have typed is not saved. Escape once more drops it."));
    return true;
}

void ProfilesTable::sayInForm(const QString &trouble) {
    if (m_form)
        m_form->sayWrong(nullptr, trouble);
}

void ProfilesTable::sayBadName(const QString &trouble) {
    if (m_form)
        m_form->sayBadName(trouble);
}

void ProfilesTable::sayWrong(const QString &trouble) {
    if (m_form)
        m_form->sayWrong(m_form->wrongField(), trouble);
}

void ProfilesTable::openForm(ProfileForm *form, const QString &edited) {
    if (isTrying({}))
        stopTrial();
    delete m_form;
    m_form = form;
    m_edited = edited;
    connect(form, &ProfileForm::saveAsked, this, [this] { save(); });
    connect(form, &ProfileForm::cancelled, this, &ProfilesTable::closeForm);
    connect(form, &ProfileForm::tryAsked, this, [this] { tryIt({}); });
    connect(form, &ProfileForm::saidAt, this, &ProfilesTable::shownAt);
    show();
    form->focusFirst();
    emit shownAt(form);
}

void ProfilesTable::closeForm() {
    if (isTrying({}))
        stopTrial();
    if (m_form)
        m_form->deleteLater(); // the press that closes it comes from it
    m_form = nullptr;
    const QString edited = std::exchange(m_edited, QString());
    show();
    if (ProfileRow *row = this->row(edited))
        row->focusChange();
    else
        m_add->setFocus(Qt::OtherFocusReason);
}

void ProfilesTable::sayTrial(const QString &row, const QString &words) {
    m_isTrying = true;
    m_tried = row;
    if (row.isEmpty() && m_form) {
        m_form->setTrying(true);
        m_form->finding().sayBusy(words);
    } else if (ProfileRow *tried = this->row(row)) {
        tried->setTrying(true);
        tried->finding().sayBusy(words);
    }
}

void ProfilesTable::sayTried(const QString &row, const ToolFinding &finding) {
    if (isTrying(row))
        m_isTrying = false;
    if (row.isEmpty() && m_form) {
        m_form->setTrying(false);
        m_form->finding().say(finding);
        if (!finding.text.isEmpty())
            emit shownAt(&m_form->finding());
    } else if (ProfileRow *tried = this->row(row)) {
        tried->setTrying(false);
        tried->finding().say(finding);
        m_findings[row] = finding;
    }
}

ProfileRow *ProfilesTable::row(const QString &name) const {
    const auto found = std::find_if(m_rows.begin(), m_rows.end(),
                                    [&](const ProfileRow *row) { return row->name() == name; });
    return found == m_rows.end() || name.isEmpty() ? nullptr : *found;
}

int ProfilesTable::filter(const QStringList &words) {
    const bool isOfAll = std::all_of(words.begin(), words.end(), [this](const QString &word) {
        return m_texts.search.contains(word, Qt::CaseInsensitive);
    });
    int left = 0;
    for (ProfileRow *row : m_rows) {
        const bool isShown = isOfAll || row->matches(words);
        row->setVisible(isShown && !(m_form && m_edited == row->name()));
        left += isShown ? 1 : 0;
    }
    const bool isShown = isOfAll || left > 0;
    setVisible(isShown);
    return isShown ? std::max(1, left) : 0;
}

QWidget *ProfilesTable::firstStep() const {
    return m_add;
}

} // namespace warpwright
