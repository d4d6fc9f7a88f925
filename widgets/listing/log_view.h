// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

#include <optional>

class QSyntaxHighlighter;

namespace warpwright {

class Look;

/// A place that a line of a log names: "kernels/softmax.cu(12)", "model_new.py:7:3", «File "model.py", line
/// 7».
struct LogPlace {
    QString file;
    int line = 0;   ///< from 1
    int column = 0; ///< from 1; 0: not said
    int start = 0;  ///< in the line, characters
    int length = 0;

    bool operator==(const LogPlace &) const = default;
};

[[nodiscard]] std::optional<LogPlace> findPlace(const QString &line);

/// What tools said: monospaced, read-only, bounded; places are links by click or by Enter on the cursor's
/// line.
class LogView : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit LogView(const Look &look, QWidget *parent = nullptr);

    /// Another log; of a very long one the end is kept and the cut is said.
    void setLog(const QString &text);
    /// Brings the first line with an error into view, its cursor too; without one the log stays as it is.
    void showFirstError();
    /// Follows the end if the end was in view.
    void appendLine(const QString &line);

signals:
    void placeActivated(const QString &file, int line, int column);

protected:
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    bool activate(const QTextCursor &at, bool needsHit);
    void applyLook();

    const Look &m_look;
    QSyntaxHighlighter *m_highlighter;
};

} // namespace warpwright
