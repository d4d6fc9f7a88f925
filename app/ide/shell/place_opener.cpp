// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/place_opener.h"

#include "app/ide/agent/message_link.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/reference_panel.h"
#include "app/ide/history/iterations_panel.h"
#include "app/ide/kit/notices.h"
#include "app/ide/shell/panes/pane_opener.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/tool_output/quoted_place.h"
#include "widgets/editor/code_editor.h"

#include <QFileInfo>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int referencePane = 0;
constexpr int candidatePane = 1;

} // namespace

PlaceOpener::PlaceOpener(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {}

void PlaceOpener::goTo(const QString &file, int line, int column) {
    if (!m_parts.bench.workspace())
        return;
    emit leaving();
    const Workspace &workspace = *m_parts.bench.workspace();
    const QString path = QFileInfo(file).isAbsolute() ? file : workspace.folder + QLatin1Char('/') + file;
    if (QFileInfo(path) == QFileInfo(workspace.modelFile)) {
        m_parts.panes.presentInstead(referencePane);
        m_parts.reference.goTo(line, column);
        return;
    }
    m_parts.panes.presentInstead(candidatePane);
    if (!m_parts.candidate.goTo(path, line, column))
        m_parts.notices.tell(newsNotice(tr("This place is not in the workspace"),
                                        QStringLiteral("%1:%2").arg(path).arg(line)));
}

void PlaceOpener::openFile(const QString &file, int line) {
    if (!m_parts.bench.workspace())
        return;
    m_parts.pages.showWork();
    const Workspace &workspace = *m_parts.bench.workspace();
    const QString path = workspace.folder + QLatin1Char('/') + file;
    if (QFileInfo(path) == QFileInfo(workspace.modelFile)) {
        m_parts.panes.showPane(referencePane);
        m_parts.reference.showReference();
        if (line > 0)
            m_parts.reference.goTo(line, 1);
    } else if (m_parts.candidate.showFile(file)) {
        m_parts.panes.showPane(candidatePane);
        if (line > 0)
            m_parts.candidate.goTo(path, line, 1);
        else
            m_parts.candidate.focusHere();
    } else {
        m_parts.panes.showPane(referencePane);
        m_parts.reference.openFile(path, line, 1);
    }
}

void PlaceOpener::follow(const QString &address) {
    const MessageLink link = messageLink(address);
    if (link.iteration > 0) {
        if (m_parts.iterations.recordOf(link.iteration) != nullptr)
            m_parts.bench.showIteration(link.iteration);
        else
            m_parts.notices.tell(newsNotice(tr("There is no iteration %1").arg(link.iteration),
                                            tr("The message names one that this workspace does not have.")));
    } else if (!link.file.isEmpty()) {
        goTo(link.file, std::max(1, link.line), std::max(1, link.column));
    } else {
        m_parts.notices.tell(
            newsNotice(tr("Not opened"),
                       tr("\"%1\" leads out of the workspace. Copy it, if you trust it.").arg(address)));
    }
}

void PlaceOpener::goToDiagnostic(int by) {
    const CompileSection *compile = m_parts.bench.compileShown();
    if (compile == nullptr)
        return;
    // All that lead somewhere, in the order of the list; from the one at the cursor on, round and round.
    std::vector<const Diagnostic *> places;
    for (const Diagnostic &diagnostic : compile->diagnostics)
        if (!diagnostic.file.isEmpty() && diagnostic.line > 0)
            places.push_back(&diagnostic);
    if (places.empty())
        return;
    const EditorPlace here = m_parts.candidate.currentEditor()->cursorPlace();
    const QString file = m_parts.candidate.currentFile();
    const auto count = static_cast<int>(places.size());
    int at = by > 0 ? -1 : 0;
    for (int i = 0; i < count; ++i)
        if (places[static_cast<std::size_t>(i)]->file == file &&
            places[static_cast<std::size_t>(i)]->line == here.line)
            at = i;
    const Diagnostic &next = *places[static_cast<std::size_t>((at + by + count) % count)];
    const CodeEditor *editor = m_parts.candidate.editorOf(next.file);
    goTo(next.file, next.line,
         editor == nullptr ? next.column
                           : quotedPlace(next.message, editor->text(next.line - 1), next.column).from);
}

} // namespace warpwright
