// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/model_profile.h"

#include <QWidget>

namespace warpwright {

class ActionButton;
class FindingLine;
class Look;

/// A model that is set up: its name, where it is and how it is spoken to, and what a trial of it has shown.
class ModelRow : public QWidget {
    Q_OBJECT
public:
    ModelRow(const Look &look, const ModelProfile &profile, QWidget *parent);

    [[nodiscard]] const ModelProfile &profile() const { return m_profile; }
    [[nodiscard]] FindingLine &finding() const { return *m_finding; }
    /// While one runs the button ends it.
    void setTrying(bool isTrying);
    [[nodiscard]] bool matches(const QStringList &words) const;

signals:
    void tryAsked();
    void editAsked();
    void removeAsked();

private:
    ActionButton *addButton(const Look &look, const QString &id, const QString &text);

    ModelProfile m_profile;
    ActionButton *m_try = nullptr;
    FindingLine *m_finding;
};

/// «keyring», «$OPENAI_API_KEY», «no key».
[[nodiscard]] QString keySourceText(const KeySource &key);
/// What a person calls it: «Chat Completions (OpenAI and most servers)».
[[nodiscard]] QString dialectTitle(Dialect dialect);

} // namespace warpwright
