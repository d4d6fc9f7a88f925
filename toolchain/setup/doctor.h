// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/base/json.h"
#include "toolchain/base/settings.h"
#include "toolchain/environment/tool_versions.h"
#include "toolchain/environment/toolchain_probe.h"
#include "toolchain/setup/sandbox_facts.h"

#include <QObject>
#include <QString>

#include <vector>

namespace warpwright {

enum class FindingStatus {
    Ok,
    Missing, ///< not here; `remedy` brings it
    Broken,  ///< here, and does not work
    Unsure,  ///< works, or nobody can tell; `message` says what to think of it
};

/// One thing that an evaluation needs or could use.
struct DoctorFinding {
    QString name;
    FindingStatus status = FindingStatus::Ok;
    bool isNeeded = true; ///< without it `wright check` cannot reach a verdict on this machine
    QString version;
    QString path;
    QString message; ///< what is the matter; empty when ok
    QString remedy;  ///< the exact command that fixes it; empty when there is nothing to fix

    bool operator==(const DoctorFinding &) const = default;
};

/// Its name for people: in documents «referee» and «wall» stay what they were called first.
[[nodiscard]] QString titleOf(const DoctorFinding &finding);
[[nodiscard]] QString findingStatusName(FindingStatus status);

/// What the probes found, as findings. `versions`: by path, as ToolVersions gives them.
[[nodiscard]] std::vector<DoctorFinding> findingsOf(const Toolchain &toolchain, const SandboxFacts &sandbox,
                                                    const DataFolders &folders,
                                                    const QHash<QString, QString> &versions);

/// {"schema": "warpwright.doctor/1", "findings": [...]}
[[nodiscard]] OrderedJson findingsToJson(const std::vector<DoctorFinding> &findings);

/// Whether `wright check` can work here.
[[nodiscard]] bool isFitForChecks(const std::vector<DoctorFinding> &findings);

/// Looks at everything and tries to break out of the sandboxes; ends in finished(). Imports torch, so it
/// takes some seconds.
class Doctor : public QObject {
    Q_OBJECT
public:
    Doctor(ToolchainProbe::Request request, QObject *parent = nullptr);

    void start();
    void cancel();

signals:
    void finished(const std::vector<warpwright::DoctorFinding> &findings);

private:
    void askVersions(const Toolchain &toolchain);
    void trySandboxes(const Toolchain &toolchain, const QHash<QString, QString> &versions);

    DataFolders m_folders;
    ToolchainProbe m_probe;
    ToolVersions *m_versions = nullptr;
    SandboxTrials *m_trials = nullptr;
    bool m_isCancelled = false;
};

} // namespace warpwright
