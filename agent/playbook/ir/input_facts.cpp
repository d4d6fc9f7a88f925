// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/input_facts.h"

namespace warpwright {
namespace {

const QString complexWord = QStringLiteral("complex");
const QString madeWord = QStringLiteral("made");

} // namespace

// Facts are stored as keyword arguments, which an input does not use otherwise.
void readInputFacts(GraphNode &input, const Json &json) {
    const auto word = [](const QString &text) {
        GraphArgument argument;
        argument.kind = GraphArgument::Kind::Other;
        argument.word = text;
        return argument;
    };
    if (json.value("isComplex", false))
        input.keywords.emplace_back(complexWord, word(complexWord));
    for (const QString &line : stringsIn(json.value("made", Json::array())))
        input.keywords.emplace_back(madeWord, word(line));
}

bool isComplex(const GraphNode &input) {
    return input.argument(-1, "complex") != nullptr;
}

QStringList initializerLines(const GraphNode &input) {
    QStringList lines;
    for (const auto &[word, line] : input.keywords)
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
