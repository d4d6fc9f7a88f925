// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/panes/pane_opener.h"

#include "app/ide/layout/four_panes.h"
#include "app/ide/layout/presentation.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/shell/window_docks.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/frame/tab_strip.h"

namespace warpwright {
namespace {

constexpr int buildPane = 2;
constexpr int profilePane = 3;

} // namespace

PaneOpener::PaneOpener(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {}

// What is gone to is in sight: a pane that is presented yields to it.
void PaneOpener::presentInstead(int pane) {
    if (m_presentation != nullptr && m_presentation->isOn())
        m_presentation->begin(pane);
}

void PaneOpener::evenOut(int pane) {
    if (const int enlarged = m_parts.four.enlarged(); enlarged >= 0 && enlarged != pane)
        m_parts.four.enlarge(enlarged);
}

void PaneOpener::showPane(int pane) {
    presentInstead(pane);
    evenOut(pane);
}

void PaneOpener::enlarge(int pane) {
    if (m_presentation->isOn())
        m_presentation->begin(pane);
    else
        m_parts.four.enlarge(pane);
}

void PaneOpener::resetSizes() {
    m_presentation->end();
    m_parts.four.resetSizes();
}

void PaneOpener::toggleAgent(WindowDocks &docks) {
    if (m_presentation->isOn())
        m_presentation->begin(Presentation::besidePane);
    else
        docks.toggleAgent();
}

void PaneOpener::showBuild() {
    if (!m_parts.bench.workspace())
        return;
    m_parts.pages.showWork();
    showPane(buildPane);
}

void PaneOpener::showProfilePage(const QString &name) {
    if (!m_parts.bench.workspace())
        return;
    m_parts.pages.showWork();
    showPane(profilePane);
    m_parts.profile.showPage(name);
    // After what show() has put off.
    QMetaObject::invokeMethod(
        &m_parts.profile, [this] { m_parts.profile.tabs()->setFocus(Qt::OtherFocusReason); },
        Qt::QueuedConnection);
}

} // namespace warpwright
