// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/check/certify_left.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace warpwright {
namespace {

const char *const callsName = "calls";

OrderedJson timesIn(const Json &measured, const char *lane) {
    OrderedJson arms = OrderedJson::object();
    const auto found = measured.find(lane);
    if (found == measured.end() || !found->is_object())
        return arms;
    for (const auto &[arm, told] : found->items()) {
        OrderedJson times = OrderedJson::array();
        if (told.is_array())
            for (const Json &time : told)
                if (time.is_number() && std::isfinite(time.get<double>()) && time.get<double>() > 0)
                    times.push_back(time.get<double>());
        if (!times.empty())
            arms[arm] = std::move(times);
    }
    return arms;
}

double medianOf(const OrderedJson &times) {
    std::vector<double> sorted;
    std::transform(times.begin(), times.end(), std::back_inserter(sorted),
                   [](const OrderedJson &time) { return time.get<double>(); });
    std::sort(sorted.begin(), sorted.end());
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

} // namespace

void CertifyLeft::add(const Json &measured) {
    if (!measured.is_object())
        return;
    OrderedJson process = OrderedJson::object();
    process["process"] = processes() + 1;
    process[callsName] = timesIn(measured, callsName);
    process["graph"] = timesIn(measured, "graph");
    m_processes.push_back(std::move(process));
}

QString CertifyLeft::words(int expected) const {
    if (m_processes.empty())
        return {};
    return QStringLiteral("after %1 of about %2 processes, no verdict")
        .arg(processes())
        .arg(std::max(expected, processes() + 1));
}

QString CertifyLeft::detail() const {
    QStringList arms;
    for (const OrderedJson &process : m_processes)
        for (const auto &[arm, times] : process[callsName].items())
            if (const QString name = QString::fromStdString(arm); !arms.contains(name))
                name == QLatin1String("candidate") ? arms.prepend(name) : arms.append(name);
    QStringList lines;
    for (const QString &arm : std::as_const(arms)) {
        QStringList medians;
        for (const OrderedJson &process : m_processes)
            if (const auto found = process[callsName].find(arm.toStdString());
                found != process[callsName].end())
                medians << QString::number(medianOf(*found), 'g', 4);
        lines << QStringLiteral("%1: %2 us").arg(arm, medians.join(QStringLiteral(", ")));
    }
    return lines.join(QLatin1Char('\n'));
}

OrderedJson CertifyLeft::section(int expected) const {
    OrderedJson section = OrderedJson::object();
    section["processes"] = processes();
    section["expected"] = std::max(expected, processes() + 1);
    section["measured"] = m_processes;
    return section;
}

} // namespace warpwright
