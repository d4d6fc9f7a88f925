// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAction;

namespace warpwright {

class CandidatePanel;
class Look;
class PlaceOpener;
class ProfilePanel;
class WindowNotices;

/// The heat of lines in the editor, and the way from a hot line to its text.
class LineHeat : public QObject {
    Q_OBJECT
public:
    struct Parts {
        QAction &showHeat;
        CandidatePanel &candidate;
        const Look &look;
        WindowNotices &notices;
        PlaceOpener &places;
        ProfilePanel &profile;
    };
    /// `isHidden`: as it was left.
    LineHeat(const Parts &parts, bool isHidden, QObject *parent);

private:
    const Parts m_parts;
};

} // namespace warpwright
