public import ListModel

extension ListSection {
  /// The rows of a section: rows of the program itself, or rows of a list or a ``RowPlan``. Those are not copied,
  /// so a section of all rows of a long list costs nothing.
  public struct Rows: RandomAccessCollection {
    enum Storage {
      case own([ListRow<Item>])
      case cut(Source, Range<Int>)
      case picked(Source, [Int])
    }

    /// The rows that sections are slices of.
    enum Source {
      case list(ListSnapshot<Item>)
      case planned(PlannedRows<Item>)

      var count: Int {
        switch self {
        case .list(let list): list.count
        case .planned(let rows): rows.count
        }
      }

      func row(_ number: Int) -> ListRow<Item>? {
        switch self {
        case .list(let list): list.row(at: number)
        case .planned(let rows): rows.row(at: number)
        }
      }
    }

    let storage: Storage

    /// Creates rows of the program itself.
    public init(_ items: some Sequence<Item>) { storage = .own(items.map { .item($0) }) }

    /// Creates the rows of a whole list.
    public init(_ list: ListSnapshot<Item>) { storage = .cut(.list(list), 0..<list.count) }

    /// Creates the rows of a list at the given positions, clamped to the list.
    public init(_ list: ListSnapshot<Item>, _ positions: Range<Int>) {
      storage = .cut(.list(list), positions.clamped(to: 0..<list.count))
    }

    /// Creates the rows of a list at the given positions, in this order. Positions outside of the list are left
    /// out.
    public init(_ list: ListSnapshot<Item>, at positions: [Int]) {
      let all = 0..<list.count
      storage = .picked(
        .list(list),
        positions.allSatisfy(all.contains) ? positions : positions.filter(all.contains))
    }

    /// Creates a run of rows of a source.
    init(_ source: Source, _ numbers: Range<Int>) { storage = .cut(source, numbers) }

    /// Creates some rows of a source, in this order.
    init(_ source: Source, at numbers: [Int]) { storage = .picked(source, numbers) }

    /// The number of the first row.
    public var startIndex: Int { 0 }

    /// The number after the last row.
    public var endIndex: Int {
      switch storage {
      case .own(let rows): rows.count
      case .cut(_, let range): range.count
      case .picked(_, let positions): positions.count
      }
    }

    /// Returns a row by its number.
    public subscript(number: Int) -> ListRow<Item> {
      guard let row = row(at: number) else {
        preconditionFailure("there is no row \(number); the rows of the section are 0..<\(count)")
      }
      return row
    }

    /// Returns a row by its number; `nil` if there is none.
    package func row(at number: Int) -> ListRow<Item>? {
      guard number >= 0, number < endIndex else { return nil }
      switch storage {
      case .own(let rows): return rows[number]
      case .cut(let source, let range): return source.row(range.lowerBound + number)
      case .picked(let source, let numbers): return source.row(numbers[number])
      }
    }

    /// Returns the position of a row in its list; `nil` for rows of the program itself, for those that a plan
    /// inserted between or around the rows of a list, and outside.
    package func listPosition(at number: Int) -> Int? {
      guard let source = sourceNumber(of: number) else { return nil }
      switch storage {
      case .cut(.planned(let rows), _), .picked(.planned(let rows), _):
        return rows.listPosition(at: source)
      case .own, .cut, .picked: return source
      }
    }

    /// Returns the number of a row in its source; `nil` for rows of the program itself, and outside.
    func sourceNumber(of number: Int) -> Int? {
      guard number >= 0, number < endIndex else { return nil }
      switch storage {
      case .own: return nil
      case .cut(_, let range): return range.lowerBound + number
      case .picked(_, let numbers): return numbers[number]
      }
    }

    /// Returns the positions of rows in their list, from the first to the last; `nil` for rows of the program
    /// itself, and outside.
    func listPositions(of rows: Range<Int>) -> Range<Int>? {
      let rows = rows.clamped(to: indices)
      guard !rows.isEmpty else { return nil }
      switch storage {
      case .own: return nil
      case .cut(let source, let range):
        let numbers = range.lowerBound + rows.lowerBound..<range.lowerBound + rows.upperBound
        return if case .planned(let rows) = source { rows.positions(of: numbers) } else { numbers }
      case .picked(let source, let numbers):
        var positions = numbers[rows].map(\.self)
        if case .planned(let rows) = source { positions = positions.compactMap(rows.listPosition) }
        return positions.min().flatMap { first in positions.max().map { first..<$0 + 1 } }
      }
    }
  }
}

extension ListSection.Rows.Storage: Sendable where Item: Sendable {}
extension ListSection.Rows.Source: Sendable where Item: Sendable {}
extension ListSection.Rows: Sendable where Item: Sendable {}
