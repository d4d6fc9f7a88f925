// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/environment/cuda_toolkit.h"
#include "toolchain/process/child_process.h"
#include "toolchain/tool_output/kernel_code.h"

#include <QObject>
#include <QStringList>
#include <QTemporaryDir>

#include <map>
#include <memory>
#include <vector>

namespace warpwright {

/// Which of the two tools is missing, as a sentence; empty: none.
[[nodiscard]] QString whyNoDisassembly(const CudaToolkit &toolkit);

/// SASS of objects of the cache: cuobjdump takes the cubins out, nvdisasm lists them with their source lines;
/// the listing stays beside the object. Several objects are read at once. The texts are parsed in the thread
/// of this object, which must not be a window's. Every start() ends in exactly one of finished() or failed();
/// a cancel ends in failed().
class Disassembly : public QObject {
    Q_OBJECT
public:
    struct Options {
        QString scratchFolder; ///< where a folder for the cubins is made
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        int timeLimitMs = 120 * 1000; ///< of one tool
        qint64 outputLimitBytes = 256LL * 1024 * 1024;
        int maxJobs = 2;
    };

    /// Errors come from start(): a toolkit without the two tools is one.
    Disassembly(const CudaToolkit &toolkit, QStringList objects, Options options, QObject *parent = nullptr);
    ~Disassembly() override;

    void start();
    void cancel();

signals:
    /// The kernels of each object, in the order of the objects.
    void finished(const std::vector<std::vector<warpwright::KernelCode>> &kernels);
    void failed(const QString &message);

private:
    void startNext();
    void extract(std::size_t index);
    void list(std::size_t index);
    void run(std::size_t index, const QString &tool, const QStringList &arguments,
             const std::function<void(const ProcessOutcome &)> &done);
    [[nodiscard]] QString folderOf(std::size_t index) const;
    [[nodiscard]] QString listingOf(std::size_t index) const;
    void fail(const QString &message);

    CudaToolkit m_toolkit;
    QStringList m_objects;
    Options m_options;
    std::unique_ptr<QTemporaryDir> m_scratch;
    std::map<std::size_t, QStringList> m_cubins; ///< that are still to be listed
    std::vector<ChildProcess *> m_processes;
    std::vector<std::vector<KernelCode>> m_kernels;
    std::size_t m_next = 0;
    int m_running = 0;
    bool m_isDone = false;
};

} // namespace warpwright
