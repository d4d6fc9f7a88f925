// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QProcessEnvironment>
#include <QSslCertificate>

namespace warpwright {

/// Whose certificates are believed where SSL_CERT_FILE or SSL_CERT_DIR says so, as OpenSSL's programs heed
/// them: a house's own authority, without root's rights. Those of the system are among them. Empty: neither
/// is set, and the system's are believed as ever.
///
/// Reads hundreds of certificates, for up to half a second: not in a window's thread.
[[nodiscard]] QList<QSslCertificate> environmentAuthorities(const QProcessEnvironment &environment);

} // namespace warpwright
