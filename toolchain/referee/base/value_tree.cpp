// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/base/value_tree.h"

#include <algorithm>
#include <map>
#include <utility>

namespace warpwright {

namespace {

std::string kindOf(const Json &tree) {
    const auto kind = tree.is_object() ? tree.find("kind") : tree.end();
    return tree.is_object() && kind != tree.end() && kind->is_string() ? kind->get<std::string>() : "other";
}

bool isContainer(const Json &tree) {
    const std::string kind = kindOf(tree);
    return (kind == "list" || kind == "tuple" || kind == "dict" || kind == "call") &&
           tree.contains("items") && tree["items"].is_array();
}

// The key of a dict's item; empty for a list's, or where there is none.
std::string keyOf(const Json &tree, size_t index) {
    const auto keys = tree.find("keys");
    const bool named =
        keys != tree.end() && keys->is_array() && index < keys->size() && (*keys)[index].is_string();
    return named ? (*keys)[index].get<std::string>() : std::string();
}

void collect(const Json &tree, const std::string &path, std::vector<ValueLeaf> &leaves) {
    if (!isContainer(tree)) {
        leaves.push_back({path, tree.is_object() ? tree : Json{{"kind", "other"}}});
        return;
    }
    const Json &items = tree["items"];
    for (size_t i = 0; i < items.size(); ++i) {
        std::string step = path;
        if (const std::string key = keyOf(tree, i); kindOf(tree) == "call")
            step = key.empty() ? path : key;
        else if (!key.empty())
            step.append(".").append(key);
        else
            step.append("[").append(std::to_string(i)).append("]");
        collect(items[i], step, leaves);
    }
}

} // namespace

Json withoutRepeats(Json node) {
    for (size_t i = 0; i < node.at("sizes").size() && i < node.at("strides").size(); ++i) {
        if (node["strides"][i] == 0 && node["sizes"][i] != 0)
            node["sizes"][i] = 1;
    }
    return node;
}

std::string describeStridedInput(const Json &inputs) {
    for (const ValueLeaf &leaf : leavesOf(inputs, "input")) {
        if (!leaf.isTensor())
            continue;
        uint64_t elements = 1;
        uint64_t extent = 1;
        for (size_t i = 0; i < leaf.node.at("sizes").size(); ++i) {
            const auto size = leaf.node["sizes"][i].get<uint64_t>();
            elements *= size;
            extent += (size - std::min<uint64_t>(size, 1)) * leaf.node.at("strides").at(i).get<uint64_t>();
        }
        if (elements > 0 && elements != extent)
            return leaf.path + " is " + describeTensor(leaf.node) + " with the strides " +
                   leaf.node["strides"].dump();
    }
    return {};
}

bool hasWindows(const Json &node) {
    std::vector<std::pair<uint64_t, uint64_t>> dimensions; // stride, size
    const Json once = withoutRepeats(node);
    for (size_t i = 0; i < once.at("sizes").size(); ++i) {
        if (const auto size = once["sizes"][i].get<uint64_t>(); size > 1)
            dimensions.emplace_back(once.at("strides").at(i).get<uint64_t>(), size);
    }
    std::sort(dimensions.begin(), dimensions.end());
    uint64_t reach = 0;
    for (const auto &[stride, size] : dimensions) {
        if (stride <= reach)
            return true;
        reach += (size - 1) * stride;
    }
    return false;
}

bool isOfState(const std::string &path) {
    return path.starts_with("buffer ") || path.starts_with("parameter ");
}

bool isPlainFloat(const std::string &dtype) {
    return dtype == "float64" || dtype == "float32" || dtype == "float16" || dtype == "bfloat16";
}

uint64_t elementBytes(const std::string &dtype) {
    static const std::map<std::string, uint64_t> sizes{
        {"float64", 8}, {"complex128", 16}, {"complex64", 8},     {"float32", 4},     {"int64", 8},
        {"int32", 4},   {"float16", 2},     {"bfloat16", 2},      {"int16", 2},       {"int8", 1},
        {"uint8", 1},   {"bool", 1},        {"float8_e4m3fn", 1}, {"float8_e5m2", 1},
    };
    const auto found = sizes.find(dtype);
    return found == sizes.end() ? 0 : found->second;
}

std::vector<ValueLeaf> leavesOf(const Json &tree, const std::string &path) {
    std::vector<ValueLeaf> leaves;
    collect(tree, path, leaves);
    return leaves;
}

std::string shapeOfTree(const Json &tree) {
    const std::string kind = kindOf(tree);
    if (!isContainer(tree))
        return kind == "float" ? "value" : kind;
    std::string text = kind == "list" ? "tuple" : kind;
    text += '(';
    for (size_t i = 0; i < tree["items"].size(); ++i) {
        if (i > 0)
            text += ',';
        if (kind == "dict" || kind == "call")
            text.append(kind == "call" && keyOf(tree, i).empty() ? "returned" : keyOf(tree, i)).append(":");
        text += shapeOfTree(tree["items"][i]);
    }
    return text + ')';
}

std::string describeTensor(const Json &node) {
    std::string text = node.value("dtype", "?") + "[";
    bool first = true;
    for (const Json &size : node.value("sizes", Json::array())) {
        if (!first)
            text += ", ";
        first = false;
        text += size.dump();
    }
    return text + "]";
}

Json summaryOfTensors(const Json &tree, const std::string &path) {
    Json summary = Json::array();
    for (const ValueLeaf &leaf : leavesOf(tree, path)) {
        if (leaf.isTensor())
            summary.push_back({{"name", leaf.path},
                               {"dtype", leaf.node.value("dtype", "")},
                               {"shape", leaf.node.value("sizes", Json::array())}});
    }
    return summary;
}

uint64_t bytesOfTensors(const Json &tree) {
    uint64_t bytes = 0;
    for (const ValueLeaf &leaf : leavesOf(tree, "")) {
        if (!leaf.isTensor())
            continue;
        uint64_t elements = 1;
        for (const Json &size : leaf.node.value("sizes", Json::array()))
            elements *= size.get<uint64_t>();
        bytes += elements * elementBytes(leaf.node.value("dtype", ""));
    }
    return bytes;
}

} // namespace warpwright
