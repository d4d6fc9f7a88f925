// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/tools/toolbox.h"

#include <deque>

namespace warpwright {

/// Gives a toolbox one call at a time, so that each can be cancelled by itself.
class ToolQueue : public QObject {
    Q_OBJECT
public:
    /// `toolbox` outlives it, and is called by nobody else.
    explicit ToolQueue(Toolbox &toolbox, QObject *parent = nullptr);

    void call(const QString &id, const QString &name, const Json &arguments);
    /// One that is not there, or has ended, is no matter.
    void cancel(const QString &id);
    void cancelAll();

signals:
    void ended(const QString &id, const warpwright::ToolAnswer &answer);

private:
    struct Waiting {
        QString id;
        QString name;
        Json arguments;
    };
    void startNext();

    Toolbox &m_toolbox;
    std::deque<Waiting> m_waiting;
    QString m_running; ///< empty: none
};

} // namespace warpwright
