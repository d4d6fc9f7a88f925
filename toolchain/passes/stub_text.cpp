// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/passes/stub_text.h"

#include <cctype>
#include <map>
#include <string>

namespace warpwright {

namespace {

bool isOfName(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The text without places of lines and without the spaces and ends of lines that say nothing, its variables
/// numbered as they come.
class PlainStub {
public:
    explicit PlainStub(std::string_view text) {
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            const std::string_view line = text.substr(0, end);
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
            if (line.substr(0, 2) == "# ")
                continue;
            const bool isDirective = line.substr(0, 1) == "#";
            m_plain += isDirective ? "\n" : "";
            addLine(line);
            m_plain += isDirective ? "\n" : "";
            m_isApart = !isDirective;
        }
    }

    std::string take() { return std::move(m_plain); }

private:
    void addLine(std::string_view line) {
        bool isQuoted = false;
        while (!line.empty()) {
            std::size_t length = 0;
            while (!isQuoted && length < line.size() && isOfName(line[length]))
                ++length;
            const char c = line.front();
            if (length > 0) {
                addName(line.substr(0, length));
            } else if (!isQuoted && (c == ' ' || c == '\t')) {
                m_isApart = true;
                length = 1;
            } else {
                isQuoted = isQuoted != (c == '"');
                add(line.substr(0, length = 1));
            }
            line.remove_prefix(length);
        }
    }

    void addName(std::string_view name) {
        const bool isVariable = name.size() > 3 && name.substr(0, 3) == "__T" &&
                                name.find_first_not_of("0123456789", 3) == std::string_view::npos;
        if (!isVariable) {
            add(name);
            return;
        }
        const auto number = m_numbers.try_emplace(std::string(name), m_numbers.size()).first->second;
        add("__T#" + std::to_string(number));
    }

    void add(std::string_view token) {
        const auto separates = [](char c) {
            return std::string_view("{}();,\n").find(c) != std::string_view::npos;
        };
        if (m_isApart && !m_plain.empty() && !separates(m_plain.back()) && !separates(token.front()))
            m_plain += ' ';
        m_isApart = false;
        m_plain += token;
    }

    std::string m_plain;
    bool m_isApart = false; ///< something that says nothing came before
    std::map<std::string, std::size_t> m_numbers;
};

} // namespace

bool isSameStub(std::string_view one, std::string_view other) {
    return one == other || PlainStub(one).take() == PlainStub(other).take();
}

} // namespace warpwright
