// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/job.h"

#include <QWidget>

class QLabel;

namespace warpwright {

class CodeEditor;
class Look;

/// A file that is none of the workspace's, read-only in a window of its own: a header of CUDA or torch that a
/// definition lies in. Esc closes it.
class SourceWindow : public QWidget {
    Q_OBJECT
public:
    SourceWindow(const Look &look, QWidget *parent);

    /// Read in the pool; ends in shown() or failed(). The file that is there already is not read again.
    void open(const QString &file, int line, int column);
    [[nodiscard]] CodeEditor *editor() const { return m_editor; }
    [[nodiscard]] const QString &file() const { return m_file; }

signals:
    void shown(const QString &file);
    void failed(const QString &message);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void showAt(int line, int column);

    const Look &m_look;
    QLabel *m_path;
    CodeEditor *m_editor;
    QString m_file;
    JobNumber m_jobs;
};

} // namespace warpwright
