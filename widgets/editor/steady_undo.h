// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/editor_decorator.h"

#include <optional>
#include <vector>

namespace warpwright {

/// Scintilla leads to the last place that an undo has changed. Of a step that has changed a text everywhere
/// that is its end, where nobody was: after such a step cursor and what is shown stay where they are, and the
/// same when it is done again. Of an act on lines it is where they came to: after it the cursor is back where
/// it was. And what is typed or deleted at several cursors in a row is one step, as with one cursor, after
/// which all of them are back.
class SteadyUndo : public EditorDecorator {
    Q_OBJECT
public:
    explicit SteadyUndo(CodeEditor &editor);

    /// What is changed between becomes one step of undo of the first kind.
    void begin();
    void end();
    /// `act` changes the text: undone the cursors are where they stood before, done again where they stood
    /// after.
    void keepingPlace(const std::function<void()> &act);

    [[nodiscard]] bool typeKey(const QKeyEvent &key, const std::function<void()> &write) override;

    /// Of its marks among the steps, and all below; UndoTokens has those from 0 on.
    static constexpr int token = -1;

private:
    /// What a key does at several cursors. Of one kind in a row is one step, but for those that stand alone.
    enum class Kind { Typed, DeletedBack, Deleted, Alone };
    /// None: there is one cursor, or nothing would change.
    [[nodiscard]] std::optional<Kind> kindOf(const QKeyEvent &key) const;
    void followed(int position, int type, int length, int given);
    void restore(long first, long anchor, long caret);
    void markPlaces();
    void passedPlace(int given, bool isUndo);
    void restorePlaces();
    void passedTyping(bool isFirst, bool isUndo);
    [[nodiscard]] bool isAnothers() const;
    [[nodiscard]] bool isAnySelected() const;
    [[nodiscard]] std::vector<long> carets() const;

    bool m_isWithin = false;
    long m_top = 0;             ///< position in the text where the topmost line that is shown begins
    std::vector<long> m_passed; ///< the places that were passed last, as they came
    bool m_isWithinPlaces = false;
    bool m_isPassedByUndo = false;
    bool m_isRestoring = false;
    std::vector<long> m_typedAt; ///< the cursors behind the last sign of a row; empty: none is going on
    Kind m_kind = Kind::Alone;   ///< of that row
    bool m_isTyping = false;
    bool m_isInRow = false;    ///< the sign that was undone last belongs to the one before it
    int m_undoing = 0;         ///< signs of the row that is being undone
    std::vector<int> m_undone; ///< signs of each row that can be done again, the next one last
};

} // namespace warpwright
