// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/task/reference_check.h"

#include "tests/referee/tests.h"

#include <QTest>

namespace warpwright {

class ReferenceCheckTest : public QObject {
    Q_OBJECT

    static Json tensor(int rows) { return {{"kind", "tensor"}, {"dtype", "float32"}, {"sizes", {rows, 4}}}; }

    /// Of a reference with nothing to say of it, with `look` and other facts on top.
    static Json facts(const Json &look, const Json &more = Json::object()) {
        Json all = {{"outputs", tensor(8)},
                    {"seeded", Json::object()},
                    {"effects", {{"arguments", Json::object()}, {"state", Json::array()}}},
                    {"look",
                     {{"movedGenerators", Json::array()},
                      {"keeps", Json::array()},
                      {"keepsFromFirst", Json::array()},
                      {"differs", nullptr},
                      {"incomparable", Json::array()},
                      {"notFinite", Json::array()},
                      {"returns", "a Tensor"}}}};
        all["look"].update(look);
        all.update(more);
        return all;
    }

    static Json doubtsOf(const ReferenceCheck &check) {
        Json answer = {{"doubts", Json::array()}};
        StageAnswer stage(answer);
        check.tell(stage);
        return answer["doubts"];
    }

    static Json special(int count) {
        return {
            {"output", "output"}, {"count", count}, {"elements", 32}, {"place", {2, 1}}, {"value", "nan"}};
    }

private slots:
    void refuses_data() {
        QTest::addColumn<QByteArray>("look");
        QTest::addColumn<QByteArray>("more");
        QTest::addColumn<bool>("trains");
        QTest::addColumn<QList<QByteArray>>("words");
        const auto row = [](const char *name, const Json &look, const Json &more, bool trains,
                            const QList<QByteArray> &words) {
            QTest::newRow(name) << QByteArray::fromStdString(look.dump())
                                << QByteArray::fromStdString(more.dump()) << trains << words;
        };
        const Json none = Json::object();
        const Json drop = {
            {"seeded", {{"bernoulli_", {{"line", 17}, {"module", "drop"}, {"type", "Dropout"}}}}}};
        row("random", {{"movedGenerators", {"torch's generator"}}}, drop, false,
            {"\"m.py\" is random", "bernoulli_ in \"drop\" (Dropout), line 17 of model.py",
             "torch's generator", "take them as an argument"});
        row("random in train mode", {{"movedGenerators", {"torch's generator"}}}, drop, true,
            {"is random", "switches dropout on", "\"mode\": \"train\""});
        row("random, nobody knows by whom", {{"movedGenerators", {"Python's random"}}}, none, false,
            {"A call of forward draws from Python's random"});
        row("state", {{"keeps", {"step", "a.seen"}}}, none, false,
            {"keeps state: forward changes self.step, self.a.seen with each call", "register_buffer"});
        row("state of the first call that shows",
            {{"keepsFromFirst", {"table"}}, {"differs", {{"output", "output"}, {"by", 0.5}}}}, none, false,
            {"keeps state: forward changes self.table"});
        row("state of the first call that shows later",
            {{"keepsFromFirst", {"kept"}}, {"showsFirst", "inputs"}}, none, false,
            {"keeps state: what forward stores in self.kept at its first call shows in what it gives for "
             "other "
             "inputs later",
             "nobody can tell", "Compute it in each call"});
        row("differs", {{"differs", {{"output", "output[1]"}, {"by", 0.5}}}}, none, false,
            {"does not agree with itself", "output[1] moved by 0.5 of its RMS value", "torch.empty"});
        row("differs in words",
            {{"differs", {{"output", "output"}, {"by", nullptr}, {"first", "1"}, {"second", "2"}}}}, none,
            false, {"output was 1, then 2"});
        row("None", {{"returns", "None"}}, {{"outputs", {{"kind", "none"}}}}, false,
            {"gives nothing that can be compared",
             "forward returns None and writes into none of its arguments"});
        row("no element", none, {{"outputs", tensor(0)}}, false, {"gives nothing that can be compared"});
        row("a class", {{"incomparable", {{{"output", "output"}, {"what", "of type Thing"}}}}}, none, false,
            {"output is of type Thing", "in a tuple or a dict"});
        row("NaN only", {{"notFinite", {special(32)}}}, none, false,
            {"gives no number at all", "output[2, 1] is nan", "NaN beside NaN proves nothing"});
    }
    void refuses() {
        QFETCH(QByteArray, look);
        QFETCH(QByteArray, more);
        QFETCH(bool, trains);
        QFETCH(QList<QByteArray>, words);
        try {
            ReferenceCheck("m.py", trains)
                .judge(facts(Json::parse(look.toStdString()), Json::parse(more.toStdString())));
            QFAIL("nothing was refused");
        } catch (const Fault &fault) {
            QCOMPARE(QByteArray::fromStdString(fault.verdict), QByteArray("task-failed"));
            const QByteArray said =
                QByteArray::fromStdString(fault.whatFailed + " " + fault.why + " " + fault.advice);
            for (const QByteArray &word : words)
                QVERIFY2(said.contains(word), said.constData());
        }
    }

