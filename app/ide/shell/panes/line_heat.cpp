// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/panes/line_heat.h"

#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/notices.h"
#include "app/ide/measured/editor_heat.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/shell/place_opener.h"
#include "app/ide/shell/window_notices.h"
#include "widgets/look/look.h"

#include <QAction>

namespace warpwright {

LineHeat::LineHeat(const Parts &parts, bool isHidden, QObject *parent) : QObject(parent), m_parts(parts) {
    m_parts.showHeat.setChecked(!isHidden);
    auto *heat = new EditorHeat(m_parts.look, m_parts.profile.heat(), m_parts.candidate, m_parts.showHeat);
    connect(&m_parts.profile, &ProfilePanel::hotLineActivated, heat, &EditorHeat::find);
    connect(heat, &EditorHeat::placeFound, this,
            [this](const QString &file, int line) { m_parts.places.goTo(file, line, 1); });
    connect(heat, &EditorHeat::lineGone, this, [this](const QString &file, int line) {
        m_parts.notices.tell(newsNotice(tr("This line is another one now"),
                                        tr("%1:%2 was changed since it was measured.").arg(file).arg(line)));
    });
}

} // namespace warpwright
