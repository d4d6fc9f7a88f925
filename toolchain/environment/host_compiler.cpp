// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/environment/host_compiler.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

namespace warpwright {

namespace {

/// A short word for this processor, from what -march=native looks at.
QString processorIdentity() {
    QFile file(QStringLiteral("/proc/cpuinfo"));
    if (!file.open(QIODevice::ReadOnly))
        return QStringLiteral("unknown");
    QString name;
    QByteArray facts;
    // The first processor stands for all: the lines repeat, and some (MHz, apicid) differ from one to the
    // next.
    for (QByteArray line = file.readLine(); !line.isEmpty() && line != "\n"; line = file.readLine()) {
        const QByteArray key = line.left(line.indexOf(':')).trimmed();
        if (key == "model name")
            name = QString::fromUtf8(line.mid(line.indexOf(':') + 1)).trimmed();
        if (key == "vendor_id" || key == "cpu family" || key == "model" || key == "flags" ||
            key == "Features")
            facts += line;
    }
    const QByteArray hash = QCryptographicHash::hash(facts, QCryptographicHash::Sha256).toHex().left(12);
    return name + QLatin1Char(' ') + QString::fromLatin1(hash);
}

} // namespace

Result<QString> findHostCompiler(const QProcessEnvironment &environment) {
    // $CXX may carry options or a launcher («ccache g++»); its last word without a dash is the compiler.
    QString wanted = QStringLiteral("g++");
    QString source = QStringLiteral("PATH");
    for (const QString &word :
         environment.value(QStringLiteral("CXX")).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        if (word.startsWith(QLatin1Char('-')))
            break;
        wanted = word;
        source = QStringLiteral("CXX");
    }
    const QStringList path =
        environment.value(QStringLiteral("PATH")).split(QLatin1Char(':'), Qt::SkipEmptyParts);
    // findExecutable searches our own PATH when the list is empty, but the given environment is to count.
    const QString found = path.isEmpty() && !wanted.contains(QLatin1Char('/'))
                              ? QString()
                              : QStandardPaths::findExecutable(wanted, path);
    if (found.isEmpty())
        return Result<QString>::error(QStringLiteral("Cannot find the C++ compiler \"%1\" (from %2): it "
                                                     "compiles the candidate's bindings and the judge. "
                                                     "Install it: sudo apt-get install g++")
                                          .arg(wanted, source));
    return Result<QString>::ok(QFileInfo(found).absoluteFilePath());
}

void chooseLinker(HostCompiler &compiler, const QStringList &folders) {
    compiler.linker.clear();
    compiler.linkerIdentity.clear();
    if (compiler.isGcc() && compiler.version.section(QLatin1Char('.'), 0, 0).toInt() < 9)
        return; // does not know -fuse-ld=lld
    // mold would be quicker still, but with --no-undefined --warn-unresolved-symbols (compile_flags.cpp) it
    // makes a call to address 0 of each symbol that it warns about, Python's among them (1.10.1).
    for (const QString &folder : folders) {
        const QFileInfo program(folder + QStringLiteral("/ld.lld"));
        if (!program.isExecutable() || program.isDir())
            continue;
        const QFileInfo real(program.canonicalFilePath());
        compiler.linker = QStringLiteral("lld");
        compiler.linkerIdentity = QStringLiteral("%1 %2 %3")
                                      .arg(real.filePath())
                                      .arg(real.size())
                                      .arg(real.lastModified().toMSecsSinceEpoch());
        return;
    }
}

void chooseLinker(HostCompiler &compiler) {
    // As buildEnvironment() lets a compiler search.
    chooseLinker(compiler,
                 {QFileInfo(compiler.path).path(), QStringLiteral("/usr/bin"), QStringLiteral("/bin")});
}

Result<HostCompiler> readHostCompiler(const QString &path, const QByteArray &versionText) {
    HostCompiler compiler;
    compiler.path = path;
    compiler.description = QString::fromUtf8(versionText).section(QLatin1Char('\n'), 0, 0).trimmed();
    // «g++ (Debian 12.2.0-14+deb12u1) 12.2.0»: the last one is the compiler's, the one in parentheses the
    // package's.
    static const QRegularExpression number(QStringLiteral("\\b(\\d+\\.\\d+(?:\\.\\d+)?)\\b"));
    auto matches = number.globalMatch(compiler.description);
    while (matches.hasNext())
        compiler.version = matches.next().captured(1);
    if (compiler.version.isEmpty())
        return Result<HostCompiler>::error(QStringLiteral("Cannot use the C++ compiler \"%1\": it answered "
                                                          "--version with \"%2\", which names no version. "
                                                          "Install g++ again, or set CXX to another one.")
                                               .arg(path, compiler.description.left(200)));
    compiler.processor = processorIdentity();
    chooseLinker(compiler);
    return Result<HostCompiler>::ok(std::move(compiler));
}

} // namespace warpwright
