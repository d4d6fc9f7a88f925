// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/environment/cuda_toolkit.h"
#include "toolchain/environment/gpu_device.h"
#include "toolchain/environment/host_compiler.h"
#include "toolchain/environment/python_probe.h"
#include "toolchain/process/child_process.h"

#include <QObject>

#include <functional>
#include <optional>

namespace warpwright {

/// What this machine builds and measures with. A part that is missing has its sentence instead.
struct Toolchain {
    std::optional<PythonEnvironment> python;
    std::optional<CudaToolkit> cuda;
    std::optional<HostCompiler> hostCompiler;
    std::vector<GpuDevice> devices; ///< as CUDA shows them to a program with this environment, in its order
    QString pythonMessage;
    QString cudaMessage;
    QString hostCompilerMessage;
    QString devicesMessage; ///< set when a driver is there and does not work, or may show no device

    bool operator==(const Toolchain &) const = default;
};

/// Finds Python, torch, nvcc, g++ and the devices, all at once and each in its own process or thread.
/// A missing part is not a failure here: whether it matters depends on what is asked for. So it always ends
/// in finished().
class ToolchainProbe : public QObject {
    Q_OBJECT
public:
    struct Request {
        QString python; ///< --python
        Settings settings;
        DataFolders folders;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        bool importsTorch = false;
    };

    explicit ToolchainProbe(Request request, QObject *parent = nullptr);

    void start();
    void cancel();

signals:
    void finished(const warpwright::Toolchain &toolchain);

private:
    void probePython();
    void probeCuda();
    void probeHostCompiler();
    void probeDevices();
    void numberDevices(const std::vector<GpuDevice> &all);
    void takeDevices(const std::vector<GpuDevice> &shown, std::size_t count);
    void askNvcc(std::size_t index);
    void ask(const QString &program, const QString &argument,
             const std::function<void(const QByteArray &)> &answer,
             const std::function<void(const QString &)> &refusal);
    /// `watched`: what the answer rests on beside the program.
    void ask(const ProcessRequest &question, const QStringList &watched,
             const std::function<void(const QByteArray &)> &answer,
             const std::function<void(const QString &)> &refusal);
    void partDone();

    Request m_request;
    Toolchain m_toolchain;
    std::vector<ChildProcess *> m_processes;
    PythonProbe *m_python = nullptr;
    std::vector<CudaPlace> m_cudaPlaces;
    int m_pending = 0;
    bool m_isCancelled = false;
};

} // namespace warpwright
