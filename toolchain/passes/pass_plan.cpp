// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/passes/pass_plan.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace warpwright {

namespace {

bool startsWith(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}

std::string nameIn(const std::string &path) {
    return path.substr(path.find_last_of('/') + 1);
}

bool holds(const PassWords &words, const std::string &word) {
    return std::count(words.begin(), words.end(), word) == 1;
}

bool isName(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(),
                                        [](unsigned char c) { return std::isupper(c) != 0 || c == '_'; });
}

/// nvcc hands its commands to a shell. Of a shell's language they use words and double quotes, and one
/// variable; what uses more is not understood here.
class WordReader {
public:
    WordReader(std::string_view line, const PassPlan &plan) : m_rest(line), m_plan(plan) {}

    std::optional<PassWords> read() {
        PassWords words;
        std::string word;
        bool isWord = false;
        bool isQuoted = false;
        while (!m_rest.empty()) {
            const char c = m_rest.front();
            if (c == '$') {
                if (!expand(word))
                    return std::nullopt;
                isWord = true;
                continue;
            }
            m_rest.remove_prefix(1);
            if (c == '"') {
                isQuoted = !isQuoted;
                isWord = true;
            } else if (!isQuoted && (c == ' ' || c == '\t')) {
                if (isWord)
                    words.push_back(std::exchange(word, {}));
                isWord = false;
            } else if (isForShell(c, isQuoted)) {
                return std::nullopt;
            } else {
                word += c;
                isWord = true;
            }
        }
        if (isWord)
            words.push_back(word);
        return isQuoted || words.empty() ? std::nullopt : std::optional(words);
    }

private:
    static bool isForShell(char c, bool isQuoted) {
        if (c == '\\' || c == '`' || c == '\n')
            return true;
        return !isQuoted && std::string_view("'|&;<>()*?[]{}#~!").find(c) != std::string_view::npos;
    }

    bool expand(std::string &word) {
        for (const auto &[name, value] : m_plan.variables)
            if (startsWith(m_rest, "$" + name + "/")) {
                m_rest.remove_prefix(name.size() + 1);
                word += value;
                return true;
            }
        return false;
    }

    std::string_view m_rest;
    const PassPlan &m_plan;
};

/// Flags of g++ of which each says something about C++ or about code alone. Others (-g, -Wa, -M, -flto,
/// -save-temps, @file) concern the assembler, or make files beside the object.
bool canAssembleLast(const PassWords &words) {
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string &word = words[i];
        if (word == "-o" || word == "-isystem" || word == "-x" || word == "-D" || word == "-I") {
            ++i;
            continue;
        }
        const bool isHarmless = word == "-c" || word == "-m64" || word == "-fPIC" || word == "-Wno-psabi" ||
                                word == "-w" || word == "-Wall" || word == "-Wextra" || word == "-fopenmp" ||
                                word == "-fno-canonical-system-headers" || startsWith(word, "-std=") ||
                                startsWith(word, "-D") || startsWith(word, "-O") || startsWith(word, "-I") ||
                                startsWith(word, "-march=") || startsWith(word, "-mtune=") ||
                                word.front() != '-';
        if (!isHarmless || word.front() == '@')
            return false;
    }
    return true;
}

