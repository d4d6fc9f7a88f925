// SPDX-License-Identifier: GPL-3.0-or-later
// Does what the guides say of adding a kernel template and a command of wright, in a copy of the files: it
// has to compile, and to touch no more files than they name.
#include "tests/guards/frozen_lists.h"
#include "tests/guards/list_guard.h"
#include "tests/guards/tree_copy.h"
#include "tests/guards/verify_none.h"
#include "warpwright_version.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTest>

using namespace warpwright;

class TestHowToAdd : public QObject {
    Q_OBJECT

private slots:
    void findsWhatWasTouched();
    void aKernelTemplateIsAFileAndARow();
    void aCommandIsAFileAndARow();
};

static bool isAnyFile(const QString &) {
    return true;
}

/// What the guards of lists say of files whose path has `name`.
static QStringList unlisted(const TreeCopy &copy, const QString &name) {
    const QVector<GuardFile> files = GuardFile::readAll(copy.path(), isAnyFile);
    QSet<QString> paths;
    for (const GuardFile &file : files)
        paths.insert(file.path);
    const CMakeSources sources = CMakeSources::of(chosenFiles(files, isSourceList), paths);
    QStringList complaints = sources.unsorted + sources.misplaced;
    for (const GuardFault &fault :
         unlistedFaults(chosenFiles(files, isCppOfLayers), sources) +
             unnamedModuleFaults(chosenFiles(files, isCppOfLayers), chosenFiles(files, isReadmeOfLayers)))
        if (fault.key.contains(name))
            complaints.append(fault.complaint);
    return complaints;
}

/// The lines of a document from the one that begins with `first` until one that begins with `last`.
static QString sectionOf(const QString &path, const QString &first, const QString &last) {
    QFile file(QDir(buildSourceFolder()).filePath(path));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString section;
    bool isIn = false;
    for (const QString &line : QString::fromUtf8(file.readAll()).split('\n')) {
        if (line.startsWith(first))
            isIn = true;
        else if (isIn && line.startsWith(last))
            break;
        if (isIn)
            section += line + '\n';
    }
    return section;
}

/// Complaints where more than two files beside README.md are touched, or one that `guide` does not name: as
/// "kernel_templates.cpp", or as "commands()".
static QStringList beyondGuide(const QStringList &touched, const QString &guide) {
    QStringList complaints;
    int count = 0;
    for (const QString &path : touched) {
        const QFileInfo file(path);
        count += file.fileName() == "README.md" ? 0 : 1;
        if (!guide.contains(file.fileName()) && !guide.contains('`' + file.completeBaseName() + "()`"))
            complaints.append(QString("%1 had to be touched, and the guide does not name it").arg(path));
    }
    if (count > 2)
        complaints.append(QString("%1 files had to be touched beside README.md, more than 2").arg(count));
    return complaints;
}

void TestHowToAdd::findsWhatWasTouched() {
    TreeCopy copy({"app/cli/setup"});
    QCOMPARE(copy.touched(), QStringList());
    copy.write("app/cli/setup/toy.cpp", "int toy = \"no number\";\n");
    copy.insertBefore("app/cli/setup/README.md", "## Modules", "| `mcp_command`", "| a toy |");
    copy.insertSorted("app/cli/setup/README.md", "| module", 3, "| `models_toy` |");
    QCOMPARE(copy.complaints(), QStringList());
    QCOMPARE(copy.touched(), QStringList("app/cli/setup/README.md"));
    copy.insertBefore("app/cli/setup/README.md", "no such line", "", "");
    QCOMPARE(copy.complaints().size(), 2);
    QVERIFY(unlisted(copy, "toy").join('\n').contains("toy.cpp: this source is in no list"));
    QVERIFY(unlisted(copy, "toy").join('\n').contains("names the module `toy`"));

    QCOMPARE(copy.compile({"app/cli/setup/toy.cpp"}, "app/cli/no_such.cpp", WARPWRIGHT_BUILD_FOLDER).size(),
             1);
    const QStringList said =
        copy.compile({"app/cli/setup/toy.cpp"}, "app/cli/commands.cpp", WARPWRIGHT_BUILD_FOLDER);
    QVERIFY2(said.join('\n').contains("toy.cpp:1:"), qPrintable(said.join('\n')));

    QCOMPARE(beyondGuide({"a/commands.cpp", "a/CMakeLists.txt", "a/README.md"},
                         "a row in `commands()`, CMakeLists.txt, README.md"),
             QStringList());
    QCOMPARE(beyondGuide({"a/b.cpp", "a/c.cpp", "d.cpp"}, "b.cpp c.cpp"),
             QStringList({"d.cpp had to be touched, and the guide does not name it",
                          "3 files had to be touched beside README.md, more than 2"}));
}

