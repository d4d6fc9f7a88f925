// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/editor_decorator.h"

#include <QHash>
#include <QStringList>

#include <array>
#include <functional>

namespace warpwright {

/// The rows that stand below lines, of several who each have their own: Scintilla has one annotation a line.
/// Scintilla keeps the room and the words for screen readers; what is seen the owners paint over them. Lines
/// count from 0. Switched off it shows none, and leaves those of another editor over the same text alone.
class RowsBelow : public EditorDecorator {
    Q_OBJECT
public:
    /// Those of an earlier one stand above those of a later.
    enum Owner { Messages, Hunks, Owners };
    /// By line, as the lines are now: asked whenever lines have come or gone.
    using Source = std::function<QHash<int, QStringList>()>;

    explicit RowsBelow(CodeEditor &editor);

    void setSource(Owner owner, Source source);
    /// Asks all of them; the line at the top of the view stays there.
    void refresh();
    /// How many rows of others stand between the line and those of `owner`.
    [[nodiscard]] int countAbove(Owner owner, int line) const;

    /// Of a document that another editor dresses it shows nothing.
    void leaveDocument() override { setEnabled(false); }
    void enterDocument(bool isAnothers) override { setEnabled(!isAnothers); }

signals:
    /// What is below may have moved.
    void refreshed();

protected:
    void enabledChanged() override;

private:
    std::array<Source, Owners> m_sources;
    std::array<QHash<int, int>, Owners> m_counts;
    bool m_isRefreshing = false;
};

} // namespace warpwright
