// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/real_toolchain.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/compile/header_precompile.h"

#include <QDir>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

struct Answer {
    QString header;
    QString message;
    bool wasMadeNow = false;
};

Answer precompile(const HeaderRequest &request, const QString &cache) {
    HeaderPrecompile headers(request, cache);
    QSignalSpy finished(&headers, &HeaderPrecompile::finished);
    QSignalSpy failed(&headers, &HeaderPrecompile::failed);
    headers.start();
    if (!QTest::qWaitFor([&] { return finished.count() + failed.count() > 0; }, 120000))
        return {{}, "no answer", false};
    if (failed.count() > 0)
        return {{}, failed[0][0].toString(), false};
    return {finished[0][0].toString(), {}, finished[0][1].toBool()};
}

/// A workspace whose twin opens with headers that take a moment.
struct World {
    World() {
        small.scratch.write("kernels/answer.cpp",
                            "#include <regex>\n#include <map>\nextern \"C\" int answer(int x) { return x + "
                            "(std::regex_match(\"a\", std::regex(\"[a-c]\")) ? 1 : 0); }\n");
    }

    /// The plan, with what torch's headers would be to a binding.
    [[nodiscard]] CompilePlan plan() const {
        CompilePlan made = small.plan();
        for (CompileStep &step : made.steps)
            if (step.source == "kernels/answer.cpp")
                step.headers = request(step);
        return made;
    }

    [[nodiscard]] static HeaderRequest request(const CompileStep &step) {
        return makeHeaderRequest(step.tool, step.arguments.mid(0, step.arguments.size() - 1), {"regex"},
                                 "test");
    }

    [[nodiscard]] HeaderRequest wanted() const {
        for (const CompileStep &step : small.plan().steps)
            if (step.source == "kernels/answer.cpp")
                return request(step);
        return {};
    }

    /// The object of the twin, compiled anew.
    [[nodiscard]] QByteArray object(const CompilePlan &plan, CompileOutcome *outcome) const {
        QDir(small.cache() + "/objects").removeRecursively();
        QDir(small.scratch.path(".warpwright/build")).removeRecursively();
        *outcome = runCompile(plan, small.cache()).outcome.value();
        for (const CompileStep &step : plan.steps)
            if (step.source == "kernels/answer.cpp")
                return textOf(ObjectCache(small.cache() + "/objects").objectPath(step.objectKey));
        return {};
    }

    SmallWorkspace small;
};

} // namespace

class TestHeaderPrecompile : public QObject {
    Q_OBJECT

private slots:
    void init() {
        NEED_TOOL(missingTools(false).isEmpty(), missingTools(false));
        if (realToolchain().hostCompiler->description.contains("clang"))
            QSKIP("clang has precompiled headers of its own kind");
    }

    void makesTheSameObjectAsWithout() {
        const World world;
        CompileOutcome without;
        const QByteArray plain = world.object(world.plan(), &without);
        QCOMPARE(without.status, CompileStatus::Passed);
        QCOMPARE(without.precompiledHeaders, 0); // not there, and not waited for
        const Answer made = precompile(world.wanted(), world.small.cache());
        QVERIFY2(made.message.isEmpty() && made.wasMadeNow, qPrintable(made.message));
        CompileOutcome with;
        QVERIFY(world.object(world.plan(), &with) == plain);
        QCOMPARE(with.precompiledHeaders, 1);
        QVERIFY(with.log.contains("-include " + made.header));
        QCOMPARE(with.diagnostics, without.diagnostics);
        QVERIFY(!precompile(world.wanted(), world.small.cache()).wasMadeNow);
        QCOMPARE(QDir(world.small.cache() + "/headers").entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(),
                 1);
    }

    void isLeftOutWhereItDoesNotFit() {
        const World world;
        CompileOutcome without;
        const QByteArray plain = world.object(world.plan(), &without);
        // Made with other options, put where the right one would be.
        HeaderRequest other = world.wanted();
        other.arguments << "-DNDEBUG"
                        << "-O0"
                        << "-fno-rtti";
        QVERIFY(precompile(other, world.small.cache()).wasMadeNow);
        CompileOutcome with;
        QVERIFY(world.object(world.plan(), &with) == plain);
        QCOMPARE(with.status, CompileStatus::Passed);
        QVERIFY(with.diagnostics.empty());
    }

