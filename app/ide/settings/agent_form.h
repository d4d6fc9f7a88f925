// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_profile.h"
#include "app/ide/settings/profile_form.h"

namespace warpwright {

/// All that the profile of an external agent holds, to be filled in.
class AgentForm : public ProfileForm {
    Q_OBJECT
public:
    AgentForm(const Look &look, const AcpProfile &profile, QWidget *parent);

    /// As the fields say; an error names the field and what is wrong with it.
    [[nodiscard]] Result<AcpProfile> profile() const;
    [[nodiscard]] QLineEdit *wrongField() const override;

private:
    AcpProfile m_before;
    QLineEdit *m_name, *m_command, *m_arguments, *m_environment;
};

} // namespace warpwright
