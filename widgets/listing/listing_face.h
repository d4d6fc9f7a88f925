// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/listing/line_search.h"

#include <QModelIndex>
#include <QObject>

#include <functional>

class QAbstractItemView;
class QPlainTextEdit;
class QWidget;

namespace warpwright {

class Look;

/// What the find bar needs of a listing, whatever shows it: its lines, and how one comes to a hit.
class ListingFace : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    [[nodiscard]] virtual QWidget *widget() const = 0;
    /// Called in the window's thread; what it gives is called in the pool, and works with values alone.
    [[nodiscard]] virtual std::function<QString()> read() = 0;
    /// Of what was read last: there are no more lines than were read.
    [[nodiscard]] virtual bool isWhole() const { return true; }
    /// A line is chosen as a whole.
    [[nodiscard]] virtual bool isByLine() const { return true; }
    /// Where the search begins, from 0.
    [[nodiscard]] virtual int currentLine() const = 0;
    virtual void mark(const std::vector<LineHit> &hits) = 0;
    virtual void show(const LineHit &hit) = 0;

signals:
    /// Its lines are others now.
    void changed();
};

/// A log.
class LogFace : public ListingFace {
    Q_OBJECT
public:
    LogFace(const Look &look, QPlainTextEdit *log, QObject *parent);

    [[nodiscard]] QWidget *widget() const override;
    [[nodiscard]] std::function<QString()> read() override;
    [[nodiscard]] bool isByLine() const override { return false; }
    [[nodiscard]] int currentLine() const override;
    void mark(const std::vector<LineHit> &hits) override;
    void show(const LineHit &hit) override;

private:
    const Look &m_look;
    QPlainTextEdit *m_log;
};

/// A table, a list or a tree, row by row; of a tree also what is folded.
class ItemFace : public ListingFace {
    Q_OBJECT
public:
    ItemFace(QAbstractItemView *view, QObject *parent);

    [[nodiscard]] QWidget *widget() const override;
    [[nodiscard]] std::function<QString()> read() override;
    [[nodiscard]] bool isWhole() const override { return m_isWhole; }
    [[nodiscard]] int currentLine() const override;
    void mark(const std::vector<LineHit> &) override {}
    void show(const LineHit &hit) override;

private:
    void collect(const QModelIndex &parent, QString &text);

    QAbstractItemView *m_view;
    bool m_isWhole = true;
    std::vector<QModelIndex> m_rows; ///< by line, of what was read last; empty once the model has changed
};

} // namespace warpwright
