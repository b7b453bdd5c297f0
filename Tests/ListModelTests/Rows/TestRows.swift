@testable import ListModel
@testable import ListReading

/// A test row: `id` identifies it, `text` is its content.
struct TestRow: Hashable, Sendable, CustomStringConvertible {
  var id: Int
  var text = ""

  var description: String { "\(id)“\(text)”" }
}

extension PageRows<TestRow> {
  /// A page with these rows, requested by number.
  init(_ rows: [TestRow], number: Int = 0) {
    self.init(
      key: PageKey(.number(number)), items: rows, ids: rows.map { RowID($0.id) },
      bytes: rows.count * 10)
  }

  init(_ ids: some Sequence<Int>, text: String = "", number: Int = 0) {
    self.init(ids.map { TestRow(id: $0, text: text) }, number: number)
  }
}

extension ListStore<TestRow> {
  var rows: [ListRow<TestRow>] { (0..<snapshot.count).compactMap { snapshot.row(at: $0) } }
  var ids: [Int] { snapshot.items.map(\.id) }
  var texts: [String] { snapshot.items.map(\.text) }
}

extension ListStore {
  mutating func append(_ rows: PageRows<Item>) -> Merge { join(rows, at: .next) }
  mutating func prepend(_ rows: PageRows<Item>) -> Merge { join(rows, at: .previous) }
}
