// SPDX-License-Identifier: GPL-3.0-or-later
//
// warpwright-amputate --python P --torch FOLDER --recorder LIBRARY --rehearsal SCRIPT --out FOLDER
//                     [--registrar LIBRARY]      (without a folder: beside the recorder)
//
// Makes a copy of torch's library for the candidate's process, in which arithmetic is traps: what a candidate
// may ask of torch (rehearsal.py) is executed once, and what that did not run goes. So with the libraries of
// a numpy that lies beside torch. Then the copy is asked back. With a registrar the same is done to torch's
// library for CUDA, on the card that is there, and device code that computes is taken out. Says in one line
// of JSON what was made, or why nothing was (status "not-run"), and keeps that as OUT/amputated.json, unless
// another try may end otherwise.

#include "referee/amputate/copied_library.h"
#include "referee/amputate/fatbins.h"
#include "referee/amputate/rehearsals.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace {

using namespace warpwright;
using Json = nlohmann::json;
namespace files = std::filesystem;

constexpr const char *cpuLibrary = "libtorch_cpu.so";
constexpr const char *cudaLibrary = "libtorch_cuda.so";

/// Why there will be no copy, however often it is tried.
struct NotPossible : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Arguments {
    std::string python, torch, recorder, rehearsal, out, registrar;
    bool isNumpyToo = false;
};

/// Links to all that lies in a folder, but for what is to be copied: folders on the way there are made.
void mirror(const files::path &from, const files::path &to, const std::vector<files::path> &copied) {
    files::create_directories(to);
    for (const auto &entry : files::directory_iterator(from)) {
        const files::path name = entry.path().filename();
        std::vector<files::path> below;
        bool isCopied = false;
        for (const files::path &path : copied) {
            if (path.begin() == path.end() || *path.begin() != name)
                continue;
            isCopied = std::next(path.begin()) == path.end();
            if (!isCopied)
                below.push_back(path.lexically_relative(name));
        }
        if (!below.empty())
            mirror(entry.path(), to / name, below);
        else if (!isCopied)
            files::create_symlink(entry.path(), to / name);
    }
}

/// A folder that stands for the interpreter's own folder of packages: links to all of torch but the copies,
/// which are named from there on.
void makeFarm(const files::path &packages, const files::path &farm, const std::vector<files::path> &copied) {
    std::set<files::path> tops;
    for (const files::path &path : copied)
        tops.insert(*path.begin());
    // Torch's libraries find these from where they lie themselves.
    for (const auto &entry : files::directory_iterator(packages)) {
        const std::string name = entry.path().filename();
        if (name == "nvidia" || name.ends_with(".libs"))
            tops.insert(name);
    }
    for (const files::path &top : tops) {
        std::vector<files::path> below;
        for (const files::path &path : copied) {
            if (*path.begin() == top)
                below.push_back(path.lexically_relative(top));
        }
        files::create_directories(farm);
        if (below.empty())
            files::create_symlink(packages / top, farm / top);
        else
            mirror(packages / top, farm / top, below);
    }
}

