// SPDX-License-Identifier: GPL-3.0-or-later
// SASS and PTX beside the editor, of a recorded listing with templates and inlined functions.
#include "app/ide/editing/line_hover.h"
#include "app/ide/kit/actions.h"
#include "app/ide/results/assembly_page.h"
#include "app/ide/results/compile_page.h"
#include "app/ide/results/iteration_choices.h"
#include "profiler_views/code_listing_view.h"
#include "profiler_views/kernel_resources_model.h"
#include "profiler_views/opcode_mix_view.h"
#include "tests/ide/pages/page_world.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/tool_output/ptx_listing.h"
#include "toolchain/tool_output/sass_listing.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor_setup.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTest>

using namespace warpwright;

namespace {

std::shared_ptr<const Inspection> recordedInspection() {
    InspectedSource source{"rows.cu", parsePtxasReport(recorded("nvdisasm/ptxas-sm_90a-13.0.88.txt")),
                           parseSass(recorded("nvdisasm/rows-sm_90a-13.2.51.txt")),
                           parsePtx(recorded("nvdisasm/rows-compute_90a-13.0.88.ptx"))};
    auto made = std::make_shared<Inspection>();
    made->workspace = "/rows";
    made->architecture = "sm_90a";
    made->nvcc = "13.0.88";
    made->status = CompileStatus::Passed;
    made->kernels = inspectedKernels({source}, "/rows", 0);
    return made;
}

struct World {
    Scratch scratch;
    Actions actions;
    Workbench bench{scratch.folders(), QStringLiteral("test")};
    AssemblyPage page{houseLook(), bench, actions};
    QComboBox *kernels = child<QComboBox>(page, "kernelPicker");
    CodeListingView *listing = child<CodeListingView>(page, "codeListing");
    QTabBar *forms = child<QTabBar>(page, "listingForm");

    World() {
        showAt(page, 614, 360);
        page.show(recordedInspection());
    }

    void pick(const QString &name) { kernels->setCurrentIndex(kernels->findText(name, Qt::MatchStartsWith)); }

    [[nodiscard]] QStringList litOpcodes() const {
        QStringList opcodes;
        for (const int line : listing->litLines())
            opcodes << listing->code()->lines[static_cast<std::size_t>(line)].opcode;
        return opcodes;
    }

    /// The row of the listing that begins with this text.
    [[nodiscard]] int rowOf(const QString &opcode) const {
        for (std::size_t i = 0; i < listing->code()->lines.size(); ++i)
            if (listing->code()->lines[i].opcode == opcode)
                return static_cast<int>(i);
        return -1;
    }

    [[nodiscard]] QPoint pointOf(int row) const {
        const int lines = std::max(1, listing->verticalScrollBar()->pageStep());
        const int height = listing->viewport()->height() / lines;
        listing->verticalScrollBar()->setValue(row);
        return {200, (row - listing->verticalScrollBar()->value()) * height + height / 2};
    }
};

} // namespace

class TestAssemblyPage : public QObject {
    Q_OBJECT
private slots:
    void init() { failOnOurWarnings(); }

    void saysWhatWillBeHere() {
        const Scratch scratch;
        Actions actions;
        Workbench bench(scratch.folders(), QStringLiteral("test"));
        AssemblyPage page(houseLook(), bench, actions);
        showAt(page, 614, 360);
        QVERIFY(!child<CodeListingView>(page, "codeListing")->isVisible());
        takePictures(page, QStringLiteral("assembly-empty"));
    }

    void opensAtTheKernelThatIsLaunched() {
        World world;
        const QString launched = QStringLiteral("sumSquares<float, 256>");
        world.page.setLaunched({QStringLiteral("torch's own"), launched});
        QVERIFY2(world.kernels->currentText().startsWith(launched), qPrintable(world.kernels->currentText()));
        const int other = world.kernels->findText(QStringLiteral("tile"), Qt::MatchStartsWith);
        world.kernels->setCurrentIndex(other);
        emit world.kernels->activated(other); // a person's choice stays
        world.page.setLaunched({QStringLiteral("sumSquares<double, 512>")});
        QCOMPARE(world.kernels->currentIndex(), other);
        world.page.show(recordedInspection());
        QCOMPARE(world.kernels->currentIndex(), other);
    }

