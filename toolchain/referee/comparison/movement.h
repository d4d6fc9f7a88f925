// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace warpwright {

/// RMS errors, relative to the RMS of the oracle.
struct AllowedError {
    double allowed = 0.0; ///< at most, by the least precise class that is granted; 0: not known
    double own = 0.0;     ///< the reference's
};

/// How far one output moved, relative to its RMS, in the comparison of two rounds that shows most.
///
/// Who returns the same in both is off by half of it in one of them, so more than twice what the comparison
/// allows is enough to tell them.
struct Movement {
    static constexpr double plain = 0.05; ///< of the RMS: beyond the error of any class but those of 16 bits
    static constexpr double widest = 0.5; ///< beyond theirs, too

    double by = -1.0; ///< negative: not compared
    AllowedError error;
    int round = 0;      ///< the later one; 0: none that the candidate took part in
    bool isSame = true; ///< in no comparison it moved by more than fp64's own rounding

    bool isCompared() const { return by >= 0.0; }
    bool isRounding() const; ///< fp64's own, of results that are the same
    double margin() const;   ///< times the allowed error
    bool isTold() const;     ///< who ignores the change is wrong
    bool isPlain() const;    ///< it moves by more than rounding explains, told or not
    bool isFaint() const;    ///< told or not: with other parameters it may be told more clearly

    /// Takes the other comparison in: what shows most stays.
    void add(const Movement &other);
};

} // namespace warpwright
