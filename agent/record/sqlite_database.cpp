// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/sqlite_database.h"

#include <sqlite3.h>

namespace warpwright {
namespace {

constexpr int waitForWriterMs =
    30000; // turns are not given in order, and one takes a second on a busy machine

bool isFine(int code) {
    return code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE;
}

} // namespace

void SqliteDatabase::Close::operator()(sqlite3 *connection) const {
    sqlite3_close_v2(connection);
}

SqliteDatabase::SqliteDatabase() = default;
SqliteDatabase::~SqliteDatabase() = default;
SqliteDatabase::SqliteDatabase(SqliteDatabase &&) noexcept = default;
SqliteDatabase &SqliteDatabase::operator=(SqliteDatabase &&) noexcept = default;

void SqliteDatabase::note(int code) {
    if (isFine(code))
        return;
    m_isBusy = (code & 0xff) == SQLITE_BUSY;
    if ((code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_NOTADB)
        m_isBroken = true;
    if (m_problem.isEmpty())
        m_problem =
            QString::fromUtf8(m_connection ? sqlite3_errmsg(m_connection.get()) : sqlite3_errstr(code));
}

QString SqliteDatabase::takeProblem() {
    return std::exchange(m_problem, {});
}

Result<SqliteDatabase> SqliteDatabase::open(const QString &file) {
    using Answer = Result<SqliteDatabase>;
    SqliteDatabase database;
    sqlite3 *connection = nullptr;
    const int code =
        sqlite3_open_v2(file.toUtf8().constData(), &connection,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
    database.m_connection.reset(connection);
    if (code == SQLITE_OK)
        sqlite3_busy_timeout(connection, waitForWriterMs);
    database.note(code);
    if (!database.m_problem.isEmpty())
        return Answer::error(QStringLiteral("Cannot open \"%1\": %2.").arg(file, database.m_problem));
    return Answer::ok(std::move(database));
}

Result<void> SqliteDatabase::run(const char *sql) {
    const int code = sqlite3_exec(m_connection.get(), sql, nullptr, nullptr, nullptr);
    note(code);
    return isFine(code) ? Result<void>::ok() : Result<void>::error(takeProblem());
}

SqliteDatabase::Statement::Statement(SqliteDatabase &database, const char *sql) : m_database(database) {
    m_database.note(sqlite3_prepare_v2(m_database.m_connection.get(), sql, -1, &m_statement, nullptr));
}

SqliteDatabase::Statement::~Statement() {
    sqlite3_finalize(m_statement);
}

SqliteDatabase::Statement &SqliteDatabase::Statement::bind(qint64 value) {
    if (m_statement != nullptr)
        m_database.note(sqlite3_bind_int64(m_statement, ++m_bound, value));
    return *this;
}

SqliteDatabase::Statement &SqliteDatabase::Statement::bind(const QString &text) {
    const QByteArray bytes = text.toUtf8();
    // sqlite3_destructor_type(-1) is SQLITE_TRANSIENT, whose macro is an old-style cast.
    if (m_statement != nullptr)
        m_database.note(sqlite3_bind_text64(m_statement, ++m_bound, bytes.constData(),
                                            static_cast<sqlite3_uint64>(bytes.size()),
                                            reinterpret_cast<sqlite3_destructor_type>(-1), SQLITE_UTF8));
    return *this;
}

bool SqliteDatabase::Statement::step() {
    if (m_statement == nullptr)
        return false;
    const int code = sqlite3_step(m_statement);
    m_database.note(code);
    return code == SQLITE_ROW;
}

void SqliteDatabase::Statement::reset() {
    if (m_statement != nullptr)
        sqlite3_reset(m_statement);
    m_bound = 0;
}

qint64 SqliteDatabase::Statement::integer(int column) const {
    return sqlite3_column_int64(m_statement, column);
}

QString SqliteDatabase::Statement::text(int column) const {
    const auto *bytes = reinterpret_cast<const char *>(sqlite3_column_text(m_statement, column));
    return QString::fromUtf8(bytes, sqlite3_column_bytes(m_statement, column));
}

} // namespace warpwright
