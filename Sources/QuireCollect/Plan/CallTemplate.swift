package import ItemMapping
package import ServerAPI
internal import Support

/// A call with places for members of a row: `/books/{id}/reviews`. A plain value, and the row decides nothing but what is
/// in these places.
///
/// In the path of an address, a value keeps its slashes, and no value leads elsewhere: neither up, nor to another host.
/// In a query all of it is encoded. `{{` and `}}` are braces of the text.
package struct CallTemplate: Hashable, Sendable {
  /// Why there is no call.
  package struct Problem: Error, Hashable, CustomStringConvertible {
    package let description: String
  }

  private enum Piece: Hashable, Sendable {
    case text(String)
    case member(JSONPath, name: String)

    var isMember: Bool { if case .member = self { true } else { false } }
  }

  /// The address up to its query.
  private var place: [Piece]
  /// The rest of the address, with its question mark.
  private var query: [Piece]
  /// The values of parameters that have places, by their position among the parameters and among its values.
  private var values: [Position: [Piece]] = [:]

  private struct Position: Hashable {
    var item: Int
    var value: Int
  }

  /// A longer value is no part of an address.
  static let longestValue = 4_096

  /// Reads the places of a call. Throws if there are none, or if they are where none can be.
  package init(_ call: Call) throws(Problem) {
    let address = call.address
    let start = Self.endOfHost(address)
    let end = address[start...].firstIndex { $0 == "?" || $0 == "#" } ?? address.endIndex
    let fragment = address[end...].firstIndex(of: "#") ?? address.endIndex
    if let brace = address[..<start].first(where: { $0 == "{" || $0 == "}" }) {
      throw Problem(description: "“\(brace)” can't be in the host of an address: a row has to stay on the server")
    }
    place = try Self.pieces(address[..<end])
    query = try Self.pieces(address[end..<fragment])
    for (item, param) in call.params.items.enumerated() {
      for (value, scalar) in param.value.all.enumerated() {
        guard case .text(let text) = scalar, text.utf8.contains(0x7B) || text.utf8.contains(0x7D) else { continue }
        values[Position(item: item, value: value)] = try Self.pieces(text[...])
      }
    }
    guard (place + query + values.values.joined()).contains(where: \.isMember) else {
      throw Problem(
        description: "it would be the same list for each row; name a member of the row, as /books/{id}/reviews")
    }
  }

  /// Whether the path of an address has a place for a member, which only the address of a child can have.
  static func isMeant(by address: String) -> Bool {
    let path = address[endOfHost(address)...].prefix { $0 != "?" && $0 != "#" }
    return (try? pieces(path))?.contains(where: \.isMember) ?? false
  }

  /// Where the path begins. The first word of an address without a scheme may be the host.
  private static func endOfHost(_ address: String) -> String.Index {
    func isSeparator(_ character: Character) -> Bool { "/?#".contains(character) }
    var rest = address[...]
    if let scheme = address.firstRange(of: "://"), !address[..<scheme.lowerBound].contains(where: isSeparator) {
      rest = rest[scheme.upperBound...]
    } else if address.hasPrefix("//") {
      rest = rest.dropFirst(2)
    }
    return rest.firstIndex(where: isSeparator) ?? rest.endIndex
  }

  private static func pieces(_ text: Substring) throws(Problem) -> [Piece] {
    var pieces: [Piece] = []
    var (plain, rest) = ("", text)
    while let first = rest.first {
      rest = rest.dropFirst()
      if first == "{" || first == "}", rest.first == first {
        rest = rest.dropFirst()
        plain.append(first)
      } else if first == "{" {
        guard let end = rest.firstIndex(of: "}") else {
          throw Problem(description: "a “{” has no “}”; write {{ for a brace of the text")
        }
        let name = String(rest[..<end])
        rest = rest[rest.index(after: end)...]
        let path: JSONPath
        do throws(JSONPath.ParsingError) { path = try JSONPath(parsing: name) } catch {
          throw Problem(
            description: "“{\(name)}” is no member of a row: \(error); write {{ and }} for braces of the text")
        }
        guard !path.segments.isEmpty else { throw Problem(description: "“{\(name)}” names no member of a row") }
        if !plain.isEmpty { pieces.append(.text(plain)) }
        pieces.append(.member(path, name: name))
        plain = ""
      } else if first == "}" {
        throw Problem(description: "a “}” has no “{”; write }} for a brace of the text")
      } else {
        plain.append(first)
      }
    }
    return plain.isEmpty ? pieces : pieces + [.text(plain)]
  }
}

