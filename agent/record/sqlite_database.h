// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QString>

#include <memory>

struct sqlite3;
struct sqlite3_stmt;

namespace warpwright {

/// One connection to an SQLite file, closed when it is destroyed. For one thread at a time. Several processes
/// may have the file open: readers never wait for the writer, a writer waits for another up to five seconds.
class SqliteDatabase {
public:
    SqliteDatabase();
    ~SqliteDatabase();
    SqliteDatabase(SqliteDatabase &&) noexcept;
    SqliteDatabase &operator=(SqliteDatabase &&) noexcept;

    /// `file`: made where it is missing; ":memory:" for one that is nowhere.
    [[nodiscard]] static Result<SqliteDatabase> open(const QString &file);

    /// Statements without answers, separated by semicolons.
    [[nodiscard]] Result<void> run(const char *sql);

    /// One statement: bind its values in order, then step() for each row. What goes wrong on the way is told
    /// by problem() at the end.
    class Statement {
    public:
        Statement(SqliteDatabase &database, const char *sql);
        ~Statement();
        Statement(const Statement &) = delete;
        Statement &operator=(const Statement &) = delete;

        Statement &bind(qint64 value);
        Statement &bind(const QString &text);
        /// True: there is a row.
        bool step();
        /// For the same statement with other values.
        void reset();
        [[nodiscard]] qint64 integer(int column) const;
        [[nodiscard]] QString text(int column) const;

    private:
        SqliteDatabase &m_database;
        sqlite3_stmt *m_statement = nullptr;
        int m_bound = 0;
    };

    /// SQLite's words about the first thing that went wrong since takeProblem(); empty: nothing did.
    [[nodiscard]] const QString &problem() const { return m_problem; }
    QString takeProblem();
    /// The file is no database, or a damaged one. Stays true.
    [[nodiscard]] bool isBroken() const { return m_isBroken; }
    /// The last failure was that another connection had it: the same may go well a moment later.
    [[nodiscard]] bool isBusy() const { return m_isBusy; }

private:
    void note(int code);

    struct Close {
        void operator()(sqlite3 *connection) const;
    };
    std::unique_ptr<sqlite3, Close> m_connection;
    QString m_problem;
    bool m_isBroken = false;
    bool m_isBusy = false;
};

} // namespace warpwright
