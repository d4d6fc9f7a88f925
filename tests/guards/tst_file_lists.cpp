// SPDX-License-Identifier: GPL-3.0-or-later
// Every file is in its list: of CMake, of the judge's build.json, of its folder's README.md. Each guard is
// first shown a fault. tests/guards/README.md says what is in the lists and how they are written anew.
#include "tests/guards/frozen_lists.h"
#include "tests/guards/list_guard.h"
#include "tests/guards/verify_none.h"
#include "warpwright_version.h"

#include <QTest>

using namespace warpwright;

class TestFileLists : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();

    void findsAFileInNoList();
    void findsASourceAmongHeaders();
    void findsAListThatIsNotSorted();
    void findsAListThatNoTargetTakes();
    void findsAListThatIsNotAdded();
    void findsASourceThatIsListedTwice();
    void findsAModuleThatNoReadmeNames();
    void listsAreWhole();
    void readmesNameEveryModule();

private:
    QVector<GuardFile> m_files; ///< all that a guard below asks for, read once
    QVector<GuardFile> m_layers;
};

static bool isRead(const QString &path) {
    return isCppOfLayers(path) || isSourceList(path) || isReadmeOfLayers(path);
}

void TestFileLists::initTestCase() {
    m_files = GuardFile::readAll(buildSourceFolder(), isRead);
    m_layers = chosenFiles(m_files, isCppOfLayers);
    QVERIFY2(m_layers.size() > 100, "the source tree was not found");
}

void TestFileLists::findsAFileInNoList() {
    const QVector<GuardFile> files{{"agent/a.h", {}},
                                   {"agent/a.cpp", {}},
                                   {"agent/deep/b.cpp", {}},
                                   {"agent/deep/b.h", {}},
                                   {"agent/c.h", {}},
                                   {"agent/d.h", {}},
                                   {"agent/e.cpp", {}},
                                   {"agent/f.cpp", {}},
                                   {"agent/g.h", {}},
                                   {"agent/program.cpp", {}},
                                   {"agent/program.h", {}},
                                   {"toolchain/referee/h.h", {}},
                                   {"toolchain/referee/h.cpp", {}},
                                   {"toolchain/referee/i.cpp", {}}};
    QSet<QString> paths;
    for (const GuardFile &file : files)
        paths.insert(file.path);
    const QVector<GuardFile> lists{
        {"agent/CMakeLists.txt",
         {"add_library(agent STATIC ${deep_sources} # a word", "    a.cpp # e.cpp",
          "    \"${PROJECT_SOURCE_DIR}/agent/f.cpp\")",
          "target_sources(agent PUBLIC FILE_SET HEADERS BASE_DIRS \"${PROJECT_SOURCE_DIR}\" FILES", "    a.h",
          "    ${deep_headers}", "    PRIVATE c.h)", "add_executable(program program.cpp)", "# d.h"}},
        {"agent/deep/sources.cmake",
         {"set(deep_sources deep/b.cpp)", "set(deep_headers b.h)", "set(others g.h)"}},
        {"toolchain/CMakeLists.txt", {"add_executable(other referee/h.cpp referee/i.cpp)"}},
        {"toolchain/referee/build.json",
         {"{\"sources\": [\"h.cpp\", \"base/h.cpp\"]}", "{\"sources\": [\"h.cpp\", \"base/h.cpp\"]}"}}};
    const CMakeSources sources = CMakeSources::of(lists, paths);
    QStringList found;
    for (const GuardFault &fault : unlistedFaults(files, sources))
        found.append(fault.key);
    QCOMPARE(found,
             QStringList({"agent/c.h", "agent/d.h", "agent/e.cpp", "agent/g.h", "toolchain/referee/i.cpp"}));
    QCOMPARE(
        sources.missing,
        QStringList("toolchain/referee/build.json: names toolchain/referee/base/h.cpp, which is no file"));
}

void TestFileLists::findsASourceAmongHeaders() {
    const QVector<GuardFile> lists{
        {"agent/CMakeLists.txt",
         {"target_sources(agent PRIVATE a.cpp PUBLIC FILE_SET HEADERS FILES", "    a.h", "    b.cpp",
          "    ${others})"}},
        {"agent/sources.cmake", {"set(others c.cuh", "    d.cu)", "install(FILES e.h)"}}};
    const CMakeSources sources =
        CMakeSources::of(lists, {"agent/a.h", "agent/a.cpp", "agent/b.cpp", "agent/c.cuh", "agent/d.cu"});
    const QString why = " is in a FILE_SET of headers, where nothing compiles it: list it as a source";
    QCOMPARE(sources.misplaced,
             QStringList({"agent/CMakeLists.txt:3: b.cpp" + why, "agent/sources.cmake:2: d.cu" + why}));
    QVERIFY(sources.headers.contains("agent/c.cuh") && !sources.headers.contains("agent/b.cpp"));
}

void TestFileLists::findsAListThatIsNotSorted() {
    const QVector<GuardFile> lists{
        {"agent/CMakeLists.txt",
         {"add_library(agent STATIC", "    a/b.cpp", "    a_b.cpp", "    c.cpp", "    b.cpp", "    d.cpp)",
          "target_sources(agent PRIVATE e.cpp PUBLIC FILE_SET HEADERS FILES a.h b.h)", "set(one b.h",
          "    a.h)"}}};
    QCOMPARE(CMakeSources::of(lists, {}).unsorted,
             QStringList({"agent/CMakeLists.txt:5: b.cpp is listed behind c.cpp: sort the list by bytes",
                          "agent/CMakeLists.txt:9: a.h is listed behind b.h: sort the list by bytes"}));
}

