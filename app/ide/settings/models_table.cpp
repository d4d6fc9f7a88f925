// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/settings/models_table.h"

#include "agent/endpoints/endpoint_trial.h"
#include "agent/endpoints/model_list.h"
#include "app/ide/settings/finding_line.h"
#include "app/ide/settings/model_form.h"

#include <QMenu>

namespace warpwright {
namespace {

/// «key in the keyring», «key in $OPENAI_API_KEY», «no key».
QString keySourceText(const KeySource &key) {
    switch (key.kind) {
    case KeySource::Kind::Environment:
        return ModelsTable::tr("key in $%1").arg(key.name);
    case KeySource::Kind::Keyring:
        return ModelsTable::tr("key in the keyring");
    case KeySource::Kind::None:
        break;
    }
    return ModelsTable::tr("no key");
}

QString dialectTitle(Dialect dialect) {
    switch (dialect) {
    case Dialect::OpenAiChat:
        return ModelsTable::tr("Chat Completions");
    case Dialect::OpenAiResponses:
        return ModelsTable::tr("Responses");
    case Dialect::Anthropic:
        return ModelsTable::tr("Messages");
    }
    return {};
}

} // namespace

ModelsTable::ModelsTable(const Look &look, const DataFolders &folders, QWidget *parent)
    : ProfilesInFile(
          look, QStringLiteral("modelsTable"),
          {tr("Models"), tr("language models that propose changes, with tools"), tr("Set up a model"),
           tr("None is set up. A model on this machine needs no key; the playbook needs no model."),
           tr("The models could not be read or stored"), tr("Models key language agent")},
          ModelProfiles::fileIn(folders), parent) {
    fillMenu();
    show();
}

void ModelsTable::fillMenu() {
    std::vector<KnownEndpoint> endpoints = knownEndpoints();
    endpoints.push_back({tr("Another endpoint"), Dialect::OpenAiChat, {}, {}, {}});
    for (const KnownEndpoint &endpoint : endpoints) {
        QAction *action = menu()->addAction(endpoint.name);
        action->setObjectName(QStringLiteral("add-") + endpoint.name);
        connect(action, &QAction::triggered, this, [this, endpoint] { add(endpoint); });
    }
}

std::vector<ProfilesTable::Listed> ModelsTable::listed() const {
    std::vector<Listed> all;
    for (const ModelProfile &profile : profiles())
        all.push_back(
            {profile.name,
             {profile.model, profile.baseUrl, dialectTitle(profile.dialect), keySourceText(profile.key)},
             true});
    return all;
}

void ModelsTable::add(const KnownEndpoint &endpoint) {
    if (!mayLeaveForm())
        return;
    ModelProfile profile;
    if (!endpoint.baseUrl.isEmpty() || !endpoint.addressForm.isEmpty())
        profile.name = freeName(QString(endpoint.name).toLower().replace(u' ', u'-'));
    profile.dialect = endpoint.dialect;
    profile.baseUrl = endpoint.baseUrl;
    profile.contextTokens = endpoint.contextTokens;
    profile.answerTokens = std::min(profile.answerTokens, profile.contextTokens / 8);
    if (!endpoint.keyVariable.isEmpty())
        profile.key = {KeySource::Kind::Environment, endpoint.keyVariable};
    ModelForm *form = formOf(profile);
    form->sayHint(endpoint.toTurnOn);
    if (!endpoint.addressForm.isEmpty())
        form->showAddressForm(endpoint.addressForm);
    openForm(form, {});
}

ProfileForm *ModelsTable::makeForm(const QString &name) {
    return formOf(named(name).value_or(ModelProfile()));
}

ModelForm *ModelsTable::formOf(const ModelProfile &profile) {
    m_modelForm = new ModelForm(look(), profile, this);
    connect(
        m_modelForm, &ModelForm::keyTyped, this,
        [this, form = m_modelForm](const QString &entry, const QString &key) { storeKey(form, entry, key); });
    const auto ask = [this, form = m_modelForm](const ModelProfile &of) {
        auto *list = new ModelList(of, form);
        connect(list, &ModelList::finished, form, [form, list, of](const QStringList &models) {
            list->deleteLater();
            if (form)
                form->offerModels(of, models);
        });
        list->start();
    };
    connect(m_modelForm, &ModelForm::modelsAsked, this, ask);
    m_modelForm->askForModels();
    return m_modelForm;
}

Result<ModelProfile> ModelsTable::typed() const {
    return m_modelForm->profile();
}

QString ModelsTable::whatRemains(const ModelProfile &profile) const {
    return profile.key.kind == KeySource::Kind::Keyring ? tr("Its key is still in the keyring.") : QString();
}

void ModelsTable::storeKey(const QPointer<ModelForm> &form, const QString &entry, const QString &key) {
    auto *keys = new KeyStore(QProcessEnvironment::systemEnvironment(), KeyStore::usualLimitMs, this);
    const auto said = [this, keys, form](bool isStored, const QString &text) {
        keys->deleteLater();
        if (m_storing == keys)
            m_storing = nullptr;
        if (form)
            form->sayKey(isStored, text);
        else if (!isStored) // the form was closed with Save
            emit noticed(troubleNotice(tr("The key was not stored"), text));
    };
    connect(keys, &KeyStore::stored, this,
            [said, entry] { said(true, tr("The key is in the keyring, as «%1».").arg(entry)); });
    connect(keys, &KeyStore::failed, this, [said](const QString &why) { said(false, why); });
    keys->write(entry, key);
    m_storing = keys;
}

QObject *ModelsTable::beginTrial(const ModelProfile &profile, const QString &row) {
    auto *trial = new EndpointTrial(profile, {}, this);
    connect(trial, &EndpointTrial::progress, this,
            [this, row](const QString &words) { sayTrial(row, words); });
    connect(trial, &EndpointTrial::finished, this, [this, row](const EndpointTrialOutcome &outcome) {
        tried(row, {outcome.works, outcome.line});
    });
    // The key that was typed for it comes first.
    if (row.isEmpty() && m_storing) {
        sayTrial(row, tr("storing the key"));
        connect(m_storing, &KeyStore::stored, trial, [trial] { trial->start(); });
        connect(m_storing, &KeyStore::failed, trial, [this, row] {
            tried(row, {false, tr("Not tried: its key could not be stored, as it is said beside it.")});
        });
        return trial;
    }
    sayTrial(row, tr("asking %1").arg(profile.baseUrl));
    QMetaObject::invokeMethod(
        trial, [trial] { trial->start(); }, Qt::QueuedConnection);
    return trial;
}

} // namespace warpwright
