// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QNetworkProxy>
#include <QProcessEnvironment>
#include <QUrl>

namespace warpwright {

/// The proxy that HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY (large or small) name for this address;
/// never one to this machine. Not Qt's: that reads small names only, or asks a library that may fetch a
/// script and wait for it.
[[nodiscard]] QNetworkProxy environmentProxy(const QUrl &url, const QProcessEnvironment &environment);

} // namespace warpwright