/// numpy's libraries and those that it brings, named from the folder of packages on. Not its random numbers:
/// they are what seeds and tests ask for.
std::vector<files::path> librariesOfNumpy(const files::path &packages) {
    std::vector<files::path> found;
    for (const char *top : {"numpy", "numpy.libs"}) {
        if (!files::is_directory(packages / top))
            continue;
        for (const auto &entry : files::recursive_directory_iterator(packages / top)) {
            const files::path path = entry.path().lexically_relative(packages);
            if (entry.is_regular_file() && path.filename().string().find(".so") != std::string::npos &&
                path.parent_path().filename() != "random")
                found.push_back(path);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// Rows in a file that the recorder's processes write to.
class RecorderTable {
public:
    RecorderTable(std::string path, const std::vector<RecordedFunction> &rows) : m_path(std::move(path)) {
        std::ofstream file(m_path, std::ios::binary);
        file.write(reinterpret_cast<const char *>(rows.data()),
                   static_cast<std::streamsize>(rows.size() * sizeof(RecordedFunction)));
        if (!file.flush())
            throw std::system_error(errno, std::generic_category(), "Cannot write \"" + m_path + "\"");
    }
    ~RecorderTable() { unlink(m_path.c_str()); }
    RecorderTable(const RecorderTable &) = delete;
    RecorderTable &operator=(const RecorderTable &) = delete;

    const std::string &path() const { return m_path; }
    std::set<uint64_t> executed(size_t library) const {
        std::set<uint64_t> addresses;
        std::ifstream file(m_path, std::ios::binary);
        for (RecordedFunction row; file.read(reinterpret_cast<char *>(&row), sizeof row);) {
            if (row.ran != 0 && row.library == library)
                addresses.insert(row.address);
        }
        return addresses;
    }

private:
    std::string m_path;
};

void refuseRaised(const Json &answer) {
    for (const auto &[name, problem] : answer.at("raised").items())
        throw NotPossible("A call that candidates may make fails with this torch (" + name +
                          "): " + problem.get<std::string>());
}

/// What the copy answers: throws where a candidate would miss something, or could compute with it.
Json judgeAnswers(const Json &answer) {
    for (const auto &[name, end] : answer.at("allowed").items()) {
        if (end != "lived")
            throw NotPossible("A call that candidates may make does not work in the copy (" + name +
                              "): " + end.get<std::string>());
    }
    std::string survivors;
    size_t trapped = 0;
    const auto isAbsent = [](const std::string &end) {
        return end.starts_with("AttributeError");
    };
    // Device code that is not there is said by CUDA, and not by a signal.
    const auto isTrapped = [](const std::string &end) {
        return end == "trapped" || end.find("CUDA error") != std::string::npos;
    };
    for (const auto &[call, end] : answer.at("forbidden").items()) {
        trapped += isTrapped(end) ? 1u : 0u;
        if (!isTrapped(end) && !isAbsent(end.get<std::string>()))
            survivors += (survivors.empty() ? "" : "; ") + call + " (" + end.get<std::string>() + ")";
    }
    if (!survivors.empty())
        throw NotPossible("Calls that compute still work in the copy: " + survivors.substr(0, 1500));
    if (trapped == 0)
        throw NotPossible("No call that computes could be tried in the copy");
    Json noted = Json::array();
    for (const auto &[call, end] : answer.at("noted").items()) {
        if (!isTrapped(end) && !isAbsent(end.get<std::string>()))
            noted.push_back(call);
    }
    return {{"trappedCalls", trapped}, {"survivors", noted}};
}

void writeTraps(const std::string &path, const TrapPlan &plan) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char *>(plan.bodies.data()),
               static_cast<std::streamsize>(plan.bodies.size() * sizeof(Span)));
    if (!file.flush())
        throw std::system_error(errno, std::generic_category(), "Cannot write \"" + path + "\"");
    files::permissions(path, files::perms(0644));
}

/// A library that is taken apart.
struct Subject {
    /// `path`: from the folder of packages on.
    Subject(const files::path &packages, files::path pathThere, Trapped what)
        : path(std::move(pathThere)),
          name(path.filename()),
          original(files::canonical(packages / path)),
          image(original),
          trapped(what) {
        if (!image.isForThisProcessor())
            throw NotPossible("\"" + original + "\" is for another processor");
        if (image.functions().empty() || (trapped == Trapped::Arithmetic && !image.hasNames()))
            throw NotPossible("\"" + original + "\" was stripped: the functions in it have no names");
    }

    /// A constructor may compute with it: its copy takes its place when that is done, in the process.
    bool isLater() const { return trapped == Trapped::Everything; }

    files::path path;
    std::string name, original;
    ElfImage image;
    Trapped trapped;
    std::unique_ptr<CopiedLibrary> copy;
    std::vector<RecordedFunction> marked;
};

/// Takes the device code out of the copy that computes. How much that was, by files of code.
Json emptyDeviceCode(const Arguments &arguments, const Rehearsals &rehearsals, Subject &subject) {
    const std::string path = files::path(arguments.out) / "registered";
    (void)rehearsals.run("import",
                         {{"LD_PRELOAD=" + arguments.registrar, "WARPWRIGHT_REGISTRAR_OUTPUT=" + path}});
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    files::remove(path);
    const std::vector<Fatbin> fatbins = fatbinsOf(text, "/farm/torch/lib/" + subject.name);
    const std::vector<uint64_t> sizes = sizesToEmpty(subject.image, fatbins);
    if (sizes.empty() || sizes.size() == fatbins.size())
        throw NotPossible("Of " + std::to_string(fatbins.size()) + " files of device code in \"" +
                          subject.original + "\" " + std::to_string(sizes.size()) + " compute");
    subject.copy->empty(sizes);
    return {{"files", fatbins.size()}, {"emptied", sizes.size()}};
}

void layAside(const files::path &out, const files::path &path) {
    files::create_directories((out / "later" / path).parent_path());
    files::rename(out / "farm" / path, out / "later" / path);
}

Json make(const Arguments &arguments) {
    const files::path out = arguments.out;
#if !defined(__x86_64__)
    throw NotPossible("What torch executes is recorded on x86-64 only so far");
#endif
    const bool isCuda = !arguments.registrar.empty();
    const files::path torch = arguments.torch;
    const files::path packages = torch.parent_path();
    const auto lib = torch.filename() / "lib";
    std::vector<files::path> paths{lib / cpuLibrary};
    if (isCuda)
        paths.push_back(lib / cudaLibrary);
    std::vector<std::unique_ptr<Subject>> subjects;
    for (const files::path &path : paths)
        subjects.push_back(std::make_unique<Subject>(packages, path, Trapped::Arithmetic));
    if (arguments.isNumpyToo) {
        for (const files::path &path : librariesOfNumpy(packages))
            subjects.push_back(
                std::make_unique<Subject>(packages, paths.emplace_back(path), Trapped::Everything));
    }
    if (subjects.size() > mostLibraries)
        throw NotPossible("numpy has " + std::to_string(subjects.size()) + " libraries");
    makeFarm(packages, out / "farm", paths);
    std::vector<RecordedFunction> marked;
    std::string ends;
    for (const auto &subject : subjects) {
        subject->copy = std::make_unique<CopiedLibrary>(subject->original, out / "farm" / subject->path);
        const auto place = static_cast<unsigned char>(&subject - subjects.data());
        subject->marked = subject->copy->markAll(subject->image, place);
        marked.insert(marked.end(), subject->marked.begin(), subject->marked.end());
        // Who is found from where another one lies, has a path with steps back.
        ends +=
            (ends.empty() ? "/" : ":/") + (subject->path.parent_path().filename() / subject->name).string();
    }
    const Rehearsals rehearsals(arguments.python, arguments.rehearsal, out / "farm");
    const RecorderTable table(out / "recorded", marked);
    const std::vector<std::string> recording = {"LD_PRELOAD=" + arguments.recorder,
                                                std::string(recorderTable) + "=" + table.path(),
                                                std::string(recorderLibraries) + "=" + ends};
    // What is executed depends on how many threads there are, and on who said so.
    std::vector<std::vector<std::string>> environments{recording, recording, recording};
    environments[1].emplace_back("OMP_NUM_THREADS=1");
    environments[2].emplace_back("OMP_NUM_THREADS=4");
    const std::string devices = std::string(isCuda ? " cuda" : "") + (arguments.isNumpyToo ? " numpy" : "");
    for (const Json &answer : rehearsals.run("run" + devices, environments))
        refuseRaised(answer);
    Json libraries = Json::array();
    for (const auto &subject : subjects) {
        const std::set<uint64_t> executed = table.executed(static_cast<size_t>(&subject - subjects.data()));
        if (executed.empty() && subject->trapped == Trapped::Arithmetic)
            throw NotPossible("Nothing of \"" + subject->original +
                              "\" was seen to run: the recorder was not loaded");
        const TrapPlan plan = planTraps(subject->image, executed, subject->trapped);
        subject->copy->amputate(subject->image, subject->marked, plan);
        writeTraps(out / (subject->name + ".traps"), plan);
        libraries.push_back({{"name", subject->name},
                             {"original", subject->original},
                             {"copy", files::path(subject->isLater() ? "later" : "farm") / subject->path},
                             {"later", subject->isLater()},
                             {"traps", subject->name + ".traps"},
                             {"functions", plan.functions},
                             {"executed", executed.size()},
                             {"trapped", plan.bodies.size()},
                             {"trappedBytes", plan.bytes()},
                             {"kept", plan.kept}});
    }
    if (isCuda)
        libraries[1]["deviceCode"] = emptyDeviceCode(arguments, rehearsals, *subjects[1]);
    Json result = judgeAnswers(rehearsals.run("ask" + devices, {{}}).at(0));
    for (const auto &subject : subjects) {
        if (subject->isLater())
            layAside(out, subject->path);
    }
    files::remove_all(out / "farm" / "numpy");
    result["status"] = "made";
    result["farm"] = "farm";
    result["devices"] = isCuda ? Json{"cpu", "cuda"} : Json{"cpu"};
    result["libraries"] = std::move(libraries);
    return result;
}

Json notRun(const Arguments &arguments, const std::string &reason) {
    std::error_code ignored;
    files::remove_all(files::path(arguments.out) / "farm", ignored);
    return {{"status", "not-run"}, {"reason", reason}};
}

/// Where it does not work with numpy, or on the card that is there, at least for torch and the CPU.
Json makeWhatCanBe(Arguments arguments) {
    std::map<std::string, std::string> lacking; // and why
    for (;;) {
        try {
            Json result = make(arguments);
            for (const auto &[what, why] : lacking)
                result[what] = why;
            return result;
        } catch (const std::exception &problem) {
            if (arguments.isNumpyToo && !arguments.registrar.empty() && lacking.empty())
                lacking["notOnCuda"] = problem.what(); // most likely
            else if (arguments.isNumpyToo)
                lacking["notNumpy"] = problem.what();
            else if (!arguments.registrar.empty())
                lacking["notOnCuda"] = problem.what();
            else
                throw;
        }
        files::remove_all(files::path(arguments.out) / "farm");
        files::remove_all(files::path(arguments.out) / "later");
        if (lacking.contains("notOnCuda") && !arguments.registrar.empty())
            arguments.registrar.clear();
        else
            arguments.isNumpyToo = false;
    }
}

} // namespace

