// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/evaluation.h"

#include "toolchain/evaluation/judge_sections.h"

#include <QRandomGenerator>

namespace warpwright {

QString newEvaluationId(const QDateTime &startedAt) {
    const quint32 digits = QRandomGenerator::global()->bounded(0x1000000U);
    return startedAt.toUTC().toString(QStringLiteral("yyyyMMdd'T'hhmmss.zzz'Z'")) +
           QStringLiteral("-%1").arg(digits, 6, 16, QLatin1Char('0'));
}

Evaluation newEvaluation() {
    Evaluation evaluation;
    evaluation.startedAt = QDateTime::currentDateTimeUtc();
    evaluation.id = newEvaluationId(evaluation.startedAt);
    evaluation.workspace = OrderedJson::object();
    evaluation.task = taskSection({}, Json::object());
    evaluation.device = OrderedJson::object();
    evaluation.environment = OrderedJson::object();
    evaluation.verify = verifySection(Json::object());
    evaluation.profile = profileSection(Json::object());
    evaluation.sanitizers = sanitizersNotRun(QStringLiteral("certify only"));
    evaluation.integrity = integritySection(Json::object());
    return evaluation;
}

} // namespace warpwright
