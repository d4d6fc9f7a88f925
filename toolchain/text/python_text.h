// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <vector>

namespace warpwright {

/// What a Python text names, read and not run.
struct PythonText {
    QString code;        ///< with strings and comments blanked; every line stays on its line
    QStringList strings; ///< the contents of its literals, as they are written
    QStringList imports; ///< modules by their whole names, "blocks.norms"; without the dots of relative ones

    /// Whether the top level defines this class, function or name, in a branch of an if or try as well.
    [[nodiscard]] bool defines(const QString &name) const;
    /// What the top level defines by `class` or `def`, in the order of the lines.
    struct Definition {
        bool isClass = false;
        QString name;
        QString arguments; ///< "x, weight, eps: float"; of a class its bases
        int line = 0;
    };
    [[nodiscard]] std::vector<Definition> definitions() const;
    /// From 1; 0: nowhere in the code. `expression`: a regular one.
    [[nodiscard]] int lineOf(const QString &expression) const;
};

[[nodiscard]] PythonText readPythonText(const QByteArray &text);

} // namespace warpwright
