// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/compare/compared_pair.h"
#include "app/ide/workbench/inspector.h"
#include "app/ide/workbench/iteration_tree.h"

#include <QHash>
#include <QObject>

#include <deque>
#include <memory>
#include <optional>

namespace warpwright {

class Workbench;

/// Reads two sides of a comparison in the pool, shows what is known at once, and then asks the compiler for
/// the SASS of both texts, unless something is being measured. Listings are kept by the text they are of.
class CompareController : public QObject {
    Q_OBJECT
public:
    explicit CompareController(Workbench &bench, QObject *parent = nullptr);

    void setToolchain(const Toolchain &toolchain);
    /// Of the open workspace. Ends in compared(), and again where SASS comes after it, or in failed().
    void compare(const ComparisonChoice &left, const ComparisonChoice &right);
    /// The same while a past run is shown, whose iterations `tree` has: where the workspace has other texts
    /// under their numbers, or none, they are compared by what the run recorded.
    void compareInRun(const QString &run, const SharedTree &tree, const ComparisonChoice &left,
                      const ComparisonChoice &right);
    /// Nobody looks at it any more.
    void cancel();
    [[nodiscard]] bool isReadingSass() const { return m_inspector->isRunning(); }

signals:
    void compared(const warpwright::SharedPair &pair);
    void failed(const QString &message);

private:
    using Listing = std::shared_ptr<const Inspection>;

    void read(const ComparisonChoice &left, const ComparisonChoice &right, const QString &run);
    void listNext();
    void listed(const Listing &listing, const QString &trouble);
    void remake();
    [[nodiscard]] const ComparedState *unlisted() const;

    static constexpr std::size_t mostListings = 8;

    Workbench &m_bench;
    Inspector *m_inspector;
    std::optional<Toolchain> m_toolchain;
    SharedPair m_pair;
    QHash<QString, Listing> m_listings; ///< by the text's hash
    std::deque<QString> m_order;        ///< of their hashes, the oldest first
    QHash<QString, QString> m_troubles; ///< of this comparison, by the text's hash: why there is none
    QString m_listing;                  ///< hash of the text that is being read
    JobNumber m_jobs;
    bool m_isOfRun = false; ///< the compiler is asked for nothing
};

} // namespace warpwright
