// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/editor_decorator.h"
#include "widgets/editor/editor_mark.h"

#include <QFontMetrics>
#include <QHash>
#include <QStringList>
#include <QTimer>

#include <optional>
#include <vector>

namespace warpwright {

/// What tools and findings say of the text: an icon beside the line, a line under the words, and for errors
/// and findings the message below, where it pushes the text apart instead of hiding it. Moves with the text.
/// What compilers said of a line is shown while the line reads as they read it, and again when an undo brings
/// that back.
class DiagnosticMarks : public EditorDecorator {
    Q_OBJECT
public:
    explicit DiagnosticMarks(CodeEditor &editor);

    /// Takes the place of all but the live ones.
    void setMarks(std::vector<EditorMark> marks);
    /// Takes the place of all live ones. Where both say something as bad of one line only one is shown: the
    /// other kind, or
    /// (`isNewer`: of a text that those have not seen) the live one.
    void setLiveMarks(std::vector<EditorMark> marks, bool isNewer);
    /// By place, with their present lines.
    [[nodiscard]] std::vector<EditorMark> marks() const;
    void goToNext();
    void goToPrevious();
    void forgetContent() override { setMarks({}); }
    /// Messages are broken into lines anew when the width has changed.
    void editorResized() override;
    void applyLook() override;
    void paint(QPainter &painter, const QRect &rect) override;
    [[nodiscard]] QString toolTip(const QPoint &point) const override;

protected:
    void enabledChanged() override;

private:
    struct Item {
        EditorMark mark;
        int handle = -1;
        QStringList rows;      ///< the message as it is broken; empty for what has no message in the text
        bool isHidden = false; ///< the other kind says as much of its line, or the line was changed
        std::optional<QString> read = {}; ///< the line as it was when this was said of it
        bool isOutdated = false;
    };

    [[nodiscard]] std::vector<Item> present(bool isLive) const;
    void show(std::vector<Item> items);
    void showAgain();
    void hideDoubles();
    [[nodiscard]] bool isOutdated(const Item &item) const;
    void checkLines();

    [[nodiscard]] QHash<int, std::vector<const Item *>> itemsByLine() const;
    void underline(const EditorMark &mark);
    [[nodiscard]] QHash<int, QStringList> rows() const;
    void markScrollBar();
    void paintUnderlines(QPainter &painter, int line, int top) const;
    void paintUnderline(QPainter &painter, int indicator, int left, int right, int bottom) const;
    [[nodiscard]] int messageLeft(const Item &item, const QFontMetrics &metrics) const;
    void paintMessages(QPainter &painter, const std::vector<const Item *> &items, int top) const;

    std::vector<Item> m_items;
    QTimer m_linesTimer; ///< Scintilla takes no marks while it tells of a change
    bool m_isLiveNewer = false;
    int m_width = -1;
};

} // namespace warpwright
