// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace warpwright {

/// Runs rehearsal.py in the user's interpreter, with torch from a folder of links (`farm`) in place of the
/// interpreter's own.
class Rehearsals {
public:
    Rehearsals(std::string python, std::string script, std::string farm)
        : m_python(std::move(python)), m_script(std::move(script)), m_farm(std::move(farm)) {}

    /// Its answer to `word` ("run", "ask cuda"), once for each set of further variables ("NAME=value"), side
    /// by side. Throws std::runtime_error with the interpreter's last words.
    std::vector<nlohmann::json> run(const std::string &word,
                                    const std::vector<std::vector<std::string>> &environments) const;

private:
    std::string m_python, m_script, m_farm;
};

} // namespace warpwright
