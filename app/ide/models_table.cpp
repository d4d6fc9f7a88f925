// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/models_table.h"

#include "app/ide/card.h"
#include "app/ide/finding_line.h"
#include "app/ide/job.h"
#include "app/ide/message_card.h"
#include "app/ide/model_form.h"
#include "app/ide/model_row.h"
#include "app/ide/notices.h"
#include "widgets/action_button.h"

#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>

namespace warpwright {

ModelsTable::ModelsTable(const Look &look, const DataFolders &folders, QWidget *parent)
    : QWidget(parent),
      m_look(look),
      m_file(ModelProfiles::fileIn(folders)),
      m_head(new CardHead(look, tr("Models"), tr("language models that propose changes, with tools"), this)),
      m_problem(new MessageCard(look, this)),
      m_card(new Card(look, this)),
      m_add(new ActionButton(look, ActionButton::Kind::Plain, this)),
      m_menu(new QMenu(this)) {
    setObjectName(QStringLiteral("modelsTable"));
    m_writer.setMaxThreadCount(1);
    m_problem->hide();
    m_add->setObjectName(QStringLiteral("addModel"));
    m_add->setIconName(QStringLiteral("plus"));
    m_add->setText(tr("Set up a model"));
    m_add->setHasMenu(true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(look.px(8));
    column->addWidget(m_head);
    column->addWidget(m_problem);
    column->addWidget(m_card);
    column->addWidget(m_add, 0, Qt::AlignLeft);
    fillMenu();
    connect(m_add, &QAbstractButton::clicked, this,
            [this] { m_menu->popup(m_add->mapToGlobal(QPoint(0, m_add->height()))); });
    show();
}

ModelsTable::~ModelsTable() {
    m_writer.waitForDone(); // what was changed last is stored, too
}

void ModelsTable::fillMenu() {
    std::vector<KnownEndpoint> endpoints = knownEndpoints();
    endpoints.push_back({tr("Another endpoint"), Dialect::OpenAiChat, {}, {}, {}});
    for (const KnownEndpoint &endpoint : endpoints) {
        QAction *action = m_menu->addAction(endpoint.name);
        action->setObjectName(QStringLiteral("add-") + endpoint.name);
        connect(action, &QAction::triggered, this, [this, endpoint] { add(endpoint); });
    }
}

void ModelsTable::read() {
    inPool(
        m_writer, this, [file = m_file] { return ModelProfiles::load(file); },
        [this](const Result<ModelProfiles> &read) { take(read); });
}

void ModelsTable::store(const Edit &edit, const std::function<void()> &then) {
    inPool(
        m_writer, this, [file = m_file, edit] { return ModelProfiles::change(file, edit); },
        [this, then](const Result<ModelProfiles> &stored) {
            take(stored);
            if (stored.hasValue())
                then();
        });
}

// What cannot be read or stored changes nothing of what is shown.
void ModelsTable::take(const Result<ModelProfiles> &read) {
    m_problem->setVisible(!read.hasValue());
    if (!read.hasValue())
        return m_problem->say(QStringLiteral("build-failed"), "verdict.buildFailed", "verdictBg.buildFailed",
                              tr("The models could not be read or stored"), read.message());
    if (read.value() == m_models)
        return;
    m_models = read.value();
    show();
    emit changed();
}

void ModelsTable::show() {
    // The form stays as the person has it.
    if (m_form)
        m_form->setParent(this);
    m_card->clear();
    m_rows.clear();
    for (const ModelProfile &profile : m_models.profiles) {
        const QString name = profile.name;
        auto *row = new ModelRow(m_look, profile, m_card);
        row->finding().say(m_findings.value(name));
        row->setTrying(m_trial && m_tried == name);
        m_card->add(row);
        m_rows.push_back(row);
        connect(row, &ModelRow::editAsked, this, [this, name] { edit(name); });
        connect(row, &ModelRow::removeAsked, this, [this, name] { remove(name); });
        connect(row, &ModelRow::tryAsked, this, [this, profile] { tryModel(profile, profile.name); });
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
        none->setText(
            tr("None is set up. A model on this machine needs no key; the playbook needs no model."));
        none->setProse();
        none->setContentsMargins(m_look.px(16), m_look.px(12), m_look.px(16), m_look.px(12));
        m_card->add(none);
    }
}

QString ModelsTable::freeName(const QString &wanted) const {
    QString name = wanted;
    for (int number = 2; m_models.find(name) != nullptr; ++number)
        name = QStringLiteral("%1-%2").arg(wanted).arg(number);
    return name;
}

void ModelsTable::add(const KnownEndpoint &endpoint) {
    ModelProfile profile;
    if (!endpoint.baseUrl.isEmpty())
        profile.name = freeName(QString(endpoint.name).toLower().replace(u' ', u'-'));
    if (!mayLeaveForm())
        return;
    profile.dialect = endpoint.dialect;
    profile.baseUrl = endpoint.baseUrl;
    profile.contextTokens = endpoint.contextTokens;
    profile.answerTokens = std::min(profile.answerTokens, profile.contextTokens / 8);
    if (!endpoint.keyVariable.isEmpty())
        profile.key = {KeySource::Kind::Environment, endpoint.keyVariable};
    m_edited.clear();
    openForm(profile);
    m_form->sayHint(endpoint.toTurnOn);
}

void ModelsTable::edit(const QString &name) {
    const ModelProfile *profile = m_models.find(name);
    if (profile == nullptr || !mayLeaveForm())
        return;
    m_edited = name;
    openForm(*profile);
}

// What was typed is not lost for another press elsewhere.
bool ModelsTable::mayLeaveForm() {
    if (!m_form || !m_form->isChanged())
        return true;
    m_form->finding().say({false, tr("Save this one first, or cancel it.")});
    m_form->focusFirst();
    return false;
}

void ModelsTable::openForm(const ModelProfile &profile) {
    if (m_trial && m_tried.isEmpty())
        stopTrial();
    delete m_form;
    m_form = new ModelForm(m_look, profile, this);
    connect(m_form, &ModelForm::saveAsked, this, &ModelsTable::save);
    connect(m_form, &ModelForm::cancelled, this, &ModelsTable::closeForm);
    connect(m_form, &ModelForm::keyTyped, this, &ModelsTable::storeKey);
    connect(m_form, &ModelForm::tryAsked, this, [this] {
        const Result<ModelProfile> typed = m_form->profile();
        if (typed.hasValue())
            tryModel(typed.value(), {});
        else
            m_form->finding().say({false, typed.message()});
    });
    show();
    m_form->focusFirst();
    emit shownAt(m_form);
}

void ModelsTable::closeForm() {
    if (m_trial && m_tried.isEmpty())
        stopTrial();
    if (m_form)
        m_form->deleteLater(); // the press that closes it comes from it
    m_form = nullptr;
    const QString edited = std::exchange(m_edited, QString());
    show();
    if (ModelRow *row = this->row(edited))
        row->findChild<QWidget *>(QStringLiteral("editModel"))->setFocus(Qt::OtherFocusReason);
    else
        m_add->setFocus(Qt::OtherFocusReason);
}

void ModelsTable::save() {
    const Result<ModelProfile> typed = m_form->profile();
    if (!typed.hasValue())
        return m_form->finding().say({false, typed.message()});
    const ModelProfile after = typed.value();
    const ModelProfile *known = m_models.find(m_edited);
    const std::optional<ModelProfile> before = known != nullptr ? std::optional(*known) : std::nullopt;
    if (after.name != m_edited && m_models.find(after.name) != nullptr)
        return m_form->finding().say(
            {false, tr("There is a model «%1» already. Give it another name.").arg(after.name)});
    if (before == after)
        return closeForm();
    const auto replace = [](const QString &name, const ModelProfile &by) {
        return [name, by](ModelProfiles &models) {
            const auto place = std::find_if(models.profiles.begin(), models.profiles.end(),
                                            [&](const ModelProfile &one) { return one.name == name; });
            if (place != models.profiles.end())
                *place = by;
            else
                models.put(by);
        };
    };
    m_findings.remove(m_edited);
    m_findings.remove(after.name);
    store(replace(before ? before->name : after.name, after), [this, before, after, replace] {
        closeForm();
        if (before)
            tell(tr("%1 changed").arg(after.name),
                 tr("Its runs use it as it is now from their next begin on."), replace(after.name, *before));
        else
            emit noticed(newsNotice(
                tr("%1 is set up").arg(after.name),
                tr("«Let %1 tune» stands in the menu «Agent» and in the agent's pane.").arg(after.name)));
    });
}

void ModelsTable::remove(const QString &name) {
    const auto found = std::find_if(m_models.profiles.begin(), m_models.profiles.end(),
                                    [&](const ModelProfile &one) { return one.name == name; });
    if (found == m_models.profiles.end())
        return;
    if (m_trial && m_tried == name)
        stopTrial();
    if (m_edited == name)
        closeForm();
    const ModelProfile before = *found;
    const auto place = found - m_models.profiles.begin();
    m_findings.remove(name);
    store([name](ModelProfiles &models) { models.remove(name); },
          [this, before, place] {
              const QString key = before.key.kind == KeySource::Kind::Keyring
                                      ? tr("It is no longer offered. Its key is still in the keyring.")
                                      : tr("It is no longer offered.");
              tell(tr("%1 removed").arg(before.name), key, [before, place](ModelProfiles &models) {
                  if (models.find(before.name) != nullptr)
                      return;
                  const auto at = std::min<std::ptrdiff_t>(place, std::ssize(models.profiles));
                  models.profiles.insert(models.profiles.begin() + at, before);
              });
          });
}

void ModelsTable::tell(const QString &title, const QString &text, const Edit &back) {
    Notice notice = newsNotice(title, text);
    notice.actionName = tr("Undo");
    notice.action = [table = QPointer<ModelsTable>(this), back, title] {
        if (table)
            table->store(back, [table, title] {
                emit table->noticed(newsNotice(title, tr("It is again as it was before.")));
            });
    };
    emit noticed(notice);
}

void ModelsTable::storeKey(const QString &entry, const QString &key) {
    auto *keys = new KeyStore(QProcessEnvironment::systemEnvironment(), KeyStore::usualLimitMs, this);
    const auto said = [this, keys, form = m_form](bool isStored, const QString &text) {
        keys->deleteLater();
        if (form)
            form->sayKey(isStored, text);
        else if (!isStored) // the form was closed with Save
            emit noticed(troubleNotice(tr("The key was not stored"), text));
    };
    connect(keys, &KeyStore::stored, this,
            [said, entry] { said(true, tr("The key is in the keyring, as «%1».").arg(entry)); });
    connect(keys, &KeyStore::failed, this, [said](const QString &why) { said(false, why); });
    keys->write(entry, key);
}

// Asked once more for the same, it is stopped.
void ModelsTable::tryModel(const ModelProfile &profile, const QString &row) {
    const bool isSame = m_trial && m_tried == row;
    stopTrial();
    if (isSame)
        return;
    m_tried = row;
    auto *trial = new EndpointTrial(profile, {}, this);
    m_trial = trial;
    connect(trial, &EndpointTrial::progress, this,
            [this, row](const QString &words) { sayTrial(row, words, nullptr); });
    connect(trial, &EndpointTrial::finished, this, [this, trial, row](const EndpointTrialOutcome &outcome) {
        trial->deleteLater();
        EndpointTrialOutcome nothing; // of one that the person has stopped
        nothing.works = true;
        const bool isStopped = m_trial != trial;
        if (!isStopped)
            m_trial = nullptr;
        sayTrial(row, {}, isStopped ? &nothing : &outcome);
    });
    sayTrial(row, tr("asking %1").arg(profile.baseUrl), nullptr);
    trial->start();
}

void ModelsTable::stopTrial() {
    if (EndpointTrial *trial = m_trial) {
        m_trial = nullptr;
        trial->cancel(); // which ends in finished()
    }
}

void ModelsTable::sayTrial(const QString &row, const QString &words, const EndpointTrialOutcome *outcome) {
    const bool isOfForm = row.isEmpty();
    ModelRow *tried = this->row(row);
    if (isOfForm ? !m_form : tried == nullptr)
        return;
    FindingLine &line = isOfForm ? m_form->finding() : tried->finding();
    if (isOfForm)
        m_form->setTrying(outcome == nullptr);
    else
        tried->setTrying(outcome == nullptr);
    if (outcome == nullptr)
        return line.sayBusy(words);
    const ToolFinding finding{outcome->works, outcome->line};
    line.say(finding);
    if (!isOfForm)
        m_findings[row] = finding;
}

ModelRow *ModelsTable::row(const QString &name) const {
    const auto found = std::find_if(m_rows.begin(), m_rows.end(),
                                    [&](const ModelRow *row) { return row->profile().name == name; });
    return found == m_rows.end() || name.isEmpty() ? nullptr : *found;
}

int ModelsTable::filter(const QStringList &words) {
    const bool isOfAll = std::all_of(words.begin(), words.end(), [this](const QString &word) {
        return tr("Models key language agent").contains(word, Qt::CaseInsensitive);
    });
    int left = 0;
    for (ModelRow *row : m_rows) {
        const bool isShown = isOfAll || row->matches(words);
        row->setVisible(isShown && !(m_form && m_edited == row->profile().name));
        left += isShown ? 1 : 0;
    }
    const bool isShown = isOfAll || left > 0;
    setVisible(isShown);
    return isShown ? std::max(1, left) : 0;
}

QWidget *ModelsTable::firstStep() const {
    return m_add;
}

} // namespace warpwright
