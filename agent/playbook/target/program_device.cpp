// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/target/program_device.h"

#include "agent/playbook/ir/program.h"

namespace warpwright {

const Device &deviceOf(const Kernel &kernel) {
    Q_ASSERT(kernel.device);
    return *kernel.device;
}

const Device &deviceOf(const Program &program) {
    Q_ASSERT(program.device);
    return *program.device;
}

} // namespace warpwright
