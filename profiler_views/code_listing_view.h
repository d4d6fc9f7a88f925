// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/inspect/opcode_diff.h"

#include <QAbstractScrollArea>

#include <functional>
#include <memory>

namespace warpwright {

class Look;
class MarkedScrollBar;

/// The listing of a kernel, SASS or PTX: where each instruction comes from, its address, its text. Lights the
/// instructions of a source line, and leads from an instruction to its line. Paints only what is in view.
class CodeListingView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit CodeListingView(const Look &look, QWidget *parent = nullptr);

    /// Null: nothing. `isSass`: the colours follow the opcode's class. `kinds`: of each line, where it is a
    /// merged listing; none: of one text alone.
    void setCode(std::shared_ptr<const KernelCode> code, bool isSass,
                 std::vector<ComparedCode::Kind> kinds = {});
    [[nodiscard]] const KernelCode *code() const { return m_code.get(); }
    [[nodiscard]] const std::shared_ptr<const KernelCode> &sharedCode() const { return m_code; }
    /// The share of the kernel's time of each line of the code, in a column at the left; empty: no column.
    /// setCode() takes it away. `toolTip`: of a line that has one. `isPast`: of an older text, without
    /// colour.
    void setHeat(std::vector<double> shares, std::function<QString(int line)> toolTip, bool isPast);
    [[nodiscard]] const std::vector<double> &heat() const { return m_heat; }

    /// Lights the instructions of this line of this file (relative to the workspace) at any depth of
    /// inlining, and (`scrolls`) brings the first of them into view if none of them is.
    void light(const QString &file, int line, bool scrolls = true);
    [[nodiscard]] const std::vector<int> &litLines() const { return m_lit; }
    /// The chosen line of the listing; -1: none.
    [[nodiscard]] int currentLine() const { return m_current; }
    void setCurrentLine(int line);
    /// Marks the lines in which something was found, ascending; setCode() takes the marks away.
    void setFound(std::vector<int> lines);
    [[nodiscard]] const std::vector<int> &found() const { return m_found; }
    /// What a row says of its origin: "25", "helpers.cuh:6" in another file, empty where the row above has
    /// said it.
    [[nodiscard]] QString originOf(int line) const;

signals:
    void codeChanged();
    /// Chosen by a click or by Enter.
    void placeActivated(const QString &file, int line, int column);
    /// Under the mouse; line 0: none.
    void placeHovered(const QString &file, int line);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    void restyle();
    void placeBars();
    void markBar();
    [[nodiscard]] ComparedCode::Kind kindOf(int line) const;
    void measureOrigins();
    void reveal(int line);
    void activate(int line);
    void hover(int line);
    [[nodiscard]] int lineHeight() const;
    [[nodiscard]] double columnWidth() const;
    [[nodiscard]] int originWidth() const;
    [[nodiscard]] int heatWidth() const;
    [[nodiscard]] double heatOf(int line) const;
    [[nodiscard]] int signWidth() const;
    [[nodiscard]] int addressWidth() const;
    [[nodiscard]] int lineAt(int y) const;
    [[nodiscard]] CodePlace placeAt(int line) const;
    [[nodiscard]] QColor inkOf(const CodeLine &line) const;

    const Look &m_look;
    MarkedScrollBar *m_bar;
    std::shared_ptr<const KernelCode> m_code;
    std::vector<ComparedCode::Kind> m_kinds;
    std::vector<double> m_heat;
    std::function<QString(int)> m_heatToolTip;
    std::vector<int> m_lit;
    std::vector<int> m_found;
    QString m_file; ///< of the line that is lit
    int m_widestColumns = 0;
    int m_originColumns = 4;
    int m_current = -1;
    int m_hovered = -1;
    bool m_isSass = true;
    bool m_isPastHeat = false;
};

} // namespace warpwright
