// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/verification/task_parts.h"

#include "referee/base/report_text.h"
#include "referee/base/secret_seed.h"
#include "referee/task/baseline_store.h"

#include <algorithm>
#include <cmath>

namespace warpwright {

namespace {

constexpr double limitSeconds = 600.0;
constexpr double lookSeconds = 2.0; ///< of calls, unless few would do
constexpr int fewestCalls = 64;
constexpr int mostCalls = 400;
constexpr int methodVersion = 2; ///< raised whenever another way of looking sees something else

} // namespace

// What is allowed depends on the draw, a little.
std::string TaskParts::key(double allowed) const {
    return m_session.taskKey() + "/parts" + std::to_string(methodVersion) + "/" +
           std::to_string(std::lround(std::log10(allowed)));
}

void TaskParts::look(WorkerProcess &oracle, const Json &inputs, double allowed, double seconds) {
    const Phases::Span span(m_session.phases(), "parts");
    const BaselineStore store(m_session.baselinesFile(), key(allowed));
    m_told = store.all();
    if (isKnown())
        return;
    const int calls =
        std::clamp(static_cast<int>(lookSeconds / std::max(seconds, 1e-6)), fewestCalls, mostCalls);
    m_told = oracle.call("look_at_parts",
                         {{"inputs", inputs}, {"seed", secretSeed()}, {"allowed", allowed}, {"calls", calls}},
                         limitSeconds);
    m_session.trim(oracle);
    (void)store.store(m_told); // a cache that is lost is none
}

void TaskParts::varyInputs(const Json &factors, const Json &constants, bool areFew) const {
    m_session.reference().call(
        "vary_inputs", {{"factors", factors}, {"constants", constants}, {"few", areFew}}, limitSeconds);
}

void TaskParts::draw(Drawn how) const {
    if (!isKnown())
        return;
    const Json none = Json::object();
    const bool isShown = how == Drawn::Shown;
    m_session.reference().call(
        "vary_state",
        {{"factors", isShown ? m_told.value("factors", none) : none}, {"few", how == Drawn::FewParameters}},
        limitSeconds);
    varyInputs(isShown ? m_told.value("inputFactors", none) : none, Json::array());
}

bool TaskParts::drawConstants(bool areFew) const {
    const Json places = isKnown() ? m_told.value("constants", Json()) : Json();
    if (!places.is_array() || places.empty())
        return false;
    varyInputs(Json::object(), places, areFew);
    return true;
}

void TaskParts::doubt(StageAnswer &stage) const {
    if (!isKnown())
        return;
    for (const Json &part : m_told.value("untold", Json::array()))
        stage.doubt("Nothing shows whether a candidate reads " + part.at(0).get<std::string>() +
                    ": other values of it alone move the result by " +
                    (part.at(1).is_number() ? scientific(part.at(1).get<double>()) : "no number") +
                    " of its RMS value, and no factor that was tried shows it.");
    for (const Json &pair : m_told.value("alike", Json::array()))
        stage.doubt("get_inputs() always gives " + pair.at(0).get<std::string>() + " and " +
                    pair.at(1).get<std::string>() +
                    " the same numbers: whether a candidate reads both was not seen.");
    if (const int64_t unasked = m_told.value("unasked", int64_t{0}); unasked > 0)
        stage.doubt("Whether a candidate reads each of its parameters and inputs was not asked of " +
                    std::to_string(unasked) +
                    " of them, which hardly move the result: the reference takes "
                    "too long.");
}

} // namespace warpwright
