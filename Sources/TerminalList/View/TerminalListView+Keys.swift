internal import ListPresentation

extension TerminalListView {
  /// Handles a key; returns `false` if the view should close.
  func press(_ key: Key) -> Bool {
    // Programs that type send this at their end.
    if key == .control("d") { return false }
    if var open = page {
      page = open.press(key) ? open : nil
      onChange?()
      return true
    }
    if key != .up, key != .character("k"), pull.cancel() { controller.didPullDown(0) }
    if pressInSearch(key) { return true }
    switch key {
    case .character("q"): return false
    case .character("/"): beginSearch()
    case .character("?"): show(TextPage(title: "Keys", text: keyHelp))
    case .character("i"): showFacts()
    case .up, .character("k"): up()
    case .down, .character("j"): down()
    case .wheelUp: viewport.move(by: -3, map)
    case .wheelDown: viewport.move(by: 3, map)
    case .pageUp, .character("b"): viewport.page(-1, map)
    case .pageDown, .character(" "): viewport.page(1, map)
    case .home, .character("g"): viewport.move(by: -map.rowCount, map)
    case .end, .character("G"): viewport.move(by: map.rowCount, map)
    case .enter: open()
    case .character("r"): again()
    default: break
    }
    lookAround()
    return true
  }

  private func up() {
    if viewport.move(by: -1, map) {
      if pull.cancel() { controller.didPullDown(0) }
      return
    }
    switch controller.header {
    case .hidden, .loading: break
    case .idle, .pulling, .triggered:
      switch pull.press(threshold: controller.settings.refresh.headerThreshold) {
      case .pull(let distance): controller.didPullDown(distance)
      case .release: controller.didRelease()
      }
    }
  }

  private func down() {
    if viewport.move(by: 1, map) { return }
    // A failed page is retried only on request, not because a key is held down.
    if controller.footer == .idle { controller.loadMore() }
  }

  private func open() {
    guard controller.placeholder == nil else { return controller.performPlaceholderAction() }
    guard let position = viewport.selected else { return }
    let reply = controller.select(position)
    guard reply == .unhandled, let item = controller.item(at: position) else { return }
    if let outline = outline?(item) {
      show(OutlinePage(title: title, outline: outline))
    } else if let text = detail?(item) {
      show(TextPage(title: title, text: text))
    }
  }

  private func show(_ page: some ScreenPage) {
    var page = page
    if let size { page.fit(size) }
    self.page = page
  }

  private func showFacts() {
    if let facts { show(TextPage(title: title, text: facts())) }
  }

  private var keyHelp: String {
    KeyHelp(
      opens: outline != nil ? .outline : detail != nil ? .text : .nothing, hasFacts: facts != nil
    ).text
  }

  private func again() {
    if controller.newRows != nil { return controller.showNewRows() }
    if case .failed = controller.footer { return controller.loadMore() }
    if case .parts(let parts) = controller.placeholder?.body, parts.action?.kind == .retry {
      return controller.performPlaceholderAction()
    }
    controller.refresh()
  }
}

extension TerminalListView {
  /// Shows the list until the user presses `q` or ctrl-D, the input ends, or the task is cancelled. The
  /// terminal is then restored.
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
    defer {
      onChange = nil
      searching?.cancel()
    }
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
        // The content may be cut or gone, even if the size is the same again.
        painter.forget()
        resize(to: terminal.size)
      case .ended: return
      }
    }
  }
}

/// The text about all keys.
struct KeyHelp: Hashable, Sendable {
  /// What a selected row opens.
  enum Opened: Hashable, Sendable { case nothing, text, outline }

  var opens = Opened.nothing
  /// Whether the list has facts to show.
  var hasFacts = false

  var text: String {
    var groups = [
      [
        ("↑ ↓  k j", "move by a row"), ("PgUp PgDn  b Space", "move by a page"),
        ("Home End  g G", "go to the first or last loaded row"),
      ],
      [
        ("↓ at the end", "load the next page"),
        ("↑ at the top", "pull to refresh: press four times"),
        ("r", "show new rows, retry a failed page, or refresh"),
      ],
      [
        ("/", "search in the loaded rows"), ("↑ ↓ while typing", "go to another match"),
        ("n N", "next or previous match"), ("Esc", "leave the search"),
      ],
    ]
    switch opens {
    case .nothing: break
    case .text: groups.append([("Enter", "show the row")])
    case .outline:
      groups.append([
        ("Enter", "show the row as JSON"), ("← →", "fold or unfold a value"),
        ("- +", "fold or unfold all values"),
      ])
    }
    let facts = [("i", "show how the list is loaded, and why it ended")]
    groups.append(
      (hasFacts ? facts : []) + [
        ("?", "show these keys"), ("ctrl-L", "draw the screen again"), ("q  ctrl-D", "quit"),
      ])
    return groups.map { group in
      group.map { keys, meaning in
        keys + String(repeating: " ", count: max(2, 20 - keys.count)) + meaning
      }.joined(separator: "\n")
    }.joined(separator: "\n\n")
  }
}
