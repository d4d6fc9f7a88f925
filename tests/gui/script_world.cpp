// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/script_world.h"

#include <QTest>

using namespace warpwright;

void ScriptWorld::addStep(const QByteArray &text, Json words) {
    const QString name = QStringLiteral("%1/%2-step").arg(script).arg(++steps, 2, 10, QLatin1Char('0'));
    words["title"] = "step " + std::to_string(steps);
    window.cli.write(name + '/' + kernelFile, text);
    window.cli.write(name + ".json", dumpJson(words));
}

bool ScriptWorld::begin(SessionMode mode) const {
    agent().begin({AuthorKind::Script, {}}, script, mode);
    return QTest::qWaitFor([this] { return agent().isRunning(); }, 30000);
}

QByteArray ScriptWorld::onDisk() const {
    return bytesOf(kernel);
}
