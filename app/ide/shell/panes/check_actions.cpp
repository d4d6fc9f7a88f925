// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/panes/check_actions.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/measured/counter_controller.h"
#include "app/ide/shell/panes/pane_opener.h"
#include "app/ide/shell/place_opener.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/workspace/candidate_texts.h"

#include <QAction>

namespace warpwright {

CheckActions::CheckActions(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    const Actions &a = m_parts.actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(a.check, [this] {
        startCheck([this] { m_parts.bench.check(m_parts.bench.settings().tier.value_or(Tier::Quick)); });
    });
    on(a.certify, [this] { startCheck([this] { m_parts.bench.check(Tier::Certify); }); });
    on(a.sweepConfigs, [this] {
        m_parts.panes.showProfilePage(QStringLiteral("configs"));
        startCheck([this] { m_parts.bench.checkConfigs(); });
    });
    on(a.stop, [this] { m_parts.bench.isRunning() ? m_parts.bench.stop() : m_parts.counters.stop(); });
    on(a.nextMark, [this] { m_parts.places.goToDiagnostic(1); });
    on(a.previousMark, [this] { m_parts.places.goToDiagnostic(-1); });
    connectIterations();
}

void CheckActions::connectIterations() {
    const Actions &a = m_parts.actions;
    connect(a.backToText, &QAction::triggered, this, [this] { m_parts.bench.backToText(); });
    connect(a.branchHere, &QAction::triggered, this, [this] {
        // What was typed is saved, and so becomes an iteration of its own before the files change.
        m_parts.candidate.saveAll([this](bool isSaved) {
            if (!isSaved)
                return;
            const Shown &shown = m_parts.bench.shown();
            m_parts.candidate.expectGone(shown.texts, shown.isEarlier && !m_parts.bench.isRunning());
            m_parts.bench.branchFromShown();
        });
    });
    connect(&m_parts.bench, &Workbench::failed, &m_parts.candidate,
            [this] { m_parts.candidate.expectGone({}, false); });
    connect(&m_parts.bench, &Workbench::branched, &m_parts.candidate, [this](const CandidateTexts &texts) {
        m_parts.candidate.expectReload();
        m_parts.candidate.setChecked(texts, texts);
    });
    const auto step = [this](int by) {
        const IterationTree &tree = *m_parts.bench.tree();
        const int row = tree.rows.value(m_parts.bench.shown().iteration, -1);
        const int next = row + by;
        if (row >= 0 && next >= 0 && next < static_cast<int>(tree.records.size()))
            m_parts.bench.showIteration(tree.records[static_cast<std::size_t>(next)].iteration.number);
    };
    connect(a.previousIteration, &QAction::triggered, this, [step] { step(-1); });
    connect(a.nextIteration, &QAction::triggered, this, [step] { step(1); });
}

void CheckActions::startCheck(const std::function<void()> &check) {
    m_parts.candidate.saveAll([this, check](bool isSaved) {
        if (!isSaved)
            return; // the candidate said why
        m_parts.candidate.markChecked();
        check();
    });
}

} // namespace warpwright
