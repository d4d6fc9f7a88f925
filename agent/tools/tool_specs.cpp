// SPDX-License-Identifier: GPL-3.0-or-later
// Toolbox::specs(): every tool in one place. The words are read by models: what it does, what comes back.
#include "agent/tools/toolbox.h"

namespace warpwright {
namespace {

Json typed(const char *type, const char *description) {
    return Json{{"type", type}, {"description", description}};
}

Json number(const char *description, int least, int most) {
    Json json = typed("integer", description);
    json["minimum"] = least;
    json["maximum"] = most;
    return json;
}

Json oneOf(const std::vector<std::string> &words, const char *description) {
    Json json = typed("string", description);
    json["enum"] = words;
    return json;
}

Json object(const Json &properties, const std::vector<std::string> &required) {
    return Json{{"type", "object"},
                {"properties", properties},
                {"required", required},
                {"additionalProperties", false}};
}

Json listOf(const Json &items, const char *description) {
    Json json = typed("array", description);
    json["items"] = items;
    return json;
}

Json nothing() {
    return object(Json::object(), {});
}

const char *const pathWords = "relative to the work folder, e.g. kernels/softmax.cu";

ToolSpec reading(const char *name, const char *title, const char *description, Json parameters) {
    return {QString::fromLatin1(name), QString::fromUtf8(title), QString::fromUtf8(description),
            std::move(parameters)};
}

ToolSpec writing(const char *name, const char *title, const char *description, Json parameters,
                 bool isDestructive, bool isIdempotent) {
    ToolSpec spec = reading(name, title, description, std::move(parameters));
    spec.isReadOnly = false;
    spec.isDestructive = isDestructive;
    spec.isIdempotent = isIdempotent;
    return spec;
}

std::vector<ToolSpec> fileSpecs() {
    return {
        writing(
            "bash", "Run a command",
            "Runs a command in a bash that lives from call to call (folder, variables and functions last) "
            "in your work folder. No network; the system, compilers and Python with torch can be read, "
            "only the work folder and /tmp can be written. Gives the output (cut in the middle beyond "
            "16 KiB; the whole is then in a file that is named), the exit code and the seconds. Standard "
            "input is empty. With device: true, and for the scripts in utils/, it waits for the turn on "
            "the GPU and runs with it. Changes to model.py, utils/ and the task's other files are put "
            "back. Numbers that count come from verify and profile, not from here.",
            object({{"command", typed("string", "what bash runs")},
                    {"timeout_s", number("seconds after which it is killed; 120 by default", 1, 600)},
                    {"device", typed("boolean", "true: with the GPU, in a process of its own")}},
                   {"command"}),
            true, false),
        reading(
            "read", "Read a file",
            "Gives lines of a text file with their numbers. Needed before write or edit of a file that is "
            "there.",
            object({{"path", typed("string", pathWords)},
                    {"offset", number("first line; 1 by default", 1, 1'000'000'000)},
                    {"limit", number("how many lines; 2000 by default", 1, 100'000)}},
                   {"path"})),
        writing("write", "Write a file",
                "Makes a file or writes over it as a whole. Only model_new.py and files in kernels/ can be "
                "written; one that is there has to be read before.",
                object({{"path", typed("string", pathWords)}, {"content", typed("string", "the whole text")}},
                       {"path", "content"}),
                true, true),
        writing(
            "edit", "Edit a file",
            "Replaces pieces of a file, all or none, one after the other. Each `old` has to stand there "
            "exactly once, with its white space (or all: true replaces each). Gives the changed lines; an "
            "edit that does not fit is named, with the nearest lines. Only model_new.py and files in "
            "kernels/, and only after they were read.",
            object({{"path", typed("string", pathWords)},
                    {"edits", listOf(object({{"old", typed("string", "what stands there now")},
                                             {"new", typed("string", "what is to stand there")},
                                             {"all", typed("boolean", "true: everywhere")}},
                                            {"old", "new"}),
                                     "in their order")}},
                   {"path", "edits"}),
            true, false),
        writing("restore", "Restore",
                "Makes the candidate what it was in the text you began with, or in an earlier iteration: all "
                "of it, or one file. What you changed since is gone.",
                object({{"path", typed("string", "one file, e.g. kernels/softmax.cu; all by default")},
                        {"iteration", number("as history numbers them; the text you began with by default", 1,
                                             1'000'000'000)}},
                       {}),
                true, true),
        reading("glob", "Find files",
                "Lists files of the work folder whose path matches: * within a name, ** over folders, "
                "{cu,cpp}. Hidden files only where the pattern names them.",
                object({{"pattern", typed("string", "e.g. kernels/**/*.cu")}}, {"pattern"})),
        reading("grep", "Search in files",
                "Lists lines of the work folder's text files that match a regular expression (PCRE), as "
                "path:line: text; at most 300.",
                object({{"pattern", typed("string", "a regular expression")},
                        {"glob", typed("string", "only files that match, e.g. *.cu")},
                        {"context", number("lines around each; 0 by default", 0, 20)},
                        {"ignore_case", typed("boolean", "true: A is a")}},
                       {"pattern"})),
        writing("todo", "Plan",
                "Replaces your plan, which the person sees. Gives nothing back but that it was taken.",
                object({{"items", listOf(object({{"text", typed("string", "one step")},
                                                 {"state", oneOf({"waiting", "working", "done", "dropped"},
                                                                 "how far it is")}},
                                                {"text", "state"}),
                                         "the whole plan")}},
                       {"items"}),
                false, true),
    };
}

std::vector<ToolSpec> measuringSpecs() {
    return {
        reading("compile", "Compile",
                "Compiles the work folder's kernels and bindings. Gives errors and warnings with file and "
                "line, and registers, spills and shared memory of each kernel.",
                nothing()),
        reading(
            "verify", "Verify",
            "Compiles, then compares the candidate with the reference on secret inputs, in processes of "
            "its own. Gives the verdict, the worst elements, the precision class, and what was found where "
            "a rule is broken.",
            nothing()),
        reading(
            "profile", "Profile",
            "Compiles, verifies, then times the candidate beside the reference (eager, torch.compile) and "
            "beside the text you began with. Gives medians with 95 % intervals, speed-ups, the reward "
            "(1 right, 2 over 5 % faster than eager, 3 also than torch.compile) and doubts. Where the "
            "interval of a difference holds zero, no difference was measured.",
            nothing()),
        reading(
            "inspect", "Inspect kernels",
            "What the compiler made of the CUDA kernels: registers, spills, occupancy and its limiter, mix "
            "of instructions; SASS or PTX around a source line; the difference to an earlier iteration. "
            "Needs no GPU.",
            object({{"kernel", typed("string", "its name or a part; all by default")},
                    {"what", oneOf({"resources", "sass", "ptx"}, "resources by default")},
                    {"line", number("source line to show instructions of", 1, 10'000'000)},
                    {"against", number("an earlier iteration, as history numbers them", 1, 1'000'000'000)}},
                   {})),
        reading(
            "counters", "Hardware counters",
            "What the hardware counted in one call of the work folder's candidate, by Nsight Compute: of "
            "each launch the time under the profiler, shares of the peaks, traffic, occupancy, what warps "
            "wait for and the hottest lines. Counts on the GPU (10 to 30 s) where this very text was not "
            "counted before. Says where time goes; how long a call takes says profile.",
            object({{"kernel", typed("string", "its name or a part; the longest launches by default")},
                    {"set", oneOf({"basic", "full"}, "basic by default; full takes several times longer")},
                    {"against", number("an earlier iteration that was counted, as history numbers them", 1,
                                       1'000'000'000)},
                    {"anew", typed("boolean", "true: count again, also where it was counted")}},
                   {})),
        reading(
            "timeline", "Timeline",
            "When what of one call runs: kernels, copies, gaps and launches of the candidate and of torch, "
            "on a CPU the parallel regions. For calls of many small launches, and where profile's time is "
            "far above what counters sum to. Measured where this very text was not traced before.",
            object({{"anew", typed("boolean", "true: trace again, also where it was traced")}}, {})),
        reading("findings", "Findings",
                "What keeps the work folder's candidate from being faster, the largest gain first: each with "
                "kernel and line, the numbers it rests on, what fixing it could save of a call at most, and "
                "what to try. Read from the text, the compiler's listing, and what was measured of this very "
                "text: profile, counters, timeline; says what was missing. Needs no device itself.",
                object({{"kernel", typed("string", "its name or a part; all by default")}}, {})),
        reading("sanitize", "Sanitize",
                "Runs the certify tier: all baselines, and the candidate under compute-sanitizer (memcheck, "
                "racecheck, initcheck). Needs a GPU and takes about a minute. Gives each tool's errors with "
                "kernel and line.",
                nothing()),
        reading(
            "sweep", "Try choices",
            "Times the candidate with the other values that its CHOICES name, on a GPU. Gives the time of "
            "each: hints, not measurements of a text.",
            nothing()),
        reading("device_facts", "Device facts",
                "The device that is measured on: name, SMs, shared memory, bandwidth and peak rates where "
                "they are known; of a CPU its cores, caches and vector width.",
                nothing()),
        reading(
            "history", "History",
            "The iterations so far: number, parent, author, verdict, reward, speed-up and note; which one "
            "is current.",
            nothing()),
        writing(
            "expert", "Ask the built-in expert",
            "What the built-in expert, which knows families of kernels, would try next from the current "
            "iteration, why, and how much it expects of it; its change as a diff. apply: true also writes "
            "its text into the work folder, over yours.",
            object({{"apply", typed("boolean", "true: into the work folder")}}, {}), true, true),
        writing(
            "submit", "Submit",
            "Proposes the work folder's candidate as the next iteration: it is measured, and the person or "
            "the policy decides. Say what you expect: predicted_time_ratio is the new time over the old "
            "one (0.8: a fifth faster), predicted_us the new time in microseconds. Gives what became of "
            "it.",
            object({{"title", typed("string", "one line: what was changed")},
                    {"reason", typed("string", "why it should help; Markdown")},
                    {"predicted_time_ratio", typed("number", "new time over old; above 0")},
                    {"predicted_us", typed("number", "new time in microseconds; above 0")}},
                   {"title", "reason"}),
            false, false),
        reading("skill", "Read the skill",
                "Gives a page of what is known of writing CUDA kernels here: rules, workflow, checklists. "
                "Without page the first, which lists the others.",
                object({{"page", typed("string", "its name: reductions, or reductions.md")}}, {})),
    };
}

} // namespace

const std::vector<ToolSpec> &Toolbox::specs() {
    static const std::vector<ToolSpec> all = [] {
        std::vector<ToolSpec> specs = fileSpecs();
        for (ToolSpec &spec : measuringSpecs())
            specs.push_back(std::move(spec));
        return specs;
    }();
    return all;
}

} // namespace warpwright
