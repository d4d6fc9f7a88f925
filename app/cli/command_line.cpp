// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"

#include "app/cli/number_words.h"
#include "app/cli/report_line.h"
#include "app/cli/unknown_command.h"
#include "app/cli/verdict_help.h"
#include "toolchain/compile/device_choice.h"

#include <CLI/CLI.hpp>

#include <QRegularExpression>

#include <string>
#include <vector>

namespace warpwright {
namespace {

CommandLine errorLine(const QString &why, const QString &help, bool asksJson = false) {
    CommandLine line;
    line.command = CommandLine::Command::Error;
    line.asksJson = asksJson;
    QString reason = why.trimmed();
    if (reason.endsWith(QLatin1Char('.')))
        reason.chop(1);
    line.text = QStringLiteral("Cannot understand the command: %1. Run %2.").arg(reason, help);
    return line;
}

} // namespace

CommandLine parseCommandLine(const QStringList &arguments) {
    CommandLine line;
    std::string path = ".";
    std::string folder;
    std::string model;
    std::string lesson;
    std::string device;
    std::string python;
    std::string tier;
    std::string stages = "compile,verify,profile";
    bool isVersion = false;

    CLI::App app("Compiles, verifies and profiles kernels that are to replace a PyTorch reference.",
                 "wright");
    app.set_help_flag("-h,--help", "This text");
    app.add_flag("--version", isVersion, "The versions of all parts");
    app.require_subcommand(0, 1);
    CLI::App *check = app.add_subcommand("check", "Compile, verify and profile a workspace");
    check->add_option("DIR|FILE", path, "A workspace, or a lone model.py (default: the current folder)")
        ->type_name("");
    check
        ->add_option("--device", device,
                     "auto, cpu or cuda:N (default: the settings', else auto: cuda:0 where there is one)")
        ->type_name("NAME");
    const CLI::Option *tierOption =
        check
            ->add_option(
                "--tier", tier,
                "quick: one live baseline; certify: all of them (default: the settings', else quick)")
            ->type_name("NAME");
    check
        ->add_option("--stages", stages, "compile or compile,verify or compile,verify,profile (default: all)")
        ->type_name("LIST");
    check
        ->add_option("--python", python,
                     "The interpreter whose torch is used (default: the settings', else our environment's)")
        ->type_name("PROGRAM");
    check->add_flag(
        "--sweep", line.sweepsConfigs,
        "On a GPU, after a quick profile: try the other values that ModelNew.CHOICES names, as hints");
    check->add_flag("--json", line.asksJson, "Print the evaluation as JSON (warpwright.evaluation/1)");
    check->footer(verdictTable().toStdString() + "\n\n" + rewardText().toStdString());

    std::string kernel;
    std::string architecture;
    CLI::App *inspect =
        app.add_subcommand("inspect", "Show what the compiler knows of a workspace's kernels; needs no GPU");
    inspect->add_option("DIR", path, "A workspace (default: the current folder)")->type_name("");
    inspect->add_flag("--resources", line.wantsResources,
                      "Registers, spills, shared memory, occupancy, opcode mix (default)");
    inspect->add_flag("--sass", line.wantsSass, "The instructions of the chip, beside their source lines");
    inspect->add_flag("--ptx", line.wantsPtx, "PTX beside its source lines");
    inspect->add_option("--kernel", kernel, "Only kernels whose name holds this")->type_name("NAME");
    inspect
        ->add_option("--arch", architecture,
                     "sm_90a, sm_120 ... (default: the task's, else the device's, else the settings')")
        ->type_name("NAME");
    inspect->add_option("--threads", line.threads, "Threads of a block, for the occupancy (default: several)")
        ->check(between(1, 1024))
        ->type_name("COUNT");
    inspect->add_option("--iteration", line.iteration, "An earlier iteration instead of the text on disk")
        ->check(aboveZero())
        ->type_name("NUMBER");
    inspect
        ->add_option("--against", line.against,
                     "Also what has changed since this iteration: resources, and the opcodes of the SASS")
        ->check(aboveZero())
        ->type_name("NUMBER");
    inspect->add_option("--python", python, "The interpreter whose torch is used")->type_name("PROGRAM");
    inspect->add_flag("--json", line.asksJson, "Print all of it as JSON (warpwright.inspect/1)");
    inspect->footer("Exit code 0: here it is; 3: a kernel does not compile; 2: it could not be inspected.");

    CLI::App *findings = app.add_subcommand(
        "findings", "Say what keeps the kernels from being faster: hints with their evidence; needs no GPU");
    findings->add_option("DIR", path, "A workspace (default: the current folder)")->type_name("");
    findings->add_option("--kernel", kernel, "Only kernels whose name holds this")->type_name("NAME");
    findings->add_option("--iteration", line.iteration, "An earlier iteration instead of the text on disk")
        ->check(aboveZero())
        ->type_name("NUMBER");
    findings->add_option("--python", python, "The interpreter whose torch is used")->type_name("PROGRAM");
    findings->add_flag("--json", line.asksJson, "Print all of it as JSON (warpwright.findings/1)");
    findings->footer(
        "They read the source, what the compiler says, and what is stored of this very text: the "
        "last check, the last counters.\nExit code 0: here they are, or there are none; 2: the "
        "workspace cannot be read.");

    CLI::App *heat =
        addHeatTo(app, line.heat, path, kernel, line.iteration, line.wantsSass, python, line.asksJson);

    CLI::App *make = app.add_subcommand("new", "Make a workspace from a template");
    make->add_option("DIR", folder, "The folder to fill; made if it does not exist")
        ->required()
        ->type_name("");
    CLI::Option *from =
        make->add_option("--from", model, "The reference: a file with Model, get_inputs and get_init_inputs")
            ->type_name("FILE");
    CLI::Option *lessonOption =
        make->add_option(
                "--lesson", lesson,
                "softmax, gemm or the folder of a lesson of your own: a kernel to begin with, and the "
                "patches that make it fast")
            ->type_name("NAME")
            ->excludes(from);
    make->footer("One of --from and --lesson is needed.");

    std::string request;
    bool isJudgeOnly = false;
    CLI::App *prepare = app.add_subcommand(
        "prepare",
        "Compile in advance what every check needs: the judge, torch's headers, the template's binding");
    prepare->add_option("--python", python, "The interpreter whose torch is used")->type_name("PROGRAM");
    prepare->add_flag("--judge", isJudgeOnly, "Only the judge");
    prepare->add_option("--request", request, "Only the headers that this file asks for")->type_name("FILE");
    prepare->footer("It works while nobody else wants the processor. A check does not need it, and starts it "
                    "by itself for headers that it misses; WARPWRIGHT_HEADERS=0 keeps it from that.");

    CLI::App *doctor =
        app.add_subcommand("doctor", "Say what was found on this machine, and what mends the rest");
    doctor->add_option("--python", python, "The interpreter to look at")->type_name("PROGRAM");
    doctor->add_flag("--json", line.asksJson, "Print the findings as JSON (warpwright.doctor/1)");

    std::string shard;
    std::string suite;
    std::vector<std::string> rows;
    CLI::App *selftest =
        app.add_subcommand("selftest", "Try the judge with attacks, and with honest candidates beside them");
    selftest->add_option("ROW", rows, "Names of rows (default: all of the shard)")->type_name("");
    selftest
        ->add_option("--device", device,
                     "auto, cpu or cuda:N (default: the settings', else auto: cuda:0 where there is one)")
        ->type_name("NAME");
    selftest->add_option("--suite", suite, "Another suite than the one that came along")->type_name("FOLDER");
    selftest->add_option("--shard", shard, "I/N: the I-th of N parts, from 1")->type_name("I/N");
    selftest->add_option("--python", python, "The interpreter whose torch is used")->type_name("PROGRAM");
    selftest->add_flag("--json", line.asksJson, "Print the table as JSON (warpwright.selftest/1)");
    selftest->footer("Exit code 0: every row that this device can run came out as expected; 1: some did not; "
                     "2: the suite cannot run here.");

    std::string document;
    CLI::App *reproduce = app.add_subcommand(
        "reproduce", "Measure the text of a stored evaluation again, and compare the times");
    reproduce->add_option("FILE", document, "The evaluation: .warpwright/evaluations/ID.json of a workspace")
        ->required()
        ->type_name("");
    reproduce->add_option("--device", device, "auto, cpu or cuda:N (default: as the evaluation says)")
        ->type_name("NAME");
    reproduce->add_option("--python", python, "The interpreter whose torch is used")->type_name("PROGRAM");
    reproduce->add_flag("--json", line.asksJson, "Print both as JSON (warpwright.reproduction/1)");
    reproduce->footer(
        "Exit code 0: the same verdict, and each speed-up within the greater of 1 % and both "
        "intervals; 1: not; 4: it could not be measured again; 2: the evaluation cannot be used.");

    CLI::App *log = app.add_subcommand("log", "The tree of a workspace's iterations, and its runs");
    log->add_option(
           "DIR", path,
           "A workspace, or the record of a run: its folder or trajectory.jsonl (default: the current "
           "folder)")
        ->type_name("");
    log->add_flag("--json", line.asksJson, "Print all of it as JSON (warpwright.log/1)");

    ShowWords showWords;
    CLI::App *show = showWords.addTo(app, folder, line.iteration, line.asksJson);

    CompareWords compareWords;
    CLI::App *compare = compareWords.addTo(app, folder, line.asksJson);

    CLI::App *replay =
        app.add_subcommand("replay", "Tell a recorded run again, and check its texts and times");
    replay
        ->add_option("RUN", document,
                     "A trajectory.jsonl, the folder of a run, or a workspace: its newest run")
        ->required()
        ->type_name("");
    CLI::Option *speed =
        replay
            ->add_option("--speed", line.speed, "1: as it happened; 10: ten times as fast (default: at once)")
            ->check(between(0.001, 1e6))
            ->type_name("X");
    CLI::Option *step = replay->add_flag("--step", line.isStepped, "Wait for Enter before each step");
    replay
        ->add_flag("--diff", line.wantsDiffs,
                   "In place of the story each proposal as a unified diff, with the answer to each hunk, by "
                   "whom, and why")
        ->excludes(speed)
        ->excludes(step);
    replay->add_option("--to", line.untilEvent, "Stop after this event")
        ->check(aboveZero())
        ->type_name("NUMBER");
    replay->add_flag("--json", line.asksJson, "Print the steps as JSON (warpwright.replay/1)");
    replay->footer("Exit code 0: every text comes out byte for byte, and times and verdicts are those of the "
                   "evaluations that are stored; 1: not; 2: it could not be read.");

    CLI::App *bench = app.add_subcommand("bench", "Measure Warpwright itself on this machine");
    bench->require_subcommand(1);
    bench->add_subcommand("window", "How fast the window starts, and what its events cost while it works");
    std::string arm = "eager";
    int quickRuns = 20;
    int certifyRuns = 5;
    CLI::App *clock = bench->add_subcommand(
        "clock", "What the judge's clock says of a reference against itself, and of one made slower");
    clock->add_option("DIR", path, "A workspace (default: the current folder)")->type_name("");
    clock->add_option("--arm", arm, "eager or compile (default: eager)")
        ->check(CLI::IsMember({"eager", "compile"}))
        ->type_name("NAME");
    clock->add_option("--quick", quickRuns, "Runs of the quick tier (default: 20)")
        ->check(between(0, 1000))
        ->type_name("COUNT");
    clock->add_option("--certify", certifyRuns, "Runs of the certify tier (default: 5)")
        ->check(between(0, 1000))
        ->type_name("COUNT");
    clock->add_option("--device", device, "auto, cpu or cuda:N (default: the settings', else auto)")
        ->type_name("NAME");
    clock->add_option("--python", python, "The interpreter whose torch is used")->type_name("PROGRAM");
    clock->add_flag("--json", line.asksJson, "Print the runs as JSON (warpwright.clock/1)");
    clock->footer(
        "Exit code 0: never faster by more than 5 %, the truth inside the interval in 90 of 100 runs, and "
        "each slow-down that can be certified found; 1: not; 2: it could not run.");

    int warmTurns = 5;
    int peerTurns = 2;
    CLI::App *loop = bench->add_subcommand(
        "loop", "How long it takes from an edit to a verdict, and CUDA-Agent's three steps beside it");
    loop->add_option("DIR", path, "A workspace whose candidate passes (default: the current folder)")
        ->type_name("");
    loop->add_option("--turns", warmTurns, "Turns with one kernel edited (default: 5)")
        ->check(between(1, 1000))
        ->type_name("COUNT");
    loop->add_option("--peer-turns", peerTurns, "Turns of CUDA-Agent's steps (default: 2)")
        ->check(between(0, 100))
        ->type_name("COUNT");
    loop->add_option("--device", device, "auto, cpu or cuda:N (default: the settings', else auto)")
        ->type_name("NAME");
    loop->add_option("--python", python, "The interpreter whose torch is used")->type_name("PROGRAM");
    loop->add_flag("--json", line.asksJson, "Print all turns as JSON (warpwright.loop/1)");
    loop->footer(
        "It works on copies; the workspace stays as it is. Exit code 0: measured; 2: it could not run.");

    BenchTasksWords tasksWords;
    CLI::App *tasks = tasksWords.addTo(*bench, device, tier, python, line.asksJson);

    TuneWords tuneWords;
    CLI::App *tune = tuneWords.addTo(app, path, device, python, line.asksJson);

    AgentsWords agentsWords;
    CLI::App *agents = agentsWords.addTo(app, line.asksJson);

    McpWords mcpWords;
    CLI::App *mcp = mcpWords.addTo(app, device, python);

    CountersWords countersWords;
    CLI::App *counters =
        countersWords.addTo(app, path, kernel, line.iteration, line.against, device, python, line.asksJson);

    CLI::App *timeline = countersWords.addTimelineTo(app, path, device, python, line.asksJson);

    ReportWords reportWords;
    CLI::App *report = reportWords.addTo(app, path, line.iteration, python);

    ModelsWords modelsWords;
    CLI::App *models = modelsWords.addTo(app, line.asksJson);

    const CLI::App *version = app.add_subcommand("version", "The same as --version");

    // Last, because each command takes over the footer that is there when it is made.
    app.footer("wright COMMAND --help tells more of a command.\n\n" + verdictTable().toStdString() + "\n\n" +
               rewardText().toStdString());

    std::vector<std::string> words;
    for (const QString &argument : arguments.mid(1))
        words.push_back(argument.toStdString());
    const bool saidJson = arguments.contains(QStringLiteral("--json"));
    std::reverse(words.begin(), words.end()); // CLI11 takes them from the back
    try {
        app.parse(words);
    } catch (const CLI::CallForHelp &) {
        const auto chosen = app.get_subcommands();
        line.text = QString::fromStdString(chosen.empty() ? app.help() : chosen.front()->help("wright"));
        return line;
    } catch (const CLI::ParseError &problem) {
        if (const QString unknown = unknownCommand(app, arguments.value(1)); !unknown.isEmpty())
            return errorLine(unknown, QStringLiteral("wright --help"), saidJson);
        return errorLine(QString::fromStdString(problem.what()), QStringLiteral("wright --help"),
                         saidJson && !arguments.contains(QStringLiteral("doctor")));
    }

    line.device = QString::fromStdString(device);
    line.python = QString::fromStdString(python);
    if (isVersion || version->parsed()) {
        line.command = CommandLine::Command::Version;
    } else if (check->parsed()) {
        line.command = CommandLine::Command::Check;
        line.path = QString::fromStdString(path);
        const auto refuse = [&line](const QString &why) {
            return errorLine(why, QStringLiteral("wright check --help"), line.asksJson);
        };
        if (!line.device.isEmpty() && !isDeviceWord(line.device))
            return refuse(QStringLiteral("--device \"%1\" is not auto, cpu or cuda:N").arg(line.device));
        const std::optional<Tier> chosenTier = tierFromName(QString::fromStdString(tier));
        if (!chosenTier && tierOption->count() > 0)
            return refuse(
                QStringLiteral("--tier \"%1\" is not quick or certify").arg(QString::fromStdString(tier)));
        line.tier = chosenTier;
        const Result<LastStage> last = parseStages(QString::fromStdString(stages));
        if (!last.hasValue()) {
            CommandLine error;
            error.command = CommandLine::Command::Error;
            error.text = last.message();
            error.asksJson = line.asksJson;
            return error;
        }
        line.lastStage = last.value();
    } else if (inspect->parsed()) {
        line.command = CommandLine::Command::Inspect;
        line.path = QString::fromStdString(path);
        line.kernel = QString::fromStdString(kernel);
        line.architecture = QString::fromStdString(architecture);
        line.wantsResources = line.wantsResources || (!line.wantsSass && !line.wantsPtx);
        static const QRegularExpression form(QStringLiteral("^sm_\\d{2,3}[af]?$"));
        if (!line.architecture.isEmpty() && !form.match(line.architecture).hasMatch()) {
            return errorLine(
                QStringLiteral("--arch \"%1\" is no architecture like sm_90a").arg(line.architecture),
                QStringLiteral("wright inspect --help"), line.asksJson);
        }
    } else if (findings->parsed()) {
        line.command = CommandLine::Command::Findings;
        line.path = QString::fromStdString(path);
        line.kernel = QString::fromStdString(kernel);
    } else if (heat->parsed()) {
        line.command = CommandLine::Command::Heat;
        line.path = QString::fromStdString(path);
        line.kernel = QString::fromStdString(kernel);
    } else if (report->parsed()) {
        line.command = CommandLine::Command::Report;
        line.path = QString::fromStdString(path);
        line.html = reportWords.html();
        line.run = reportWords.run();
    } else if (counters->parsed() || timeline->parsed()) {
        line.command = counters->parsed() ? CommandLine::Command::Counters : CommandLine::Command::Timeline;
        line.path = QString::fromStdString(path);
        line.kernel = QString::fromStdString(kernel);
        QString why;
        line.counters = countersWords.line(why);
        if (!line.device.isEmpty() && !isDeviceWord(line.device))
            why = QStringLiteral("--device \"%1\" is not auto or cuda:N").arg(line.device);
        if (!why.isEmpty())
            return errorLine(why,
                             counters->parsed() ? QStringLiteral("wright counters --help")
                                                : QStringLiteral("wright timeline --help"),
                             line.asksJson);
    } else if (reproduce->parsed()) {
        line.command = CommandLine::Command::Reproduce;
        line.path = QString::fromStdString(document);
        if (!line.device.isEmpty() && !isDeviceWord(line.device))
            return errorLine(QStringLiteral("--device \"%1\" is not auto, cpu or cuda:N").arg(line.device),
                             QStringLiteral("wright reproduce --help"));
    } else if (log->parsed()) {
        line.command = CommandLine::Command::Log;
        line.path = QString::fromStdString(path);
    } else if (show->parsed() || compare->parsed()) {
        line.command = show->parsed() ? CommandLine::Command::Show : CommandLine::Command::Compare;
        line.path = QString::fromStdString(folder);
        if (compare->parsed())
            line.compare = compareWords.line();
        else
            line.show = showWords.line();
    } else if (replay->parsed()) {
        line.command = CommandLine::Command::Replay;
        line.path = QString::fromStdString(document);
    } else if (selftest->parsed()) {
        line.command = CommandLine::Command::Selftest;
        line.suite = QString::fromStdString(suite);
        for (const std::string &row : rows)
            line.rows.append(QString::fromStdString(row));
        const QStringList parts = QString::fromStdString(shard).split(QLatin1Char('/'));
        if (!shard.empty()) {
            line.shard = parts.value(0).toInt();
            line.shards = parts.value(1).toInt();
        }
        if (parts.size() > 2 || line.shards < 1 || line.shards > 64 || line.shard < 1 ||
            line.shard > line.shards)
            return errorLine(QStringLiteral("--shard \"%1\" is not I/N with 1 <= I <= N <= 64")
                                 .arg(QString::fromStdString(shard)),
                             QStringLiteral("wright selftest --help"));
        if (!line.device.isEmpty() && !isDeviceWord(line.device))
            return errorLine(QStringLiteral("--device \"%1\" is not auto, cpu or cuda:N").arg(line.device),
                             QStringLiteral("wright selftest --help"));
    } else if (make->parsed()) {
        line.command = CommandLine::Command::New;
        line.path = QString::fromStdString(folder);
        line.modelFile = QString::fromStdString(model);
        line.lesson = QString::fromStdString(lesson);
        if (from->empty() && lessonOption->empty())
            return errorLine(QStringLiteral("new needs --from FILE or --lesson NAME"),
                             QStringLiteral("wright new --help"));
    } else if (prepare->parsed()) {
        line.command = CommandLine::Command::Prepare;
        line.request = QString::fromStdString(request);
        line.isJudgeOnly = isJudgeOnly;
    } else if (doctor->parsed()) {
        line.command = CommandLine::Command::Doctor;
    } else if (clock->parsed()) {
        line.command = CommandLine::Command::Clock;
        line.path = QString::fromStdString(path);
        line.arm = QString::fromStdString(arm);
        line.quickRuns = quickRuns;
        line.certifyRuns = certifyRuns;
        if (!line.device.isEmpty() && !isDeviceWord(line.device))
            return errorLine(QStringLiteral("--device \"%1\" is not auto, cpu or cuda:N").arg(line.device),
                             QStringLiteral("wright bench clock --help"));
    } else if (loop->parsed()) {
        line.command = CommandLine::Command::Loop;
        line.path = path.empty() ? QStringLiteral(".") : QString::fromStdString(path);
        line.warmTurns = warmTurns;
        line.peerTurns = peerTurns;
        if (!line.device.isEmpty() && !isDeviceWord(line.device))
            return errorLine(QStringLiteral("--device \"%1\" is not auto, cpu or cuda:N").arg(line.device),
                             QStringLiteral("wright bench loop --help"));
    } else if (tasks->parsed()) {
        line.command = CommandLine::Command::Tasks;
        line.tier = tierFromName(QString::fromStdString(tier));
        QString why;
        line.tasks = tasksWords.line(why);
        if (why.isEmpty() && !line.device.isEmpty() && !isDeviceWord(line.device))
            why = QStringLiteral("--device \"%1\" is not auto, cpu or cuda:N").arg(line.device);
        if (!why.isEmpty())
            return errorLine(why, QStringLiteral("wright bench tasks --help"));
    } else if (tune->parsed()) {
        line.command = CommandLine::Command::Tune;
        line.path = QString::fromStdString(path);
        QString why;
        line.tune = tuneWords.line(why);
        if (why.isEmpty() && !line.device.isEmpty() && !isDeviceWord(line.device))
            why = QStringLiteral("--device \"%1\" is not auto, cpu or cuda:N").arg(line.device);
        if (!why.isEmpty())
            return errorLine(why, QStringLiteral("wright tune --help"));
    } else if (agents->parsed()) {
        line.command = CommandLine::Command::Agents;
        QString why;
        line.agents = agentsWords.line(why);
        if (!why.isEmpty())
            return errorLine(why, QStringLiteral("wright agents --help"));
    } else if (mcp->parsed()) {
        line.command = CommandLine::Command::Mcp;
        QString why;
        line.mcp = mcpWords.line(why);
        if (why.isEmpty() && !line.device.isEmpty() && !isDeviceWord(line.device))
            why = QStringLiteral("--device \"%1\" is not auto, cpu or cuda:N").arg(line.device);
        if (!why.isEmpty())
            return errorLine(why, QStringLiteral("wright mcp --help"));
    } else if (models->parsed()) {
        line.command = CommandLine::Command::Models;
        QString why;
        line.models = modelsWords.line(why);
        if (!why.isEmpty())
            return errorLine(why, QStringLiteral("wright models add --help"));
    } else if (bench->parsed()) {
        line.command = CommandLine::Command::Bench;
    } else {
        line.text = QString::fromStdString(app.help());
    }
    return line;
}

} // namespace warpwright
