// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/progress/step_durations.h"

#include "toolchain/base/json.h"
#include "toolchain/base/text_file.h"

#include <QDateTime>

#include <algorithm>

namespace warpwright {
namespace {

constexpr qsizetype entryLimit = 2000;

} // namespace

StepDurations::StepDurations(QString file) : m_file(std::move(file)), m_entries(load(m_file)) {}

QHash<QString, StepDurations::Entry> StepDurations::load(const QString &file) {
    QHash<QString, Entry> entries;
    const Result<QByteArray> text = readTextFile(file);
    if (!text.hasValue())
        return entries;
    const Result<Json> json = parseJson(text.value());
    if (!json.hasValue() || !json.value().is_object())
        return entries;
    for (const auto &[key, value] : json.value().items()) {
        if (value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number_integer())
            entries.insert(fromJson(key), Entry{value[0].get<double>(), value[1].get<qint64>()});
    }
    return entries;
}

std::optional<double> StepDurations::lastSeconds(const QString &key) const {
    const auto found = m_entries.constFind(key);
    return found == m_entries.constEnd() ? std::nullopt : std::optional<double>(found->seconds);
}

void StepDurations::remember(const QString &key, double seconds) {
    m_fresh.insert(key, Entry{seconds, QDateTime::currentSecsSinceEpoch()});
}

void StepDurations::save() {
    if (m_fresh.isEmpty())
        return;
    QHash<QString, Entry> entries = load(m_file);
    entries.insert(m_fresh);
    QStringList keys = entries.keys();
    std::sort(keys.begin(), keys.end(), [&entries](const QString &a, const QString &b) {
        return entries.value(a).at > entries.value(b).at;
    });
    Json json = Json::object();
    for (const QString &key : keys.mid(0, entryLimit)) {
        const Entry entry = entries.value(key);
        json[toJson(key)] = Json::array({entry.seconds, entry.at});
    }
    // Only a convenience: where it cannot be kept, the next run knows less, and that is all.
    static_cast<void>(writeFileAtomically(m_file, dumpJson(json)));
    m_entries = entries;
    m_fresh.clear();
}

} // namespace warpwright
