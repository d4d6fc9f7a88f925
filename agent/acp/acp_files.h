// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/acp/acp_values.h"
#include "agent/tools/work_folder.h"

#include <QObject>
#include <QThreadPool>

#include <functional>

namespace warpwright {

/// What became of reading or writing a file for an agent.
struct AcpFileAnswer {
    QString text;        ///< of a file that was read
    QString why;         ///< a sentence for the agent; empty: it went well
    bool isThere = true; ///< false: the file to read is not
};

/// The files that an external agent asks us for: those of its work folder and no others, one after the other
/// as it asked. The task's own may be read only.
class AcpFiles : public QObject {
    Q_OBJECT
public:
    using Answered = std::function<void(const AcpFileAnswer &answer)>;

    explicit AcpFiles(WorkFolder folder, QObject *parent = nullptr);
    ~AcpFiles() override;

    /// Not heard of any more once this is destroyed.
    void read(const AcpReadFile &file, Answered answered);
    void write(const AcpWriteFile &file, Answered answered);

private:
    WorkFolder m_folder;
    QThreadPool m_pool; ///< of one thread: order
};

} // namespace warpwright
