// SPDX-License-Identifier: GPL-3.0-or-later
//
// .eh_frame as the Linux Standard Base writes it down: records of two kinds, what several functions have in
// common (CIE) and one function's (FDE), each a length, the distance to its CIE, and fields.

#include "referee/amputate/frame_table.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace warpwright {

namespace {

constexpr unsigned char relativeFour =
    0x1b; ///< an address, told as a signed distance of four bytes from its place
constexpr unsigned char relative = 0x10;

/// Fields one after the other; beyond the record's end there are zeros, and it is broken.
class Record {
public:
    Record(const unsigned char *first, uint64_t bytes) : m_next(first), m_left(bytes) {}

    template <typename Number>
    Number number() {
        Number value{};
        if (const unsigned char *from = skip(sizeof value))
            std::memcpy(&value, from, sizeof value);
        return value;
    }
    uint64_t leb128() { // for one with a sign: as long, and nobody reads it
        uint64_t value = 0;
        for (unsigned shift = 0; !m_isBroken; shift += 7) {
            const auto byte = number<unsigned char>();
            if (shift < 64)
                value |= static_cast<uint64_t>(byte & 0x7f) << shift;
            if ((byte & 0x80) == 0)
                break;
        }
        return value;
    }
    std::string_view text() {
        const auto *end =
            static_cast<const unsigned char *>(m_left > 0 ? std::memchr(m_next, 0, m_left) : nullptr);
        if (end == nullptr) {
            m_isBroken = true;
            return {};
        }
        const auto length = static_cast<uint64_t>(end - m_next);
        return {reinterpret_cast<const char *>(skip(length + 1)), length};
    }
    const unsigned char *skip(uint64_t bytes) {
        m_isBroken |= bytes > m_left;
        if (m_isBroken)
            return nullptr;
        m_left -= bytes;
        return std::exchange(m_next, m_next + bytes);
    }
    bool isBroken() const { return m_isBroken; }

private:
    const unsigned char *m_next;
    uint64_t m_left;
    bool m_isBroken = false;
};

size_t encodedBytes(unsigned char encoding) {
    switch (encoding & 0x07) {
    case 2:
        return 2;
    case 3:
        return 4;
    default:
        return 8;
    }
}

struct Common {
    unsigned char encoding = 0; ///< of addresses
    bool hasAugmentation = false;
};

std::optional<Common> commonOf(Record record) {
    Common common;
    const auto version = record.number<unsigned char>();
    const std::string_view augmentation = record.text();
    record.leb128(); // the size of code's units
    record.leb128(); // and of data's
    if (version == 1)
        record.number<unsigned char>();
    else
        record.leb128();
    if (augmentation.starts_with("z")) {
        common.hasAugmentation = true;
        record.leb128();
        for (const char letter : augmentation.substr(1)) {
            if (letter == 'R')
                common.encoding = record.number<unsigned char>();
            else if (letter == 'L')
                record.number<unsigned char>();
            else if (letter == 'P')
                record.skip(encodedBytes(record.number<unsigned char>()));
            else if (letter != 'S' && letter != 'B')
                return std::nullopt;
        }
    } else if (!augmentation.empty()) {
        return std::nullopt;
    }
    return record.isBroken() ? std::nullopt : std::optional(common);
}

/// Code that others jump into: its frame stands from its first instruction on. Rules before the first advance
/// (DW_CFA_advance_loc and those with operands) say so; padding does not.
bool isFragment(Record instructions) {
    const auto first = instructions.number<unsigned char>();
    const bool isAdvance = (first & 0xc0) == 0x40 || (first >= 0x02 && first <= 0x04);
    return !instructions.isBroken() && first != 0 && !isAdvance;
}

} // namespace

std::vector<CodeFrame> framesOf(const FrameTable &table) {
    std::vector<CodeFrame> found;
    const unsigned char *records = table.records.data();
    const uint64_t tableBytes = table.records.size();
    std::map<uint64_t, std::optional<Common>> commons; // by their place in the table
    for (uint64_t at = 0; at + 8 <= tableBytes;) {
        uint32_t length = 0;
        std::memcpy(&length, records + at, sizeof length);
        if (length == 0 || length == 0xffffffff || length > tableBytes - at - 4)
            break; // the end, or a table of more than four gigabytes
        Record record(records + at + 4, length);
        const auto distance = record.number<uint32_t>();
        if (distance == 0) {
            commons[at] = commonOf(record);
        } else if (const auto common = commons.find(at + 4 - distance);
                   common != commons.end() && common->second &&
                   (common->second->encoding == relativeFour || common->second->encoding == (relative | 4))) {
            const bool isShort = common->second->encoding == relativeFour;
            const uint64_t place = table.address + at + 8;
            const uint64_t begin =
                place + static_cast<uint64_t>(isShort ? record.number<int32_t>() : record.number<int64_t>());
            const uint64_t bytes = isShort ? record.number<uint32_t>() : record.number<uint64_t>();
            if (common->second->hasAugmentation)
                record.skip(record.leb128());
            if (!record.isBroken() && begin >= table.codeAddress &&
                begin - table.codeAddress < table.codeBytes)
                found.push_back({begin, bytes, isFragment(record)});
        }
        at += 4 + uint64_t{length};
    }
    std::sort(found.begin(), found.end(),
              [](const CodeFrame &one, const CodeFrame &other) { return one.address < other.address; });
    return found;
}

} // namespace warpwright
