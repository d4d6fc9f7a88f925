// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/passes/stub_text.h"

#include <algorithm>
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
            if (line.substr(0, 2) == "# ") {
                // Its flags (a system's header: no warnings) count, its place does not.
                const std::size_t quote = line.rfind('"');
                const std::string_view flags =
                    quote == std::string_view::npos ? std::string_view() : line.substr(quote + 1);
                if (flags.find_first_not_of(" \t\r") != std::string_view::npos)
                    m_plain.append("\n#").append(flags).append("\n");
                continue;
            }
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

std::string stubNamed(std::string_view stub, std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    std::string named;
    while (!stub.empty()) {
        const std::size_t end = std::min(stub.find('\n'), stub.size() - 1) + 1;
        const std::string_view line = stub.substr(0, end);
        stub.remove_prefix(end);
        const std::size_t open = line.find('"');
        const std::size_t close = line.rfind('"');
        if (line.substr(0, 2) != "# " || open == close) {
            named += line;
            continue;
        }
        const std::string_view file = line.substr(open + 1, close - open - 1);
        const bool isItself = file.substr(file.rfind('/') + 1).substr(0, name.size()) == name;
        named.append(line.substr(0, open + 1)).append(isItself ? path : file).append(line.substr(close));
    }
    return named;
}

bool namesStubVariables(std::string_view text) {
    for (std::size_t at = 0; (at = text.find("__T", at)) != std::string_view::npos; at += 3)
        if (at + 3 < text.size() && std::isdigit(static_cast<unsigned char>(text[at + 3])) != 0)
            return true;
    return false;
}

bool isSameStub(std::string_view one, std::string_view other) {
    return one == other || PlainStub(one).take() == PlainStub(other).take();
}

} // namespace warpwright