    void samplesStandBesideTheCodeThatRan() {
        World world;
        world.pick("sumSquares<float, 256>");
        const KernelCode &code = *world.listing->code();
        Counters counters;
        counters.iteration = 3;
        KernelCounters kernel;
        kernel.arm = "candidate";
        kernel.mangled = code.mangled;
        kernel.metrics["gpu__time_duration.sum"] = {8000.0, {}, "ns"};
        for (const CodeLine &line : code.lines) {
            if (line.kind != CodeLine::Kind::Instruction)
                continue;
            InstructionCounters one;
            one.address = static_cast<quint64>(line.address);
            one.text = instructionText(line);
            if (line.opcode.startsWith("LDG"))
                one.values = {{"samples", 300}, {"stall.long_scoreboard", 300}};
            kernel.instructions.push_back(one);
        }
        counters.kernels.push_back(kernel);
        const auto heat = std::make_shared<const Heat>(heatOf(counters, nullptr, {}));
        world.listing->verticalScrollBar()->setValue(3);
        world.page.setHeat(heat, false);
        QCOMPARE(world.listing->verticalScrollBar()->value(), 3); // what is looked at stays
        QCOMPARE(world.listing->heat().size(), code.lines.size());
        double all = 0;
        for (std::size_t i = 0; i < code.lines.size(); ++i) {
            QCOMPARE(world.listing->heat()[i] > 0, code.lines[i].opcode.startsWith("LDG"));
            all += world.listing->heat()[i];
        }
        QCOMPARE(all, 1.0);
        takePictures(world.page, QStringLiteral("assembly-heat"));
        const auto says = [&world](const QString &words) {
            for (const QLabel *label : world.page.findChildren<QLabel *>())
                if (label->text() == words)
                    return true;
            return false;
        };
        world.page.setHeat(heat, true);
        QVERIFY(says("heat of iteration 3"));
        world.forms->setCurrentIndex(1); // PTX was not sampled
        QVERIFY(world.listing->heat().empty());
        world.forms->setCurrentIndex(0);
        QVERIFY(!world.listing->heat().empty());
        Heat other = *heat;
        other.kernels[0].instructions[2].text = "DADD R0, R2, R4";
        world.page.setHeat(std::make_shared<const Heat>(other), false);
        QVERIFY(world.listing->heat().empty());
        QVERIFY(says("no heat: another build ran"));
        world.page.setHeat(nullptr, false);
        QVERIFY(!says("no heat: another build ran"));
    }

