// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/report_page/line_samples.h"

#include "toolchain/counters/kernel_figures.h"

namespace warpwright {

SamplesByLine samplesByLine(const Counters &counters, const CandidateTexts &texts) {
    SamplesByLine result;
    std::map<std::pair<QString, int>, double> most; ///< of the reason that leads at a line, in one launch
    for (const KernelCounters *kernel : counters.kernelsOf(QStringLiteral("candidate")))
        for (const HotLine &line : hotLines(*kernel)) {
            result.all += line.samples;
            const QString path = line.line > 0 ? workspacePathOf(texts, line.file) : QString();
            if (path.isEmpty()) {
                result.elsewhere += line.samples;
                continue;
            }
            LineSamples &sum = result.files[path][line.line];
            sum.samples += line.samples;
            double &leading = most[{path, line.line}];
            if (!line.topStall.isEmpty() && line.samples > leading) {
                leading = line.samples;
                sum.topStall = line.topStall;
            }
        }
    for (auto &[path, lines] : result.files)
        for (auto &[line, sum] : lines)
            sum.share = result.all > 0 ? sum.samples / result.all : 0;
    return result;
}

} // namespace warpwright
