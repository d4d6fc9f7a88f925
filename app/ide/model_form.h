// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/known_endpoints.h"
#include "app/ide/profile_form.h"
#include "toolchain/result.h"

class QComboBox;

namespace warpwright {

/// All that a model's profile holds, to be filled in. A key that is typed goes out by keyTyped() at once and
/// leaves its field; it is never shown.
class ModelForm : public ProfileForm {
    Q_OBJECT
public:
    ModelForm(const Look &look, const ModelProfile &profile, QWidget *parent);

    /// As the fields say; an error names the field and what is wrong with it.
    [[nodiscard]] Result<ModelProfile> profile() const;
    /// What the address looks like, where each has one of their own.
    void showAddressForm(const QString &form);
    /// What became of the key.
    void sayKey(bool isStored, const QString &text);

signals:
    /// Into the keyring, under this name.
    void keyTyped(const QString &entry, const QString &key);

protected:
    void finishTyping() override { takeKey(); }

private:
    void addKey();
    void addNumbers();
    void showKeyField();
    void takeKey();
    [[nodiscard]] KeySource keySource() const;
    [[nodiscard]] QString entryName() const;

    ModelProfile m_before;
    QLineEdit *m_name, *m_url, *m_model;
    QComboBox *m_dialect, *m_keyKind;
    QLineEdit *m_variable, *m_key;
    ActionButton *m_storeKey;
    SettingRow *m_keyRow;
    QLineEdit *m_context, *m_answer, *m_priceIn, *m_priceCached, *m_priceOut, *m_currency, *m_temperature,
        *m_effort, *m_headers;
};

} // namespace warpwright
