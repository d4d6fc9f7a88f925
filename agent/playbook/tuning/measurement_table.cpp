// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/tuning/measurement_table.h"

#include "toolchain/base/json.h"
#include "toolchain/base/text_file.h"

#include <QFile>
#include <QFileInfo>

#include <cmath>

namespace warpwright {
namespace {

QString keyOf(const QString &device, const QString &kernels, const QString &move) {
    return device + QLatin1Char('\n') + kernels + QLatin1Char('\n') + move;
}

} // namespace

MeasurementTable MeasurementTable::load(const QString &file, const QDateTime &until) {
    MeasurementTable table;
    const Result<QByteArray> text = readTextFile(file);
    if (!text.hasValue())
        return table;
    for (const QByteArray &line : text.value().split('\n')) {
        const Result<Json> json = parseJson<Json>(line);
        if (!json.hasValue() || !json.value().is_object())
            continue;
        const auto at = QDateTime::fromString(stringIn(json.value(), "at"), Qt::ISODateWithMs);
        if (until.isValid() && at.isValid() && at > until)
            continue;
        const auto ratio = json.value().find("ratio");
        if (ratio != json.value().end() && ratio->is_number())
            table.add({stringIn(json.value(), "device"), stringIn(json.value(), "kernels"),
                       stringIn(json.value(), "move"), ratio->get<double>()});
    }
    return table;
}

void MeasurementTable::add(const MoveMeasurement &measurement) {
    if (!std::isfinite(measurement.ratio) || measurement.ratio <= 0)
        return;
    Sum &sum = m_sums[keyOf(measurement.device, measurement.kernels, measurement.move)];
    sum.last = measurement.ratio;
    sum.logarithms += std::log(measurement.ratio);
    ++sum.count;
}

std::optional<MoveExperience> MeasurementTable::of(const QString &device, const QString &kernels,
                                                   const QString &move) const {
    const auto found = m_sums.find(keyOf(device, kernels, move));
    if (found == m_sums.end())
        return std::nullopt;
    return MoveExperience{std::exp(found->second.logarithms / found->second.count), found->second.count};
}

bool MeasurementTable::isLast(const MoveMeasurement &measurement) const {
    const auto found = m_sums.find(keyOf(measurement.device, measurement.kernels, measurement.move));
    return found != m_sums.end() && found->second.last == measurement.ratio;
}

Result<void> appendMeasurement(const QString &file, const MoveMeasurement &measurement) {
    if (const Result<void> made = makeFolder(QFileInfo(file).path()); !made.hasValue())
        return made;
    const QByteArray line =
        dumpJson(Json{{"device", toJson(measurement.device)},
                      {"kernels", toJson(measurement.kernels)},
                      {"move", toJson(measurement.move)},
                      {"ratio", measurement.ratio},
                      {"at", toJson(QDateTime::currentDateTimeUtc().toString(Qt::ISODateWithMs))}}) +
        '\n';
    QFile out(file);
    // Other programs write to the end as well.
    if (!out.open(QIODevice::Append | QIODevice::Unbuffered) || out.write(line) != line.size())
        return Result<void>::error(QStringLiteral("Cannot write \"%1\": %2. Predictions stay as they are.")
                                       .arg(file, out.errorString()));
    return Result<void>::ok();
}

} // namespace warpwright