    void isLeftOutWhereItIsDamaged() {
        const World world;
        CompileOutcome without;
        const QByteArray plain = world.object(world.plan(), &without);
        const Answer made = precompile(world.wanted(), world.small.cache());
        QFile file(made.header + ".gch");
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.seek(file.size() / 2));
        QVERIFY(file.write(QByteArray(100000, 'x')) > 0);
        file.close();
        CompileOutcome with;
        QVERIFY(world.object(world.plan(), &with) == plain);
        QCOMPARE(with.precompiledHeaders, 0);
        QVERIFY(precompile(world.wanted(), world.small.cache()).wasMadeNow); // mended
    }

    void isThrownAwayWhereTheCompilerBreaksOverIt() {
        const World world;
        CompileOutcome without;
        const QByteArray plain = world.object(world.plan(), &without);
        QVERIFY(precompile(world.wanted(), world.small.cache()).wasMadeNow);
        // A compiler that breaks whenever it is given one.
        CompilePlan plan = world.plan();
        for (CompileStep &step : plan.steps)
            if (step.source == "kernels/answer.cpp")
                step.tool = world.small.scratch.writeProgram(
                    "bin/g++", "#!/bin/sh\nif [ \"$1\" = -include ]; then echo 'internal compiler error: "
                               "Segmentation fault' >&2; exit 4; fi\nexec " +
                                   step.tool.toUtf8() + " \"$@\"\n");
        CompileOutcome with;
        QVERIFY(world.object(plan, &with) == plain);
        QCOMPARE(with.status, CompileStatus::Passed);
        QCOMPARE(with.precompiledHeaders, 0);
        QVERIFY(HeaderStore(world.small.cache()).find(world.wanted().key).isEmpty());
    }

    void tellsWhatIsWrongWithTheTextOnce() {
        const World world;
        QVERIFY(precompile(world.wanted(), world.small.cache()).wasMadeNow);
        world.small.scratch.write("kernels/answer.cpp",
                                  "#include <regex>\nint answer(int x) { return y; }\n");
        const CompileOutcome outcome = runCompile(world.plan(), world.small.cache()).outcome.value();
        QCOMPARE(outcome.status, CompileStatus::Failed);
        QCOMPARE(countErrors(outcome.diagnostics), 1);
        QCOMPARE(outcome.diagnostics[0].line, 2);
    }

    void areMadeForWhatIsEdited_data() {
        QTest::addColumn<QStringList>("headers");
        QTest::addColumn<bool>("isAskedAtOnce");
        QTest::newRow("small: only once edited") << QStringList{"regex"} << false;
        QTest::newRow("wide: at once") << QStringList{"torch/types.h"} << true;
    }

    void areMadeForWhatIsEdited() {
        QFETCH(QStringList, headers);
        QFETCH(bool, isAskedAtOnce);
        const World world;
        const QString told = world.small.scratch.path("told");
        world.small.scratch.write("preparer", "#!/bin/sh\necho \"$@\" >> " + told.toUtf8() + '\n');
        const QString preparer = world.small.scratch.path("preparer");
        QVERIFY(QFile::setPermissions(preparer, QFile::ReadOwner | QFile::ExeOwner));
        const auto compile = [&] {
            CompilePlan plan = world.small.plan();
            for (CompileStep &step : plan.steps)
                if (step.source == "kernels/answer.cpp")
                    step.headers = makeHeaderRequest(step.tool, step.arguments, headers, told.toUtf8());
            QDir(world.small.cache() + "/objects").removeRecursively();
            const auto outcome = runCompile(plan, world.small.cache(), -1, 2, preparer).outcome;
            return outcome && outcome->status == CompileStatus::Passed;
        };
        QVERIFY(compile());
        QVERIFY(compile());
        if (isAskedAtOnce) {
            QTRY_VERIFY(textOf(told).startsWith("prepare --request "));
            return;
        }
        QTest::qWait(200);
        QVERIFY(!QFile::exists(told));
        world.small.scratch.write("kernels/answer.cpp",
                                  "#include <regex>\nextern \"C\" int answer(int x) { return x + 1; }\n");
        QVERIFY(compile());
        QTRY_VERIFY(textOf(told).startsWith("prepare --request "));
    }

    void saysWhyItCannotBeMade() {
        const World world;
        HeaderRequest request = world.wanted();
        request.headers = QStringList{"no/such/header.h"};
        const Answer answer = precompile(request, world.small.cache());
        QVERIFY2(answer.message.contains("no/such/header.h: No such file"), qPrintable(answer.message));
        QVERIFY(HeaderStore(world.small.cache()).isRefused(request.key));
        QCOMPARE(QDir(world.small.cache() + "/headers").entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(),
                 0);
    }

    void canBeCancelled() {
        const World world;
        HeaderPrecompile headers(world.wanted(), world.small.cache());
        QSignalSpy failed(&headers, &HeaderPrecompile::failed);
        headers.start();
        QTest::qWait(100);
        headers.cancel();
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed[0][0].toString(), QStringLiteral("cancelled"));
        QVERIFY(HeaderStore(world.small.cache()).find(world.wanted().key).isEmpty());
        QVERIFY(!HeaderStore(world.small.cache()).isRefused(world.wanted().key));
    }
};

QObject *makeTestHeaderPrecompile() {
    return new TestHeaderPrecompile;
}

#include "tst_header_precompile.moc"
