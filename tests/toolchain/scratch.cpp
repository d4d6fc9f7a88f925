// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "tests/toolchain/places.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QTest>

QString Scratch::path(const QString &name) const {
    return name.isEmpty() ? m_folder.path() : m_folder.path() + QLatin1Char('/') + name;
}

QString Scratch::write(const QString &name, const QByteArray &text) const {
    const QString file = path(name);
    QDir().mkpath(QFileInfo(file).path());
    QFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(text) != text.size())
        qFatal("cannot write %s", qPrintable(file));
    return file;
}

QString Scratch::writeProgram(const QString &name, const QByteArray &text) const {
    const QString file = write(name, text);
    QFile::setPermissions(file, QFile::permissions(file) | QFileDevice::ExeOwner);
    return file;
}

QString Scratch::writeModel(const QString &folder) const {
    return write(
        folder.isEmpty() ? QStringLiteral("model.py") : folder + QStringLiteral("/model.py"),
        "import torch\n\n\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        return x + "
        "1\n\n\n"
        "def get_inputs():\n    return [torch.rand(8)]\n\n\ndef get_init_inputs():\n    return []\n");
}

warpwright::DataFolders Scratch::folders() const {
    warpwright::DataFolders folders;
    folders.data = path(QStringLiteral("data"));
    folders.cache = path(QStringLiteral("cache"));
    folders.config = path(QStringLiteral("config"));
    folders.resources = sourceFolder("/resources");
    folders.pythonEnvironment = folders.data + QStringLiteral("/env");
    return folders;
}

QByteArray textOf(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray recorded(const QString &name) {
    const QByteArray text = textOf(testData("/") + name);
    if (text.isEmpty())
        qFatal("no recorded text %s", qPrintable(name));
    return text;
}

QStringList allRecorded() {
    QStringList names;
    const QDir data(testData());
    for (const char *tool : {"nvcc", "gcc", "ptxas", "ld"})
        for (const QString &name :
             QDir(data.filePath(QLatin1String(tool))).entryList({QStringLiteral("*.txt")}))
            names << QLatin1String(tool) + QLatin1Char('/') + name;
    return names;
}

QString fakeTool() {
    return programBeside("fake_tool");
}

qint64 pidFrom(const QString &file) {
    // A shell makes the file before it writes into it.
    qint64 pid = 0;
    (void)QTest::qWaitFor([&] { return (pid = textOf(file).toLongLong()) > 0; }, 5000);
    return pid;
}

bool isAlive(qint64 pid) {
    const QByteArray stat = textOf(QStringLiteral("/proc/%1/stat").arg(pid));
    const auto end = stat.lastIndexOf(')');
    return end >= 0 && end + 2 < stat.size() && stat[end + 2] != 'Z' && stat[end + 2] != 'X';
}
