// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/editor_decorator.h"
#include "widgets/look/look.h"

#include <Qsci/qsciscintilla.h>

#include <memory>
#include <optional>
#include <vector>

namespace warpwright {

class MarkedScrollBar;

/// Where the cursor stands, from 1; columns count characters.
struct EditorPlace {
    int line = 1;
    int column = 1;

    bool operator==(const EditorPlace &) const = default;
};

/// What brings a person back to where they were.
struct EditorView {
    int firstLine = 1; ///< the topmost shown
    EditorPlace cursor;
    std::vector<int> folded; ///< lines from 1 that hide what is below them
    int leftPixels = 0;      ///< scrolled out of sight at the left

    bool operator==(const EditorView &) const = default;
};

/// Takes the place of `lines` lines from `line` on (from 1). `text` ends with a line end unless it is the
/// last.
struct LineEdit {
    int line = 1;
    int lines = 0;
    QString text;

    bool operator==(const LineEdit &) const = default;
};

/// The editor of a source: QScintilla in our look, with CUDA C++ and Python. Undo reaches back to the last
/// setContent(), whatever was saved between. Lines and columns of its own functions count from 1.
/// What it can do besides lies in decorators, of which it knows none: makeCodeEditor() adds the usual ones.
class CodeEditor : public QsciScintilla {
    Q_OBJECT
public:
    enum class Language { Plain, Cuda, Python };
    Q_ENUM(Language)
    /// Scintilla's numbers of what we mark in the text; the first that are free for us.
    enum Indicator {
        FunctionIndicator = 8,
        ErrorIndicator,
        WarningIndicator,
        FindingIndicator,
        BraceIndicator,
        BadBraceIndicator,
        HitIndicator,
        HitEdgeIndicator,
        HunkWordIndicator,
        ClosedIndicator ///< what AutoClose has written
    };
    enum Column { HeatColumn, NumberColumn, SymbolColumn };
    /// Scintilla's markers that only keep a line in mind; decorators draw what is seen.
    enum Marker {
        DiagnosticMarker,
        NoteMarker,
        ChangeMarker,
        HunkMarker,
        RemovedMarker,
        HiddenMarker,
        CameMarker,
        HeatMarker
    };

    CodeEditor(const Look &look, QWidget *parent);
    ~CodeEditor() override;

    /// Made for this editor. A later one draws over the earlier ones, and its tooltip goes before theirs.
    void addDecorator(std::unique_ptr<EditorDecorator> decorator);
    /// The one of this class; null: none was added.
    template <class Decorator>
    [[nodiscard]] Decorator *findDecorator() const;
    /// The one of this class, which was added.
    template <class Decorator>
    [[nodiscard]] Decorator &decorator() const;

    void setLanguage(Language language);
    [[nodiscard]] Language language() const { return m_language; }
    /// .cu, .cuh, .cpp, .h ...: Cuda; .py: Python; anything else: Plain.
    [[nodiscard]] static Language languageOf(const QString &fileName);

    /// Another document: undo, marks and folds are gone, the cursor is at the start. No edited() comes of it.
    void setContent(const QString &text);
    [[nodiscard]] QString content() const { return text(); }
    /// One step of undo; cursor, marks and what is shown stay where they are. Edits are sorted, do not
    /// overlap and speak of the text as it is now.
    void applyEdits(const std::vector<LineEdit> &edits);
    [[nodiscard]] int lineCount() const { return lines(); }

    /// The text of another editor, in which both write from then on; marks that are not in the text stay the
    /// other's. Null: an empty text of its own.
    void showDocumentOf(CodeEditor *other);
    /// Before it goes: the text that it shared stays dressed. Nothing else can be done with it after that;
    /// the look may be gone already.
    void leaveDocument();

    /// Empty: it can be edited. Otherwise nobody can, and who tries is told why.
    void setReadOnlyReason(const QString &reason);
    [[nodiscard]] const QString &readOnlyReason() const { return m_readOnlyReason; }

    /// Shows the place in the middle, puts the cursor there and takes the focus. Places outside are brought
    /// in. Column 0 is the first character of the line that is no blank.
    void goTo(int line, int column);
    /// Opens all folds, and what decorators hide.
    void showAllLines();
    [[nodiscard]] EditorPlace cursorPlace() const;
    [[nodiscard]] EditorView viewState() const;
    void restoreViewState(const EditorView &view);

    [[nodiscard]] MarkedScrollBar &scrollMarks() const { return *m_scrollBar; }
    [[nodiscard]] const Look &look() const { return m_look; }
    /// What decorators say of this point of the viewport; empty: nothing.
    [[nodiscard]] QString toolTipAt(const QPoint &point) const;

    /// A line that is at least partly in view, and where it begins in the viewport.
    struct ShownLine {
        int line = 0; ///< from 0, as Scintilla counts
        int top = 0;
    };
    [[nodiscard]] std::vector<ShownLine> shownLines() const;
    [[nodiscard]] int rowHeight() const;
    /// Keeps so many pixels free above the first line.
    void setRoomAbove(int pixels);
    /// Where `column` begins and ends in the viewport.
    [[nodiscard]] std::pair<int, int> marginSpan(Column column) const;
    /// Short for SendScintilla, which takes unsigned and gives long.
    long sci(unsigned message, long wParam = 0, long lParam = 0) const;

signals:
    /// A person, an undo or applyEdits() changed the text.
    void edited();
    void placeChanged(int line, int column);
    /// Someone typed into a text that is read-only.
    void readOnlyRefused(const QString &reason);
    /// Ctrl and wheel: the window owns the size of fonts.
    void zoomRequested(int steps);

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    bool viewportEvent(QEvent *event) override;

private:
    void setUpBehaviour();
    void applyLook();
    void showWhetherReadOnly();
    void fitNumberMargin();
    void press(QKeyEvent &key);
    void showLineStart();

    const Look &m_look;
    Language m_language = Language::Plain;
    QString m_readOnlyReason;
    std::unique_ptr<QsciLexer> m_lexer;
    MarkedScrollBar *m_scrollBar = nullptr;
    std::vector<std::unique_ptr<EditorDecorator>> m_decorators;
    std::optional<QPoint> m_altPress; ///< a caret more, or the corner of a rectangle if the mouse moves
    bool m_isSettingContent = false;
};

template <class Decorator>
Decorator *CodeEditor::findDecorator() const {
    for (const auto &added : m_decorators)
        if (auto *wanted = dynamic_cast<Decorator *>(added.get()))
            return wanted;
    return nullptr;
}

template <class Decorator>
Decorator &CodeEditor::decorator() const {
    auto *found = findDecorator<Decorator>();
    Q_ASSERT(found != nullptr);
    return *found;
}

} // namespace warpwright
