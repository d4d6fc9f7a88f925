// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"
#include "toolchain/base/result.h"
#include "toolchain/base/stages.h"

#include <QMap>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

namespace warpwright {

/// What a person has chosen once for all workspaces, in terminal and window: settings.json. Empty means: no
/// choice, find it yourself. A workspace's own task.json goes before the flags and the precision here, and
/// what is said on the command line before both.
struct Settings {
    QString python;       ///< interpreter whose torch is used
    QString cuda;         ///< folder of a CUDA toolkit (holds bin/nvcc)
    QString architecture; ///< "sm_90a": for compiling where no device tells
    QString device;       ///< "auto", "cpu", "cuda:N"
    int maxJobs = 0;      ///< compiler processes at a time; 0: as cores and memory allow
    std::optional<Tier> tier;
    QString compileOn; ///< the window compiles on "save", when "idle" (and saves then), "never"; empty: save
    QString languageServer; ///< "on", "off"; empty: on
    QString formatOnSave;   ///< "on", "off"; empty: off
    QStringList nvccFlags;  ///< added after ours
    QStringList cxxFlags;
    QStringList allow; ///< precisions a candidate may use; of precisionNames()

    QString theme;                 ///< "system", "light", "dark"
    double fontScale = 0;          ///< 0.5 to 3; 0: 1
    QString codeFontFamily;        ///< of editors
    int codeFontSize = 0;          ///< points, 6 to 72; 0: the theme's
    QString closeBrackets;         ///< editors close brackets and quotes: "typing", "never"; empty: typing
    QMap<QString, QString> keys;   ///< by an action's id: its shortcut, "" for none
    Json unknown = Json::object(); ///< keys of a newer version, kept when we store

    /// A missing file is an empty Settings; a broken one is an error that names the file, the line and the
    /// way out.
    static Result<Settings> load(const QString &file);

    struct Loaded;
    /// For a program that has to start whatever the file holds: what is right in it is taken. A broken file
    /// is kept beside its place under a name that `notice` gives.
    static Loaded loadOrDefaults(const QString &file);

    [[nodiscard]] Result<void> store(const QString &file) const;
    /// Reads, changes and stores while no other program of ours does: nothing that another one wrote is lost.
    /// Gives the settings as stored.
    static Result<Settings> change(const QString &file, const std::function<void(Settings &)> &edit);

    bool operator==(const Settings &) const = default;
};

struct Settings::Loaded {
    Settings settings;
    QString notice; ///< what a person has to be told; empty: nothing
};

} // namespace warpwright