/// Fills in the names of files; false where the commands do not hang together as ours are known to.
bool nameFiles(PassPlan &plan) {
    const auto &commands = plan.commands;
    const auto from = [&commands](PassName pass, const char *name) {
        return valueAfter(commands[pass], name).value_or(std::string());
    };
    const PassWords &pack = commands[Pack];
    int images = 0;
    for (const std::string &word : pack) {
        if (startsWith(word, "--create="))
            plan.fatbin = word.substr(9);
        else if (startsWith(word, "--embedded-fatbin="))
            plan.embedded = word.substr(18);
        else if (startsWith(word, "--image"))
            images +=
                word.size() > 5 && word.find(",file=" + from(Assemble, "-o")) != std::string::npos ? 1 : 2;
    }
    plan.moduleId = from(HostFront, "--module_id_file_name");
    plan.hostText = from(HostFront, "--gen_c_file_name");
    plan.stub = from(DeviceCode, "--stub_file_name");
    plan.object = from(HostCode, "-o");
    for (const std::string &file :
         {plan.moduleId, plan.hostText, plan.stub, plan.fatbin, plan.embedded, plan.object,
          from(HostText, "-o"), from(DeviceText, "-o"), from(DeviceCode, "-o"), from(Assemble, "-o")})
        if (file.empty())
            return false;
    return nameIn(commands[HostFront][0]) == "cudafe++" && nameIn(commands[DeviceCode][0]) == "cicc" &&
           nameIn(commands[Assemble][0]) == "ptxas" && nameIn(pack[0]) == "fatbinary" && images == 1 &&
           holds(commands[HostText], "-E") && holds(commands[DeviceText], "-E") &&
           holds(commands[HostCode], "-c") && from(HostCode, "-x") == "c++" &&
           holds(commands[HostFront], "--gen_module_id_file") &&
           commands[HostFront].back() == from(HostText, "-o") &&
           holds(commands[DeviceCode], from(DeviceText, "-o")) &&
           from(DeviceCode, "--module_id_file_name") == plan.moduleId &&
           holds(commands[Assemble], from(DeviceCode, "-o")) && holds(commands[HostCode], plan.hostText) &&
           from(HostFront, "--stub_file_name") == nameIn(plan.stub) &&
           from(DeviceCode, "--include_file_name") == nameIn(plan.embedded);
}

} // namespace

std::optional<std::string> valueAfter(const PassWords &words, const std::string &name) {
    const auto found = std::find(words.begin(), words.end(), name);
    if (found == words.end() || std::next(found) == words.end() ||
        std::find(std::next(found), words.end(), name) != words.end())
        return std::nullopt;
    return *std::next(found);
}

std::optional<PassPlan> readDryRun(const std::string &text, std::string &why) {
    PassPlan plan;
    std::size_t count = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = std::string_view(text).substr(begin, end - begin);
        begin = end + 1;
        if (!startsWith(line, "#$ ")) {
            why = "nvcc said: " + std::string(line);
            return std::nullopt;
        }
        const std::string_view rest = line.substr(3);
        const std::size_t equals = rest.find('=');
        if (equals != std::string_view::npos && isName(rest.substr(0, equals))) {
            plan.variables.emplace_back(rest.substr(0, equals), rest.substr(equals + 1));
            continue;
        }
        const auto words = WordReader(rest, plan).read();
        if (!words || count == passCount) {
            why = (words ? "one pass too many: " : "not understood: ") + std::string(rest);
            return std::nullopt;
        }
        plan.commands[count++] = *words;
    }
    if (count != passCount || !nameFiles(plan)) {
        why = "other passes than those of one file for one architecture";
        return std::nullopt;
    }
    plan.canAssembleLast = canAssembleLast(plan.commands[HostCode]);
    return plan;
}

PassWords assemblyWords(const PassPlan &plan, const std::string &assembly) {
    PassWords words = plan.commands[HostCode];
    std::replace(words.begin(), words.end(), std::string("-c"), std::string("-S"));
    *std::next(std::find(words.begin(), words.end(), "-o")) = assembly;
    return words;
}

PassWords objectWords(const PassPlan &plan, const std::string &assembly) {
    const PassWords &all = plan.commands[HostCode];
    PassWords words = {all[0]};
    for (const std::string &word : all)
        if (startsWith(word, "-m"))
            words.push_back(word);
    for (const char *word : {"-c", "-x", "assembler"})
        words.emplace_back(word);
    words.push_back(assembly);
    words.emplace_back("-o");
    words.push_back(plan.object);
    return words;
}

} // namespace warpwright