// MARK: - Filling

extension CallTemplate {
  /// Returns the call for a row.
  ///
  /// - Parameter call: The call that the template was made of.
  package func call(_ call: Call, for row: JSONView) throws(Problem) -> Call {
    var call = call
    var path = Path()
    for piece in place {
      switch piece {
      case .text(let text): path.append(text)
      case .member(let member, let name): try path.append(value: Self.text(of: member, name, row), name)
      }
    }
    call.address = try path.end()
    for piece in query {
      switch piece {
      case .text(let text): call.address += text
      case .member(let member, let name):
        call.address += PercentEncoding.component.encode(try Self.text(of: member, name, row))
      }
    }
    guard !values.isEmpty else { return call }
    var items = call.params.items
    for (position, pieces) in values {
      let value = try Self.scalar(pieces, row)
      switch items[position.item].value {
      case .one: items[position.item].value = .one(value)
      case .many(var all):
        all[position.value] = value
        items[position.item].value = .many(all)
      }
    }
    call.params = Params(items)
    return call
  }

  /// The value of a parameter. A number that is all of it stays one.
  private static func scalar(_ pieces: [Piece], _ row: JSONView) throws(Problem) -> Params.Scalar {
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let plain): text += plain
      case .member(let member, let name): text += try self.text(of: member, name, row)
      }
    }
    guard pieces.count == 1, case .member(let member, _) = pieces[0], let value = row[member] else {
      return .text(text)
    }
    switch value.kind {
    case .number: return .number(text)
    case .bool: return .bool(text == "true")
    default: return .text(text)
    }
  }

  private static func text(of member: JSONPath, _ name: String, _ row: JSONView) throws(Problem) -> String {
    guard let value = row[member] else { throw Problem(description: "it has no “\(name)”") }
    let text: String
    switch value.kind {
    case .string: text = value.string ?? ""
    case .number, .bool: text = value.text
    case .null: throw Problem(description: "its “\(name)” is null")
    case .array: throw Problem(description: "its “\(name)” is an array, which can't be in an address")
    case .object: throw Problem(description: "its “\(name)” is an object, which can't be in an address")
    }
    if text.isEmpty { throw Problem(description: "its “\(name)” is an empty text") }
    if text.utf8.count > longestValue {
      throw Problem(description: "its “\(name)” has \(text.utf8.count) bytes, which is too long for an address")
    }
    return text
  }

  /// A path, segment by segment. Those that a value is a part of have to be names.
  private struct Path {
    private var text = ""
    private var segment = ""
    /// The member whose value is a part of the segment.
    private var member: String?
    /// What is wrong with the first value that would lead elsewhere.
    private var problem: Problem?

    mutating func append(_ plain: String) {
      let parts = plain.split(separator: "/", omittingEmptySubsequences: false)
      for (place, part) in parts.enumerated() {
        if place > 0 { next() }
        segment += part
      }
    }

    mutating func append(value: String, _ name: String) {
      for (place, part) in value.split(separator: "/", omittingEmptySubsequences: false).enumerated() {
        if place > 0 { next() }
        member = name
        segment += PercentEncoding.component.encode(String(part))
      }
    }

    private mutating func next() {
      check()
      text += segment + "/"
      (segment, member) = ("", nil)
    }

    private mutating func check() {
      guard let member, problem == nil else { return }
      // A part of the address may have the other dot.
      let dots = segment.lowercased().replacing("%2e", with: ".")
      if dots.isEmpty {
        problem = Problem(description: "its “\(member)” begins or ends with a slash, or has two in a row")
      } else if dots == "." || dots == ".." {
        problem = Problem(description: "its “\(member)” would lead to another place, with “\(dots)” in the address")
      }
    }

    mutating func end() throws(Problem) -> String {
      check()
      if let problem { throw problem }
      return text + segment
    }
  }
}
