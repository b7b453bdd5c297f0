internal import Quire

/// Why `--where` matches no row: the members that it tests, as the rows have them.
struct FilterDoubts {
  private struct Member {
    var test: JSONFilter.Test
    /// The kinds of its values so far; empty if no row has it.
    var kinds: Set<JSONView.Kind> = []
    var hint: String?
  }

  private var members: [Member]
  private var rows = 0

  init(_ filter: JSONFilter) { members = filter.tests.map { Member(test: $0) } }

  /// Looks at rows that the filter doesn't match. A member with a value that the filter can match is no doubt.
  mutating func look(at page: [JSONView]) {
    rows += page.count
    for row in page where !members.isEmpty {
      for index in members.indices.reversed() {
        let (path, kind) = (members[index].test.path, members[index].test.kind)
        guard let value = row[path] else {
          if members[index].hint == nil {
            members[index].hint = CrawlDiagnostics.hint(for: path, in: row)
          }
          continue
        }
        if kind == nil || kind == value.kind {
          members.remove(at: index)
        } else {
          members[index].kinds.insert(value.kind)
        }
      }
    }
  }

  /// A line for each member that explains why no row matches.
  var texts: [String] {
    guard rows > 0 else { return [] }
    return members.map { member in
      let path = OptionSyntax.text(member.test.path)
      let start = "--where matches no row: "
      guard let kind = member.test.kind, !member.kinds.isEmpty else {
        return start + "no row has \(path); \(member.hint ?? "check the path")"
      }
      let found = member.kinds.map(Self.name).sorted().joined(separator: " or ")
      return start + "\(path) is \(found), and is compared with \(Self.name(kind))"
        + Self.advice(path, member.kinds)
    }
  }

  private static func name(_ kind: JSONView.Kind) -> String {
    switch kind {
    case .string: "text"
    case .bool: "true or false"
    default: kind.withArticle
    }
  }

  /// Returns what to do about values of these kinds.
  private static func advice(_ path: String, _ kinds: Set<JSONView.Kind>) -> String {
    let query = path.hasPrefix("$") ? "@" + path.dropFirst() : "@." + path
    if kinds.contains(.string) { return "; compare it with text, as in \(query) == '10'" }
    if kinds.contains(.number) { return "; compare it with a number, as in \(query) == 10" }
    if kinds.contains(.bool) { return "; compare it with true or false, as in \(query) == true" }
    return ""
  }
}
