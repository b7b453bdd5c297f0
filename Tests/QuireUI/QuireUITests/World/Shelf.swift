import Quire
import QuireTesting
import Synchronization

/// A row in a group, with a text that may change.
struct Row: Decodable, Identifiable, Hashable, CustomStringConvertible, Sendable {
  let id: Int
  var group = 0
  var text = ""

  var description: String { "\(id)\(text)" }
  var json: String { #"{"id":\#(id),"group":\#(group),"text":"\#(text)"}"# }
  var isLoud: Bool { text == "!" }
}

/// The rows of a server, five to a page, which change between requests.
final class Shelf: Sendable {
  static let pageSize = 5
  private let rows: Mutex<[Row]>
  private let failures = Mutex(0)
  private let received = Mutex(0)

  init(_ count: Int) { rows = Mutex((0..<count).map { Row(id: $0, group: $0 / 4) }) }
  init(_ rows: [Row]) { self.rows = Mutex(rows) }

  var all: [Row] { rows.withLock { $0 } }

  /// Inserts rows above all others.
  func insert(_ ids: Int...) {
    rows.withLock { $0.insert(contentsOf: ids.map { Row(id: $0) }, at: 0) }
  }

  /// Lets the next response fail.
  func failOnce() { failures.withLock { $0 += 1 } }

  /// How many requests have come in.
  var requests: Int { received.withLock { $0 } }

  func respond(to page: Int) -> MockResponse {
    received.withLock { $0 += 1 }
    let fails = failures.withLock { left in
      defer { left = max(0, left - 1) }
      return left > 0
    }
    if fails { return .failure(.connectRefused) }
    let rows = all
    let shown = rows.dropFirst(page * Self.pageSize).prefix(Self.pageSize)
    let more = rows.count > (page + 1) * Self.pageSize
    return .json(#"{"rows":[\#(shown.map(\.json).joined(separator: ","))],"more":\#(more)}"#)
  }

  /// Inserts rows on top.
  func grow(_ ids: ClosedRange<Int>) {
    rows.withLock { $0.insert(contentsOf: ids.reversed().map { Row(id: $0, group: $0 / 4) }, at: 0) }
  }

  /// Changes rows, as other users do.
  func change(_ random: inout SeededGenerator) {
    rows.withLock { rows in
      switch Int.random(in: 0..<5, using: &random) {
      case 0: rows.shuffle(using: &random)
      case 1: rows.removeLast(min(3, rows.count))
      case 2: rows.removeAll { $0.group == 1 }
      case 3:
        for index in rows.indices where Bool.random(using: &random) {
          rows[index].group = Int.random(in: 0...5, using: &random)
          rows[index].text = ["", "!", "?"].randomElement(using: &random) ?? ""
        }
      default:
        while rows.count < 24 {
          let id = Int.random(in: 0..<10_000, using: &random)
          guard !rows.contains(where: { $0.id == id }) else { continue }
          let place = Int.random(in: 0...rows.count, using: &random)
          rows.insert(Row(id: id, group: id % 6), at: place)
        }
      }
    }
  }
}
