// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFile>
#include <QString>

#include <cstdint>
#include <memory>
#include <span>

namespace warpwright {

/// Which names a 64-bit ELF library exports, looked up as the dynamic linker does: by its GNU hash table.
/// Reads a few pages of the file, however large it is (torch's have 400 MB and 200,000 names).
class ExportedSymbols {
public:
    /// A file that is missing, no library of this machine's kind, or without that table exports nothing.
    explicit ExportedSymbols(const QString &library);

    /// `name`: as linkers write it, not demangled.
    [[nodiscard]] bool has(const QByteArray &name) const;

private:
    /// `count` values of type T at a virtual address; empty: they do not lie in the file.
    template <typename T>
    [[nodiscard]] std::span<const T> at(std::uint64_t address, std::uint64_t count) const;
    [[nodiscard]] bool isAt(std::uint32_t symbol, const QByteArray &name) const;
    void readTables();

    std::unique_ptr<QFile> m_file; // keeps the mapping
    std::span<const unsigned char> m_bytes;
    std::uint64_t m_hash = 0; // virtual addresses; 0: it has none
    std::uint64_t m_symbols = 0;
    std::uint64_t m_strings = 0;
    std::uint64_t m_stringBytes = 0;
};

} // namespace warpwright
