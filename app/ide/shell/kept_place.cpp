// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/kept_place.h"

#include "app/ide/agent/agent_controller.h"
#include "app/ide/compare/compare_page.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/shell/comparing.h"
#include "app/ide/shell/run_offers.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/shell/window_parts.h"
#include "app/ide/shell/workspace_opener.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/comparison/comparison_choice.h"

#include <QFileInfo>
#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

QString iterationKey() {
    return QStringLiteral("iteration");
}
QString leftKey() {
    return QStringLiteral("compareLeft");
}
QString rightKey() {
    return QStringLiteral("compareRight");
}
QString formKey() {
    return QStringLiteral("compareForm");
}

} // namespace

KeptPlace::KeptPlace(const WindowParts &parts, Comparing &comparing, RunOffers &offers, QObject *parent)
    : QObject(parent), m_parts(parts), m_comparing(comparing), m_offers(offers) {}

void KeptPlace::keep() {
    connect(m_parts.bench, &Workbench::opened, this, [this] {
        AfterOpening &after = m_parts.opener->after();
        if (!after.toContinue.isEmpty() &&
            QFileInfo(after.toContinue) != QFileInfo(m_parts.opener->openedPath()))
            after.toContinue.clear(); // it was never opened, or had nothing left
        // A lesson that begins or goes on, and a recording, have a place of their own.
        const bool hasOwnPlace = !after.lesson.isEmpty() || !after.toContinue.isEmpty() || after.recording;
        after.place =
            hasOwnPlace ? QJsonObject() : m_parts.state->workspace(m_parts.bench->workspace()->folder);
    });
    connect(m_parts.bench, &Workbench::closed, this, [this] { m_parts.opener->after().place.reset(); });
    connect(m_parts.candidate, &CandidatePanel::loaded, this, &KeptPlace::restore);
}

// Also that of a comparison which is looked at.
void KeptPlace::gather(QJsonObject &state) const {
    const Shown &shown = m_parts.bench->shown();
    if (shown.isEarlier && shown.replay.isEmpty())
        state[iterationKey()] = shown.iteration;
    // The file of an earlier text is not the one that is gone on with.
    const QString file = QStringLiteral("file");
    if (shown.isEarlier)
        state[file] = m_parts.state->workspace(m_parts.bench->workspace()->folder)[file];
    if (m_parts.pageStack->currentWidget() != m_parts.comparePage)
        return;
    const auto [left, right] = m_parts.comparePage->sides();
    state[leftKey()] = left.word();
    state[rightKey()] = right.word();
    state[formKey()] = m_parts.comparePage->form();
}

void KeptPlace::restore() {
    const std::optional<QJsonObject> kept = std::exchange(m_parts.opener->after().place, std::nullopt);
    m_offers.continueOpened();
    if (!kept || m_parts.agent->isRunning() || !m_parts.bench->workspace())
        return;
    if (const int number = (*kept)[iterationKey()].toInt();
        m_parts.bench->tree()->byNumber(number) != nullptr)
        m_parts.bench->showIteration(number);
    const Result<ComparisonChoice> left = comparisonChoiceOf((*kept)[leftKey()].toString());
    const Result<ComparisonChoice> right = comparisonChoiceOf((*kept)[rightKey()].toString());
    if (!left.hasValue() || !right.hasValue() || !m_parts.pages->isOnWork())
        return;
    m_comparing.compare(left.value(), right.value());
    m_parts.comparePage->setForm(static_cast<ComparePage::Form>(
        std::clamp((*kept)[formKey()].toInt(), int(ComparePage::Differences), int(ComparePage::Sass))));
}

} // namespace warpwright
