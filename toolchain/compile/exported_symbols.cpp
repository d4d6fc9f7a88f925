// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/compile/exported_symbols.h"

#include <cstring>
#include <elf.h>

namespace warpwright {

namespace {

std::uint32_t gnuHash(const QByteArray &name) {
    std::uint32_t hash = 5381;
    for (const char letter : name)
        hash = hash * 33 + static_cast<unsigned char>(letter);
    return hash;
}

struct TableHead {
    std::uint32_t buckets;
    std::uint32_t firstSymbol;
    std::uint32_t bloomWords;
    std::uint32_t bloomShift;
};

} // namespace

ExportedSymbols::ExportedSymbols(const QString &library) : m_file(std::make_unique<QFile>(library)) {
    if (!m_file->open(QIODevice::ReadOnly))
        return;
    const unsigned char *bytes = m_file->map(0, m_file->size());
    if (bytes == nullptr)
        return;
    m_bytes = {bytes, static_cast<std::size_t>(m_file->size())};
    readTables();
}

void ExportedSymbols::readTables() {
    const auto *header = reinterpret_cast<const Elf64_Ehdr *>(m_bytes.data());
    if (m_bytes.size() < sizeof(Elf64_Ehdr) || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_phentsize != sizeof(Elf64_Phdr) ||
        header->e_phoff > m_bytes.size() ||
        (m_bytes.size() - header->e_phoff) / sizeof(Elf64_Phdr) < header->e_phnum) {
        m_bytes = {};
        return;
    }
    const auto *parts = reinterpret_cast<const Elf64_Phdr *>(m_bytes.data() + header->e_phoff);
    for (const Elf64_Phdr &part : std::span(parts, header->e_phnum)) {
        if (part.p_type != PT_DYNAMIC)
            continue;
        for (const Elf64_Dyn &entry : at<Elf64_Dyn>(part.p_vaddr, part.p_filesz / sizeof(Elf64_Dyn))) {
            if (entry.d_tag == DT_GNU_HASH)
                m_hash = entry.d_un.d_ptr;
            else if (entry.d_tag == DT_SYMTAB)
                m_symbols = entry.d_un.d_ptr;
            else if (entry.d_tag == DT_STRTAB)
                m_strings = entry.d_un.d_ptr;
            else if (entry.d_tag == DT_STRSZ)
                m_stringBytes = entry.d_un.d_val;
        }
    }
}

template <typename T>
std::span<const T> ExportedSymbols::at(std::uint64_t address, std::uint64_t count) const {
    const auto *header = reinterpret_cast<const Elf64_Ehdr *>(m_bytes.data());
    const auto *parts = reinterpret_cast<const Elf64_Phdr *>(m_bytes.data() + header->e_phoff);
    for (const Elf64_Phdr &part : std::span(parts, header->e_phnum)) {
        if (part.p_type != PT_LOAD || address < part.p_vaddr || address - part.p_vaddr > part.p_filesz)
            continue;
        const std::uint64_t inside = address - part.p_vaddr;
        if (part.p_offset > m_bytes.size() || part.p_filesz > m_bytes.size() - part.p_offset ||
            count > (part.p_filesz - inside) / sizeof(T) || (part.p_offset + inside) % alignof(T) != 0)
            return {};
        return {reinterpret_cast<const T *>(m_bytes.data() + part.p_offset + inside),
                static_cast<std::size_t>(count)};
    }
    return {};
}

bool ExportedSymbols::isAt(std::uint32_t symbol, const QByteArray &name) const {
    const auto found = at<Elf64_Sym>(m_symbols + std::uint64_t{symbol} * sizeof(Elf64_Sym), 1);
    if (found.empty() || found[0].st_shndx == SHN_UNDEF || found[0].st_name >= m_stringBytes)
        return false;
    const auto size = static_cast<std::uint64_t>(name.size()) + 1; // with the zero at its end
    const auto text = at<char>(m_strings + found[0].st_name, size);
    return !text.empty() && std::memcmp(text.data(), name.constData(), size) == 0;
}

bool ExportedSymbols::has(const QByteArray &name) const {
    if (m_hash == 0 || m_symbols == 0 || m_strings == 0)
        return false;
    const auto head = at<TableHead>(m_hash, 1);
    if (head.empty() || head[0].buckets == 0)
        return false;
    const std::uint64_t buckets =
        m_hash + sizeof(TableHead) + std::uint64_t{head[0].bloomWords} * sizeof(std::uint64_t);
    const std::uint64_t chains = buckets + std::uint64_t{head[0].buckets} * sizeof(std::uint32_t);
    const std::uint32_t hash = gnuHash(name);
    const auto bucket = at<std::uint32_t>(buckets + (hash % head[0].buckets) * sizeof(std::uint32_t), 1);
    if (bucket.empty() || bucket[0] < head[0].firstSymbol)
        return false;
    for (std::uint32_t symbol = bucket[0];; ++symbol) {
        const auto link = at<std::uint32_t>(
            chains + std::uint64_t{symbol - head[0].firstSymbol} * sizeof(std::uint32_t), 1);
        if (link.empty())
            return false;
        if ((link[0] | 1U) == (hash | 1U) && isAt(symbol, name))
            return true;
        if ((link[0] & 1U) != 0) // the end of its chain
            return false;
    }
}

} // namespace warpwright
