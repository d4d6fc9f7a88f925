// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/known_endpoints.h"
#include "app/ide/settings/profile_form.h"
#include "toolchain/base/result.h"

class QAction;
class QComboBox;
class QStringListModel;

namespace warpwright {

/// All that a model's profile holds, to be filled in. A key that is typed goes out by keyTyped() at once and
/// leaves its field; it is never shown.
class ModelForm : public ProfileForm {
    Q_OBJECT
public:
    ModelForm(const Look &look, const ModelProfile &profile, QWidget *parent);

    /// As the fields say; an error names the field and what is wrong with it.
    [[nodiscard]] Result<ModelProfile> profile() const;
    [[nodiscard]] QLineEdit *wrongField() const override;
    /// What the address looks like, where each has one of their own.
    void showAddressForm(const QString &form);
    /// What became of the key.
    void sayKey(bool isStored, const QString &text);
    /// modelsAsked() where address and key stand, and are others than before.
    void askForModels(bool mayUnlock = false);
    /// What the endpoint has, to choose from; `of`: as it was asked for.
    void offerModels(const ModelProfile &of, const QStringList &models);

signals:
    /// Into the keyring, under this name.
    void keyTyped(const QString &entry, const QString &key);
    /// Name and model are not those that are typed.
    void modelsAsked(const warpwright::ModelProfile &profile);

protected:
    void finishTyping() override { takeKey(); }
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void addKey();
    void addNumbers();
    void showKeyField();
    void takeKey();
    void addModel();
    void showExample();
    void showModels(const QStringList &models);
    /// As the fields say, and what is wrong with them.
    struct Read;
    [[nodiscard]] Read read() const;
    [[nodiscard]] QLineEdit *fieldOf(const ModelProfile &bad) const;
    [[nodiscard]] QString whyBad(const ModelProfile &bad, const QLineEdit *field) const;
    [[nodiscard]] KeySource keySource() const;
    [[nodiscard]] QString entryName() const;

    ModelProfile m_before;
    QString m_entry;      ///< of the keyring, under which a key that was typed here is stored
    QString m_entryAsked; ///< the same, while it is being stored
    ModelProfile m_asked; ///< for its models
    QStringListModel *m_models;
    QAction *m_showModels = nullptr;
    QLineEdit *m_name, *m_url, *m_model;
    QComboBox *m_dialect, *m_keyKind;
    QLineEdit *m_variable, *m_key;
    ActionButton *m_storeKey;
    SettingRow *m_keyRow;
    QLineEdit *m_context, *m_answer, *m_priceIn, *m_priceCached, *m_priceOut, *m_currency, *m_temperature,
        *m_effort, *m_headers;
};

} // namespace warpwright
