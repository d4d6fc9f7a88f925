// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/task/input_export.h"

#include "referee/base/secret_seed.h"
#include "referee/comparison/judged_tensor.h"

#include <ATen/core/Tensor.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace warpwright {

namespace {

void write(const std::string &path, const char *bytes, size_t count) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes, static_cast<std::streamsize>(count));
    file.close();
    if (!file)
        throw Fault("environment", "Cannot write \"" + path + "\".", std::strerror(errno),
                    "Make room on that disk.");
}

void writeRegion(const std::string &path, const SharedRegion &region, uint64_t bytes) {
    const at::Tensor here =
        tensorAt({{"dtype", "uint8"}, {"sizes", {bytes}}, {"strides", {1}}, {"offset", 0u}}, region.base(),
                 region.bytes(), region.kind())
            .cpu();
    write(path, static_cast<const char *>(here.const_data_ptr()), bytes);
}

Json wordsOf(const std::string &lines) {
    Json words = Json::array();
    std::istringstream text(lines);
    for (std::string word; std::getline(text, word);)
        words.push_back(word);
    return words;
}

} // namespace

Json exportInputs(TaskSession &session, const std::string &folder, const std::string &runFolder) {
    session.progress()("sanitize", "draw inputs of their own", 1, 1);
    session.asTask([&] {
        const Json arguments = session.drawInputs(secretSeed());
        writeRegion(folder + "/inputs.bin", session.inputs(), session.inputBytes());
        session.weights().redraw(secretSeed(), {});
        writeRegion(folder + "/state.bin", session.weights().region(), session.weights().bytes());
        session.weights().restore({});
        const std::string text = Json{{"seed", session.initSeed()},
                                      {"train", session.referenceCheck().trains()},
                                      {"initInputs", session.initInputs()},
                                      {"arguments", arguments},
                                      {"state", session.weights().state()}}
                                     .dump();
        write(folder + "/inputs.json", text.data(), text.size());
    });
    return {{"wall", wordsOf(session.sandboxWordsFor(runFolder))}};
}

} // namespace warpwright
