// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

namespace warpwright {

/// Files in order of use, and the walk through them: while Ctrl is held each Tab goes one further, and only
/// where it is let go the file counts as used.
class FileWalk : public QObject {
    Q_OBJECT
public:
    explicit FileWalk(QObject *parent);

    /// What there is; those that are gone are forgotten, new ones count as used longest ago.
    void setFiles(const QStringList &files);
    /// It is the open one now.
    void use(const QString &file);
    [[nodiscard]] const QStringList &order() const { return m_order; }
    /// The file `by` further than the one that the walk is at; empty: there is no other.
    [[nodiscard]] QString step(int by);
    /// Where the walk is now the file is used.
    void end();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QStringList m_order; ///< the last used first
    qsizetype m_at = 0;
    bool m_isWalking = false;
};

} // namespace warpwright
