// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/editor/editor_decorator.h"
#include "widgets/editor/typing_rules.h"

#include <vector>

namespace warpwright {

/// What stands open before a place of an editor's text, without reading all of it at each key: the reading of
/// every so many lines is kept until something above is changed. One for all decorators of an editor.
class KeptReadings : public EditorDecorator {
    Q_OBJECT
public:
    static constexpr int linesApart = 128;

    explicit KeptReadings(CodeEditor &editor);

    [[nodiscard]] TextBefore before(long position);
    void enterDocument(bool) override { m_kept.clear(); }

private:
    /// Where the reading stops that ends before line `number * linesApart`.
    [[nodiscard]] long endOfPart(std::size_t number) const;
    [[nodiscard]] QString textBetween(long from, long to) const;

    CodeEditor::Language m_language;
    int m_tabWidth;
    std::vector<TextReading> m_kept; ///< the first ends before line linesApart
};

} // namespace warpwright