int main(int count, char **words) {
    Arguments arguments;
    const std::map<std::string, std::string *> places = {
        {"--python", &arguments.python},     {"--torch", &arguments.torch},
        {"--recorder", &arguments.recorder}, {"--rehearsal", &arguments.rehearsal},
        {"--out", &arguments.out},           {"--registrar", &arguments.registrar}};
    for (int i = 1; i + 1 < count; i += 2) {
        const auto place = places.find(words[i]);
        if (place == places.end()) {
            std::fprintf(stderr, "warpwright-amputate: unknown option \"%s\"\n", words[i]);
            return 2;
        }
        *place->second = words[i + 1];
    }
    for (const auto &[name, value] : places) {
        if (value->empty() && name != "--registrar") {
            std::fprintf(stderr, "warpwright-amputate: %s is missing\n", name.c_str());
            return 2;
        }
    }
    if (!arguments.registrar.empty() && arguments.registrar.find('/') == std::string::npos)
        arguments.registrar = files::path(arguments.recorder).parent_path() / arguments.registrar;
    Json result;
    bool isLasting = true;
    try {
        files::create_directories(arguments.out);
        arguments.isNumpyToo = files::is_directory(files::path(arguments.torch).parent_path() / "numpy");
        result = makeWhatCanBe(arguments);
    } catch (const NotPossible &problem) {
        result = notRun(arguments, problem.what());
    } catch (const std::exception &problem) { // a full disk, or an interpreter that was killed
        result = notRun(arguments, problem.what());
        isLasting = false;
    }
    const std::string text = result.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (isLasting)
        std::ofstream(files::path(arguments.out) / "amputated.json") << text << '\n';
    std::printf("%s\n", text.c_str());
}
