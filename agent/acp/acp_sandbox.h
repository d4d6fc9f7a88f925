// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/base/result.h"
#include "toolchain/process/child_process.h"

#include <QObject>
#include <QStringList>

namespace warpwright {

/// The sandbox of a whole external agent, by bubblewrap: it may read what we may but for temporary files, of
/// which it has its own, and write to its work folder and to what it keeps in the home's dot folders. The
/// workspace, our own folders and what starts programs at a login are not writable; no GPU is there, nor any
/// process outside or the session's bus.
///
/// It keeps honest agents honest, and the judge's files out of reach. An agent that wants to harm the person
/// still has the network, what it can read, and its own settings.
struct AcpSandbox {
    QString program; ///< bwrap; empty: there is none, and programs are started as they are
    QStringList words;

    [[nodiscard]] bool isThere() const { return !program.isEmpty(); }
    /// `request` in the sandbox; as it is where there is none.
    [[nodiscard]] ProcessRequest around(ProcessRequest request) const;
    /// The same with more that may be written to.
    [[nodiscard]] AcpSandbox withWritable(const QStringList &paths) const;
    /// The same without a network: for commands that it has us run.
    [[nodiscard]] AcpSandbox withoutNetwork() const;

    bool operator==(const AcpSandbox &) const = default;
};

/// `writable`: the agent's work folder and what else it is to write to. `closed`: the workspace; our data,
/// cache and configuration are so without being named. An error where bubblewrap is not installed. Looks into
/// the home.
[[nodiscard]] Result<AcpSandbox> makeAcpSandbox(const QStringList &writable, const QStringList &closed,
                                                const DataFolders &folders,
                                                const QProcessEnvironment &environment);

/// Finds out whether a sandbox can stand on this system. Ends in one stood() or fell().
class AcpSandboxTrial : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    void start(const AcpSandbox &sandbox);

signals:
    void stood();
    /// `why`: one part of a sentence.
    void fell(const QString &why);

private:
    ChildProcess *m_process = nullptr;
};

} // namespace warpwright
