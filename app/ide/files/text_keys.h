// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAction;
class QWidget;

namespace warpwright {

/// Undo, Copy and the like from a menu do what their key does in the text that has the focus, whatever kind
/// of text it is. Where no text has it, the key goes to `otherwise`, which takes the focus; null: nowhere.
void pressKeyOf(const QAction &action, QWidget *otherwise);

} // namespace warpwright
