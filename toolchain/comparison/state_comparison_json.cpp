// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/comparison/state_comparison_json.h"

#include "toolchain/base/verdict.h"

namespace warpwright {
namespace {

using Group = ComparisonRow::Group;
using State = ComparisonRow::State;

const char *keyOf(Group group) {
    switch (group) {
    case Group::Verdict:
        return "verdict";
    case Group::Time:
        return "time";
    case Group::Findings:
        return "findings";
    case Group::Resources:
        return "resources";
    case Group::Code:
        return "sass";
    case Group::Counters:
        break;
    }
    return "counters";
}

const char *keyOf(State state) {
    switch (state) {
    case State::Differs:
        return "differs";
    case State::LeftOnly:
        return "leftOnly";
    case State::RightOnly:
        return "rightOnly";
    case State::NotComparable:
        return "notComparable";
    case State::Noise:
        return "noise";
    case State::Missing:
        return "missing";
    case State::Same:
        break;
    }
    return "same";
}

// Null: nothing was said of a difference, or one side has nothing.
OrderedJson significanceOf(State state) {
    switch (state) {
    case State::Differs:
        return "differs";
    case State::Noise:
        return "noDifferenceMeasured";
    case State::Same:
        return "same";
    default:
        return nullptr;
    }
}

OrderedJson textOrNull(const QString &text) {
    return text.isEmpty() ? OrderedJson(nullptr) : OrderedJson(toJson(text));
}

OrderedJson sideOf(const QString &text, const std::optional<double> &value) {
    return OrderedJson{{"text", textOrNull(text)},
                       {"value", value ? OrderedJson(*value) : OrderedJson(nullptr)}};
}

OrderedJson headToJson(const ComparisonHead &head) {
    return OrderedJson{
        {"side", toJson(head.choice.word())},
        {"title", toJson(head.title)},
        {"note", textOrNull(head.note)},
        {"textHash", textOrNull(head.textHash)},
        {"verdict", head.verdict ? OrderedJson(toJson(verdictName(*head.verdict))) : OrderedJson(nullptr)},
        {"time", textOrNull(head.time)},
        {"trust", textOrNull(head.trust)},
        {"device", textOrNull(head.device)},
        {"evaluation", textOrNull(head.evaluation)},
        {"counters", textOrNull(head.counters)}};
}

} // namespace

OrderedJson toJson(const StateComparison &comparison) {
    OrderedJson rows = OrderedJson::array();
    for (const ComparisonRow &row : comparison.rows)
        rows.push_back(OrderedJson{{"group", keyOf(row.group)},
                                   {"kernel", textOrNull(row.kernel)},
                                   {"section", textOrNull(row.section)},
                                   {"name", toJson(row.name)},
                                   {"left", sideOf(row.left, row.leftValue)},
                                   {"right", sideOf(row.right, row.rightValue)},
                                   {"unit", textOrNull(row.unit)},
                                   {"difference", textOrNull(row.difference)},
                                   {"state", keyOf(row.state)},
                                   {"significance", significanceOf(row.state)},
                                   {"remark", textOrNull(row.remark)},
                                   {"source", textOrNull(row.source)}});
    OrderedJson missing = OrderedJson::array();
    for (const MissingPart &part : comparison.missing)
        missing.push_back(toJson(part.text()));
    OrderedJson sass = OrderedJson::array();
    for (const ComparedListing &listing : comparison.listings)
        sass.push_back(OrderedJson{{"kernel", toJson(listing.kernel)},
                                   {"removed", listing.rows.removed},
                                   {"added", listing.rows.added},
                                   {"source", toJson(listing.source)}});
    return OrderedJson{
        {"sides", OrderedJson::array({headToJson(comparison.left), headToJson(comparison.right)})},
        {"notices", stringsToJson<OrderedJson>(comparison.notices)},
        {"missing", std::move(missing)},
        {"rows", std::move(rows)},
        {"sass", std::move(sass)}};
}

} // namespace warpwright
