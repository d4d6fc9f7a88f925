// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/process/child_process.h"

#include <QByteArray>
#include <QObject>
#include <QTimer>

namespace warpwright {

/// The instructions of one object, listed while its compiler is still at work: nvdisasm takes half a second
/// for the smallest cubin, and nvcc has the cubin long before it has the object. What cannot be listed ahead
/// is listed when it is asked for (`Disassembly`); no error comes from here.
class ListingAhead : public QObject {
    Q_OBJECT
public:
    /// `keptFolder`: where nvcc keeps what it makes on its way. `scratchFolder`: of the same file system; it
    /// outlives this.
    ListingAhead(QString nvdisasm, QString keptFolder, QString scratchFolder, QProcessEnvironment environment,
                 QObject *parent = nullptr);

    /// The object is in the cache: the listing belongs beside it. From then on the kept folder is not read.
    void objectIs(const QString &objectPath);
    /// Something still comes, or may: ended() follows once the object is known.
    [[nodiscard]] bool isRunning() const { return m_process != nullptr; }

signals:
    void ended();

private:
    void look();
    void keep();

    QString m_nvdisasm;
    QString m_keptFolder;
    QString m_scratchFolder;
    QProcessEnvironment m_environment;
    QTimer m_look;
    ChildProcess *m_process = nullptr;
    QByteArray m_listing;
    QString m_object;
};

} // namespace warpwright
