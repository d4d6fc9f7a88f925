// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/run_so_far.h"
#include "agent/session/session.h"

namespace warpwright {

/// A run goes on whose program died while a proposal was under review: once that is under review again, the
/// bets on it are placed again, and a result that was shown stays shown. Nothing where another proposal
/// comes. Before the session begins.
void placeBetsAgain(Session &session, const RunSoFar &so);

} // namespace warpwright
