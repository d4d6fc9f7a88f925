// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

/// Code that has a name in a library's tables.
struct ElfFunction {
    std::string_view name;   ///< as the linker knows it
    uint64_t address = 0;    ///< in the library, before it is loaded
    uint64_t bytes = 0;      ///< 0: nobody said
    std::string_view file;   ///< of a local one: the source or object that it was made of; else empty
    bool isFragment = false; ///< a part of one that stands apart, as GCC puts what happens rarely
};

struct ElfSection {
    uint64_t address = 0, offset = 0, bytes = 0;
};

/// A 64-bit library, read from its file and not loaded: where its functions lie, and what they are called.
class ElfImage {
public:
    /// Throws std::runtime_error: no such file, or none of this kind.
    explicit ElfImage(const std::string &path);
    ~ElfImage();
    ElfImage(const ElfImage &) = delete;
    ElfImage &operator=(const ElfImage &) = delete;

    /// All functions, local ones too, where the table of all names is there; else those that are exported,
    /// and what else can be unwound, without a name.
    const std::vector<ElfFunction> &functions() const { return hasNames() ? m_functions : m_stripped; }
    const std::vector<ElfFunction> &exported() const { return m_exported; }
    bool hasNames() const { return !m_functions.empty(); } ///< false: stripped

    std::optional<ElfSection> section(std::string_view name) const;
    /// Where in the file the byte at this address comes from; nothing: from no file.
    std::optional<uint64_t> fileOffset(uint64_t address) const;
    const unsigned char *bytesAt(uint64_t offset) const { return m_data + offset; }
    uint64_t fileBytes() const { return m_size; }
    bool isForThisProcessor() const;

private:
    struct Segment {
        uint64_t address, offset, bytes;
    };
    struct NamedSection {
        std::string_view name;
        uint32_t type, link;
        ElfSection place;
    };

    template <typename Record>
    const Record *at(uint64_t offset, uint64_t count = 1) const;
    std::string_view textAt(const ElfSection &texts, uint64_t offset) const;
    std::vector<ElfFunction> functionsOf(const NamedSection &table) const;
    void readSections();

    const unsigned char *m_data = nullptr;
    uint64_t m_size = 0;
    std::string m_path;
    std::vector<NamedSection> m_sections;
    std::vector<Segment> m_segments;
    std::vector<ElfFunction> m_functions, m_exported, m_stripped;
};

} // namespace warpwright
