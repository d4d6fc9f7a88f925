// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/device/device_facts.h"

#include "referee/base/cpu_chunks.h"
#include "referee/base/fault.h"
#include "referee/device/cuda_driver.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <memory>
#include <unistd.h>

namespace warpwright {

namespace {

std::string processorName() {
    std::ifstream facts("/proc/cpuinfo");
    for (std::string line; std::getline(facts, line);) {
        const size_t colon = line.find(": ");
        if (line.rfind("model name", 0) == 0 && colon != std::string::npos)
            return line.substr(colon + 2);
    }
    return "CPU";
}

// The largest cache that any level of the first processor has.
uint64_t processorCacheBytes() {
    uint64_t largest = 0;
    for (int index = 0; index < 8; ++index) {
        std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/size");
        uint64_t number = 0;
        char unit = 0;
        if (file >> number >> unit)
            largest = std::max(largest, unit == 'M' ? number << 20 : number << 10);
    }
    return largest > 0 ? largest : uint64_t{32} << 20;
}

DeviceFacts processor() {
    DeviceFacts facts;
    facts.name = processorName();
    facts.uuid = facts.name;
    facts.units = static_cast<int>(coreCount());
    facts.memoryBytes =
        static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    facts.lastLevelCacheBytes = processorCacheBytes();
    return facts;
}

#if WARPWRIGHT_CUDA

[[noreturn]] void noDevice(const std::string &device, const std::string &why) {
    throw Fault("environment", "Cannot use the device \"" + device + "\".", why,
                "Run `wright doctor`, or measure on the CPU with --device cpu.");
}

std::string uuidText(const char *kind, const CUuuid &uuid) {
    std::string text = kind;
    for (int i = 0; i < 16; ++i) {
        char part[4];
        std::snprintf(part, sizeof part, "%02x",
                      static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[i])));
        text += part;
        if (i == 3 || i == 5 || i == 7 || i == 9)
            text += '-';
    }
    return text;
}

DeviceFacts graphicsProcessor(const std::string &device, const std::string &wanted) {
    showDevice(device, wanted);
    const CudaDriver &driver = CudaDriver::load();
    if (!driver.problem.empty())
        noDevice(device, driver.problem);
    int count = 0;
    if (const CUresult result = driver.init(0); result != CUDA_SUCCESS)
        noDevice(device, "cuInit: " + driver.nameOf(result));
    if (driver.deviceCount(&count) != CUDA_SUCCESS || count == 0)
        noDevice(device, "The driver sees no such device.");
    CUdevice handle = 0;
    driver.deviceByOrdinal(&handle, 0);
    // Of a slice (MIG) the newer call names the slice, the older one its card; of a card both name the card.
    CUuuid uuid{}, card{};
    driver.deviceUuid(&uuid, handle);
    if (driver.cardUuid == nullptr || driver.cardUuid(&card, handle) != CUDA_SUCCESS)
        card = uuid;
    const bool isSlice = std::memcmp(uuid.bytes, card.bytes, sizeof uuid.bytes) != 0;
    const std::string shown = uuidText(isSlice ? "MIG-" : "GPU-", uuid);
    if (!wanted.empty() && shown != wanted)
        noDevice(device, "It is " + wanted + ", and the driver shows " + shown + " in its place.");
    CUcontext context = nullptr;
    if (const CUresult result = driver.primaryContextRetain(&context, handle); result != CUDA_SUCCESS)
        noDevice(device, "cuDevicePrimaryCtxRetain: " + driver.nameOf(result));
    driver.contextSetCurrent(context);

    DeviceFacts facts;
    facts.memory = MemoryKind::Cuda;
    char name[256] = {};
    driver.deviceName(name, sizeof name - 1, handle);
    facts.name = name;
    facts.uuid = shown;
    facts.cardUuid = uuidText("GPU-", card);
    const auto attribute = [&](CUdevice_attribute which) {
        int value = 0;
        driver.deviceAttribute(&value, which, handle);
        return value;
    };
    facts.computeCapability = std::to_string(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)) + "." +
                              std::to_string(attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
    int version = 0;
    driver.driverVersion(&version);
    facts.driver = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
    facts.units = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    size_t total = 0;
    driver.deviceTotalMemory(&total, handle);
    facts.memoryBytes = total;
    facts.lastLevelCacheBytes = static_cast<uint64_t>(attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
    return facts;
}

#endif

} // namespace