void TestFileLists::findsAListThatNoTargetTakes() {
    const QStringList lines{
        "set(unused a.cpp)",
        "set_source_files_properties(b.cpp PROPERTIES SKIP_AUTOMOC ON)",
        "message(STATUS c.cpp)",
        "#[[ later",
        "target_sources(agent PRIVATE d.cpp)",
        "]] target_sources(agent PRIVATE e.cpp)",
        "#[=[ target_sources(agent PRIVATE ]] f.cpp) ]=]",
        "install(FILES g.h)",
        "set(FILES h.h)",
        "set(inner i.cpp)",
        "list(APPEND outer ${inner})",
        "set(headers j.h)",
        "target_sources(agent PRIVATE ${outer} PUBLIC FILE_SET HEADERS FILES ${headers})"};
    QSet<QString> paths;
    for (const QChar name : QString("abcdefghij"))
        for (const char *ending : {".h", ".cpp"})
            paths.insert(QString("agent/") + name + ending);
    const CMakeSources sources = CMakeSources::of({{"agent/CMakeLists.txt", lines}}, paths);
    QCOMPARE(sources.listed, QSet<QString>({"agent/e.cpp", "agent/i.cpp", "agent/j.h"}));
    QCOMPARE(sources.headers, QSet<QString>({"agent/j.h"}));
    const QStringList text{"# one", "#[[ two", "three ]]", "add_library(a b.cpp)"};
    QCOMPARE(CMakeCommand::parse(text).first().arguments.first().line, 4);
}

void TestFileLists::findsAListThatIsNotAdded() {
    const QVector<GuardFile> lists{
        {"agent/CMakeLists.txt", {"add_subdirectory(ir)", "# add_subdirectory(deep)"}},
        {"agent/ir/CMakeLists.txt", {"add_subdirectory(cuda/loops)"}},
        {"agent/ir/cuda/loops/CMakeLists.txt", {}},
        {"agent/deep/CMakeLists.txt", {}}};
    QCOMPARE(CMakeSources::of(lists, {}).unadded,
             QStringList("agent/deep/CMakeLists.txt: no add_subdirectory() names its folder"));
}

void TestFileLists::findsASourceThatIsListedTwice() {
    const QVector<GuardFile> lists{
        {"agent/CMakeLists.txt",
         {"add_library(agent a.cpp", "    a.cpp a.h)",
          "target_sources(agent PRIVATE ${more} PUBLIC FILE_SET HEADERS", "    FILES a.h)",
          "set(more b.cpp)"}},
        {"agent/ir/CMakeLists.txt", {"target_sources(ir PRIVATE ../b.cpp)", "add_executable(c ${more})"}}};
    const QString again = " is listed a second time, behind agent/";
    QCOMPARE(CMakeSources::of(lists, {"agent/a.cpp", "agent/a.h", "agent/b.cpp"}).repeated,
             QStringList({"agent/CMakeLists.txt:2: agent/a.cpp" + again + "CMakeLists.txt:1",
                          "agent/CMakeLists.txt:5: agent/b.cpp" + again + "ir/CMakeLists.txt:1"}));
}

void TestFileLists::findsAModuleThatNoReadmeNames() {
    const QVector<GuardFile> files{
        {"app/ide/dock.h", {}},          {"app/ide/dock.cpp", {}}, {"app/ide/dock_keys.cpp", {}},
        {"app/ide/door.cpp", {}},        {"app/ide/job.h", {}},    {"app/ide/job_list.h", {}},
        {"app/ide/deep/figure.cpp", {}}, {"app/cli/dock.h", {}},   {"app/cli/main.cpp", {}}};
    const QVector<GuardFile> readmes{
        {"README.md", {"`job`"}},
        {"app/README.md",
         {"`dock` and", "`figure", "s`, a `job_list` and", "", "```", "cli/main.cpp", "```", "job"}},
        {"app/ide/README.md", {"a `job_list`, a door and a `deep/figure`"}}};
    QStringList found;
    for (const GuardFault &fault : unnamedModuleFaults(files, readmes))
        found.append(fault.key);
    QCOMPARE(found, QStringList({"app/ide/dock", "app/ide/door", "app/ide/job"}));
}

void TestFileLists::listsAreWhole() {
    QSet<QString> paths;
    for (const GuardFile &file : m_layers)
        paths.insert(file.path);
    const CMakeSources sources = CMakeSources::of(chosenFiles(m_files, isSourceList), paths);
    QVERIFY2(sources.headers.size() > 100, "the lists were not understood");
    VERIFY_NONE(sources.unsorted + sources.missing + sources.misplaced + sources.repeated + sources.unadded +
                beyondAllowed("unlisted.txt", "Headers in no FILE_SET, and sources in no list of CMake.",
                              unlistedFaults(m_layers, sources)));
}

void TestFileLists::readmesNameEveryModule() {
    VERIFY_NONE(beyondAllowed("unnamed_modules.txt", "Modules that no README.md of their folder names.",
                              unnamedModuleFaults(m_layers, chosenFiles(m_files, isReadmeOfLayers))));
}

QTEST_GUILESS_MAIN(TestFileLists)
#include "tst_file_lists.moc"
