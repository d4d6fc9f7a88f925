// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/target/plan_device.h"

#include "agent/playbook/ir/kernel_plan.h"
#include "agent/playbook/target/device_rows.h"
#include "toolchain/base/data_folders.h"

#include <QCoreApplication>

#include <algorithm>
#include <list>
#include <mutex>

namespace warpwright {

const Device *keptDevice(const Device &device) {
    static std::mutex mutex;
    static std::list<Device> kept;
    const std::lock_guard lock(mutex);
    const auto found = std::find(kept.begin(), kept.end(), device);
    return found != kept.end() ? &*found : &kept.emplace_back(device);
}

const Result<const Device *> &usualDevice() {
    static const Result<const Device *> usual = [] {
        using Answer = Result<const Device *>;
        const QString program =
            QCoreApplication::instance() == nullptr ? QString() : QCoreApplication::applicationDirPath();
        const DataFolders folders = DataFolders::find(QProcessEnvironment::systemEnvironment(), program);
        const Result<Device> row = readDeviceRow(deviceRowsFolder(folders.resources) + "/h200.json");
        return row.hasValue() ? Answer::ok(keptDevice(row.value())) : Answer::error(row.message());
    }();
    return usual;
}

namespace {

const Device &orUsual(const Device *device) {
    static const Device none; // no plan is made then: planOf() says why
    return device != nullptr ? *device : usualDevice().hasValue() ? *usualDevice().value() : none;
}

} // namespace

const Device &deviceOf(const FusedKernel &kernel) {
    return orUsual(kernel.device);
}

const Device &deviceOf(const KernelPlan &plan) {
    return orUsual(plan.choices.device);
}

} // namespace warpwright
