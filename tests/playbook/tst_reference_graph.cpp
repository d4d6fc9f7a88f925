// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/graph_json.h"
#include "tests/playbook/recorded_graph.h"

#include <QTest>

using namespace warpwright;

class TestReferenceGraph : public QObject {
    Q_OBJECT

private slots:
    void readsWhatTheReaderSays() {
        const ReferenceGraph graph = recordedGraph("softmax-rows");
        QCOMPARE(graph.unsupported, QString());
        QCOMPARE(graph.argumentNames, QStringList{"scores"});
        QCOMPARE(graph.outputs.size(), 1U);
        QCOMPARE(graph.result.kind, ResultShape::Kind::Tensor);
        const GraphNode &bias = graph.nodes[0];
        QCOMPARE(bias.kind, GraphNode::Kind::Parameter);
        QCOMPARE(bias.path, QString("bias"));
        QCOMPARE(bias.shape, Shape{4096});
        const GraphNode &last = graph.nodes[static_cast<std::size_t>(graph.outputs[0])];
        QCOMPARE(last.op, QString("div.Tensor"));
        QCOMPARE(last.type, ElementType::Float32);
    }

    void keepsWhyAReferenceCannotBeRead() {
        const auto graph = readReferenceGraph(R"({"format": "warpwright.graph/1", "cannot": "it branches"})");
        QVERIFY(graph.hasValue());
        QCOMPARE(graph.value().unsupported, QString("it branches"));
    }

    void aTypeThatNoKernelComputesIsAReason() {
        const auto graph = readReferenceGraph(
            R"({"format": "warpwright.graph/1", "nodes": [{"name": "x", "op": "leaf", "kind": "input", "shape": [3],
                "strides": [1], "offset": 0, "dtype": "complex64"}], "outputs": [{"node": "x"}], "structure": 0})");
        QVERIFY(graph.hasValue());
        QVERIFY(graph.value().unsupported.contains("complex64"));
    }

    void refusesWhatIsNoAnswer_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("words") << QByteArray("Traceback (most recent call last):");
        QTest::newRow("other JSON") << QByteArray("{\"format\": \"else\"}");
        QTest::newRow("an output that is not there")
            << QByteArray(R"({"format": "warpwright.graph/1", "nodes": [], "outputs": [{"node": "x"}]})");
    }
    void refusesWhatIsNoAnswer() {
        QFETCH(QByteArray, text);
        QVERIFY(!readReferenceGraph(text).hasValue());
    }

    void infinityAndNanAreNumbers() {
        const auto graph = readReferenceGraph(
            R"({"format": "warpwright.graph/1", "nodes": [
                {"name": "x", "op": "leaf", "kind": "input", "shape": [3], "strides": [1], "dtype": "float32"},
                {"name": "y", "op": "aten.clamp.default", "args": [{"node": "x"}, {"float": "-inf"}, null],
                 "shape": [3], "strides": [1], "dtype": "float32"}], "outputs": [{"node": "y"}], "structure": 0})");
        QVERIFY(graph.hasValue());
        const GraphNode &clamp = graph.value().nodes[1];
        QCOMPARE(clamp.op, QString("clamp"));
        QVERIFY(clamp.argument(1)->number < -1e300);
        QCOMPARE(clamp.argument(2)->kind, GraphArgument::Kind::None);
    }
};

QObject *makeTestReferenceGraph() {
    return new TestReferenceGraph;
}
#include "tst_reference_graph.moc"
