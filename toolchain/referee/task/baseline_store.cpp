// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/task/baseline_store.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <unistd.h>

namespace warpwright {

namespace {

// Raised whenever the way of measuring changes, so that old numbers are not compared with new ones.
constexpr int methodVersion = 2;

Json readAll(const std::string &file) {
    std::ifstream stream(file);
    Json all = Json::parse(stream, nullptr, false);
    if (!all.is_object() || all.value("method", 0) != methodVersion || !all.contains("tasks") ||
        !all["tasks"].is_object())
        return {{"method", methodVersion}, {"tasks", Json::object()}};
    return all;
}

} // namespace

BaselineStore::BaselineStore(std::string file, std::string key)
    : m_file(std::move(file)), m_key(std::move(key)) {}

Json BaselineStore::arms() const {
    const Json stored = all();
    Json arms = Json::object();
    for (const auto &[name, arm] : stored.items()) {
        if (arm.is_object() && arm.value("medianMicroseconds", 0.0) > 0.0)
            arms[name] = arm;
    }
    return arms;
}

Json BaselineStore::all() const {
    const Json all = readAll(m_file);
    const auto found = all["tasks"].find(m_key);
    return found != all["tasks"].end() && found->is_object() ? *found : Json();
}

std::string BaselineStore::store(const Json &value) const {
    if (m_file.empty())
        return {};
    Json all = readAll(m_file);
    all["tasks"][m_key] = value;
    const std::string partial = m_file + "." + std::to_string(getpid());
    {
        std::ofstream stream(partial);
        stream << all.dump(1) << '\n';
        stream.flush();
        if (!stream) {
            const std::string why = std::strerror(errno);
            std::remove(partial.c_str());
            return "Cannot write \"" + m_file + "\": " + why + ".";
        }
    }
    if (std::rename(partial.c_str(), m_file.c_str()) != 0)
        return "Cannot write \"" + m_file + "\": " + std::strerror(errno) + ".";
    return {};
}

} // namespace warpwright