Json DeviceFacts::toJson() const {
    return {
        {"kind", memory == MemoryKind::Cuda ? "cuda" : "cpu"},
        {"name", name},
        {"uuid", uuid},
        {"computeCapability", computeCapability.empty() ? Json() : Json(computeCapability)},
        {"driverCudaVersion", driver.empty() ? Json() : Json(driver)},
        {"units", units},
        {"memoryBytes", memoryBytes},
        {"lastLevelCacheBytes", lastLevelCacheBytes},
    };
}

void showDevice(const std::string &device, const std::string &uuid) {
    if (device.rfind("cuda", 0) != 0)
        return;
    const std::string number = device.size() > 5 ? device.substr(5) : "0";
    setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 1);
    setenv("CUDA_VISIBLE_DEVICES", uuid.empty() ? number.c_str() : uuid.c_str(), 1);
}

DeviceFacts chooseDevice(const std::string &device, const std::string &uuid) {
    if (device == "cpu")
        return processor();
#if WARPWRIGHT_CUDA
    if (device.rfind("cuda", 0) == 0)
        return graphicsProcessor(device, uuid);
#endif
    throw Fault(
        "environment", "Cannot use the device \"" + device + "\".",
        "This judge was built for a torch without CUDA.",
        "Choose an interpreter whose torch has CUDA with --python, or measure on the CPU with --device cpu.");
}

// NVML's stable C interface; declared here because its header is not part of every CUDA installation.
struct ClockWitness::Nvml {
    void *device = nullptr;
    int (*clock)(void *, int, unsigned *) = nullptr;
    int (*reasons)(void *, unsigned long long *) = nullptr;
    int (*uuid)(void *, char *, unsigned) = nullptr;
};

// A judge has one device; to ask for its driver's library anew takes 10 ms.
ClockWitness::ClockWitness(const DeviceFacts &device) {
    if (device.memory != MemoryKind::Cuda)
        return;
    m_isCuda = true;
    static const Nvml *const opened = open(device.cardUuid);
    m_nvml = opened;
}

// Open as long as this process lives. Null: there is no library, or it does not know the device.
const ClockWitness::Nvml *ClockWitness::open(const std::string &uuid) {
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (library == nullptr)
        return nullptr;
    const auto start = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
    const auto byUuid =
        reinterpret_cast<int (*)(const char *, void **)>(dlsym(library, "nvmlDeviceGetHandleByUUID"));
    auto nvml = std::make_unique<Nvml>();
    nvml->clock =
        reinterpret_cast<int (*)(void *, int, unsigned *)>(dlsym(library, "nvmlDeviceGetClockInfo"));
    nvml->reasons = reinterpret_cast<int (*)(void *, unsigned long long *)>(
        dlsym(library, "nvmlDeviceGetCurrentClocksEventReasons"));
    nvml->uuid = reinterpret_cast<int (*)(void *, char *, unsigned)>(dlsym(library, "nvmlDeviceGetUUID"));
    if (start == nullptr || byUuid == nullptr || nvml->clock == nullptr || start() != 0 ||
        byUuid(uuid.c_str(), &nvml->device) != 0)
        return nullptr;
    return nvml.release();
}

std::string ClockWitness::cardUuid() const {
    char text[96] = {};
    if (m_nvml == nullptr || m_nvml->uuid == nullptr ||
        m_nvml->uuid(m_nvml->device, text, sizeof text - 1) != 0)
        return {};
    return text;
}

ClockWitness::Reading ClockWitness::read() const {
    Reading reading;
    if (m_nvml == nullptr && m_isCuda)
        return reading;
    if (m_nvml == nullptr) {
        double kilohertz = 0.0;
        std::ifstream file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq");
        if (file >> kilohertz)
            reading.megahertz = kilohertz / 1000.0;
        return reading;
    }
    unsigned megahertz = 0;
    constexpr int multiprocessorClock = 1;
    if (m_nvml->clock(m_nvml->device, multiprocessorClock, &megahertz) == 0)
        reading.megahertz = megahertz;
    unsigned long long reasons = 0;
    if (m_nvml->reasons != nullptr && m_nvml->reasons(m_nvml->device, &reasons) == 0) {
        std::string text;
        const auto add = [&](unsigned long long bit, const char *name) {
            if ((reasons & bit) != 0)
                text += (text.empty() ? "" : ", ") + std::string(name);
        };
        add(0x4, "power cap");
        add(0x8, "hardware slowdown");
        add(0x20, "software thermal limit");
        add(0x40, "hardware thermal limit");
        add(0x80, "power brake");
        reading.slowedBy = text;
    }
    return reading;
}

} // namespace warpwright
