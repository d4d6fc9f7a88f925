// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/target/device_figures.h"

#include <algorithm>

namespace warpwright {

const std::vector<CountOfDevice> &countsOfDevices() {
    static const std::vector<CountOfDevice> counts = {
        {"computeMajor", &Device::computeMajor},
        {"computeMinor", &Device::computeMinor},
        {"processors", &Device::processors},
        {"registersOfProcessor", &Device::registersOfProcessor},
        {"threadsOfProcessor", &Device::threadsOfProcessor},
        {"sharedBytesOfBlock", &Device::sharedBytesOfBlock},
        {"sectorBytes", &Device::sectorBytes},
    };
    return counts;
}

const std::vector<RateOfDevice> &ratesOfDevices() {
    static const std::vector<RateOfDevice> rates = {
        {"launchSeconds", &Device::launchSeconds, ScalesWith::Nothing},
        {"memoryBytesASecond", &Device::memoryBytesASecond, ScalesWith::Memory},
        {"passBytesASecond", &Device::passBytesASecond, ScalesWith::Memory},
        {"convolutionTailBytesASecond", &Device::convolutionTailBytesASecond, ScalesWith::Memory},
        {"branchBytesASecond", &Device::branchBytesASecond, ScalesWith::Memory},
        {"cacheBytesASecond", &Device::cacheBytesASecond, ScalesWith::Processors},
        {"cacheBytesOfProcessorASecond", &Device::cacheBytesOfProcessorASecond, ScalesWith::Nothing},
        {"float64ASecond", &Device::float64ASecond, ScalesWith::Processors},
        {"float32ASecond", &Device::float32ASecond, ScalesWith::Processors},
        {"tf32ASecond", &Device::tf32ASecond, ScalesWith::Processors},
        {"halfASecond", &Device::halfASecond, ScalesWith::Processors},
        {"oddChannelsASecond", &Device::oddChannelsASecond, ScalesWith::Processors},
        {"fewChannelsASecond", &Device::fewChannelsASecond, ScalesWith::Processors},
        {"attentionFloat32ASecond", &Device::attentionFloat32ASecond, ScalesWith::Processors},
        {"attentionTf32ASecond", &Device::attentionTf32ASecond, ScalesWith::Processors},
        {"attentionHalfASecond", &Device::attentionHalfASecond, ScalesWith::Processors},
        {"attentionWarpGroupsASecond", &Device::attentionWarpGroupsASecond, ScalesWith::Processors},
        {"instructionsASecond", &Device::instructionsASecond, ScalesWith::Processors},
        {"comparisonsASecond", &Device::comparisonsASecond, ScalesWith::Processors},
    };
    return rates;
}

bool isFigureOfDevices(const std::string &key) {
    const auto isIt = [&key](const auto &figure) {
        return key == figure.key;
    };
    return std::any_of(countsOfDevices().begin(), countsOfDevices().end(), isIt) ||
           std::any_of(ratesOfDevices().begin(), ratesOfDevices().end(), isIt);
}

} // namespace warpwright
