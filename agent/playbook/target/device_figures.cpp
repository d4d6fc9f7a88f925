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
        {"launchSeconds", &Device::launchSeconds, GoesWith::Nothing},
        {"memoryBytesASecond", &Device::memoryBytesASecond, GoesWith::Memory},
        {"passBytesASecond", &Device::passBytesASecond, GoesWith::Memory},
        {"convolutionTailBytesASecond", &Device::convolutionTailBytesASecond, GoesWith::Memory},
        {"branchBytesASecond", &Device::branchBytesASecond, GoesWith::Memory},
        {"cacheBytesASecond", &Device::cacheBytesASecond, GoesWith::Processors},
        {"cacheBytesOfProcessorASecond", &Device::cacheBytesOfProcessorASecond, GoesWith::Nothing},
        {"float64ASecond", &Device::float64ASecond, GoesWith::Processors},
        {"float32ASecond", &Device::float32ASecond, GoesWith::Processors},
        {"tf32ASecond", &Device::tf32ASecond, GoesWith::Processors},
        {"halfASecond", &Device::halfASecond, GoesWith::Processors},
        {"oddChannelsASecond", &Device::oddChannelsASecond, GoesWith::Processors},
        {"fewChannelsASecond", &Device::fewChannelsASecond, GoesWith::Processors},
        {"attentionFloat32ASecond", &Device::attentionFloat32ASecond, GoesWith::Processors},
        {"attentionTf32ASecond", &Device::attentionTf32ASecond, GoesWith::Processors},
        {"attentionHalfASecond", &Device::attentionHalfASecond, GoesWith::Processors},
        {"attentionWarpGroupsASecond", &Device::attentionWarpGroupsASecond, GoesWith::Processors},
        {"instructionsASecond", &Device::instructionsASecond, GoesWith::Processors},
        {"comparisonsASecond", &Device::comparisonsASecond, GoesWith::Processors},
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
