// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/counters/counters_lines.h"

#include "toolchain/counters/launch_json.h"

#include <QFile>

namespace warpwright {
namespace {

constexpr qint64 longestLine = 512LL << 20; // a launch of a kernel of 100,000 instructions has 30 MB

} // namespace

Result<Counters> countersFromLines(const QString &path) {
    const auto refused = [&path](const QString &why) {
        return Result<Counters>::error(QStringLiteral("Cannot read \"%1\": %2").arg(path, why));
    };
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return refused(file.errorString());
    SharedTexts texts;
    std::map<int, KernelCounters> launches;
    while (!file.atEnd()) {
        const QByteArray line = file.readLine(longestLine);
        if (file.error() != QFileDevice::NoError)
            return refused(file.errorString());
        const Result<Json> json = parseJson(line);
        if (!json.hasValue())
            return refused(json.message());
        if (!json.value().is_object())
            return refused(QStringLiteral("a line of it is no object"));
        if (!json.value().contains("schema")) {
            KernelCounters launch = launchFromJson(json.value(), texts);
            const int number = launch.launch;
            launches.insert_or_assign(number, std::move(launch));
            continue;
        }
        Result<Counters> read = countersFromJson(json.value());
        if (!read.hasValue())
            return read;
        Counters counters = std::move(read).value();
        counters.kernels.reserve(launches.size());
        for (auto &[number, launch] : launches)
            counters.kernels.push_back(std::move(launch));
        return Result<Counters>::ok(std::move(counters));
    }
    return refused(QStringLiteral("its last line is missing"));
}

} // namespace warpwright
