// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

namespace warpwright {

class CandidatePanel;
class FindBar;
class ListingBar;
class Look;

/// «Find»: opens the find bar of whatever has the focus: the candidate's own, that of another editor, or the
/// one of listings.
class ListingController : public QObject {
    Q_OBJECT
public:
    ListingController(const Look &look, CandidatePanel &candidate, QWidget *window);

    void find();

private:
    /// What is searched where this widget has the focus; null: nothing there can be.
    [[nodiscard]] QWidget *searchedAt(QWidget *focus) const;
    [[nodiscard]] bool openAt(QWidget *searched);

    const Look &m_look;
    CandidatePanel &m_candidate;
    QWidget *m_window;
    // They lie beside what they search, and go with it.
    QPointer<ListingBar> m_bar;
    QPointer<FindBar> m_editorBar;
};

} // namespace warpwright
