// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/known_endpoints.h"
#include "toolchain/result.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QVBoxLayout;

namespace warpwright {

class ActionButton;
class FindingLine;
class Look;
class SettingRow;
class Words;

/// All that a model's profile holds, to be filled in. A key that is typed goes out by keyTyped() at once and
/// leaves its field; it is never shown.
class ModelForm : public QWidget {
    Q_OBJECT
public:
    ModelForm(const Look &look, const ModelProfile &profile, QWidget *parent);

    /// A model that is not set up yet: what its endpoint needs is said on top.
    void sayHint(const QString &hint);
    /// As the fields say; an error names the field and what is wrong with it.
    [[nodiscard]] Result<ModelProfile> profile() const;
    [[nodiscard]] FindingLine &finding() const { return *m_finding; }
    void setTrying(bool isTrying);
    /// What became of the key.
    void sayKey(bool isStored, const QString &text);
    void focusFirst();
    /// Something was typed that is not stored.
    [[nodiscard]] bool isChanged() const;

signals:
    void saveAsked();
    void tryAsked();
    void cancelled();
    /// Into the keyring, under this name.
    void keyTyped(const QString &entry, const QString &key);

private:
    QLineEdit *addField(const QString &id, const QString &name, const QString &purpose,
                        const QString &placeholder, const QString &text);
    SettingRow *addRow(const QString &id, const QString &name, const QString &purpose, QWidget *field);
    void addKey();
    void addNumbers();
    void addButtons();
    [[nodiscard]] QStringList texts() const;
    void showMore(bool isShown);
    void showKeyField();
    void takeKey();
    [[nodiscard]] KeySource keySource() const;
    [[nodiscard]] QString entryName() const;

    const Look &m_look;
    ModelProfile m_before;
    QStringList m_begun; ///< what the fields said at first
    QVBoxLayout *m_column;
    Words *m_hint;
    QLineEdit *m_name, *m_url, *m_model;
    QComboBox *m_dialect, *m_keyKind;
    QLineEdit *m_variable, *m_key;
    ActionButton *m_storeKey;
    SettingRow *m_keyRow;
    QLineEdit *m_context, *m_answer, *m_priceIn, *m_priceCached, *m_priceOut, *m_currency, *m_temperature,
        *m_effort, *m_headers;
    std::vector<QWidget *> m_more; ///< rows that few need
    ActionButton *m_moreButton, *m_try;
    FindingLine *m_finding;
};

} // namespace warpwright
