// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/process/turn_giver.h"

#include <algorithm>
#include <cmath>

namespace warpwright {

namespace {

// Of a judge that sleeps: a look costs it a few microseconds of a processor that the calls may want.
constexpr double leastLookSeconds = 0.001;
constexpr double mostLookSeconds = 0.005;
constexpr double looksInACall = 4.0;

constexpr double lateSeconds = 0.00003;
constexpr double mostAhead = 7.0;

double lookSeconds(double callSeconds) {
    return std::clamp(callSeconds / looksInACall, leastLookSeconds, mostLookSeconds);
}

} // namespace

TurnGiver::TurnGiver(ControlPage &page, const BatchCalls &calls, bool spins, uint32_t window)
    : m_page(page),
      m_calls(calls),
      m_spins(spins),
      m_window(std::clamp<uint32_t>(window, 1, ControlPage::mostTurns / 2)),
      m_random(std::random_device{}()) {}

// The call at work and, of a judge that spins, what hides its own lateness (a virtual machine's processors
// are late by some microseconds); of one that sleeps, twice what its longest rest lets through.
uint32_t TurnGiver::windowFor(double callSeconds, bool spins) {
    const double ahead = spins ? lateSeconds : 3.0 * lookSeconds(callSeconds);
    const double most = spins ? mostAhead : ControlPage::mostTurns / 2.0;
    return 1 +
           static_cast<uint32_t>(callSeconds > 0.0 ? std::min(std::ceil(ahead / callSeconds), most) : most);
}

void TurnGiver::begin() {
    m_named = 0;
    m_isEnding = false;
    m_page.made.store(0, std::memory_order_relaxed);
    m_page.released.store(0, std::memory_order_relaxed);
    if (m_calls.isGivenAtOnce)
        release(m_calls.count);
    else
        look();
}

uint32_t TurnGiver::made() const {
    return std::min(m_page.made.load(std::memory_order_acquire), m_named);
}

void TurnGiver::release(uint32_t upTo) {
    for (; m_named < upTo && !m_calls.isGivenAtOnce; ++m_named)
        m_page.turns[m_named % ControlPage::mostTurns] =
            static_cast<uint16_t>(m_calls.sets[m_named % m_calls.sets.size()]);
    m_named = upTo;
    m_isEnding = m_named >= m_calls.count;
    m_page.released.store(m_named | (m_isEnding ? ControlPage::lastTurn : 0u), std::memory_order_release);
    if (!m_spins)
        futexWake(m_page.released);
}

void TurnGiver::look() {
    if (m_isEnding)
        return;
    const uint32_t done = made();
    m_hasStarved = m_hasStarved || (m_named > 0 && !m_spins && done == m_named);
    const uint32_t upTo = std::min(done + m_window, m_calls.count);
    if (upTo > m_named || m_calls.count == 0)
        release(upTo);
}

void TurnGiver::end() {
    m_isEnding = true;
    m_page.released.store(m_named | ControlPage::lastTurn, std::memory_order_release);
    if (!m_spins)
        futexWake(m_page.released);
}

uint64_t TurnGiver::rest() {
    std::uniform_real_distribution<double> around(0.5, 1.5);
    return static_cast<uint64_t>(lookSeconds(m_calls.callSeconds) * around(m_random) * 1e9);
}

} // namespace warpwright