    void saysNothingOfAPlainReference() {
        ReferenceCheck check("m.py", false);
        // A table that is made at the first call and changes no result.
        check.judge(facts({{"keepsFromFirst", {"table"}}}));
        QVERIFY(doubtsOf(check).empty());
        QCOMPARE(check.knownSpecials("output"), 0);
    }

    void tellsWhatAVerdictHasToBeReadWith() {
        ReferenceCheck check("m.py", true);
        check.judge(facts({{"notFinite", {special(3)}}},
                          {{"effects",
                            {{"arguments", {{"0", "x"}, {"2", "caches[0]"}}},
                             {"state", {"norm.num_batches_tracked", "norm.running_mean"}}}}}));
        check.noteFixedInputs("seeds");
        check.noteCare(2);
        check.noteShape("output", "int64[451, 2]", "int64[463, 2]");
        check.noteShape("output", "int64[451, 2]", "int64[470, 2]"); // said once
        const std::string said = doubtsOf(check).dump();
        for (const char *word :
             {"3 of 32 elements of output", "is nan", "writes into its arguments (x, caches[0])",
              "changes the model's own tensors (norm.running_mean)", "get_inputs() fixes its seed",
              "each number came nearer to zero",
              "depends on the values of its inputs: output is int64[451, 2] for one draw and int64[463, 2] "
              "for"})
            QVERIFY2(said.find(word) != std::string::npos, word);
        QCOMPARE(check.knownSpecials("output"), 3);
        QCOMPARE(doubtsOf(check).size(), std::size_t(6));
    }

    void namesTheOtherMode() {
        const auto [reason, advice] = wordsOfOtherMode(false);
        QVERIFY(
            reason.find(
                "The reference runs in eval mode: running statistics, not the batch's; KernelBench runs it "
                "in train mode") != std::string::npos);
        QVERIFY(advice.find("\"mode\": \"train\" in .warpwright/task.json") != std::string::npos);
        QVERIFY(wordsOfOtherMode(true).first.find("runs in train mode") != std::string::npos);
    }

    void namesStateThatIsLeftAlone() {
        QVERIFY(wordsOfState("buffer norm.running_mean").first.find("has to leave the same") !=
                std::string::npos);
        QVERIFY(wordsOfState("output[0]").first.empty());
    }

    void namesShapesThatChange() {
        const Fault fault =
            shapesFault("m.py", "its tensor 0 was float32[8, 4] at first, and float32[7, 4] the next time");
        QVERIFY(fault.whatFailed.find("\"m.py\" gives other shapes with each draw: its tensor 0 was") !=
                std::string::npos);
    }
};

QObject *referenceCheckTest() {
    return new ReferenceCheckTest;
}

} // namespace warpwright

#include "tst_reference_check.moc"
