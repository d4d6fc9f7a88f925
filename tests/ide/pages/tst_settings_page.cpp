// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/kit/actions.h"
#include "app/ide/kit/key_table.h"
#include "app/ide/kit/message_card.h"
#include "app/ide/settings/setting_row.h"
#include "app/ide/settings/settings_page.h"
#include "app/ide/settings/setup_page.h"
#include "tests/ide/pages/page_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

template <typename T>
T *field(const SettingsPage &page, const char *row) {
    return qobject_cast<T *>(page.row(QString::fromLatin1(row))->field());
}

Settings storedIn(const DataFolders &folders) {
    const Result<Settings> settings = Settings::load(folders.settingsFile());
    return settings.hasValue() ? settings.value() : Settings();
}

void choose(const SettingsPage &page, const char *row, const QString &word) {
    auto *box = field<QComboBox>(page, row);
    box->setCurrentIndex(box->findData(word));
}

QAbstractButton *testButton(const SettingRow *row) {
    return row->findChild<QAbstractButton *>(QStringLiteral("test"));
}

} // namespace

class TestSettingsPage : public QObject {
    Q_OBJECT
private slots:
    void init() { failOnOurWarnings(); }

    void storesEachChangeAtOnceAndKeepsWhatItDoesNotKnow() {
        const Scratch scratch;
        const DataFolders folders = scratch.folders();
        scratch.write(QStringLiteral("config/settings.json"),
                      "{\"ofLater\": [1, 2], \"cuda\": \"/opt/cuda\"}\n");
        const Actions actions;
        SettingsPage page(houseLook(), folders, actions.all());
        page.setSettings(storedIn(folders));
        QSignalSpy stored(&page, &SettingsPage::stored);
        const QSignalSpy changed(&page, &SettingsPage::changed);
        showAt(page, 1280, 720);
        QCOMPARE(field<QLineEdit>(page, "CUDA")->text(), QStringLiteral("/opt/cuda"));
        QVERIFY(changed.isEmpty()); // filling is no change
        auto *python = field<QLineEdit>(page, "Python");
        python->setFocus();
        QTest::keyClicks(python, QStringLiteral("/opt/env/bin/python"));
        QTest::keyClick(python, Qt::Key_Return);
        choose(page, "Jobs", QStringLiteral("6"));
        field<QComboBox>(page, "Theme")->setCurrentIndex(2);
        field<QComboBox>(page, "Tier")->setCurrentIndex(1);
        choose(page, "Scale", QStringLiteral("120"));
        QTest::mouseClick(child<QWidget>(page, "precision-BF16"), Qt::LeftButton, {}, QPoint(8, 8));
        auto *flags = field<QLineEdit>(page, "Flags for nvcc");
        flags->setText(QStringLiteral("-lineinfo \"-DNAME=a b\""));
        emit flags->editingFinished();
        QTRY_COMPARE(stored.size(), 7);
        const Settings settings = storedIn(folders);
        QCOMPARE(settings.python, QStringLiteral("/opt/env/bin/python"));
        QCOMPARE(settings.cuda, QStringLiteral("/opt/cuda"));
        QCOMPARE(settings.maxJobs, 6);
        QCOMPARE(settings.theme, QStringLiteral("dark"));
        QCOMPARE(settings.fontScale, 1.2);
        QVERIFY(settings.tier == Tier::Certify);
        QVERIFY(settings.allow.contains(QStringLiteral("BF16")));
        QCOMPARE(settings.nvccFlags,
                 (QStringList{QStringLiteral("-lineinfo"), QStringLiteral("-DNAME=a b")}));
        QVERIFY(settings.unknown.contains("ofLater"));
        QVERIFY(settings == page.settings());
        SettingsPage again(houseLook(), folders, actions.all());
        again.setSettings(settings);
        QCOMPARE(field<QComboBox>(again, "Scale")->currentData().toString(), QStringLiteral("120"));
        Settings odd;
        odd.fontScale = 1.37; // by Ctrl and +: shown as it is
        odd.device = QStringLiteral("cuda:5");
        again.setSettings(odd);
        QCOMPARE(field<QComboBox>(again, "Scale")->currentText(), QStringLiteral("137\u00a0%"));
        QCOMPARE(field<QComboBox>(again, "Device")->currentText(), QStringLiteral("cuda:5"));
        again.setSettings(settings);
        QCOMPARE(field<QLineEdit>(again, "Flags for nvcc")->text(),
                 QStringLiteral("-lineinfo \"-DNAME=a b\""));
    }

