/// The table of clients, in columns or as Markdown.
struct ChurnTable {
  let clients: [ChurnClient]
  let isMarkdown: Bool

  private static let nameWidth = 24
  private static let means = [("lost", 5), ("twice", 6), ("requests", 9)]
  private static let claims = [("whole", 7), ("may lack", 9)]

  var legend: [String] {
    let cells = isMarkdown ? ["a cell of a client: rows lost / rows twice / requests"] : []
    return cells + [
      "lost: rows that were in the list all the time and that the client doesn't have",
      "twice: rows that it has again; whole: runs that claim to lack no row that stayed",
      "may lack: runs that say that rows may be missing; a burst comes before one of 20 requests",
    ]
  }

  func header() -> [String] {
    if isMarkdown {
      let cells = clients.flatMap { [$0.name] + ($0.claims ? Self.claims.map(\.0) : []) }
      let rules = cells.map { _ in "---:" }
      return [
        markdown(["pages by", "before each request"] + cells), markdown(["---", "---"] + rules),
      ]
    }
    let indent = String(repeating: " ", count: Self.nameWidth)
    let names = clients.map { right($0.name, columns($0).reduce(0) { $0 + $1.1 }) }
    let titles = clients.flatMap(columns).map { right($0.0, $0.1) }
    return [indent + names.joined(), indent + titles.joined()]
  }

  /// The line of a way of paging, if it has one of its own.
  func section(_ way: ChurnWay) -> [String] { isMarkdown ? [] : [way.name] }

  func row(_ way: ChurnWay, _ kind: ChurnKind, _ figures: [ChurnFigures]) -> String {
    if isMarkdown {
      let cells = zip(clients, figures).flatMap { client, figures in
        [figures.means.joined(separator: " / ")] + (client.claims ? figures.claims : [])
      }
      return markdown([way.name, kind.name] + cells)
    }
    let cells = zip(clients, figures).flatMap { client, figures in
      zip(columns(client), figures.means + figures.claims).map { right($1, $0.1) }
    }
    return "  " + kind.name.padding(to: Self.nameWidth - 2) + cells.joined()
  }

  private func columns(_ client: ChurnClient) -> [(String, Int)] {
    Self.means + (client.claims ? Self.claims : [])
  }

  private func markdown(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }

  private func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}

extension String {
  fileprivate func padding(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
