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
        ("r", "retry a failed page, or refresh"),
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
