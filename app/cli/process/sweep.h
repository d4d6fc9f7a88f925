// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace warpwright {

/// Nothing of ours may outlive us; what cannot be killed is named on standard error. Turns the event loop.
void sweep(bool atOnce);

} // namespace warpwright
