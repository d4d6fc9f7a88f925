// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/kit/card.h"
#include "app/ide/workbench/job.h"
#include "toolchain/judge/referee_state.h"

#include <QTimer>

#include <optional>

namespace warpwright {

class ActionButton;

/// Says on the start page that the judge is not compiled yet, how long that takes and how far it is, before
/// somebody waits for it in a first check. Hidden when it is built. The build is a process of its own, which
/// outlives the window, and a check that begins meanwhile waits for it.
class JudgeNotice : public Card {
    Q_OBJECT
public:
    JudgeNotice(const Look &look, DataFolders folders, QWidget *parent);

    /// Looks whether that toolchain's judge is built.
    void setToolchain(const Toolchain &toolchain);
    /// With the program that prepares («wright»; empty: nobody does): begins by itself when the judge is
    /// missing, once in a window's life.
    void prepareWith(const QString &preparer);
    void lookAgain();
    void show(const RefereeState &state);
    using Card::show;

signals:
    void looked(const warpwright::RefereeState &state);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void prepare();

    DataFolders m_folders;
    std::optional<Toolchain> m_toolchain;
    RefereeState m_state;
    QString m_preparer;
    bool m_hasBegun = false; ///< by this window
    int m_waits = 0;         ///< looks since then, until one saw the build
    Words *m_what;
    Words *m_how;
    ActionButton *m_now;
    QTimer m_poll;
    JobNumber m_jobs;
};

} // namespace warpwright
