// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/sanitizers.h"

#include "toolchain/base/figures.h"

#include <algorithm>

namespace warpwright {
namespace {

OrderedJson textOrNull(const QString &text) {
    return text.isEmpty() ? OrderedJson(nullptr) : OrderedJson(toJson(text));
}

OrderedJson findingToJson(const SanitizerFinding &finding) {
    return OrderedJson{{"message", toJson(finding.message)},
                       {"kernel", textOrNull(finding.kernel)},
                       {"file", textOrNull(finding.file)},
                       {"line", finding.line > 0 ? OrderedJson(finding.line) : OrderedJson(nullptr)},
                       {"thread", textOrNull(finding.thread)},
                       {"block", textOrNull(finding.block)}};
}

const OrderedJson &member(const OrderedJson &object, const char *key) {
    static const OrderedJson nothing;
    return object.is_object() && object.contains(key) ? object[key] : nothing;
}

template <typename Number>
Number numberIn(const OrderedJson &object, const char *key) {
    const OrderedJson &value = member(object, key);
    return value.is_number() ? value.get<Number>() : Number();
}

StageStatus statusIn(const OrderedJson &object) {
    return statusFromName(stringIn(object, "status")).value_or(StageStatus::NotRun);
}

SanitizerOutcome outcomeFromJson(const OrderedJson &json) {
    SanitizerOutcome outcome;
    outcome.tool = stringIn(json, "tool");
    outcome.status = statusIn(json);
    if (member(json, "seconds").is_number())
        outcome.seconds = json["seconds"].get<double>();
    outcome.errors = numberIn<qint64>(json, "errors");
    outcome.leftOut = numberIn<qint64>(json, "leftOut");
    outcome.reason = stringIn(json, "reason");
    if (!member(json, "first").is_array())
        return outcome;
    for (const OrderedJson &entry : json["first"])
        outcome.first.push_back(SanitizerFinding{stringIn(entry, "message"), stringIn(entry, "kernel"),
                                                 stringIn(entry, "file"), numberIn<int>(entry, "line"),
                                                 stringIn(entry, "thread"), stringIn(entry, "block")});
    return outcome;
}

/// "scale (kernels/scale.cu:12): Invalid __global__ write of size 4 bytes"
QString sentenceOf(const SanitizerFinding &finding) {
    QString text = finding.kernel;
    if (const QString place = placeText(finding); !place.isEmpty())
        text += text.isEmpty() ? place : QStringLiteral(" (%1)").arg(place);
    return text.isEmpty() ? finding.message : QStringLiteral("%1: %2").arg(text, finding.message);
}

} // namespace

QStringList sanitizerNames() {
    return {QStringLiteral("memcheck"), QStringLiteral("racecheck"), QStringLiteral("initcheck")};
}

const SanitizerOutcome *SanitizerSection::tool(const QString &name) const {
    const auto found = std::find_if(tools.begin(), tools.end(), [&name](const SanitizerOutcome &outcome) {
        return outcome.tool == name;
    });
    return found == tools.end() ? nullptr : &*found;
}

void SanitizerSection::sumUp() {
    status = tools.empty() ? StageStatus::NotRun : StageStatus::Passed;
    QStringList reasons;
    for (const SanitizerOutcome &outcome : tools) {
        if (outcome.status == StageStatus::NotRun)
            reasons << QStringLiteral("%1: %2").arg(outcome.tool, outcome.reason);
    }
    if (!reasons.isEmpty())
        status = StageStatus::NotRun;
    for (const SanitizerOutcome &outcome : tools) {
        if (outcome.status == StageStatus::Failed)
            status = StageStatus::Failed;
    }
    if (!reasons.isEmpty())
        reason = reasons.join(QStringLiteral("; "));
}

SanitizerSection sanitizersNotRun(const QString &reason) {
    SanitizerSection section;
    section.reason = reason;
    return section;
}

QString placeText(const SanitizerFinding &finding) {
    return finding.line > 0 ? QStringLiteral("%1:%2").arg(finding.file).arg(finding.line) : finding.file;
}

QStringList doubtsOf(const SanitizerSection &section) {
    QStringList doubts;
    for (const SanitizerOutcome &outcome : section.tools) {
        if (outcome.status != StageStatus::Failed || outcome.tool == QLatin1String("memcheck") ||
            outcome.first.empty())
            continue;
        // One sentence a place; a kernel with a hundred of them is one doubt more, not a hundred.
        constexpr std::size_t shown = 3;
        for (std::size_t i = 0; i < std::min(shown, outcome.first.size()); ++i)
            doubts
                << QStringLiteral("%1 found an error in %2.").arg(outcome.tool, sentenceOf(outcome.first[i]));
        if (outcome.first.size() > shown)
            doubts << QStringLiteral("%1 found %2 in all.")
                          .arg(outcome.tool, countText(outcome.errors, QStringLiteral("error")));
    }
    return doubts;
}

QString memoryErrorText(const SanitizerSection &section) {
    const SanitizerOutcome *memcheck = section.tool(QStringLiteral("memcheck"));
    if (memcheck == nullptr || memcheck->status != StageStatus::Failed || memcheck->first.empty())
        return {};
    const QString count =
        memcheck->errors > 1
            ? QStringLiteral(" (%1 in all)").arg(numberText(static_cast<double>(memcheck->errors)))
            : QString();
    return sentenceOf(memcheck->first.front()) + count;
}

OrderedJson toJson(const SanitizerSection &section) {
    OrderedJson tools = OrderedJson::array();
    for (const SanitizerOutcome &outcome : section.tools) {
        OrderedJson first = OrderedJson::array();
        for (const SanitizerFinding &finding : outcome.first)
            first.push_back(findingToJson(finding));
        tools.push_back(
            OrderedJson{{"tool", toJson(outcome.tool)},
                        {"status", toJson(statusName(outcome.status))},
                        {"seconds", outcome.seconds ? OrderedJson(*outcome.seconds) : OrderedJson(nullptr)},
                        {"errors", outcome.errors},
                        {"leftOut", outcome.leftOut},
                        {"reason", textOrNull(outcome.reason)},
                        {"first", std::move(first)}});
    }
    return OrderedJson{{"status", toJson(statusName(section.status))},
                       {"reason", textOrNull(section.reason)},
                       {"wall", textOrNull(section.sandbox)},
                       {"tools", std::move(tools)}};
}

SanitizerSection sanitizersFromJson(const OrderedJson &json) {
    SanitizerSection section;
    section.status = statusIn(json);
    section.reason = stringIn(json, "reason");
    section.sandbox = stringIn(json, "wall");
    if (member(json, "tools").is_array()) {
        for (const OrderedJson &entry : json["tools"])
            section.tools.push_back(outcomeFromJson(entry));
    }
    return section;
}

} // namespace warpwright
