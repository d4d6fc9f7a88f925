// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/gui/review_world.h"

namespace warpwright {
class ProfileRow;
class ProfilesTable;
} // namespace warpwright

/// A window whose settings have a table of what is set up under names.
struct ProfilesWorld : ReviewWorld {
    /// `table`: "modelsTable"; `kind`: begins the names of its form's fields: "model".
    ProfilesWorld(const char *table, const char *kind) : ReviewWorld(0), tableName(table), kindName(kind) {}

    [[nodiscard]] warpwright::ProfilesTable &table() const;
    [[nodiscard]] warpwright::ProfileRow *row(const QString &name) const;
    [[nodiscard]] QWidget *form() const;
    [[nodiscard]] bool formSays(const QString &words) const;
    /// In place of what stands there.
    void type(const char *field, const QString &text) const;
    void press(const QWidget *in, const char *button) const;
    void pressUndoOf(const QString &notice) const;
    /// What the row says of its trial, once that has ended.
    [[nodiscard]] QString trial(const QString &name) const;
    /// What the empty pane of the agent offers to begin with.
    [[nodiscard]] QStringList offered() const;

    const char *tableName;
    const char *kindName;
};
