// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/finding/palette_rows.h"
#include "app/ide/workbench/job.h"

#include <QObject>

#include <functional>

namespace warpwright {

class Actions;
class CandidatePanel;
class CommandPalette;
class Workbench;

/// Fills the palette: files and iterations where no prefix is typed, actions behind «>», iterations behind
/// «#». Says what was picked.
class PaletteController : public QObject {
    Q_OBJECT
public:
    /// `tree`: the iterations that the window shows now.
    PaletteController(CommandPalette &palette, Actions &actions, Workbench &bench, CandidatePanel &candidate,
                      std::function<SharedTree()> tree, QObject *parent);

    void open(const QString &prefix);

signals:
    /// Relative to the workspace; line 0: where one was in it.
    void filePicked(const QString &file, int line);
    void iterationPicked(int number);

private:
    void readFiles();
    void readIterations();
    void fillFiles();
    void pick(const QString &id, int line);

    CommandPalette &m_palette;
    Actions &m_actions;
    Workbench &m_bench;
    std::function<SharedTree()> m_tree;
    QString m_folder; ///< of which the files are
    QStringList m_files;
    QStringList m_recent; ///< the last used first
    SharedTree m_listed;  ///< whose rows are known
    std::vector<PaletteRow> m_iterations;
    JobNumber m_fileJobs;
    JobNumber m_iterationJobs;
};

} // namespace warpwright
