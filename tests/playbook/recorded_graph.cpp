// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/playbook/recorded_graph.h"
#include "agent/playbook/ir/graph_json.h"
#include "tests/toolchain/places.h"

#include <QFile>

QByteArray recordedGraphText(const QString &name) {
    QFile file(testData("/playbook/%1-torch-2.11.json").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no recording of %s", qPrintable(name));
    return file.readAll();
}

warpwright::ReferenceGraph recordedGraph(const QString &name) {
    const auto graph = warpwright::readReferenceGraph(recordedGraphText(name));
    if (!graph.hasValue())
        qFatal("%s", qPrintable(graph.message()));
    return graph.value();
}
