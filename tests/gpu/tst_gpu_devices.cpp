// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which card cuda:N is where CUDA_VISIBLE_DEVICES names several, against what nvidia-smi lists. Two GPUs are
// needed.
#include "tests/gpu/gpu_world.h"

#include <QCoreApplication>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

namespace warpwright {

class GpuDevicesTest : public QObject {
    Q_OBJECT

private:
    QStringList m_names;
    QStringList m_uuids; ///< in the order of the bus

private slots:
    void initTestCase() {
        QProcess tool;
        tool.start(QStringLiteral("nvidia-smi"), {QStringLiteral("-L")});
        tool.waitForFinished(60000);
        static const QRegularExpression card(QStringLiteral("^GPU [0-9]+: (.*) \\(UUID: (GPU-[0-9a-f-]+)\\)"),
                                             QRegularExpression::MultilineOption);
        auto found = card.globalMatch(QString::fromUtf8(tool.readAllStandardOutput()));
        while (found.hasNext()) {
            const QRegularExpressionMatch one = found.next();
            m_names << one.captured(1);
            m_uuids << one.captured(2);
        }
        if (m_uuids.size() < 2)
            QSKIP("one GPU only: nothing is out of order");
        qputenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID"); // as nvidia-smi counts
    }

    void measuresTheCardOfThatNumber_data() {
        QTest::addColumn<QString>("list"); // {0} and {1}: the UUIDs
        QTest::addColumn<int>("number");
        QTest::addColumn<int>("card");
        QTest::newRow("in order") << "0,1" << 1 << 1;
        QTest::newRow("out of order, the first") << "1,0" << 0 << 1;
        QTest::newRow("out of order, the second") << "1,0" << 1 << 0;
        QTest::newRow("the second alone") << "1" << 0 << 1;
        QTest::newRow("by UUID") << "{1},{0}" << 0 << 1;
    }

    void measuresTheCardOfThatNumber() {
        QFETCH(QString, list);
        QFETCH(int, number);
        QFETCH(int, card);
        list.replace(QStringLiteral("{0}"), m_uuids[0]).replace(QStringLiteral("{1}"), m_uuids[1]);
        qputenv("CUDA_VISIBLE_DEVICES", list.toUtf8());
        qputenv("WARPWRIGHT_TEST_DEVICE", "cuda:" + QByteArray::number(number));
        const QTemporaryDir folder;
        copyOver(workspaces() + QStringLiteral("/base"), folder.path());
        const Check result = check(folder.path());
        QVERIFY2(result.document.is_object(), qPrintable(result.words));
        const Json device = result.document.value("device", Json::object());
        const std::string said = result.document.value("verdict", "") + ": " + device.dump(1);
        QVERIFY2(device["uuid"] == m_uuids[card].toStdString(), said.c_str());
        QVERIFY2(device["name"] == m_names[card].toStdString(), said.c_str());
        QVERIFY2(device["index"] == number, said.c_str());
        QVERIFY2(device["clockOf"] == m_uuids[card].toStdString(), said.c_str());
    }

    void cleanupTestCase() {
        qunsetenv("CUDA_VISIBLE_DEVICES");
        qunsetenv("CUDA_DEVICE_ORDER");
    }
};

} // namespace warpwright

int main(int argc, char **argv) {
    QCoreApplication application(argc, argv);
    warpwright::GpuDevicesTest test;
    return warpwright::runOnGpu(test, argc, argv);
}

#include "tst_gpu_devices.moc"
