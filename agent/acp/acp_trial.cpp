// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/acp/acp_trial.h"

#include "agent/acp/acp_words.h"
#include "agent/acp/known_agents.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QPointer>
#include <QThreadPool>

namespace warpwright {

AcpTrial::AcpTrial(AcpProfile profile, DataFolders folders, AcpTrialPatience patience, QObject *parent)
    : QObject(parent), m_profile(std::move(profile)), m_folders(std::move(folders)), m_patience(patience) {
    connect(&m_quiet, &QTimer::timeout, this, &AcpTrial::sayWhatIsAwaited);
}

AcpTrial::~AcpTrial() {
    // What the agent left in the folder goes elsewhere than in the caller's thread.
    QThreadPool::globalInstance()->start([folder = std::move(m_place.folder)] {});
}

void AcpTrial::start() {
    QThreadPool::globalInstance()->start([trial = QPointer(this), profile = m_profile, folders = m_folders] {
        const Result<Place> place = prepare(profile, folders);
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [trial, place] {
                if (trial)
                    trial->take(place);
            },
            Qt::QueuedConnection);
    });
}

Result<AcpTrial::Place> AcpTrial::prepare(const AcpProfile &profile, const DataFolders &folders) {
    Place place;
    place.program = programOf(profile);
    if (place.program.isEmpty())
        return Result<Place>::ok(std::move(place));
    const QString below = folders.cache + QStringLiteral("/trials");
    if (!QDir().mkpath(below))
        return Result<Place>::error(QStringLiteral("Cannot make the folder \"%1\".").arg(below));
    place.folder = std::make_shared<QTemporaryDir>(below + QStringLiteral("/agent-XXXXXX"));
    if (!place.folder->isValid())
        return Result<Place>::error(place.folder->errorString());
    const Result<AcpSandbox> sandbox =
        makeAcpSandbox({place.folder->path()}, {}, folders, QProcessEnvironment::systemEnvironment());
    if (sandbox.hasValue())
        place.sandbox = sandbox.value();
    else
        place.whyNoSandbox = sandbox.message();
    return Result<Place>::ok(std::move(place));
}

void AcpTrial::take(const Result<Place> &place) {
    if (m_hasEnded)
        return;
    if (!place.hasValue())
        return end(false, place.message());
    m_place = place.value();
    if (m_place.program.isEmpty()) {
        const QString install = installCommandOf(m_profile.command);
        return end(false, install.isEmpty()
                              ? QStringLiteral("There is no command \"%1\" in PATH.").arg(m_profile.command)
                              : QStringLiteral("There is no command \"%1\" in PATH. This installs it: %2")
                                    .arg(m_profile.command, install));
    }
    if (!m_place.sandbox.isThere())
        return greet();
    m_sandboxTrial = std::make_unique<AcpSandboxTrial>();
    connect(m_sandboxTrial.get(), &AcpSandboxTrial::stood, this, &AcpTrial::greet);
    connect(m_sandboxTrial.get(), &AcpSandboxTrial::fell, this, [this](const QString &why) {
        m_place.sandbox = {};
        m_place.whyNoSandbox = why;
        greet();
    });
    m_sandboxTrial->start(m_place.sandbox);
}

void AcpTrial::greet() {
    if (m_hasEnded)
        return;
    emit progress(QStringLiteral("starting %1").arg(m_place.program));
    m_client = std::make_unique<AcpClient>(AcpClientSetup{
        m_profile, m_place.sandbox, WorkFolder(Workspace(), m_place.folder->path()), AcpToolServer(),
        QString(), QString(), AcpPatience{m_patience.answerMs, AcpPatience().cancelMs}});
    connect(m_client.get(), &AcpClient::ready, this, [this] {
        end(true, QStringLiteral("%1 answers and opens a session. %2").arg(facts(), sandboxWords()));
    });
    connect(m_client.get(), &AcpClient::authenticationAsked, this,
            [this](const std::vector<AcpAuthMethod> &methods) {
                QStringList names;
                for (const AcpAuthMethod &method : methods) {
                    const QString login = acpLoginCommand(m_profile, method);
                    names << (login.isEmpty() ? method.name : method.name + QStringLiteral(": ") + login);
                }
                end(false, QStringLiteral("%1 answers, and wants you to sign in first (%2). Do so in its own "
                                          "program, or where a run asks you how.")
                               .arg(facts(), names.join(QStringLiteral(", "))));
            });
    connect(m_client.get(), &AcpClient::failed, this, [this](const QString &why) { end(false, why); });
    m_client->start();
    m_quiet.start(m_patience.quietMs);
}

void AcpTrial::sayWhatIsAwaited() {
    const auto awaited = m_client ? m_client->awaited() : std::nullopt;
    if (!awaited || std::exchange(m_toldOf, awaited->request) == awaited->request)
        return;
    emit progress(
        QStringLiteral("%1 has not answered to \"%2\" yet; it is waited for until %3.")
            .arg(
                m_profile.name, awaited->request,
                QDateTime::currentDateTime().addMSecs(awaited->leftMs).toString(QStringLiteral("HH:mm:ss"))));
}

/// «Claude Code 1.2»
QString AcpTrial::facts() const {
    const AcpFacts &said = m_client->facts();
    const QString name = said.name.isEmpty() ? m_profile.name : said.name;
    return said.version.isEmpty() ? name : name + QLatin1Char(' ') + said.version;
}

QString AcpTrial::sandboxWords() const {
    return m_place.whyNoSandbox.isEmpty()
               ? QStringLiteral("Its runs are in a sandbox.")
               : QStringLiteral("No sandbox can be built around it (%1): each run asks you first.")
                     .arg(m_place.whyNoSandbox);
}

void AcpTrial::cancel() {
    end(false, QStringLiteral("%1 was stopped.").arg(m_profile.name));
}

void AcpTrial::end(bool works, const QString &line) {
    if (std::exchange(m_hasEnded, true))
        return;
    m_quiet.stop();
    if (m_client) { // the word that ends it may come from it
        m_client->disconnect(this);
        m_client.release()->deleteLater();
    }
    emit finished({works, line});
}

} // namespace warpwright