    void standsAgainstAnotherIteration() {
        World world;
        auto *against = child<QComboBox>(world.page, "againstPicker");
        QVERIFY(!against->isEnabled() && world.page.against() == 0);
        IterationRecord fourth;
        fourth.iteration.number = 4;
        world.page.findChild<IterationChoices *>()->set(makeIterationTree({fourth}), 0); // as the workbench's
        world.pick("sumSquares<float, 256>");
        const int alone = static_cast<int>(world.listing->code()->lines.size());
        against->setCurrentIndex(1);
        const auto older = std::make_shared<Inspection>(*recordedInspection());
        for (InspectedKernel &kernel : older->kernels) {
            kernel.resources.registers += 4;
            for (CodeLine &line : kernel.sass->lines)
                if (line.opcode == "LDG.E.128")
                    line.opcode = "LDG.E";
        }
        world.page.showOlder(older);
        const auto &lines = world.listing->code()->lines;
        QVERIFY(static_cast<int>(lines.size()) > alone);
        QVERIFY(world.rowOf("LDG.E") >= 0 && world.rowOf("LDG.E") < world.rowOf("LDG.E.128"));
        const auto labels = world.page.findChildren<QLabel *>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel *label) {
            return label->text().contains("against 4: +1 \u22121 instructions, \u22124 registers");
        }));
        world.listing->verticalScrollBar()->setValue(world.rowOf("LDG.E") - 4);
        world.page.follow("rows.cu", 26);
        takePictures(world.page, QStringLiteral("assembly-against"));
        against->setCurrentIndex(0);
        QCOMPARE(static_cast<int>(world.listing->code()->lines.size()), alone);
    }

    void showsKernelsAndWhatTheyNeed() {
        World world;
        QCOMPARE(world.kernels->count(), 3);
        QVERIFY(world.listing->isVisible());
        world.pick("sumSquares<float, 256>");
        const QString facts = child<QLabel>(world.page, "kernelFacts")->text().simplified();
        for (const char *word :
             {"registers", "no spills", "32 B shared", "256 threads: 64 of 64 warps, 100 %"})
            QVERIFY2(facts.contains(word), qPrintable(facts));
        const QString mix = child<OpcodeMixView>(world.page, "opcodeMix")->words();
        QVERIFY2(mix.startsWith("81 SASS instructions: ") && mix.contains("8 warp exchange"),
                 qPrintable(mix));
        QCOMPARE(world.listing->code()->instructionCount(), 81);
        world.page.follow("rows.cu", 26);
        takePictures(world.page, QStringLiteral("assembly"));
    }

    void theCursorLightsItsInstructions() {
        World world;
        world.pick("sumSquares<float, 256>");
        world.page.follow("rows.cu", 26);
        QCOMPARE(world.litOpcodes(), QStringList({"FMUL", "FFMA", "FFMA", "FFMA", "FADD"}));
        const int first = world.listing->litLines().front();
        const int top = world.listing->verticalScrollBar()->value();
        QVERIFY(first >= top && first < top + world.listing->verticalScrollBar()->pageStep());
        // A line of a header's inlined template.
        world.page.follow("helpers.cuh", 6);
        QVERIFY(world.litOpcodes().contains("SHFL.BFLY") && world.litOpcodes().contains("FADD"));
        world.page.follow("rows.cu", 1);
        QVERIFY(world.litOpcodes().isEmpty());
        // A line of another kernel brings that kernel.
        world.page.follow("rows.cu", 51);
        QVERIFY2(world.kernels->currentText().startsWith("tile"), qPrintable(world.kernels->currentText()));
        QVERIFY(world.litOpcodes().contains("HMMA.16816.F32"));
    }

    void theMouseLightsForAMoment() {
        World world;
        world.pick("sumSquares<float, 256>");
        world.page.follow("rows.cu", 26);
        const int top = world.listing->verticalScrollBar()->value();
        world.page.hover("rows.cu", 36);
        QVERIFY2(world.litOpcodes().contains("STG.E"), qPrintable(world.litOpcodes().join(' ')));
        QCOMPARE(world.listing->verticalScrollBar()->value(), top);
        world.page.hover("rows.cu", 2); // there is nothing of it: the cursor's line again
        QCOMPARE(world.litOpcodes().size(), 5);
        world.page.hover("rows.cu", 51); // of another kernel
        QVERIFY(world.kernels->currentText().startsWith("sumSquares<float"));
        world.page.hover("rows.cu", 36);
        world.page.hover("rows.cu", 0);
        QCOMPARE(world.litOpcodes().size(), 5);
    }

    void hoveringAnEditorNamesItsLine() {
        const auto ownedEditor = makeCodeEditor(houseLook(), nullptr);
        CodeEditor &editor = *ownedEditor;
        editor.setContent("one\ntwo\nthree\n");
        showAt(editor, 400, 300);
        LineHover hover(editor);
        QSignalSpy hovered(&hover, &LineHover::hovered);
        const auto shown = editor.shownLines();
        for (const std::size_t line : {std::size_t(1), std::size_t(1), std::size_t(2)})
            QTest::mouseMove(editor.viewport(), {60, shown[line].top + editor.rowHeight() / 2});
        QCOMPARE(hovered.size(), 2);
        QCOMPARE(hovered[0][0].toInt(), 2);
        QCOMPARE(hovered[1][0].toInt(), 3);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(editor.viewport(), &leave);
        QCOMPARE(hovered.last()[0].toInt(), 0);
    }

    void anInstructionLeadsToItsLine() {
        World world;
        world.pick("sumSquares<float, 256>");
        world.page.follow("rows.cu", 25);
        QSignalSpy activated(&world.page, &AssemblyPage::placeActivated);
        QSignalSpy hovered(&world.page, &AssemblyPage::placeHovered);
        const int row = world.rowOf("LDG.E.128");
        QVERIFY(row >= 0);
        const QPoint point = world.pointOf(row);
        QTest::mouseMove(world.listing->viewport(), point);
        QTest::mouseClick(world.listing->viewport(), Qt::LeftButton, {}, point);
        QCOMPARE(activated.size(), 1);
        QCOMPARE(activated[0][0].toString(), QStringLiteral("rows.cu"));
        QCOMPARE(activated[0][1].toInt(), 25);
        QVERIFY(!hovered.isEmpty());
        QCOMPARE(hovered.last()[1].toInt(), 25);
        QCOMPARE(world.listing->currentLine(), row);
        // By keyboard, too.
        const int fma = world.rowOf("FFMA");
        world.listing->setCurrentLine(fma - 1);
        world.listing->setFocus();
        QTest::keyClick(world.listing, Qt::Key_Down);
        QCOMPARE(world.listing->currentLine(), fma);
        QTest::keyClick(world.listing, Qt::Key_Return);
        QCOMPARE(activated.last()[1].toInt(), 26);
        QTest::keyClick(world.listing, Qt::Key_End);
        QTest::keyClick(world.listing, Qt::Key_Down);
        QCOMPARE(world.listing->currentLine(), static_cast<int>(world.listing->code()->lines.size()) - 1);
        QTest::keyClick(world.listing, Qt::Key_Home);
        QCOMPARE(world.listing->currentLine(), 0);
    }

    void originsAreNumbersInTheOpenFile() {
        World world;
        world.pick("sumSquares<float, 256>");
        world.page.follow("rows.cu", 25);
        QCOMPARE(world.listing->originOf(world.rowOf("SHFL.BFLY")), QStringLiteral("28"));
        world.page.follow("helpers.cuh", 6);
        QCOMPARE(world.listing->originOf(world.rowOf("SHFL.BFLY")), QStringLiteral("6"));
        QCOMPARE(world.listing->originOf(world.rowOf("LDG.E.128")), QString()); // the row above says it
        QCOMPARE(world.listing->originOf(world.rowOf("LDG.E.128") - 1), QStringLiteral("rows.cu:25"));
    }

    void ptxIsLinkedToo() {
        World world;
        world.pick("sumSquares<float, 256>");
        world.forms->setCurrentIndex(1);
        QVERIFY(world.rowOf("ld.global.v4.f32") >= 0);
        world.page.follow("rows.cu", 25);
        QVERIFY(world.litOpcodes().contains("ld.global.v4.f32"));
        takePictures(world.page, QStringLiteral("assembly-ptx"));
    }

    // One number on two pages: the compile's table says the bound that is read here.
    void theCompilesTableSaysTheSameBounds() {
        Actions actions;
        CompilePage page(houseLook(), actions);
        showAt(page, 614, 360);
        Shown shown;
        shown.evaluation = recordedEvaluation("h200-arg-reduction.json");
        const auto inspection = recordedInspection();
        shown.evaluation->compile.kernels.clear();
        for (const InspectedKernel &kernel : inspection->kernels)
            shown.evaluation->compile.kernels.push_back(kernel.resources);
        page.show(shown, nullptr, false, false);
        const QAbstractItemModel *table = child<QAbstractItemView>(page, "kernelsTable")->model();
        const auto threads = [table](int row) {
            return table->index(row, KernelResourcesModel::MaxThreads).data().toString();
        };
        QCOMPARE(table->rowCount(), 3);
        for (int row = 0; row < 3; ++row)
            QVERIFY2(threads(row).startsWith("\u2264 "), qPrintable(threads(row)));
        page.setInspection(inspection);
        QCOMPARE(shown.evaluation->compile.kernels[2].name,
                 QStringLiteral("void sumSquares<float, 256>(float4 const*, float*, int)"));
        QCOMPARE(threads(2), QStringLiteral("256"));
        QCOMPARE(threads(1), QStringLiteral("512"));
        QVERIFY2(threads(0).startsWith("\u2264 "), qPrintable(threads(0))); // none is written
        page.setInspection(nullptr);
        QVERIFY2(threads(2).startsWith("\u2264 "), qPrintable(threads(2)));
    }

    void whatDoesNotCompileSaysSo() {
        World world;
        auto failed = std::make_shared<Inspection>();
        failed->status = CompileStatus::Failed;
        world.page.show(failed);
        QVERIFY(!world.listing->isVisible());
        world.page.show(recordedInspection());
        QVERIFY(world.listing->isVisible());
    }
};

QObject *makeTestAssemblyPage() {
    return new TestAssemblyPage;
}

#include "tst_assembly_page.moc"
