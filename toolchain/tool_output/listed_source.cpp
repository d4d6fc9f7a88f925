// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/tool_output/listed_source.h"

#include <optional>

namespace warpwright {
namespace {

/// `303` at the start of `text`: a byte beyond ASCII.
std::optional<unsigned char> octalByte(QByteArrayView text) {
    const auto isDigit = [&text](qsizetype at, char from, char to) {
        return text[at] >= from && text[at] <= to;
    };
    if (text.size() < 3 || !isDigit(0, '2', '3') || !isDigit(1, '0', '7') || !isDigit(2, '0', '7'))
        return std::nullopt;
    return static_cast<unsigned char>(((text[0] - '0') << 6) + ((text[1] - '0') << 3) + (text[2] - '0'));
}

/// How many bytes of a letter in UTF-8 follow its first one.
int bytesAfter(unsigned char first) {
    return first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
}

} // namespace

QString listedSource(QByteArrayView written) {
    if (!written.contains('\\'))
        return QString::fromUtf8(written);
    QByteArray bytes;
    int missing = 0; // bytes of the letter that was begun by a number
    for (qsizetype at = 0; at < written.size(); ++at) {
        const char sign = written[at];
        const bool maybeByte = sign == '\\' || (sign == '/' && missing > 0);
        if (const auto byte = maybeByte ? octalByte(written.sliced(at + 1)) : std::nullopt) {
            missing = *byte >= 0xc0 ? bytesAfter(*byte) : missing - 1;
            bytes.append(static_cast<char>(*byte));
            at += 3;
        } else {
            missing = 0;
            bytes.append(sign);
        }
    }
    const QString name = QString::fromUtf8(bytes);
    return name.contains(QChar::ReplacementCharacter) ? QString::fromUtf8(written) : name;
}

} // namespace warpwright
