// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tasks/task_summary.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

using SpeedUpOf = std::optional<SpeedUp> TaskResult::*;

TaskShare fasterThan(const std::vector<TaskResult> &results, SpeedUpOf member) {
    TaskShare share{0, static_cast<int>(results.size())};
    for (const TaskResult &result : results)
        share.count += result.isPass() && result.*member && (result.*member)->low > 1 ? 1 : 0;
    return share;
}

TaskMean geometricMean(const std::vector<TaskResult> &results, SpeedUpOf member) {
    double sum = 0;
    TaskMean mean;
    for (const TaskResult &result : results)
        if (result.isPass() && result.*member && (result.*member)->value > 0) {
            sum += std::log((result.*member)->value);
            ++mean.of;
        }
    mean.value = mean.of > 0 ? std::exp(sum / mean.of) : 0;
    return mean;
}

TaskMean median(std::vector<double> values) {
    if (values.empty())
        return {};
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return {values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2,
            static_cast<int>(values.size())};
}

void add(TaskUse &use, const RunMeter &row) {
    ++use.of;
    use.tokensIn += row.tokensIn;
    use.tokensOut += row.tokensOut;
    use.tokensCached += row.tokensCached;
    use.isEstimated = use.isEstimated || row.isEstimated;
    if (row.currency.isEmpty())
        ++use.unpriced;
    else
        use.costs[row.currency] += row.cost;
}

OrderedJson useToJson(const TaskUse &use) {
    if (use.of == 0)
        return nullptr;
    OrderedJson costs = OrderedJson::object();
    for (const auto &[currency, cost] : use.costs)
        costs[currency.toStdString()] = cost;
    return {{"tasks", use.of},
            {"tokensIn", use.tokensIn},
            {"tokensOut", use.tokensOut},
            {"tokensCached", use.tokensCached},
            {"costs", costs},
            {"tasksWithoutPrices", use.unpriced},
            {"isEstimated", use.isEstimated}};
}

OrderedJson shareToJson(const TaskShare &share) {
    return {{"count", share.count}, {"of", share.of}, {"rate", share.rate()}};
}

OrderedJson meanToJson(const TaskMean &mean) {
    return {{"value", mean.of > 0 ? OrderedJson(mean.value) : OrderedJson(nullptr)}, {"of", mean.of}};
}

} // namespace

TaskSummary summaryOf(const std::vector<TaskResult> &results) {
    TaskSummary summary;
    summary.tasks = static_cast<int>(results.size());
    std::vector<double> seconds;
    std::vector<double> shares;
    for (const TaskResult &result : results) {
        ++summary.verdicts[result.verdict];
        summary.totalSeconds += result.seconds;
        if (result.used)
            add(summary.used, *result.used);
        if (result.verdict != TaskVerdict::NotRun)
            seconds.push_back(result.seconds);
        if (result.isPass() && result.shareOfLight)
            shares.push_back(*result.shareOfLight);
    }
    const int passed = summary.verdicts[TaskVerdict::Pass];
    summary.passed = {passed, summary.tasks};
    summary.passedOfPlanned = {passed, summary.tasks - summary.verdicts[TaskVerdict::Cannot] -
                                           summary.verdicts[TaskVerdict::NotRun]};
    summary.fasterThanEager = fasterThan(results, &TaskResult::eager);
    summary.fasterThanCompile = fasterThan(results, &TaskResult::compile);
    summary.fasterThanSameClass = fasterThan(results, &TaskResult::sameClass);
    summary.eager = geometricMean(results, &TaskResult::eager);
    summary.compile = geometricMean(results, &TaskResult::compile);
    summary.sameClass = geometricMean(results, &TaskResult::sameClass);
    summary.shareOfLight = median(shares);
    summary.seconds = median(seconds);
    return summary;
}

std::vector<std::pair<QString, TaskSummary>> summariesByKind(const std::vector<TaskResult> &results) {
    std::map<QString, std::vector<TaskResult>> kinds;
    for (const TaskResult &result : results)
        kinds[result.kind].push_back(result);
    std::vector<std::pair<QString, TaskSummary>> all;
    for (const auto &[kind, rows] : kinds)
        all.emplace_back(kind, summaryOf(rows));
    return all;
}

OrderedJson taskSummaryToJson(const TaskSummary &summary) {
    OrderedJson verdicts = OrderedJson::object();
    for (const TaskVerdict verdict : taskVerdicts) {
        const auto found = summary.verdicts.find(verdict);
        verdicts[taskVerdictName(verdict).toStdString()] =
            found == summary.verdicts.end() ? 0 : found->second;
    }
    return {{"tasks", summary.tasks},
            {"verdicts", verdicts},
            {"passed", shareToJson(summary.passed)},
            {"passedOfPlanned", shareToJson(summary.passedOfPlanned)},
            {"faster",
             {{"eager", shareToJson(summary.fasterThanEager)},
              {"compile", shareToJson(summary.fasterThanCompile)},
              {"sameClass", shareToJson(summary.fasterThanSameClass)}}},
            {"geometricMean",
             {{"eager", meanToJson(summary.eager)},
              {"compile", meanToJson(summary.compile)},
              {"sameClass", meanToJson(summary.sameClass)}}},
            {"speedOfLightFraction", meanToJson(summary.shareOfLight)},
            {"secondsATask", meanToJson(summary.seconds)},
            {"seconds", summary.totalSeconds},
            {"used", useToJson(summary.used)}};
}

} // namespace warpwright
