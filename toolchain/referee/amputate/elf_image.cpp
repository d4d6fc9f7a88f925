// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/amputate/elf_image.h"

#include "referee/amputate/frame_table.h"

#include <cerrno>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace warpwright {

ElfImage::ElfImage(const std::string &path) : m_path(path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat facts {};
    if (file < 0 || fstat(file, &facts) != 0) {
        const std::string why = std::strerror(errno);
        if (file >= 0)
            close(file);
        throw std::runtime_error("Cannot read \"" + path + "\": " + why);
    }
    m_size = static_cast<uint64_t>(facts.st_size);
    void *data = m_size == 0 ? MAP_FAILED : mmap(nullptr, m_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (data == MAP_FAILED)
        throw std::runtime_error("Cannot read \"" + path + "\": it is empty, or memory is short");
    m_data = static_cast<const unsigned char *>(data);
    try {
        readSections();
    } catch (...) {
        munmap(const_cast<unsigned char *>(m_data), m_size);
        throw;
    }
}

ElfImage::~ElfImage() {
    munmap(const_cast<unsigned char *>(m_data), m_size);
}

// Files lie: no offset is followed that leads out of the file.
template <typename Record>
const Record *ElfImage::at(uint64_t offset, uint64_t count) const {
    if (offset > m_size || count > (m_size - offset) / sizeof(Record) || offset % alignof(Record) != 0)
        throw std::runtime_error("\"" + m_path + "\" is no whole library: a table leads out of it");
    return reinterpret_cast<const Record *>(m_data + offset);
}

std::string_view ElfImage::textAt(const ElfSection &texts, uint64_t offset) const {
    if (offset >= texts.bytes)
        return {};
    const char *text = reinterpret_cast<const char *>(at<char>(texts.offset, texts.bytes)) + offset;
    return {text, strnlen(text, texts.bytes - offset)};
}

void ElfImage::readSections() {
    const auto *header = at<Elf64_Ehdr>(0);
    if (std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_ident[EI_DATA] != ELFDATA2LSB)
        throw std::runtime_error("\"" + m_path + "\" is no 64-bit library of this system's kind");
    const auto *segments = at<Elf64_Phdr>(header->e_phoff, header->e_phnum);
    for (int i = 0; i < header->e_phnum; ++i) {
        if (segments[i].p_type == PT_LOAD)
            m_segments.push_back({segments[i].p_vaddr, segments[i].p_offset, segments[i].p_filesz});
    }
    if (header->e_shnum == 0)
        return;
    const auto *sections = at<Elf64_Shdr>(header->e_shoff, header->e_shnum);
    const auto placeOf = [](const Elf64_Shdr &section) {
        return ElfSection{section.sh_addr, section.sh_offset, section.sh_size};
    };
    const ElfSection names =
        header->e_shstrndx < header->e_shnum ? placeOf(sections[header->e_shstrndx]) : ElfSection();
    for (int i = 0; i < header->e_shnum; ++i)
        m_sections.push_back({textAt(names, sections[i].sh_name), sections[i].sh_type, sections[i].sh_link,
                              placeOf(sections[i])});
    for (const NamedSection &section : m_sections) {
        if (section.type == SHT_SYMTAB)
            m_functions = functionsOf(section);
        else if (section.type == SHT_DYNSYM)
            m_exported = functionsOf(section);
    }
    if (hasNames())
        return;
    m_stripped = m_exported;
    const auto table = section(".eh_frame");
    const auto code = section(".text");
    if (!table || !code || table->offset > m_size || table->bytes > m_size - table->offset)
        return;
    for (const CodeFrame &frame :
         framesOf({{bytesAt(table->offset), table->bytes}, table->address, code->address, code->bytes}))
        m_stripped.push_back({{}, frame.address, frame.bytes, {}, frame.isFragment});
}

std::vector<ElfFunction> ElfImage::functionsOf(const NamedSection &table) const {
    std::vector<ElfFunction> found;
    if (table.link >= m_sections.size())
        return found;
    const ElfSection &texts = m_sections[table.link].place;
    const uint64_t count = table.place.bytes / sizeof(Elf64_Sym);
    const auto *symbols = at<Elf64_Sym>(table.place.offset, count);
    std::string_view file;
    for (uint64_t i = 0; i < count; ++i) {
        const Elf64_Sym &symbol = symbols[i];
        const int type = ELF64_ST_TYPE(symbol.st_info);
        if (type == STT_FILE)
            file = textAt(texts, symbol.st_name);
        else if (type == STT_FUNC && symbol.st_shndx != SHN_UNDEF)
            found.push_back({textAt(texts, symbol.st_name), symbol.st_value, symbol.st_size,
                             ELF64_ST_BIND(symbol.st_info) == STB_LOCAL ? file : std::string_view(), false});
    }
    return found;
}

std::optional<ElfSection> ElfImage::section(std::string_view name) const {
    for (const NamedSection &section : m_sections) {
        if (section.name == name)
            return section.place;
    }
    return std::nullopt;
}

std::optional<uint64_t> ElfImage::fileOffset(uint64_t address) const {
    for (const Segment &segment : m_segments) {
        if (address >= segment.address && address - segment.address < segment.bytes &&
            address - segment.address + segment.offset < m_size)
            return address - segment.address + segment.offset;
    }
    return std::nullopt;
}

bool ElfImage::isForThisProcessor() const {
#if defined(__x86_64__)
    return at<Elf64_Ehdr>(0)->e_machine == EM_X86_64;
#elif defined(__aarch64__)
    return at<Elf64_Ehdr>(0)->e_machine == EM_AARCH64;
#else
    return false;
#endif
}

} // namespace warpwright
