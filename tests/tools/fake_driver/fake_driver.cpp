// SPDX-License-Identifier: GPL-3.0-or-later
// An NVIDIA driver without a card: as much of libcuda and libnvidia-ml as tells devices apart. FAKE_CARDS
// lists them in the order of the bus: «name|UUID without its prefix|speed», with commas between; «|slice
// UUID» at the end makes a card in MIG mode with one slice. As the real ones: the management library lists
// cards by the bus and knows no CUDA_VISIBLE_DEVICES; CUDA numbers what that leaves, the fastest first unless
// CUDA_DEVICE_ORDER=PCI_BUS_ID.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct Card {
    std::string name, uuid, slice;
    double speed = 0.0;
};

std::vector<std::string> parts(const std::string &text, char separator) {
    std::vector<std::string> found;
    std::istringstream rest(text);
    for (std::string part; std::getline(rest, part, separator);)
        found.push_back(part);
    return found;
}

std::string variable(const char *name) {
    const char *value = std::getenv(name);
    return value == nullptr ? "" : value;
}

const std::vector<Card> &cards() {
    static const std::vector<Card> all = [] {
        std::vector<Card> made;
        for (const std::string &text : parts(variable("FAKE_CARDS"), ',')) {
            std::vector<std::string> words = parts(text, '|');
            words.resize(4);
            made.push_back({words[0], words[1], words[3], std::atof(words[2].c_str())});
        }
        return made;
    }();
    return all;
}

const Card *meant(const std::string &entry, const std::vector<Card> &order) {
    const bool isSlice = entry.rfind("MIG-", 0) == 0;
    if (!isSlice && entry.rfind("GPU-", 0) != 0) {
        char *end = nullptr;
        const unsigned long number = std::strtoul(entry.c_str(), &end, 10);
        return end != entry.c_str() && entry[0] != '-' && number < order.size() ? &order[number] : nullptr;
    }
    for (const Card &card : order) {
        const std::string &uuid = isSlice ? card.slice : card.uuid;
        if (!uuid.empty() && uuid.rfind(entry.substr(4), 0) == 0)
            return &card;
    }
    return nullptr;
}

/// In CUDA's order.
std::vector<Card> shown() {
    std::vector<Card> order = cards();
    if (variable("CUDA_DEVICE_ORDER") != "PCI_BUS_ID")
        std::stable_sort(order.begin(), order.end(),
                         [](const Card &one, const Card &other) { return one.speed > other.speed; });
    if (std::getenv("CUDA_VISIBLE_DEVICES") == nullptr)
        return order;
    std::vector<Card> left;
    for (const std::string &entry : parts(variable("CUDA_VISIBLE_DEVICES"), ',')) {
        const Card *card = meant(entry, order);
        if (card == nullptr)
            break;
        for (const Card &one : left)
            if (one.uuid == card->uuid)
                return {};
        left.push_back(*card);
    }
    return left;
}

int put(const std::string &text, char *to, unsigned size) {
    std::snprintf(to, size, "%s", text.c_str());
    return 0;
}

int putBytes(const std::string &uuid, unsigned char *to) {
    std::string digits = uuid;
    digits.erase(std::remove(digits.begin(), digits.end(), '-'), digits.end());
    for (size_t i = 0; i < 16; ++i)
        to[i] = static_cast<unsigned char>(std::strtoul(digits.substr(2 * i, 2).c_str(), nullptr, 16));
    return 0;
}

const Card &cardOf(void *handle) {
    return *static_cast<const Card *>(handle);
}

} // namespace

extern "C" {

// ---- libcuda: a device is its ordinal

int cuInit(unsigned) {
    return shown().empty() ? 100 : 0;
}
int cuDeviceGetCount(int *count) {
    *count = static_cast<int>(shown().size());
    return 0;
}
int cuDeviceGet(int *device, int ordinal) {
    *device = ordinal;
    return 0;
}
int cuDeviceGetName(char *name, int size, int device) {
    const Card card = shown().at(static_cast<size_t>(device));
    return put(card.slice.empty() ? card.name : card.name + " MIG 1g.10gb", name,
               static_cast<unsigned>(size));
}
int cuDeviceGetUuid(unsigned char *uuid, int device) {
    return putBytes(shown().at(static_cast<size_t>(device)).uuid, uuid);
}
int cuDeviceGetUuid_v2(unsigned char *uuid, int device) {
    const Card card = shown().at(static_cast<size_t>(device));
    return putBytes(card.slice.empty() ? card.uuid : card.slice, uuid);
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
    *value = attribute == 75 ? 9 : 0;
    return 0;
}
int cuDeviceTotalMem_v2(size_t *bytes, int) {
    *bytes = size_t{80} << 30;
    return 0;
}

// ---- libnvidia-ml

int nvmlInit_v2() {
    return 0;
}
int nvmlShutdown() {
    return 0;
}
const char *nvmlErrorString(int) {
    return "the fake driver does not know";
}
int nvmlSystemGetDriverVersion(char *text, unsigned size) {
    return put("999.1", text, size);
}
int nvmlSystemGetCudaDriverVersion(int *version) {
    *version = 13000;
    return 0;
}
int nvmlDeviceGetCount_v2(unsigned *count) {
    *count = static_cast<unsigned>(cards().size());
    return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **handle) {
    *handle = const_cast<Card *>(&cards().at(index));
    return 0;
}
int nvmlDeviceGetName(void *handle, char *text, unsigned size) {
    return put(cardOf(handle).name, text, size);
}
int nvmlDeviceGetUUID(void *handle, char *text, unsigned size) {
    return put("GPU-" + cardOf(handle).uuid, text, size);
}
int nvmlDeviceGetCudaComputeCapability(void *, int *major, int *minor) {
    *major = 9;
    *minor = 0;
    return 0;
}
int nvmlDeviceGetMigMode(void *handle, unsigned *now, unsigned *later) {
    *now = *later = cardOf(handle).slice.empty() ? 0 : 1;
    return 0;
}
int nvmlDeviceGetMemoryInfo(void *, unsigned long long *memory) {
    memory[0] = memory[1] = 80ULL << 30;
    memory[2] = 0;
    return 0;
}
}
