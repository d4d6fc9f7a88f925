// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/comparison/recorded_states.h"

#include "tests/toolchain/places.h"
#include "toolchain/evaluation/evaluation_json.h"

#include <QFile>

#include <algorithm>

using namespace warpwright;

namespace {

QByteArray bytesOf(const QString &name) {
    QFile file(testData() + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no %s", qPrintable(file.fileName()));
    return file.readAll();
}

} // namespace

Evaluation checkedAs(const QString &name, const QString &id) {
    Evaluation evaluation = evaluationFromJson(bytesOf(QStringLiteral("/evaluations/") + name)).value();
    evaluation.id = id;
    return evaluation;
}

Counters armsCounters() {
    const auto json = parseJson(bytesOf(QStringLiteral("/counters/h200-softmax-arms.json")));
    return countersFromJson(json.value()).value();
}

ComparedState iterationState(int number) {
    ComparedState state;
    state.choice = ComparisonChoice::ofIteration(number);
    state.side.title = state.choice.title();
    state.side.note = QStringLiteral("change %1").arg(number);
    state.side.texts = {{QStringLiteral("kernels/softmax.cu"), QByteArray::number(number) + '\n'}};
    state.side.evaluation =
        checkedAs(QStringLiteral("h200-softmax-rows.json"), QStringLiteral("check-%1").arg(number));
    state.textHash = QString(64, QLatin1Char(static_cast<char>('a' + number)));
    state.counters = makeShared(armsCounters());
    state.path = QStringLiteral("/w");
    return state;
}

ComparedState armState(const QString &arm, const ComparedState &beside) {
    ComparedState state = beside;
    state.choice = ComparisonChoice::ofArm(arm);
    state.side.title = state.choice.title();
    state.side.texts.clear();
    state.side.arm = arm;
    state.findings.reset();
    return state;
}

void setCandidateTime(Evaluation &evaluation, double median, double low, double high) {
    OrderedJson &arm = evaluation.profile["arms"]["candidate"];
    arm["medianMicroseconds"] = median;
    arm["lowMicroseconds"] = low;
    arm["highMicroseconds"] = high;
}

void slowEager(Evaluation &evaluation, double factor) {
    OrderedJson &arm = evaluation.profile["arms"]["eager"];
    for (const char *key : {"medianMicroseconds", "lowMicroseconds", "highMicroseconds"})
        arm[key] = factor * arm[key].get<double>();
}

const ComparisonRow *rowNamed(const StateComparison &comparison, ComparisonRow::Group group,
                              const QString &name, const QString &kernel) {
    const auto found =
        std::find_if(comparison.rows.begin(), comparison.rows.end(), [&](const ComparisonRow &row) {
            return row.group == group && row.name == name && (kernel.isEmpty() || row.kernel == kernel);
        });
    return found == comparison.rows.end() ? nullptr : &*found;
}
