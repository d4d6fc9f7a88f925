// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace warpwright {

/// What is asked for: a file or a folder that is there, or where a new file is to lie.
struct FileQuestion {
    enum class Of { File, Folder, NewFile };

    Of of = Of::File;
    QString title;
    QString begins = {}; ///< a folder, or a name for the new file; empty: where the program was started
    QString kinds = {};  ///< "Pages (*.html)"; empty: all
};

/// Asks in a dialog that is opened and not waited for: meanwhile checks and runs go on as ever. `then` hears
/// what was chosen; it is not called where the dialog was left, or `parent` has gone by then. Before a file
/// that is there would be replaced that is asked, too.
void askForFile(QWidget *parent, const FileQuestion &question,
                const std::function<void(const QString &path)> &then);

} // namespace warpwright
