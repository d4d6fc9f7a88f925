// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/heat/recorded_heat.h"

#include "tests/toolchain/places.h"
#include "toolchain/base/text_file.h"
#include "toolchain/tool_output/sass_listing.h"

using namespace warpwright;

namespace {

QByteArray recorded(const QString &name) {
    return readTextFile(testData("/heat/") + name).value();
}

} // namespace

RecordedHeat::RecordedHeat(const QString &name) : file(QStringLiteral("kernels/%1.cu").arg(name)) {
    texts[file] = recorded(name + QStringLiteral(".cu"));
    counters = countersFromJson(parseJson(recorded(name + QStringLiteral(".counters.json"))).value()).value();
    counters.textHash = textHashOf(texts);
    inspection.nvcc = QStringLiteral("13.0.88");
    for (KernelCode &code : parseSass(recorded(name + QStringLiteral("-sm_90a-13.2.51.txt")))) {
        InspectedKernel kernel;
        kernel.source = file;
        kernel.resources.mangled = code.mangled;
        kernel.resources.name = code.name;
        kernel.resources.arch = code.arch;
        nameFilesFrom(QStringLiteral("/heat"), code);
        kernel.sass = std::move(code);
        inspection.kernels.push_back(std::move(kernel));
    }
}

Heat RecordedHeat::heat(const HeatChoice &choice) const {
    return heatOf(counters, &inspection, texts, choice);
}

Heat RecordedHeat::heatWithoutListing() const {
    return heatOf(counters, nullptr, texts);
}

Counters madeCounters(int instructions, double perFirst) {
    KernelCounters kernel;
    kernel.arm = QStringLiteral("candidate");
    kernel.name = QStringLiteral("k(float *)");
    kernel.function = QStringLiteral("k");
    kernel.mangled = QStringLiteral("_Z1kPf");
    kernel.metrics[QStringLiteral("gpu__time_duration.sum")] = {10000.0, {}, QStringLiteral("ns")};
    for (int i = 0; i < instructions; ++i) {
        InstructionCounters one;
        one.address = static_cast<quint64>(i) * 16;
        one.text = i == instructions - 1 ? QStringLiteral("EXIT") : QStringLiteral("FFMA R0, R1, R2, R0");
        one.file = QStringLiteral("/elsewhere/kernels/k.cu");
        one.line = i / 16 + 1;
        one.values = {{QStringLiteral("samples"), i == 0 ? perFirst : 1.0},
                      {QStringLiteral("stall.wait"), i == 0 ? perFirst : 1.0},
                      {QStringLiteral("executed"), 4.0},
                      {QStringLiteral("threads"), 64.0}};
        kernel.instructions.push_back(std::move(one));
    }
    Counters counters;
    counters.id = QStringLiteral("made");
    counters.device = QStringLiteral("a device");
    counters.kernels.push_back(std::move(kernel));
    return counters;
}

CandidateTexts madeTexts(int lines) {
    QByteArray text;
    for (int line = 1; line <= lines; ++line)
        text += "line " + QByteArray::number(line) + '\n';
    return {{QStringLiteral("kernels/k.cu"), text}};
}
