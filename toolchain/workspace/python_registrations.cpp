// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/python_registrations.h"

#include "toolchain/base/text_file.h"
#include "toolchain/text/scanned_text.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>

namespace warpwright {
namespace {

const QString moduleMacro = QStringLiteral("PYBIND11_MODULE");
const QString binding = QStringLiteral("binding.cpp");

ScannedText scanned(const QString &path) {
    const auto text = readTextFile(path);
    return scanText(text.hasValue() ? text.value() : QByteArray(), Literals::Blanked);
}

std::vector<PythonRegistration> registrationsOf(const ScannedText &text) {
    static const QRegularExpression form(
        QStringLiteral(
            "^[ \\t]*(PYBIND11_MODULE|REGISTER_BINDING|REGISTER_FUNCTION|TORCH_LIBRARY(?:_FRAGMENT|"
            "_IMPL)?)\\s*\\(\\s*(\\w+)"),
        QRegularExpression::MultilineOption);
    std::vector<PythonRegistration> found;
    for (auto matches = form.globalMatch(text.code); matches.hasNext();) {
        const auto match = matches.next();
        const int line = text.lineAt(match.capturedStart(1));
        found.push_back(
            {match.captured(1), match.captured(2), line, !text.isUnsure[static_cast<std::size_t>(line - 1)]});
    }
    return found;
}

struct Module {
    QString file;
    PythonRegistration at;
};

Diagnostic conflict(const Module &module, const QString &message) {
    Diagnostic diagnostic;
    diagnostic.file = module.file;
    diagnostic.line = module.at.line;
    diagnostic.message = message;
    diagnostic.tool = QStringLiteral("wright");
    return diagnostic;
}

} // namespace

QString secondModuleText(const QString &first, const QString &how) {
    return QStringLiteral("this file defines the Python module that %1 defines, too. ").arg(first) +
           (first.startsWith(binding)
                ? QStringLiteral(
                      "Replace %1 by a function void NAME(pybind11::module_ &m) with the same lines, "
                      "and REGISTER_BINDING(NAME, NAME); from \"binding_registry.h\"")
                      .arg(how)
                : QStringLiteral("Leave one PYBIND11_MODULE, and put the lines of the other into it"));
}

std::vector<PythonRegistration> registrationsIn(const QByteArray &text) {
    return registrationsOf(scanText(text, Literals::Blanked));
}

std::optional<PythonRegistration> bindingBesideKernel(const QString &cpp, const QString &cu) {
    const QString stem = cpp.chopped(4);
    if (QFileInfo::exists(stem + QStringLiteral("_binding.cpp")))
        return std::nullopt;
    const ScannedText text = scanned(cpp);
    const std::vector<PythonRegistration> own = registrationsOf(text);
    if (!own.empty())
        return registrationsOf(scanned(cu)).empty() ? std::optional(own.front()) : std::nullopt;
    static const QRegularExpression cuda(
        QStringLiteral(
            "^[ \\t]*#[ \\t]*include[ \\t]*[<\"]((?:c10/cuda|ATen/cuda)/[\\w./]+|cuda_runtime(?:_api)?\\.h)"),
        QRegularExpression::MultilineOption);
    const auto include = cuda.match(text.code);
    if (!include.hasMatch() || text.code.contains(QLatin1String("WARPWRIGHT_CPU")))
        return std::nullopt;
    return PythonRegistration{QStringLiteral("#include"), include.captured(1),
                              text.lineAt(include.capturedStart(1))};
}

PythonModules pythonModulesOf(const Workspace &workspace, bool isCuda) {
    PythonModules modules;
    std::optional<Module> central;
    std::vector<Module> others;
    bool needsBinding = false;
    for (const SourceFile &source : workspace.sources) {
        if (source.kind == (isCuda ? SourceKind::Twin : SourceKind::Cuda))
            continue;
        const ScannedText text = scanned(workspace.pathOf(source));
        for (const PythonRegistration &at : registrationsOf(text)) {
            if (at.macro == moduleMacro && !at.isSure)
                continue; // if there are two in the end, the linker says so
            if (at.macro != moduleMacro)
                needsBinding = needsBinding || at.macro.startsWith(QLatin1String("REGISTER_"));
            else if (source.name == binding)
                central = Module{source.name, at};
            else
                others.push_back({source.name, at});
        }
        needsBinding = needsBinding ||
                       (source.name != binding && text.code.contains(QLatin1String("binding_registry.h")));
    }
    const auto isImportable = [](const Module &module) {
        return module.at.name == QLatin1String("TORCH_EXTENSION_NAME") ||
               module.at.name == QLatin1String("cuda_extension");
    };
    if (central && others.size() == 1 && !needsBinding && isImportable(others.front())) {
        modules.leftOut = binding;
        return modules;
    }
    const Module *first = central ? &*central : others.empty() ? nullptr : &others.front();
    for (const Module &module : others) {
        if (&module != first)
            modules.conflicts.push_back(conflict(
                module, secondModuleText(QStringLiteral("%1:%2").arg(first->file).arg(first->at.line),
                                         QStringLiteral("PYBIND11_MODULE(%1, m)").arg(module.at.name))));
        else if (!isImportable(module))
            modules.conflicts.push_back(conflict(
                module, QStringLiteral("this file defines the Python module %1, and what is built here is "
                                       "imported as cuda_extension. Write TORCH_EXTENSION_NAME in place "
                                       "of %1")
                            .arg(module.at.name)));
    }
    return modules;
}

} // namespace warpwright