    void saysThatABrokenFileCannotTakeTheChange() {
        const Scratch scratch;
        const QString file = scratch.write(QStringLiteral("config/settings.json"), "{\"python\": \n");
        const Actions actions;
        SettingsPage page(houseLook(), scratch.folders(), actions.all());
        QSignalSpy stored(&page, &SettingsPage::stored);
        showAt(page, 1280, 720);
        choose(page, "Jobs", QStringLiteral("3"));
        QTRY_COMPARE(stored.size(), 1);
        auto *problem = page.findChild<MessageCard *>();
        QVERIFY(problem->isVisible());
        bool isNamed = false;
        for (const QLabel *label : problem->findChildren<QLabel *>())
            isNamed = isNamed || label->text().contains(file);
        QVERIFY(isNamed);
        QCOMPARE(page.settings().maxJobs, 3); // it holds here
        QVERIFY(textOf(file).startsWith("{\"python\": \n"));
    }

    void testsWhatStandsInTheFieldAndSaysWhatIsWrong() {
        const Scratch scratch;
        const Actions actions;
        DataFolders folders = scratch.folders();
        folders.resources = sourceFolder("/resources");
        SettingsPage page(houseLook(), folders, actions.all());
        showAt(page, 1280, 720);
        SettingRow *row = page.row(QStringLiteral("Python"));
        field<QLineEdit>(page, "Python")->setText(QStringLiteral("/nowhere/bin/python"));
        QTest::mouseClick(testButton(row), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(row->said().contains(QStringLiteral("/nowhere/bin/python")), 20000);
        QVERIFY(row->field()->property("isBad").toBool());
        QCOMPARE(testButton(row)->text(), QStringLiteral("Test"));
        SettingRow *cuda = page.row(QStringLiteral("CUDA"));
        field<QLineEdit>(page, "CUDA")->setText(scratch.path());
        QTest::mouseClick(testButton(cuda), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(cuda->said().contains(scratch.path()), 20000);
    }

    void aTestCanBeStopped() {
        const Scratch scratch;
        const Actions actions;
        SettingsPage page(houseLook(), scratch.folders(), actions.all());
        showAt(page, 1280, 720);
        SettingRow *row = page.row(QStringLiteral("Python"));
        field<QLineEdit>(page, "Python")
            ->setText(scratch.writeProgram(QStringLiteral("slow"), "#!/bin/sh\nexec sleep 30\n"));
        QTest::mouseClick(testButton(row), Qt::LeftButton);
        QCOMPARE(testButton(row)->text(), QStringLiteral("Stop"));
        QTest::mouseClick(testButton(row), Qt::LeftButton);
        QCOMPARE(testButton(row)->text(), QStringLiteral("Test"));
    }

    void refusesAnArchitectureThatIsNone() {
        const Scratch scratch;
        const Actions actions;
        SettingsPage page(houseLook(), scratch.folders(), actions.all());
        showAt(page, 1280, 720);
        auto *architecture = field<QLineEdit>(page, "Architecture");
        architecture->setFocus();
        QTest::keyClicks(architecture, QStringLiteral("sm_9x"));
        QTest::keyClick(architecture, Qt::Key_Return);
        QVERIFY(page.row(QStringLiteral("Architecture"))->said().contains(QStringLiteral("sm_9x")));
        QVERIFY(page.settings().architecture.isEmpty());
        architecture->setText(QStringLiteral("sm_90a"));
        QTest::keyClick(architecture, Qt::Key_Return);
        QCOMPARE(page.settings().architecture, QStringLiteral("sm_90a"));
        QVERIFY(page.row(QStringLiteral("Architecture"))->said().isEmpty());
    }

    void showsWhatWasFound() {
        Toolchain toolchain;
        toolchain.cudaMessage = QStringLiteral("Cannot find nvcc.");
        PythonEnvironment python;
        python.torchVersion = QStringLiteral("2.11.0");
        python.torchCuda = QStringLiteral("13.0");
        python.version = QStringLiteral("3.11.2");
        python.interpreter = QStringLiteral("/opt/python");
        toolchain.python = python;
        QCOMPARE(toolFinding(ToolKind::Python, toolchain, {}).text,
                 QStringLiteral("torch 2.11.0, CUDA 13.0, Python 3.11.2, at /opt/python"));
        QVERIFY(!toolFinding(ToolKind::Cuda, toolchain, {}).isGood);
        Settings settings;
        settings.device = QStringLiteral("cuda:3");
        QVERIFY(!toolFinding(ToolKind::Device, toolchain, settings).isGood);
        settings.device = QStringLiteral("cpu");
        QVERIFY(toolFinding(ToolKind::Device, toolchain, settings).isGood);
    }

    void leadsToTheRowThatAMessageNames_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("row");
        QTest::newRow("a row") << QStringLiteral("Python") << QStringLiteral("Python");
        QTest::newRow("as messages say it")
            << QStringLiteral("Settings > Python") << QStringLiteral("Python");
        QTest::newRow("a group") << QStringLiteral("Settings > Toolchain") << QStringLiteral("Python");
        QTest::newRow("in other words") << QStringLiteral("CUDA path") << QStringLiteral("CUDA");
        QTest::newRow("further down") << QStringLiteral("appearance") << QStringLiteral("Theme");
    }
    void leadsToTheRowThatAMessageNames() {
        QFETCH(const QString, name);
        QFETCH(const QString, row);
        const Scratch scratch;
        const Actions actions;
        SettingsPage page(houseLook(), scratch.folders(), actions.all());
        showAt(page, 1280, 720);
        page.activateWindow();
        QVERIFY(page.reveal(name));
        QWidget *wanted = page.row(row)->field();
        QTRY_VERIFY(wanted->hasFocus());
        auto *area = page.findChild<QScrollArea *>();
        QTRY_VERIFY(area->viewport()->rect().contains(wanted->mapTo(area->viewport(), QPoint(5, 5))));
        QVERIFY(!page.reveal(QStringLiteral("Nonsense")));
        QVERIFY(page.reveal(QStringLiteral("Keys")));
    }

    void searchLeavesWhatFits() {
        const Scratch scratch;
        const Actions actions;
        SettingsPage page(houseLook(), scratch.folders(), actions.all());
        showAt(page, 1280, 720);
        auto *search = child<QLineEdit>(page, "settingsSearch");
        QTest::keyClicks(search, QStringLiteral("theme"));
        QVERIFY(page.row(QStringLiteral("Theme"))->isVisible());
        QVERIFY(!page.row(QStringLiteral("Python"))->isVisible());
        QVERIFY(child<KeyRow>(page, "key-themeDark")->isVisible());
        const QSignalSpy closed(&page, &SettingsPage::closed);
        QTest::keyClick(search, Qt::Key_Escape); // first the search
        QVERIFY(page.row(QStringLiteral("Python"))->isVisible());
        QVERIFY(closed.isEmpty());
        QTest::keyClick(search, Qt::Key_Escape);
        QCOMPARE(closed.size(), 1);
    }

    void aKeyIsChangedByPressingItAndAConflictIsSaid() {
        const Scratch scratch;
        const Actions actions;
        SettingsPage page(houseLook(), scratch.folders(), actions.all());
        showAt(page, 1280, 720);
        auto *table = child<KeyTable>(page, "keyTable");
        KeyRow *check = table->row(QStringLiteral("check"));
        KeyRow *save = table->row(QStringLiteral("save"));
        check->setFocus();
        QTest::keyClick(check, Qt::Key_Return);
        QVERIFY(check->isWaiting());
        QTest::keyClick(check, Qt::Key_X);
        QVERIFY(check->sentence().contains(QStringLiteral("typing")));
        QTest::keyClick(check, Qt::Key_S, Qt::ControlModifier);
        QVERIFY2(check->sentence().contains(QStringLiteral("Save")), qPrintable(check->sentence()));
        QCOMPARE(check->key(), QStringLiteral("F5"));
        QTest::keyClick(check, Qt::Key_Escape);
        QVERIFY(!check->isWaiting());
        QCOMPARE(check->key(), QStringLiteral("F5"));
        QTest::keyClick(check, Qt::Key_Return);
        QTest::keyClick(check, Qt::Key_S, Qt::ControlModifier);
        QTest::keyClick(check, Qt::Key_Return); // insists
        QCOMPARE(check->key(), QStringLiteral("Ctrl+S"));
        QVERIFY(save->key().isEmpty());
        QCOMPARE(page.settings().keys.value(QStringLiteral("check")), QStringLiteral("Ctrl+S"));
        QCOMPARE(page.settings().keys.value(QStringLiteral("save")), QString());
        QVERIFY(page.settings().keys.contains(QStringLiteral("save")));
        QTest::mouseClick(child<QAbstractButton>(page, "reset-check"), Qt::LeftButton);
        QTest::mouseClick(child<QAbstractButton>(page, "reset-save"), Qt::LeftButton);
        QVERIFY(page.settings().keys.isEmpty());
        QTRY_VERIFY(storedIn(scratch.folders()).keys.isEmpty());
    }

    void looksAsItShould() {
        const Scratch scratch;
        const Actions actions;
        SettingsPage page(houseLook(), scratch.folders(), actions.all());
        Toolchain toolchain;
        toolchain.cudaMessage = QStringLiteral("Cannot find nvcc in \"/usr/local/cuda/bin\". Name the folder "
                                               "of a CUDA toolkit in Settings > CUDA.");
        PythonEnvironment python;
        python.torchVersion = QStringLiteral("2.11.0+cu130");
        python.torchCuda = QStringLiteral("13.0");
        python.version = QStringLiteral("3.11.2");
        python.interpreter = QStringLiteral("/home/me/.local/share/warpwright/env/bin/python");
        toolchain.python = python;
        page.setToolchain(toolchain);
        showAt(page);
        takePictures(page, QStringLiteral("settings"));
        auto *table = child<KeyTable>(page, "keyTable");
        table->row(QStringLiteral("newKernel"))->click();
        table->row(QStringLiteral("newKernel"))->object(QStringLiteral("Ctrl+S is the key of «Save»."), true);
        page.reveal(QStringLiteral("Appearance"));
        QTest::qWait(50);
        takePictures(page, QStringLiteral("settings-below"));
    }

    void setsUpAndCanBeStopped() {
        const Scratch scratch;
        SetupPage page(houseLook(), scratch.folders());
        EnvironmentSetup::Request request;
        request.folders = scratch.folders();
        request.requirements = scratch.write(QStringLiteral("requirements.txt"), "torch\n");
        request.basePython = scratch.writeProgram(QStringLiteral("python3"), "#!/bin/sh\nexec sleep 30\n");
        request.neededBytes = 1;
        page.setRequest(request);
        const QSignalSpy ready(&page, &SetupPage::ready);
        showAt(page, 1280, 720);
        takePictures(page, QStringLiteral("setup"));
        QTest::mouseClick(child<QWidget>(page, "setUp"), Qt::LeftButton);
        QVERIFY(page.isRunning());
        QVERIFY(child<QLabel>(page, "setUpStage")->isVisible());
        takePictures(page, QStringLiteral("setup-running"));
        QTest::keyClick(child<QWidget>(page, "setUpStop"), Qt::Key_Escape);
        QTRY_VERIFY(!page.isRunning());
        QVERIFY(child<QWidget>(page, "setUpProblem")->isVisible());
        QCOMPARE(child<QAbstractButton>(page, "setUp")->text(), QStringLiteral("Try again"));
        QVERIFY(ready.isEmpty());
    }

    void saysWhySettingUpFailedAndOffersAnother() {
        const Scratch scratch;
        SetupPage page(houseLook(), scratch.folders());
        EnvironmentSetup::Request request;
        request.folders = scratch.folders();
        request.requirements = scratch.write(QStringLiteral("requirements.txt"), "torch\n");
        request.basePython = QStringLiteral("/nowhere/python3");
        request.neededBytes = 1;
        page.setRequest(request);
        showAt(page, 1280, 720);
        QTest::mouseClick(child<QWidget>(page, "setUp"), Qt::LeftButton);
        QTRY_VERIFY(!page.isRunning());
        auto *problem = child<QWidget>(page, "setUpProblem");
        QVERIFY(problem->isVisible());
        takePictures(page, QStringLiteral("setup-failed"));
    }

    void takesAPythonOfTheUsersOwnOnlyAfterATest() {
        const Scratch scratch;
        DataFolders folders = scratch.folders();
        folders.resources = sourceFolder("/resources");
        SetupPage page(houseLook(), folders);
        showAt(page, 1280, 720);
        auto *path = child<QLineEdit>(page, "setUpPath");
        auto *use = child<QAbstractButton>(page, "useOwn");
        auto *row = page.findChild<SettingRow *>();
        QVERIFY(!use->isEnabled());
        QTest::mouseClick(testButton(row), Qt::LeftButton);
        QVERIFY(row->said().contains(QStringLiteral("Name an interpreter")));
        QTest::keyClicks(path, QStringLiteral("/nowhere/python"));
        QTest::keyClick(path, Qt::Key_Return);
        QTRY_VERIFY(row->said().contains(QStringLiteral("/nowhere/python")));
        QVERIFY(!use->isEnabled());
        takePictures(page, QStringLiteral("setup-own"));
    }
};

QObject *makeTestSettingsPage() {
    return new TestSettingsPage;
}

#include "tst_settings_page.moc"
