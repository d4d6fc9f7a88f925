// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/target/program_device.h"

#include "agent/playbook/ir/program.h"
#include "agent/playbook/target/device_rows.h"
#include "toolchain/base/data_folders.h"

#include <QCoreApplication>

#include <algorithm>
#include <list>
#include <mutex>

namespace warpwright {

const Device *internedDevice(const Device &device) {
    static std::mutex mutex;
    static std::list<Device> kept;
    const std::lock_guard lock(mutex);
    const auto found = std::find(kept.begin(), kept.end(), device);
    return found != kept.end() ? &*found : &kept.emplace_back(device);
}

const Result<const Device *> &defaultDevice() {
    static const Result<const Device *> fallback = [] {
        using Answer = Result<const Device *>;
        const QString program =
            QCoreApplication::instance() == nullptr ? QString() : QCoreApplication::applicationDirPath();
        const DataFolders folders = DataFolders::find(QProcessEnvironment::systemEnvironment(), program);
        const Result<Device> row = readDeviceRow(deviceRowsFolder(folders.resources) + "/h200.json");
        return row.hasValue() ? Answer::ok(internedDevice(row.value())) : Answer::error(row.message());
    }();
    return fallback;
}

namespace {

const Device &orDefault(const Device *device) {
    static const Device none; // no program is built then: programOf() reports why
    return device != nullptr ? *device : defaultDevice().hasValue() ? *defaultDevice().value() : none;
}

} // namespace

const Device &deviceOf(const Kernel &kernel) {
    return orDefault(kernel.device);
}

const Device &deviceOf(const Program &program) {
    return orDefault(program.choices.device);
}

} // namespace warpwright
