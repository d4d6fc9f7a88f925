// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QByteArray>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace warpwright {

/// Headers to be had precompiled, and by what: everything that GCC wants to be the same where it uses them.
struct HeaderRequest {
    QString compiler;      ///< g++
    QStringList arguments; ///< of the compilation, without source and object
    QStringList headers;   ///< "torch/types.h"
    QString key;           ///< hash of all that, the compiler's build and torch's

    [[nodiscard]] bool isEmpty() const { return key.isEmpty(); }
    [[nodiscard]] QByteArray text() const; ///< the includes as a source
    [[nodiscard]] QByteArray toJson() const;
    [[nodiscard]] static Result<HeaderRequest> fromJson(const QByteArray &json);
    bool operator==(const HeaderRequest &) const = default;
};

/// `identity`: what else the result depends on.
[[nodiscard]] HeaderRequest makeHeaderRequest(const QString &compiler, const QStringList &arguments,
                                              const QStringList &headers, const QByteArray &identity);

/// Precompiled headers in <cache>/headers/<key>/: an empty headers.h, beside it headers.h.gch, which GCC
/// takes instead where it fits. Where it does not fit GCC reads the empty file, and the source includes
/// everything itself: slower, the same object.
///
/// One is used only while its file is the one that was made (inode, size, times: a torn or edited one is
/// not), and each of the thousand headers in it is as it was (size, time). Safe for several processes at
/// once.
class HeaderStore {
public:
    explicit HeaderStore(QString cacheFolder);

    [[nodiscard]] QString folder() const { return m_folder; }
    /// What to -include; empty: not here, or not to be trusted any more.
    [[nodiscard]] QString find(const QString &key) const;
    /// `made`: a folder here with headers.h, headers.h.gch and headers.d (GCC's list of what it has read).
    [[nodiscard]] Result<void> publish(const QString &made, const QString &key) const;
    void discard(const QString &key) const;
    /// Removes those that were not used for longest until the rest fits, and what was left half made.
    void prune(qint64 limitBytes) const;

    /// Whether another text than the first (of which `text` is the hash) asks for it: what one text alone
    /// asks for, time after time, is not edited. The first is remembered for a day, or as long as it asks.
    [[nodiscard]] bool isAskedForByOthers(const QString &key, const QString &text) const;

    /// That it cannot be made here, so that not each compilation tries again. Holds for a day.
    void refuse(const QString &key, const QByteArray &why) const;
    [[nodiscard]] bool isRefused(const QString &key) const;

private:
    [[nodiscard]] QString place(const QString &key) const { return m_folder + QLatin1Char('/') + key; }

    QString m_folder;
};

/// The program that makes them apart from us: `wright` beside the running program. Empty: not there, or
/// WARPWRIGHT_HEADERS=0.
[[nodiscard]] QString findPreparer();

/// Starts `wright prepare`, to live on without us and to work only while nobody else wants the processor. The
/// second: once for each request, and not for one that was refused.
void startPreparing(const QString &preparer, const QStringList &arguments = {});
void startPreparing(const QString &preparer, const HeaderStore &store, const HeaderRequest &request);

} // namespace warpwright
