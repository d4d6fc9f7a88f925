// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>
#include <utility>

namespace warpwright {

/// A value, or the sentence that says why there is none: for bad input, never for our own mistakes.
/// There is no conversion to bool, so a Result<bool> cannot be misread.
template <typename T>
class [[nodiscard]] Result {
public:
    static Result ok(T value) { return Result(std::optional<T>(std::move(value)), {}); }
    /// `message`: what could not be done, to which thing, why, what to do.
    static Result error(QString message) { return Result(std::nullopt, std::move(message)); }

    [[nodiscard]] bool hasValue() const { return m_value.has_value(); }
    [[nodiscard]] const T &value() const & {
        Q_ASSERT(m_value.has_value());
        return *m_value;
    }
    [[nodiscard]] T value() && {
        Q_ASSERT(m_value.has_value());
        return std::move(*m_value);
    }
    [[nodiscard]] const QString &message() const { return m_message; }

private:
    Result(std::optional<T> value, QString message)
        : m_value(std::move(value)), m_message(std::move(message)) {}

    std::optional<T> m_value;
    QString m_message;
};

/// For acts that give nothing back but may go wrong.
template <>
class [[nodiscard]] Result<void> {
public:
    static Result ok() { return Result(true, {}); }
    static Result error(QString message) { return Result(false, std::move(message)); }

    [[nodiscard]] bool hasValue() const { return m_done; }
    [[nodiscard]] const QString &message() const { return m_message; }

private:
    Result(bool done, QString message) : m_done(done), m_message(std::move(message)) {}

    bool m_done;
    QString m_message;
};

} // namespace warpwright
