// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/base/value_tree.h"
#include "tests/referee/tests.h"

#include <QTest>

namespace warpwright {

namespace {

Json tensor(std::vector<int64_t> sizes) {
    return {{"kind", "tensor"}, {"dtype", "float32"}, {"sizes", std::move(sizes)}};
}

} // namespace

class ValueTreeTest : public QObject {
    Q_OBJECT

private slots:
    void namesEveryLeaf() {
        const Json tree{
            {"kind", "dict"},
            {"keys", {"a", "b"}},
            {"items", Json::array({tensor({2}),
                                   Json{{"kind", "list"},
                                        {"items", Json::array({tensor({3}), Json{{"kind", "none"}}})}}})}};
        const auto leaves = leavesOf(tree, "output");
        QCOMPARE(leaves.size(), size_t{3});
        QCOMPARE(leaves[0].path, std::string("output.a"));
        QCOMPARE(leaves[1].path, std::string("output.b[0]"));
        QVERIFY(leaves[1].isTensor());
        QVERIFY(!leaves[2].isTensor());
    }

    void takesListsAndTuplesForTheSame() {
        const Json items = Json::array({tensor({2})});
        QCOMPARE(shapeOfTree({{"kind", "list"}, {"items", items}}),
                 shapeOfTree({{"kind", "tuple"}, {"items", items}}));
        QVERIFY(shapeOfTree(tensor({2})) != shapeOfTree({{"kind", "tuple"}, {"items", items}}));
    }

    void countsBytes() {
        QCOMPARE(bytesOfTensors({{"kind", "tuple"}, {"items", Json::array({tensor({2, 3}), tensor({})})}}),
                 uint64_t{28});
    }

    void knowsGapsRepeatsAndWindows() {
        const auto view = [](const std::vector<int64_t> &sizes, const std::vector<int64_t> &strides) {
            Json node = tensor(sizes);
            node["strides"] = strides;
            return node;
        };
        QVERIFY(withoutRepeats(view({8, 4}, {0, 1}))["sizes"] == Json({1, 4}));
        QVERIFY(!hasWindows(view({8, 4}, {0, 1})));
        QVERIFY(!hasWindows(view({8, 4}, {12, 1})));
        QVERIFY(hasWindows(view({8, 4}, {2, 1})));
        const auto described = [&](const Json &node) {
            return describeStridedInput({{"kind", "list"}, {"items", Json::array({node})}});
        };
        QCOMPARE(described(view({8, 4}, {12, 1})),
                 std::string("input[0] is float32[8, 4] with the strides [12,1]"));
        QCOMPARE(described(view({8, 4}, {1, 8})), std::string());
        QCOMPARE(described(view({0, 4}, {12, 1})), std::string());
    }

    void survivesWhatIsNoTree_data() {
        QTest::addColumn<QByteArray>("text");
        for (const char *text :
             {"null", "3", "[]", "{}", R"({"kind":"list"})", R"({"kind":"list","items":7})",
              R"({"kind":"dict","items":[{}]})", R"({"kind":"tensor","sizes":"x"})"})
            QTest::newRow(text) << QByteArray(text);
    }
    void survivesWhatIsNoTree() {
        QFETCH(QByteArray, text);
        const Json tree = Json::parse(text.toStdString());
        for (const ValueLeaf &leaf : leavesOf(tree, "output"))
            QVERIFY(!leaf.path.empty());
        QVERIFY(!shapeOfTree(tree).empty());
    }
};

QObject *valueTreeTest() {
    return new ValueTreeTest;
}

} // namespace warpwright

#include "tst_value_tree.moc"
