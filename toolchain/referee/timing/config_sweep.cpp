// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/timing/config_sweep.h"

#include "referee/base/statistics.h"
#include "referee/process/worker_faults.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace warpwright {

namespace {

constexpr size_t mostAttributes = 64;
constexpr int mostValues = 16;
constexpr double limitSeconds = 6.0;
constexpr double leastCallSeconds = 1.0; ///< of patience with a call, however late it is
constexpr size_t longestName = 64;
constexpr int batches = 3;        ///< of each value that is not far behind
constexpr double farBehind = 1.3; ///< after one batch
constexpr double worthIt = 0.985; ///< else the text's own value stays
constexpr int comparisons = 5;    ///< of the best values with the text's, turn by turn

} // namespace

ConfigSweep::ConfigSweep(TaskSession &session, BlockTimer &timer, TimedArm arm)
    : m_session(session), m_timer(timer), m_arm(std::move(arm)), m_answer{{"status", "not-run"},
                                                                          {"reason", ""},
                                                                          {"tried", Json::array()},
                                                                          {"best", Json::object()},
                                                                          {"ratio", nullptr},
                                                                          {"batches", batches}} {}

Json ConfigSweep::run() {
    m_started = monotonicNanoseconds();
    try {
        readChoices();
        if (m_choices.empty())
            return nullptr;
        m_answer["status"] = "passed";
        for (const auto &[attribute, choice] : m_choices) {
            if (isLate())
                break;
            m_session.progress()("profile", "try other values of " + attribute, 0, 0);
            sweep(attribute, choice);
        }
        if (isLate()) { // whatever came last may lack values, or batches
            m_answer["status"] = "stopped";
            m_answer["reason"] = "its seconds were over before all were tried";
        }
        if (!m_answer["best"].empty())
            compare();
    } catch (const WorkerFault &fault) {
        stop(describe(fault).substr(0, 400));
    } catch (const Fault &fault) { // of the device: what was timed before is none the less whole
        stop(fault.whatFailed);
    } catch (const Json::exception &) {
        stop("the candidate's process answered with what is no answer");
    }
    return m_answer;
}

void ConfigSweep::stop(const std::string &reason) {
    m_answer["status"] = "stopped";
    m_answer["reason"] = reason;
    m_answer["best"] = Json::object();
    m_answer["ratio"] = nullptr;
}

double ConfigSweep::secondsLeft() const {
    return limitSeconds - static_cast<double>(monotonicNanoseconds() - m_started) * 1e-9;
}

// What a candidate says is looked at before it is believed.
void ConfigSweep::readChoices() {
    const Json said = m_arm.worker->call("choices", Json::object(), patience()).value("choices", Json());
    if (!said.is_object() || said.size() > mostAttributes)
        return;
    for (const auto &[attribute, choice] : said.items()) {
        if (!choice.is_array() || choice.size() != 2 || !choice[0].is_number_integer() ||
            !choice[1].is_number_integer())
            continue;
        const int count = choice[0].get<int>();
        const int stated = choice[1].get<int>();
        if (attribute.size() <= longestName && count >= 2 && count <= mostValues && stated >= 0 &&
            stated < count)
            m_choices[attribute] = {count, stated};
    }
}

// A library looks for its algorithm at the first call.
double ConfigSweep::patience() const {
    return std::max(secondsLeft(), leastCallSeconds);
}

void ConfigSweep::assign(const std::string &attribute, int value) {
    m_arm.worker->call("assign", {{"attribute", attribute}, {"value", value}}, patience());
}

double ConfigSweep::batch() {
    return m_timer.timeAside(m_arm, patience());
}

void ConfigSweep::sweep(const std::string &attribute, const Choice &choice) {
    std::vector<std::vector<double>> seconds(static_cast<size_t>(choice.count));
    const auto medianOf = [&](int value) {
        const std::vector<double> &own = seconds[static_cast<size_t>(value)];
        return own.empty() ? std::numeric_limits<double>::infinity() : median(own);
    };
    double least = std::numeric_limits<double>::infinity();
    for (int turn = 0; turn < batches; ++turn) {
        for (int value = 0; value < choice.count; ++value) {
            // The text's own value is in every turn; who is far behind is in no other.
            if (value != choice.stated && (isLate() || (turn > 0 && medianOf(value) > farBehind * least)))
                continue;
            assign(attribute, value);
            if (turn == 0)
                m_arm.worker->call("warm", Json::object(), patience());
            seconds[static_cast<size_t>(value)].push_back(batch());
            least = std::min(least, medianOf(value));
        }
    }
    int best = choice.stated;
    for (int value = 0; value < choice.count; ++value) {
        m_answer["tried"].push_back(
            {{"attribute", attribute}, {"value", value}, {"microseconds", medianOf(value) * 1e6}});
        if (medianOf(value) < medianOf(best) && medianOf(value) < worthIt * medianOf(choice.stated))
            best = value;
    }
    assign(attribute, best);
    if (best == choice.stated)
        return;
    m_best[attribute] = best;
    m_answer["best"][attribute] = best;
}

// All of them together, and the text as it stands, turn by turn: what is to be expected of them.
void ConfigSweep::compare() {
    std::vector<double> ratios;
    for (int turn = 0; turn < comparisons && (turn == 0 || !isLate()); ++turn) {
        const double together = batch();
        for (const auto &[attribute, value] : m_best)
            assign(attribute, m_choices.at(attribute).stated);
        ratios.push_back(together / batch());
        for (const auto &[attribute, value] : m_best)
            assign(attribute, value);
    }
    m_answer["ratio"] = median(ratios);
}

} // namespace warpwright
