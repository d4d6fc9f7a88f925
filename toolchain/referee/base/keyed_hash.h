// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpwright {

/// A hash under a secret key: who does not know it cannot change bytes so that it stays, whatever sums or
/// signs are kept. Two different texts of the same length have one hash with a chance of 2^-30 at most, and
/// who is found out has no second try.
///
/// Blocks of 32-bit words are multiplied with secret 64-bit numbers and added up modulo 2^64, the halves of
/// blocks' sums once more (multilinear hashing: Lemire and Kaser, "Strongly universal string hashing is
/// fast", 2014).
class KeyedHash {
public:
    explicit KeyedHash(uint64_t secret);

    /// On all cores that this process may use.
    uint64_t of(const void *data, size_t bytes) const;

    static constexpr size_t blockWords = 4096;
    const std::vector<uint64_t> &key() const { return m_key; } ///< factors of a block's words
    uint64_t lowFactor(uint64_t block) const;                  ///< of the lower half of a block's sum
    uint64_t highFactor(uint64_t block) const;
    /// What block `number` adds, of which there are so many bytes: at most 4 * blockWords.
    uint64_t ofBlock(const void *data, size_t bytes, uint64_t number) const;

private:
    uint64_t m_secret;
    std::vector<uint64_t> m_key;
};

} // namespace warpwright
