// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/gui/window_world.h"

namespace warpwright {
class CompletionList;
class TextPopup;
} // namespace warpwright

/// A window whose language server is tests/tools/word_server, with kernels/gate.cu in the editor and the
/// server ready.
struct LanguageWorld : WindowWorld {
    LanguageWorld();

    void open();
    /// What the settings file holds beside the device and the theme, by a window that is opened anew.
    void reopenWith(const QByteArray &settings);
    /// Gives a window the server that knows words.
    void serve(warpwright::MainWindow &some) const;
    /// The same on a copy of the workspace in the system's temporary folder: the clone has a .clang-format,
    /// which is found above the other.
    void reopenOutsideTheClone(const QByteArray &settings = {});
    [[nodiscard]] bool isReady() const;
    /// The workspace's .clang-format.
    void writeStyle(const QByteArray &style = QByteArrayLiteral("BasedOnStyle: LLVM\n")) const;
    [[nodiscard]] qint64 serverProcess() const;
    /// Sets the cursor by clicking nowhere: 1 is the first column.
    void stand(int line, int column) const;
    void type(const QString &keys) const;
    void key(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const;
    [[nodiscard]] QString line(int number) const;
    [[nodiscard]] bool listIsShown() const;

    QString header; ///< out of the workspace
    warpwright::CodeEditor *gate = nullptr;
    warpwright::CompletionList *list = nullptr;
    warpwright::TextPopup *popup = nullptr;
};
