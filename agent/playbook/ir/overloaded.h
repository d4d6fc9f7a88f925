// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace warpwright {

/// An overload set for std::visit: it does not compile if an alternative is missing.
template <typename... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

} // namespace warpwright
