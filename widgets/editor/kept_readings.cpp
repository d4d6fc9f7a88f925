// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/kept_readings.h"

#include <algorithm>

namespace warpwright {
namespace {

using Sci = QsciScintillaBase;

} // namespace

KeptReadings::KeptReadings(CodeEditor &editor)
    : EditorDecorator(editor), m_language(editor.language()), m_tabWidth(editor.tabWidth()) {
    connect(&editor, &QsciScintillaBase::SCN_MODIFIED, this,
            [this](int position, int type, const char *, int, int, int, int, int, int, int) {
                if ((type & (Sci::SC_MOD_INSERTTEXT | Sci::SC_MOD_DELETETEXT)) == 0)
                    return;
                const long line = this->editor().sci(Sci::SCI_LINEFROMPOSITION, position);
                m_kept.resize(std::min(m_kept.size(), static_cast<std::size_t>(line / linesApart)));
            });
}

long KeptReadings::endOfPart(std::size_t number) const {
    return editor().sci(Sci::SCI_POSITIONFROMLINE, static_cast<long>(number) * linesApart) - 1;
}

QString KeptReadings::textBetween(long from, long to) const {
    const auto *bytes =
        reinterpret_cast<const char *>(editor().sci(Sci::SCI_GETRANGEPOINTER, from, to - from));
    return QString::fromUtf8(bytes, to - from);
}

TextBefore KeptReadings::before(long position) {
    if (m_language != editor().language() || m_tabWidth != editor().tabWidth()) {
        m_language = editor().language();
        m_tabWidth = editor().tabWidth();
        m_kept.clear();
    }
    const auto whole =
        static_cast<std::size_t>(editor().sci(Sci::SCI_LINEFROMPOSITION, position) / linesApart);
    // A piece begins with the byte before the line's end. Where that is a part of a letter it is read as one
    // sign, and only asked whether it is a backslash.
    const auto read = [this](TextReading &reading, std::size_t part, long to) {
        const long from = part == 0 ? 0 : endOfPart(part) - 1;
        readOn(reading, textBetween(from, to), part == 0 ? 0 : 1, m_language, m_tabWidth);
    };
    while (m_kept.size() < whole) {
        TextReading reading = m_kept.empty() ? TextReading() : m_kept.back();
        read(reading, m_kept.size(), endOfPart(m_kept.size() + 1));
        m_kept.push_back(std::move(reading));
    }
    TextReading last = whole == 0 ? TextReading() : m_kept[whole - 1];
    read(last, whole, position);
    return endOf(std::move(last));
}

} // namespace warpwright
