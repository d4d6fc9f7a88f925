// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/target/device_rows.h"

#include "agent/playbook/target/device_figures.h"
#include "toolchain/base/json.h"
#include "toolchain/base/text_file.h"

#include <QDir>

#include <cmath>
#include <limits>

namespace warpwright {
namespace {

QString problemOf(const QString &file, const QString &what) {
    return QStringLiteral("%1: %2. Every figure is {\"value\": number, \"from\": where it comes from}: mend "
                          "the file, or install Warpwright again.")
        .arg(QDir::toNativeSeparators(file), what);
}

/// Empty: `key` is missing or malformed.
std::optional<double> figureIn(const Json &figures, const char *key) {
    const auto found = figures.find(key);
    if (found == figures.end() || !found->is_object() || stringIn(*found, "from").isEmpty())
        return std::nullopt;
    const auto value = found->find("value");
    if (value == found->end() || !value->is_number())
        return std::nullopt;
    return value->get<double>();
}

} // namespace

QString deviceRowsFolder(const QString &resources) {
    return resources + QStringLiteral("/playbook/devices");
}

Result<Device> readDeviceRow(const QString &file) {
    using Answer = Result<Device>;
    const Result<QByteArray> bytes = readTextFile(file);
    if (!bytes.hasValue())
        return Answer::error(problemOf(file, bytes.message()));
    const Result<Json> row = parseJson(bytes.value());
    if (!row.hasValue())
        return Answer::error(problemOf(file, row.message()));
    Device device;
    device.name = stringIn(row.value(), "name");
    const auto figures = row.value().is_object() ? row.value().find("figures") : row.value().end();
    if (device.name.isEmpty() || figures == row.value().end() || !figures->is_object())
        return Answer::error(problemOf(file, QStringLiteral("there is no \"name\", or no \"figures\"")));
    const auto wrong = [&file](const char *key) {
        return Answer::error(problemOf(
            file, QStringLiteral("\"%1\" is missing, or is no such figure").arg(QLatin1String(key))));
    };
    for (const CountOfDevice &count : countsOfDevices()) {
        const std::optional<double> value = figureIn(*figures, count.key);
        const bool mayBeNone = count.count == &Device::computeMinor;
        if (!value || *value < (mayBeNone ? 0 : 1) || *value > std::numeric_limits<int>::max() ||
            std::floor(*value) != *value)
            return wrong(count.key);
        device.*count.count = static_cast<int>(*value);
    }
    for (const RateOfDevice &rate : ratesOfDevices()) {
        const std::optional<double> value = figureIn(*figures, rate.key);
        if (!value || *value <= 0)
            return wrong(rate.key);
        device.*rate.rate = *value;
    }
    for (const auto &[key, figure] : figures->items())
        if (!isFigureOfDevices(key))
            return Answer::error(
                problemOf(file, QStringLiteral("unknown figure \"%1\"").arg(QString::fromStdString(key))));
    return Answer::ok(std::move(device));
}

Result<std::vector<SharedDevice>> readDeviceRows(const QString &folder) {
    using Answer = Result<std::vector<SharedDevice>>;
    const QStringList files = QDir(folder).entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name);
    if (files.isEmpty())
        return Answer::error(QStringLiteral("%1: there is no row of a measured device. Install Warpwright "
                                            "again, or set WARPWRIGHT_RESOURCES to its resources.")
                                 .arg(QDir::toNativeSeparators(folder)));
    std::vector<SharedDevice> rows;
    for (const QString &file : files) {
        Result<Device> row = readDeviceRow(folder + QLatin1Char('/') + file);
        if (!row.hasValue())
            return Answer::error(row.message());
        rows.push_back(std::make_shared<const Device>(row.value()));
    }
    return Answer::ok(std::move(rows));
}

} // namespace warpwright
