// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/base/keyed_hash.h"

#include "referee/base/cpu_chunks.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <random>

namespace warpwright {

namespace {

constexpr size_t blockBytes = KeyedHash::blockWords * sizeof(uint32_t);
constexpr int64_t blocksInPiece = 64; // what one core takes at a time

// SplitMix64 (Steele, Lea and Flood, 2014): any of its numbers without those before it.
uint64_t mixed(uint64_t secret, uint64_t index) {
    uint64_t value = secret + (index + 1) * 0x9e37'79b9'7f4a'7c15u;
    value = (value ^ (value >> 30)) * 0xbf58'476d'1ce4'e5b9u;
    value = (value ^ (value >> 27)) * 0x94d0'49bb'1331'11ebu;
    return value ^ (value >> 31);
}

} // namespace

KeyedHash::KeyedHash(uint64_t secret) : m_secret(secret), m_key(blockWords) {
    std::mt19937_64 random(secret);
    for (uint64_t &factor : m_key)
        factor = random();
}

uint64_t KeyedHash::lowFactor(uint64_t block) const {
    return mixed(m_secret, 2 * block);
}

uint64_t KeyedHash::highFactor(uint64_t block) const {
    return mixed(m_secret, 2 * block + 1);
}

uint64_t KeyedHash::ofBlock(const void *data, size_t bytes, uint64_t number) const {
    std::array<uint32_t, blockWords> part;
    const auto *words = static_cast<const uint32_t *>(data);
    size_t count = blockWords;
    if (bytes < blockBytes) {
        count = (bytes + sizeof *words - 1) / sizeof *words;
        part[count == 0 ? 0 : count - 1] = 0; // bytes that are missing in the last word
        std::memcpy(part.data(), data, bytes);
        words = part.data();
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < count; ++i)
        sum += m_key[i] * words[i];
    return lowFactor(number) * (sum & 0xffff'ffffu) + highFactor(number) * (sum >> 32);
}

uint64_t KeyedHash::of(const void *data, size_t bytes) const {
    const auto *begin = static_cast<const std::byte *>(data);
    const auto blocks = static_cast<int64_t>((bytes + blockBytes - 1) / blockBytes);
    std::vector<uint64_t> pieces(chunkCount(blocks, blocksInPiece));
    forChunks(blocks, blocksInPiece, [&](int64_t first, int64_t end, size_t piece) {
        for (auto block = static_cast<size_t>(first); block < static_cast<size_t>(end); ++block)
            pieces[piece] +=
                ofBlock(begin + block * blockBytes, std::min(blockBytes, bytes - block * blockBytes), block);
    });
    return std::accumulate(pieces.begin(), pieces.end(), uint64_t{0});
}

} // namespace warpwright
