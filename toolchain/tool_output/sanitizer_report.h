// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <vector>

/// Reads what compute-sanitizer prints (2022 to 2025.3; its --xml has the same facts, and says less of
/// races).
namespace warpwright {

/// A place in device code, as the tool prints it: "_Z5scalePfi+0x90 in /w/kernels/scale.cu:7".
struct SanitizerPlace {
    QString function; ///< mangled where it was asked to leave names so
    QString file;     ///< empty without -lineinfo
    int line = 0;

    bool operator==(const SanitizerPlace &) const = default;
};

/// One record of the tool.
struct SanitizerRecord {
    QString what; ///< its first line, and what it says of the address
    std::vector<SanitizerPlace>
        places;            ///< where it happened, then its callers on the device; a race: all accesses
    QString thread, block; ///< "(0,0,0)"; empty: not said
    bool isWarning = false;

    bool operator==(const SanitizerRecord &) const = default;
};

struct SanitizerReport {
    std::vector<SanitizerRecord> records; ///< those that were printed
    qint64 unprinted = 0;                 ///< errors that --print-limit kept back
    bool hasSummary = false;              ///< the tool came to its end
    QString problem; ///< why it could not work, in its own words: "Device not supported. …"; empty: it could

    bool operator==(const SanitizerReport &) const = default;
};

/// Never fails: lines that are not the tool's are passed over.
[[nodiscard]] SanitizerReport parseSanitizerReport(const QByteArray &text);

} // namespace warpwright
