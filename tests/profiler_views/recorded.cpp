// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/profiler_views/recorded.h"

#include "tests/toolchain/places.h"
#include "toolchain/evaluation/evaluation_json.h"

#include <QFile>

warpwright::Evaluation recorded(const QString &name) {
    QFile file(testData("/evaluations/") + name + QStringLiteral(".json"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read %s", qPrintable(file.fileName()));
    const warpwright::Result<warpwright::Evaluation> read = warpwright::evaluationFromJson(file.readAll());
    if (!read.hasValue())
        qFatal("%s: %s", qPrintable(file.fileName()), qPrintable(read.message()));
    return read.value();
}
