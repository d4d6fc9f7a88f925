// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/editing/edited_file.h"
#include "tests/toolchain/scratch.h"
#include "widgets/editor/code_editor.h"

#include <QSignalSpy>
#include <QTest>

#include <memory>

inline const QByteArray kText("one\ntwo\nthree\nfour\nfive\n");

/// A file that is open, and all that it says.
struct Opened {
    explicit Opened(const QByteArray &bytes = kText, const QString &name = QStringLiteral("kernels/a.cu"));

    void open();
    void type(int line, const QString &text) const { editor->insertAt(text, line - 1, 0); }
    void writeOutside(const QByteArray &bytes) const;
    [[nodiscard]] bool heard(warpwright::EditedFile::News what) const;
    [[nodiscard]] QString lastNews() const;

    Scratch scratch;
    warpwright::Look look;
    QString path;
    QString drafts;
    std::unique_ptr<warpwright::CodeEditor> editor;
    std::unique_ptr<warpwright::EditedFile> file;
    std::unique_ptr<QSignalSpy> news;
    std::unique_ptr<QSignalSpy> conflicts;
    std::unique_ptr<QSignalSpy> saved;
    std::unique_ptr<QSignalSpy> saveFailed;
};
