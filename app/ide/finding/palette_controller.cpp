// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/finding/palette_controller.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/finding/workspace_files.h"
#include "app/ide/kit/actions.h"

#include <QFileInfo>

namespace warpwright {
namespace {

constexpr int mostRecent = 30;
const char *const commandPrefix = ">";
const char *const iterationPrefix = "#";

} // namespace

PaletteController::PaletteController(CommandPalette &palette, Actions &actions, Workbench &bench,
                                     CandidatePanel &candidate, std::function<SharedTree()> tree,
                                     QObject *parent)
    : QObject(parent), m_palette(palette), m_actions(actions), m_bench(bench), m_tree(std::move(tree)) {
    PaletteKind files;
    files.what = tr("files and iterations");
    files.invites = tr("A file, or an iteration by number or note");
    files.whenNone = tr("> finds commands, # iterations; Ctrl+Shift+F looks into the texts.");
    files.isFuzzy = true;
    files.takesLine = true;
    PaletteKind commands;
    commands.prefix = QLatin1String(commandPrefix);
    commands.what = tr("actions");
    commands.invites = tr("Type the name of an action");
    commands.whenNone =
        tr("Fewer letters, or another word for it; without > it finds files, and F1 explains the "
           "words used here.");
    PaletteKind iterations;
    iterations.prefix = QLatin1String(iterationPrefix);
    iterations.what = tr("iterations");
    iterations.invites = tr("Number, verdict or note of an iteration");
    iterations.whenNone = tr("Each check of a changed text makes an iteration.");
    palette.setKinds({files, commands, iterations});
    connect(&palette, &CommandPalette::picked, this, &PaletteController::pick);
    connect(actions.commands, &QAction::triggered, this, [this] { open(QLatin1String(commandPrefix)); });
    connect(actions.goToFile, &QAction::triggered, this, [this] { open({}); });
    connect(actions.goToIteration, &QAction::triggered, this,
            [this] { open(QLatin1String(iterationPrefix)); });
    connect(&candidate, &CandidatePanel::placeChanged, this, [this](const QString &file) {
        if (file.isEmpty() || (!m_recent.isEmpty() && m_recent.front() == file))
            return;
        m_recent.removeAll(file);
        m_recent.prepend(file);
        if (m_recent.size() > mostRecent)
            m_recent.removeLast();
    });
    const auto enable = [this] {
        for (QAction *action : {m_actions.goToFile, m_actions.goToIteration})
            Actions::setReason(action, m_bench.workspace() ? QString() : tr("no workspace is open"));
    };
    enable();
    connect(&bench, &Workbench::opened, this, enable);
    connect(&bench, &Workbench::closed, this, enable);
    connect(&bench, &Workbench::closed, this, [this] {
        m_recent.clear();
        m_files.clear();
        m_folder.clear();
        m_iterationJobs.next();
        m_iterations.clear();
        m_listed.reset();
        fillFiles();
    });
}

void PaletteController::open(const QString &prefix) {
    m_palette.setRows(QLatin1String(commandPrefix), actionRows(m_actions.allNow()));
    fillFiles();
    readFiles();
    readIterations();
    m_palette.open(prefix);
}

void PaletteController::readFiles() {
    if (!m_bench.workspace())
        return;
    const int job = m_fileJobs.next();
    inPool(
        this, [workspace = *m_bench.workspace()] { return workspaceFiles(workspace); },
        [this, job, folder = m_bench.workspace()->folder](const QStringList &files) {
            if (m_fileJobs.isStale(job) || !m_bench.workspace() || m_bench.workspace()->folder != folder ||
                (m_files == files && m_folder == folder))
                return;
            m_files = files;
            m_folder = folder;
            fillFiles();
        });
}

void PaletteController::readIterations() {
    const SharedTree tree = m_tree();
    if (tree == m_listed)
        return;
    const int job = m_iterationJobs.next();
    inPool(
        this, [tree] { return iterationRows(*tree); },
        [this, job, tree](std::vector<PaletteRow> rows) {
            if (m_iterationJobs.isStale(job))
                return;
            m_listed = tree;
            m_iterations = std::move(rows);
            fillFiles();
        });
}

// Iterations stand behind the files.
void PaletteController::fillFiles() {
    const QString reference =
        m_bench.workspace() ? QFileInfo(m_bench.workspace()->modelFile).fileName() : QString();
    std::vector<PaletteRow> rows = fileRows(m_files, m_recent, reference);
    rows.insert(rows.end(), m_iterations.begin(), m_iterations.end());
    m_palette.setRows({}, std::move(rows));
    m_palette.setRows(QLatin1String(iterationPrefix), m_iterations);
}

void PaletteController::pick(const QString &id, int line) {
    const PaletteTarget target = paletteTarget(id);
    switch (target.kind) {
    case PaletteTarget::Action:
        for (QAction *action : m_actions.allNow())
            if (action->objectName() == target.name && action->isEnabled()) {
                action->trigger();
                return;
            }
        return;
    case PaletteTarget::File:
        emit filePicked(target.name, line);
        return;
    case PaletteTarget::Iteration:
        emit iterationPicked(target.number);
        return;
    }
}

} // namespace warpwright
