// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/endpoints/known_endpoints.h"
#include "agent/endpoints/model_profiles.h"
#include "app/ide/settings/profiles_in_file.h"

namespace warpwright {

class KeyStore;
class ModelForm;

/// The language models that are set up. Keys go to the key store and nowhere else.
class ModelsTable : public ProfilesInFile<ModelProfiles> {
    Q_OBJECT
public:
    ModelsTable(const Look &look, const DataFolders &folders, QWidget *parent);

protected:
    [[nodiscard]] std::vector<Listed> listed() const override;
    [[nodiscard]] ProfileForm *makeForm(const QString &name) override;
    [[nodiscard]] Result<ModelProfile> typed() const override;
    [[nodiscard]] QString whatRemains(const ModelProfile &profile) const override;
    [[nodiscard]] QObject *beginTrial(const ModelProfile &profile, const QString &row) override;

private:
    void fillMenu();
    void add(const KnownEndpoint &endpoint);
    [[nodiscard]] ModelForm *formOf(const ModelProfile &profile);
    void storeKey(const QPointer<ModelForm> &form, const QString &entry, const QString &key);

    QPointer<ModelForm> m_modelForm;
    QPointer<KeyStore> m_storing; ///< the key that was typed last
};

} // namespace warpwright
