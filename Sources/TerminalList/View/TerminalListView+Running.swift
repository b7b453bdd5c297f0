internal import ListPresentation

extension TerminalListView {
  /// Shows the list until somebody presses `q` or ctrl-D, nobody can type any more, or the task is cancelled.
  /// Then the terminal is as it was.
  public func run(in terminal: Terminal = Terminal()) async throws(TerminalError) {
    let events = try terminal.open()
    defer { terminal.close() }
    let painter = FramePainter(time: time, withColor: terminal.withColor) { [weak self] turn in
      self.map { ($0.screen(turn: turn), $0.isBusy) }
    } write: {
      await terminal.write($0)
    }
    defer { painter.stop() }
    onChange = { painter.request() }
    defer { onChange = nil }
    resize(to: terminal.size)
    controller.attach(self)
    controller.appeared()
    defer {
      controller.disappeared()
      controller.detach()
    }
    for await event in events {
      switch event {
      case .keys(let keys):
        for key in keys {
          if key == .control("l") { painter.forget() }
          guard press(key) else { return }
        }
      case .resized, .resumed:
        // What was on it may be cut or gone, also where it is as large as before by now.
        painter.forget()
        resize(to: terminal.size)
      case .ended: return
      }
    }
  }
}