// docs/playbook/adding_a_kernel_template.md, "Another way of running what is there".
void TestHowToAdd::aKernelTemplateIsAFileAndARow() {
    const QString cuda = "agent/playbook/codegen/cuda/";
    TreeCopy copy({"agent/playbook/codegen/cuda"});
    copy.write(cuda + "loops/toy_kernel.h", R"(// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

namespace warpwright {

/// A kernel whose threads do nothing.
[[nodiscard]] QString toyKernelCudaText(const KernelSource &source);

} // namespace warpwright
)");
    copy.write(cuda + "loops/toy_kernel.cpp", R"(// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/toy_kernel.h"

namespace warpwright {

QString toyKernelCudaText(const KernelSource &source) {
    return QStringLiteral("__global__ void toy() {} // %1 stores\n").arg(source.kernel.stores.size());
}

} // namespace warpwright
)");
    const QString list = cuda + "loops/CMakeLists.txt";
    copy.insertSorted(list, "target_sources(warpwright_playbook_codegen_cuda PRIVATE", 4,
                      "    toy_kernel.cpp");
    copy.insertSorted(list, "target_sources(warpwright_playbook_codegen_cuda PUBLIC", 4, "    toy_kernel.h");
    copy.insertBefore(cuda + "README.md", "### `loops/`", "- ", "- `toy_kernel`: a kernel that does nothing");
    const QString table = cuda + "kernel_templates.cpp";
    copy.insertSorted(table, "#include \"agent/playbook/codegen/cuda/attention", 39,
                      "#include \"agent/playbook/codegen/cuda/loops/toy_kernel.h\"");
    copy.insertBefore(table, "std::vector<KernelTemplate> loopTemplates()", "        {\"generic_kernel\"",
                      R"(        {"toy_kernel", loopSummary, false, false,
         [](const Kernel &kernel, const Knobs &) { return kernel.inputs.empty(); },
         [](const Kernel &, const Knobs &) { return Configs{0}; },
         [](const Kernel &, const Knobs &, double bandwidth) { return 1e-6 + 1 / bandwidth; }, toyKernelCudaText},)");
    VERIFY_NONE(copy.complaints());
    VERIFY_NONE(unlisted(copy, "toy_kernel"));
    QCOMPARE(copy.touched(), QStringList({cuda + "README.md", table, list}));
    VERIFY_NONE(beyondGuide(copy.touched(), sectionOf("docs/playbook/adding_a_kernel_template.md",
                                                      "## Another way of running what is there", "## ")));
    VERIFY_NONE(copy.compile({cuda + "loops/toy_kernel.cpp", table}, table, WARPWRIGHT_BUILD_FOLDER));
}

// docs/how_to_add.md, the row of a command.
void TestHowToAdd::aCommandIsAFileAndARow() {
    const QString cli = "app/cli/";
    TreeCopy copy({"app/cli"});
    copy.write(cli + "setup/toy_command.h", R"(// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace warpwright {

/// Says nothing.
[[nodiscard]] Command toyCommand();

} // namespace warpwright
)");
    copy.write(cli + "setup/toy_command.cpp", R"(// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/setup/toy_command.h"

#include <CLI/CLI.hpp>

namespace warpwright {
namespace {

struct ToyOptions {
    bool asksJson = false;

    void addTo(CLI::App &app) { app.add_flag("--json", asksJson, "Print nothing as JSON"); }
};

int runToy(const CommandContext & /*context*/, const ToyOptions &options) {
    return options.asksJson ? 1 : 0;
}

} // namespace

Command toyCommand() {
    return commandWith("toy", "Say nothing", runToy);
}

} // namespace warpwright
)");
    const QString list = cli + "CMakeLists.txt";
    copy.insertSorted(list, "    PRIVATE", 14, "        setup/toy_command.cpp");
    copy.insertSorted(list, "    PUBLIC FILE_SET", 14, "        setup/toy_command.h");
    copy.insertBefore(cli + "setup/README.md", "| module", "| `version_command`",
                      "| `toy_command` | nothing |");
    const QString table = cli + "commands.cpp";
    copy.insertSorted(table, "#include \"app/cli/commands.h\"", 23,
                      "#include \"app/cli/setup/toy_command.h\"");
    copy.insertBefore(table, "std::vector<Command> commands() {", "            versionCommand()",
                      "            toyCommand(),");
    VERIFY_NONE(copy.complaints());
    VERIFY_NONE(unlisted(copy, "toy_command"));
    QCOMPARE(copy.touched(), QStringList({list, table, cli + "setup/README.md"}));
    VERIFY_NONE(beyondGuide(copy.touched(), sectionOf("docs/how_to_add.md", "# How to add", "| a tool ") +
                                                sectionOf("docs/how_to_add.md", "| a command of ", "| ")));
    VERIFY_NONE(copy.compile({cli + "setup/toy_command.cpp", table}, table, WARPWRIGHT_BUILD_FOLDER));
}

QTEST_GUILESS_MAIN(TestHowToAdd)
#include "tst_how_to_add.moc"
