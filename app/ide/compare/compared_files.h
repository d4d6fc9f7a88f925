// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/workspace/text_comparison.h"

#include <QWidget>

class QStackedWidget;

namespace warpwright {

class ActionButton;
class CompareView;
class EmptyState;
class Look;
class TabStrip;
class Words;

/// Texts, or the listings of kernels, beside each other: a tab for each that differs, and the way through
/// their changes.
class ComparedFiles : public QWidget {
    Q_OBJECT
public:
    /// `name`: before the object names of its parts: "compare", "sass".
    ComparedFiles(const Look &look, const QString &name, QWidget *parent = nullptr);

    /// Those that differ; for none of them say() comes after it.
    void setFiles(std::vector<ComparedFile> files);
    /// In the place of the texts.
    void say(const QString &icon, const QString &what, const QString &how);
    /// Across the files; past the last one it stays.
    void step(int direction);
    [[nodiscard]] int count() const { return static_cast<int>(m_files.size()); }

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void showFile(int index);
    void showPlace();
    void fitWidth();

    const Look &m_look;
    TabStrip *m_tabs;
    Words *m_place;
    ActionButton *m_fold;
    ActionButton *m_previous;
    ActionButton *m_next;
    QStackedWidget *m_stack;
    CompareView *m_view;
    EmptyState *m_empty;
    std::vector<ComparedFile> m_files;
    int m_file = -1;
};

} // namespace warpwright
