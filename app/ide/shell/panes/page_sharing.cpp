// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/panes/page_sharing.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/measured/share_controller.h"
#include "app/ide/results/assembly_page.h"
#include "app/ide/shell/displayed_iterations.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/frame/file_dialogs.h"

#include <QAction>
#include <QDesktopServices>
#include <QUrl>

namespace warpwright {
namespace {

/// What a page to share is of: what the window shows.
QString sharingWords(bool isPastRun, const Shown &shown) {
    return isPastRun         ? PageSharing::tr("Share this past run as a page")
           : shown.isEarlier ? PageSharing::tr("Share iteration %1 as a page").arg(shown.iteration)
                             : PageSharing::tr("Share this text as a page");
}

} // namespace

PageSharing::PageSharing(const Parts &parts, QWidget *window)
    : QObject(window), m_parts(parts), m_window(window) {
    connect(m_parts.actions.share, &QAction::triggered, this, [this] {
        // What is saved already is not saved again: it would be compiled anew, and the build pane show that
        // in place of the check.
        if (!m_parts.candidate.hasUnsaved() || m_parts.shown.pastRun())
            return shareByDialog();
        m_parts.candidate.saveAll([this](bool isSaved) {
            if (isSaved) // else the candidate said why
                shareByDialog();
        });
    });
    connect(&m_parts.share, &ShareController::failed, this, [this](const QString &message) {
        m_parts.notices.sayTrouble(tr("The page is not written"), message);
    });
    connect(&m_parts.share, &ShareController::written, this, [this](const QString &file) {
        Notice notice = newsNotice(tr("The page is written"), file, true);
        notice.actionName = tr("Open");
        notice.action = [file] {
            QDesktopServices::openUrl(QUrl::fromLocalFile(file));
        };
        m_parts.notices.tell(notice);
    });
}

void PageSharing::shareByDialog() {
    if (!m_parts.bench.workspace() || m_parts.share.isWriting())
        return;
    const Workspace &workspace = *m_parts.bench.workspace();
    const Shown &shown = m_parts.bench.shown();
    const QString run = m_parts.shown.pastRun().value_or(QString());
    // A past run is told to its end, whichever event is open, as `wright report --run` tells it.
    const int iteration = shown.isEarlier && run.isEmpty() ? shown.iteration : 0;
    const QString name = !run.isEmpty()  ? QStringLiteral("%1-run.html").arg(workspace.name)
                         : iteration > 0 ? QStringLiteral("%1-%2.html").arg(workspace.name).arg(iteration)
                                         : QStringLiteral("%1.html").arg(workspace.name);
    askForFile(m_window,
               {FileQuestion::Of::NewFile, sharingWords(m_parts.shown.pastRun().has_value(), shown),
                workspace.folder + QLatin1Char('/') + name, tr("Pages (*.html)")},
               [this, iteration, run, folder = workspace.folder](const QString &file) {
                   // Meanwhile another may have been opened.
                   if (m_parts.bench.workspace() && m_parts.bench.workspace()->folder == folder &&
                       !m_parts.share.isWriting())
                       write(iteration, run, file);
               });
}

void PageSharing::write(int iteration, const QString &run, const QString &file) {
    // Of a text that was edited since, nobody knows what the compiler makes of it.
    const AssemblyPage &assembly = m_parts.profile.assembly();
    const bool isOfThisText = run.isEmpty() && assembly.isSettled() && m_parts.bench.edits() == 0;
    m_parts.share.write({*m_parts.bench.workspace(), iteration,
                         isOfThisText ? assembly.inspection() : nullptr,
                         QStringLiteral("warpwright ") + m_parts.bench.request().programVersion,
                         m_parts.bench.folders(), file, run});
}

void PageSharing::enable() {
    QAction *share = m_parts.actions.share;
    share->setText(sharingWords(m_parts.shown.pastRun().has_value(), m_parts.bench.shown()) +
                   QStringLiteral("…"));
    Actions::setReason(share, !m_parts.bench.workspace()  ? tr("no workspace is open")
                              : m_parts.share.isWriting() ? tr("a page is being written")
                                                          : QString());
}

} // namespace warpwright
