// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/playbook/test_devices.h"

#include "agent/playbook/lowering/program_builder.h"
#include "agent/playbook/target/device_rows.h"
#include "tests/toolchain/places.h"

using namespace warpwright;

namespace {

Device readH200() {
    const Result<Device> row = readDeviceRow(deviceRowsFolder(sourceFolder("/resources")) + "/h200.json");
    if (!row.hasValue())
        qFatal("%s", qPrintable(row.message()));
    return row.value();
}

} // namespace

SharedDevice h200() {
    static const SharedDevice device = std::make_shared<const Device>(readH200());
    return device;
}

SharedDevice withoutClusters() {
    static const SharedDevice device = [] {
        Device other = *h200();
        other.computeMajor = 8;
        return std::make_shared<const Device>(std::move(other));
    }();
    return device;
}

Program programOf(const ReferenceGraph &graph, const ProgramChoices &choices) {
    return programOf(graph, h200(), choices);
}
