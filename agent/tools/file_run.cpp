// SPDX-License-Identifier: GPL-3.0-or-later
// The tools on files, as calls: their functions run in the pool.
#include "agent/tools/search_tools.h"
#include "agent/tools/tool_run.h"
#include "toolchain/process/in_pool.h"

namespace warpwright {
namespace {

class FileRun : public ToolRun {
public:
    FileRun(ToolContext &context, QString name, Json arguments)
        : ToolRun(context), m_name(std::move(name)), m_arguments(std::move(arguments)) {}

    void start() override {
        inPool(
            this,
            [work = m_context.work, marks = m_context.marks, name = m_name, arguments = m_arguments] {
                if (name == QLatin1String("read"))
                    return readTool(work, marks, arguments);
                if (name == QLatin1String("write"))
                    return writeTool(work, marks, arguments);
                if (name == QLatin1String("edit"))
                    return editTool(work, marks, arguments);
                return FileAnswer{name == QLatin1String("glob") ? globTool(work, arguments)
                                                                : grepTool(work, arguments),
                                  marks};
            },
            [this](const FileAnswer &answer) {
                m_context.marks = answer.marks;
                emit ended(answer.answer);
            });
    }

private:
    QString m_name;
    Json m_arguments;
};

} // namespace

MadeRun makeFileRun(ToolContext &context, const QString &name, const Json &arguments) {
    return std::make_unique<FileRun>(context, name, arguments);
}

} // namespace warpwright
