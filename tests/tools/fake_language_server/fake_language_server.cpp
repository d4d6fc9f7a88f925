// SPDX-License-Identifier: GPL-3.0-or-later
// A language server that behaves as it is told: --hang answers nothing after its start, --crash dies of a
// hover,
// --rubbish prints what is no message between its messages, --noise prints nothing else, --slow takes its
// time,
// --flood never stops talking, --many has a thousand completions. A hover tells the text that is open.
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <thread>

namespace {

using Json = nlohmann::json;

std::set<std::string> switches;

bool has(const char *name) {
    return switches.count(name) != 0;
}

void say(const Json &message) {
    if (has("--rubbish"))
        std::cout << "rubbish Content- between\nContent-Length: many\r\n\r\n";
    const std::string text = message.dump();
    std::cout << "Content-Length: " << text.size() << "\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n"
              << text << std::flush;
}

bool hear(Json &message) {
    std::size_t length = 0;
    for (std::string line; std::getline(std::cin, line) && line != "\r";)
        if (line.rfind("Content-Length: ", 0) == 0)
            length = std::stoul(line.substr(16));
    if (length == 0)
        return false;
    std::string text(length, ' ');
    if (!std::cin.read(text.data(), static_cast<std::streamsize>(length)))
        return false;
    message = Json::parse(text);
    return true;
}

Json capabilities() {
    return {{"completionProvider", {{"triggerCharacters", {".", ">"}}}},
            {"signatureHelpProvider", {{"triggerCharacters", {"("}}}},
            {"hoverProvider", true},
            {"definitionProvider", true},
            {"documentFormattingProvider", true},
            {"renameProvider", {{"prepareProvider", true}}}};
}

/// One for each "wrong" of the text, at its place.
Json diagnosticsOf(const std::string &text) {
    Json list = Json::array();
    int line = 0;
    int column = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text.compare(at, 5, "wrong") == 0)
            list.push_back({{"range",
                             {{"start", {{"line", line}, {"character", column}}},
                              {"end", {{"line", line}, {"character", column + 5}}}}},
                            {"severity", 2},
                            {"code", "no-wrong"},
                            {"message", "this is wrong"}});
        column = text[at] == '\n' ? 0 : column + 1;
        line += text[at] == '\n' ? 1 : 0;
    }
    return list;
}

struct Document {
    std::string text;
    int version = 0;
};

void publish(const std::string &uri, const Document &document) {
    say({{"jsonrpc", "2.0"},
         {"method", "textDocument/publishDiagnostics"},
         {"params",
          {{"uri", uri}, {"version", document.version}, {"diagnostics", diagnosticsOf(document.text)}}}});
}

} // namespace

int main(int argc, char **argv) {
    switches.insert(argv + 1, argv + argc);
    if (has("--noise"))
        for (;;)
            std::cout << "Usage: nothing that a language server says\n" << std::flush;
    std::map<std::string, Document> documents;
    std::string configuration = "none";
    for (Json message; hear(message);) {
        const std::string method = message.value("method", "");
        const Json params = message.value("params", Json::object());
        if (method.empty()) {
            configuration = message.value("result", Json()).dump();
            continue;
        }
        const auto answer = [&message](const Json &result) {
            if (has("--slow"))
                std::this_thread::sleep_for(std::chrono::milliseconds(400));
            say({{"jsonrpc", "2.0"}, {"id", message["id"]}, {"result", result}});
        };
        if (method == "initialize") {
            answer({{"capabilities", capabilities()},
                    {"serverInfo", {{"name", "fake"}, {"version", "fake version 1.2.3 (made here)"}}}});
        } else if (method == "initialized") {
            say({{"jsonrpc", "2.0"},
                 {"id", "c1"},
                 {"method", "workspace/configuration"},
                 {"params", {{"items", {{{"section", "a"}}, {{"section", "b"}}}}}}});
            const std::string words(100000, 'x');
            while (has("--flood"))
                say({{"jsonrpc", "2.0"}, {"method", "window/logMessage"}, {"params", {{"message", words}}}});
        } else if (method == "textDocument/didOpen") {
            const Json &item = params["textDocument"];
            documents[item["uri"]] = {item["text"], item["version"]};
            publish(item["uri"], documents[item["uri"]]);
        } else if (method == "textDocument/didChange") {
            const std::string uri = params["textDocument"]["uri"];
            const Document before = documents[uri];
            documents[uri] = {params["contentChanges"][0]["text"], params["textDocument"]["version"]};
            publish(uri, before); // late ones of the text before
            publish(uri, documents[uri]);
        } else if (method == "textDocument/didClose") {
            documents.erase(params["textDocument"]["uri"]);
        } else if (method == "shutdown") {
            answer(nullptr);
        } else if (method == "exit") {
            return 0;
        } else if (has("--hang") || !message.contains("id")) {
            continue;
        } else if (method == "textDocument/hover") {
            if (has("--crash")) {
                std::cerr << "cannot go on\n";
                std::abort();
            }
            answer({{"contents",
                     {{"kind", "markdown"},
                      {"value", documents[params["textDocument"]["uri"]].text + "|" + configuration}}}});
        } else if (method == "textDocument/formatting") {
            const Json range{{"start", {{"line", 0}, {"character", 0}}},
                             {"end", {{"line", 0}, {"character", 1}}}};
            Json edit{{"range", range}};
            edit["newText"] = documents[params["textDocument"]["uri"]].text;
            answer(Json::array({edit}));
        } else if (method == "textDocument/completion") {
            Json items = Json::array();
            for (int number = 0; number < (has("--many") ? 1000 : 2); ++number)
                items.push_back(
                    {{"label", "item" + std::to_string(number)},
                     {"kind", 3},
                     {"insertTextFormat", 2},
                     {"insertText", "item" + std::to_string(number) + "(${1:int a}, ${2:int b})"}});
            answer({{"isIncomplete", true}, {"items", items}});
        } else {
            say({{"jsonrpc", "2.0"},
                 {"id", message["id"]},
                 {"error", {{"code", -32601}, {"message", "not here"}}}});
        }
    }
    return 0;
}
