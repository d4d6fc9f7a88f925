// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <utility>
#include <vector>

namespace warpwright {

class CodeEditor;

/// Hides the stretches of a text that a review does not need, until somebody wants to see them or goes there.
/// Lines count from 0.
class HunkFolds : public QObject {
    Q_OBJECT
public:
    explicit HunkFolds(CodeEditor &editor);

    struct Stretch {
        int first = 0;
        int last = 0;

        bool operator==(const Stretch &) const = default;
        [[nodiscard]] int count() const { return last - first + 1; }
    };

    /// Shows what was hidden, hides these; they move with the text.
    void set(const std::vector<Stretch> &stretches);
    /// As they are now, in order.
    [[nodiscard]] std::vector<Stretch> stretches() const;
    void unfold(int line);
    void unfoldAll();

signals:
    void changed();

private:
    void hideAgain();

    struct Handles {
        int first = -1;
        int last = -1;
    };

    CodeEditor &m_editor;
    std::vector<Handles> m_handles;
};

} // namespace warpwright
