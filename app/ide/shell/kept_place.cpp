// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/kept_place.h"

#include "app/ide/agent/agent_controller.h"
#include "app/ide/agent/agent_talk.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/shell/panes/comparing.h"
#include "app/ide/shell/runs/left_runs.h"
#include "app/ide/shell/workspace_opener.h"
#include "app/ide/workbench/workbench.h"

#include <QFileInfo>
#include <QJsonObject>

#include <optional>
#include <utility>

namespace warpwright {
namespace {

QString iterationKey() {
    return QStringLiteral("iteration");
}

} // namespace

KeptPlace::KeptPlace(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {}

void KeptPlace::keep() {
    connect(&m_parts.bench, &Workbench::opened, this, [this] {
        AfterOpening &after = m_parts.opener.after();
        if (!after.toContinue.isEmpty() &&
            QFileInfo(after.toContinue) != QFileInfo(m_parts.opener.openedPath()))
            after.toContinue.clear(); // it was never opened, or had nothing left
        // A lesson that begins or goes on, and a recording, have a place of their own.
        const bool hasOwnPlace = !after.lesson.isEmpty() || !after.toContinue.isEmpty() || after.recording;
        after.place =
            hasOwnPlace ? QJsonObject() : m_parts.state.workspace(m_parts.bench.workspace()->folder);
    });
    connect(&m_parts.bench, &Workbench::closed, this, [this] { m_parts.opener.after().place.reset(); });
}

void KeptPlace::save() const {
    // Before its files are in the editors there is nothing new to tell of a workspace.
    if (m_parts.bench.workspace() && !m_parts.opener.after().place) {
        QJsonObject state = m_parts.candidate.saveState();
        // What was written to an agent and never read comes back into the box.
        state[QStringLiteral("unread")] = m_parts.agent.talk().unread();
        gather(state);
        m_parts.state.setWorkspace(m_parts.bench.workspace()->folder, state);
    }
    m_parts.state.setBytes(QStringLiteral("open"), m_parts.opener.openedPath().toUtf8());
}

// Also that of a comparison which is looked at.
void KeptPlace::gather(QJsonObject &state) const {
    const Shown &shown = m_parts.bench.shown();
    if (shown.isEarlier && shown.replay.isEmpty())
        state[iterationKey()] = shown.iteration;
    // The file of an earlier text is not the one that is gone on with.
    const QString file = QStringLiteral("file");
    if (shown.isEarlier)
        state[file] = m_parts.state.workspace(m_parts.bench.workspace()->folder)[file];
    m_parts.comparing.gather(state);
}

void KeptPlace::restore() {
    const std::optional<QJsonObject> kept = std::exchange(m_parts.opener.after().place, std::nullopt);
    m_parts.left.continueOpened();
    if (!kept || m_parts.agent.isRunning() || !m_parts.bench.workspace())
        return;
    if (const int number = (*kept)[iterationKey()].toInt(); m_parts.bench.tree()->byNumber(number) != nullptr)
        m_parts.bench.showIteration(number);
    m_parts.comparing.restore(*kept);
}

} // namespace warpwright
