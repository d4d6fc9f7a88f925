// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/leaf_facts.h"

namespace warpwright {
namespace {

const QString complexWord = QStringLiteral("complex");
const QString madeWord = QStringLiteral("made");

} // namespace

// A leaf has no arguments of its own.
void takeLeafFacts(GraphNode &leaf, const Json &said) {
    const auto word = [](const QString &text) {
        GraphArgument argument;
        argument.kind = GraphArgument::Kind::Other;
        argument.word = text;
        return argument;
    };
    if (said.value("isComplex", false))
        leaf.keywords.emplace_back(complexWord, word(complexWord));
    for (const QString &line : stringsIn(said.value("made", Json::array())))
        leaf.keywords.emplace_back(madeWord, word(line));
}

bool isComplex(const GraphNode &leaf) {
    return leaf.argument(-1, "complex") != nullptr;
}

QStringList linesThatMake(const GraphNode &leaf) {
    QStringList lines;
    for (const auto &[word, line] : leaf.keywords)
        if (word == madeWord)
            lines << line.word;
    return lines;
}

ResultShape complexResult(int output) {
    ResultShape result;
    result.output = output;
    result.keys = QStringList{complexWord};
    return result;
}

bool isComplex(const ResultShape &result) {
    return result.kind == ResultShape::Kind::Tensor && result.keys.contains(complexWord);
}

} // namespace warpwright
