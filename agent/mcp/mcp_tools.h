// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/tools/toolbox.h"

#include <QObject>
#include <QString>

#include <vector>

namespace warpwright {

/// What an MCP server offers: tools, and who carries them out.
///
/// Each call() ends in exactly one ended(), never before it has returned; after its cancel() soon, and with
/// what was done where it came too late. Ids are unique among all who call.
class McpTools : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// In an order that never changes.
    [[nodiscard]] virtual const std::vector<ToolSpec> &specs() const = 0;
    /// For the model of a client: what this is for, and how it is used.
    [[nodiscard]] virtual QString instructions() const = 0;
    /// `client`: as it calls itself.
    virtual void call(const QString &id, const QString &name, const Json &arguments,
                      const QString &client) = 0;
    virtual void cancel(const QString &id) = 0;

signals:
    void progress(const QString &id, const QString &text, int index, int count);
    void ended(const QString &id, const warpwright::ToolAnswer &answer);
};

} // namespace warpwright
