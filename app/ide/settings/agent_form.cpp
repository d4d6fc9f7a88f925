// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/settings/agent_form.h"

#include "app/ide/settings/tool_tests.h"

#include <QLineEdit>

namespace warpwright {
namespace {

/// As a shell would take them: «HTTPS_PROXY=http://proxy:3128 LANG=C».
QString environmentText(const QMap<QString, QString> &environment) {
    QStringList words;
    for (auto variable = environment.cbegin(); variable != environment.cend(); ++variable)
        words << variable.key() + QLatin1Char('=') + variable.value();
    return flagsText(words);
}

} // namespace

AgentForm::AgentForm(const Look &look, const AcpProfile &profile, QWidget *parent)
    : ProfileForm(look, QStringLiteral("agent"), parent), m_before(profile) {
    m_name = addField(QStringLiteral("Name"), tr("Name"), tr("As it is offered: «Let NAME tune»"),
                      QStringLiteral("claude-code"), profile.name);
    m_command = addField(QStringLiteral("Command"), tr("Command"), tr("A name in PATH, or a whole path"),
                         QStringLiteral("claude-agent-acp"), profile.command);
    m_arguments = addField(QStringLiteral("Arguments"), tr("Arguments"),
                           tr("That make it speak the Agent Client Protocol"), QStringLiteral("--acp"),
                           flagsText(profile.arguments));
    m_environment = addField(QStringLiteral("Environment"), tr("Environment"),
                             tr("Besides ours; never a key: name the variable that holds it"),
                             QStringLiteral("HTTPS_PROXY=http://proxy:3128 API_KEY=$MY_KEY"),
                             environmentText(profile.environment));
    foldAway(m_environment);
    addButtons(tr("More: environment"));
}

Result<AcpProfile> AgentForm::profile() const {
    using Answer = Result<AcpProfile>;
    AcpProfile profile = m_before; // with what a newer version has in it
    profile.name = m_name->text().trimmed();
    profile.command = m_command->text().trimmed();
    profile.arguments = flagsFrom(m_arguments->text());
    if (const QString why = whyBadProfile(profile); !why.isEmpty())
        return Answer::error(tr("This is no agent yet: %1.").arg(why));
    profile.environment.clear();
    for (const QString &word : flagsFrom(m_environment->text())) {
        const qsizetype at = word.indexOf(u'=');
        if (at < 1)
            return Answer::error(
                tr("Environment has «%1». It has to be words like NAME=value, or empty.").arg(word));
        profile.environment[word.left(at)] = word.mid(at + 1);
    }
    if (const QString why = whyKeyIsInTheOpen(profile); !why.isEmpty())
        return Answer::error(tr("Environment: %1.").arg(why));
    return Answer::ok(profile);
}

QLineEdit *AgentForm::wrongField() const {
    AcpProfile one;
    one.name = m_name->text().trimmed();
    one.command = QStringLiteral("c");
    if (!whyBadProfile(one).isEmpty())
        return m_name;
    one.command = m_command->text().trimmed();
    if (!whyBadProfile(one).isEmpty())
        return m_command;
    return profile().hasValue() ? nullptr : m_environment;
}

} // namespace warpwright
