// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/passes/fatbin_text.h"

#include <cstdint>
#include <string_view>

namespace warpwright {

namespace {

// CUDA 13.0.88, `fatbinary --embedded-fatbin`.
constexpr std::string_view beforeData = "#ifndef __SKIP_INTERNAL_FATBINARY_HEADERS\n"
                                        "#include \"fatbinary_section.h\"\n"
                                        R"(#endif
#define __CUDAFATBINSECTION  ".nvFatBinSegment"
#define __CUDAFATBINDATASECTION  ".nv_fatbin"
asm(
".section .nv_fatbin, \"a\"\n"
".align 8\n"
"fatbinData:\n"
)";
constexpr std::string_view afterData = R"(".text\n");
#ifdef __cplusplus
extern "C" {
#endif
extern const unsigned long long fatbinData[)";
constexpr std::string_view afterLength = R"(];
#ifdef __cplusplus
}
#endif
#ifdef __cplusplus
extern "C" {
#endif
static const __fatBinC_Wrapper_t __fatDeviceText __attribute__ ((aligned (8))) __attribute__ ((section (__CUDAFATBINSECTION)))= 
	{ 0x466243b1, 1, fatbinData, 0 };
#ifdef __cplusplus
}
#endif
)";

bool take(std::string_view &text, std::string_view start) {
    if (text.substr(0, start.size()) != start)
        return false;
    text.remove_prefix(start.size());
    return true;
}

/// A number of 64 bits, in hexadecimal digits.
bool takeNumber(std::string_view &text, uint64_t &number) {
    number = 0;
    int digits = 0;
    for (; !text.empty() && digits <= 16; text.remove_prefix(1), ++digits) {
        const char c = text.front();
        if (c >= '0' && c <= '9')
            number = number * 16 + static_cast<uint64_t>(c - '0');
        else if (c >= 'a' && c <= 'f')
            number = number * 16 + static_cast<uint64_t>(c - 'a' + 10);
        else
            break;
    }
    return digits > 0 && digits <= 16;
}

bool isNext(std::string_view fatbin, std::size_t at, uint64_t number) {
    if (fatbin.size() < at + 8)
        return false;
    for (std::size_t i = 0; i < 8; ++i)
        if (static_cast<unsigned char>(fatbin[at + i]) != ((number >> (8 * i)) & 0xff))
            return false;
    return true;
}

} // namespace

std::string fatbinStandIn(const std::string &fatbinPath) {
    std::string text(beforeData);
    text += "\".incbin \\\"" + fatbinPath + "\\\"\\n\"\n";
    text += afterData;
    text += afterLength; // the length of an array that is used as a pointer alone
    return text;
}

bool standsFor(const std::string &embedded, const std::string &fatbin) {
    std::string_view rest = embedded;
    if (!take(rest, beforeData))
        return false;
    std::size_t at = 0;
    while (take(rest, "\".quad ")) {
        do {
            uint64_t number = 0;
            if (!take(rest, "0x") || !takeNumber(rest, number) || !isNext(fatbin, at, number))
                return false;
            at += 8;
        } while (take(rest, ","));
        if (!take(rest, "\\n\"\n"))
            return false;
    }
    if (at != fatbin.size() || !take(rest, afterData) || !take(rest, std::to_string(at / 8)))
        return false;
    return rest == afterLength;
}

} // namespace warpwright
