// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/environment/gpu_device.h"

#include <QStringList>

#include <dlfcn.h>

#include <array>
#include <memory>

namespace warpwright {

namespace {

/// The part of nvml.h that we use; these names and layouts have not changed since CUDA 8.
using NvmlReturn = int;
using NvmlDevice = void *;
struct NvmlMemory {
    unsigned long long total;
    unsigned long long free;
    unsigned long long used;
};

struct Unload {
    void operator()(void *library) const { dlclose(library); }
};

class Nvml {
public:
    /// Null where there is no driver.
    static std::unique_ptr<Nvml> load() {
        std::unique_ptr<void, Unload> library(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL));
        if (!library)
            return nullptr;
        return std::unique_ptr<Nvml>(new Nvml(std::move(library)));
    }

    template <typename... Arguments>
    NvmlReturn call(const char *name, Arguments... arguments) const {
        using Function = NvmlReturn (*)(Arguments...);
        const auto function = reinterpret_cast<Function>(dlsym(m_library.get(), name));
        constexpr NvmlReturn functionNotFound = 13;
        return function ? function(arguments...) : functionNotFound;
    }

    [[nodiscard]] QString words(NvmlReturn code) const {
        using Function = const char *(*)(NvmlReturn);
        const auto function = reinterpret_cast<Function>(dlsym(m_library.get(), "nvmlErrorString"));
        return function ? QString::fromUtf8(function(code)) : QStringLiteral("error %1").arg(code);
    }

private:
    explicit Nvml(std::unique_ptr<void, Unload> library) : m_library(std::move(library)) {}

    std::unique_ptr<void, Unload> m_library;
};

GpuDevice readDevice(const Nvml &nvml, unsigned index, const QString &driver, int driverCudaVersion) {
    GpuDevice device;
    device.index = static_cast<int>(index);
    device.driver = driver;
    device.driverCudaVersion = driverCudaVersion;
    NvmlDevice handle = nullptr;
    if (nvml.call("nvmlDeviceGetHandleByIndex_v2", index, &handle) != 0)
        return device;
    std::array<char, 128> text{};
    const auto length = static_cast<unsigned>(text.size() - 1);
    if (nvml.call("nvmlDeviceGetName", handle, text.data(), length) == 0)
        device.name = QString::fromUtf8(text.data());
    if (nvml.call("nvmlDeviceGetUUID", handle, text.data(), length) == 0)
        device.uuid = device.cardUuid = QString::fromUtf8(text.data());
    unsigned mode = 0, pending = 0;
    if (nvml.call("nvmlDeviceGetMigMode", handle, &mode, &pending) == 0)
        device.isSliced = mode == 1;
    nvml.call("nvmlDeviceGetCudaComputeCapability", handle, &device.computeMajor, &device.computeMinor);
    NvmlMemory memory{};
    if (nvml.call("nvmlDeviceGetMemoryInfo", handle, &memory) == 0)
        device.memoryBytes = static_cast<std::int64_t>(memory.total);
    return device;
}

} // namespace

QString architectureFor(int computeMajor, int computeMinor) {
    const QString plain = QStringLiteral("sm_%1%2").arg(computeMajor).arg(computeMinor);
    // Features of one chip (wgmma, tcgen05 …) need the suffix; they exist from 9.0 on.
    return computeMajor >= 9 ? plain + QLatin1Char('a') : plain;
}

QString GpuDevice::architecture() const {
    return architectureFor(computeMajor, computeMinor);
}

Result<std::vector<GpuDevice>> findGpuDevices() {
    using Answer = Result<std::vector<GpuDevice>>;
    const auto nvml = Nvml::load();
    if (!nvml)
        return Answer::ok({});
    if (const NvmlReturn code = nvml->call("nvmlInit_v2"); code != 0) {
        // A container image may bring the library without a device or its kernel module: that is a machine
        // without a GPU.
        constexpr NvmlReturn driverNotLoaded = 9;
        constexpr NvmlReturn libraryNotFound = 12;
        if (code == driverNotLoaded || code == libraryNotFound)
            return Answer::ok({});
        return Answer::error(
            QStringLiteral(
                "Cannot ask the NVIDIA driver for its devices: %1. Restart the machine if the driver was "
                "updated; \"nvidia-smi\" shows the same.")
                .arg(nvml->words(code)));
    }
    std::array<char, 96> text{};
    QString driver;
    if (nvml->call("nvmlSystemGetDriverVersion", text.data(), static_cast<unsigned>(text.size() - 1)) == 0)
        driver = QString::fromUtf8(text.data());
    int cudaVersion = 0;
    nvml->call("nvmlSystemGetCudaDriverVersion", &cudaVersion);
    unsigned count = 0;
    nvml->call("nvmlDeviceGetCount_v2", &count);
    std::vector<GpuDevice> devices;
    for (unsigned index = 0; index < count; ++index)
        devices.push_back(readDevice(*nvml, index, driver, cudaVersion));
    nvml->call("nvmlShutdown");
    return Answer::ok(std::move(devices));
}

} // namespace warpwright
