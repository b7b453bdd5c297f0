public import ListModel
internal import Support

/// How high rows are. Each is worked out once, and again when its item has another version or the view
/// another width.
///
/// The item says it (``CellItem``), else the rules of its kind do (``CellKinds``), else it is ``standard``. `nil`
/// leaves it to the next one; what is not a height does too, and is noted in ``refusals``.
///
/// ```swift
/// let heights = CellHeights(kinds, identity: .id, width: 320)
/// let books = ListModel<Book>(server, "/books", paging: .link) { $0.measure(with: heights) }
/// ```
///
/// With ``ListSettings/measure(with:)`` rows are measured together with their page, off the main
/// actor. Items without identity are measured each time.
public final class CellHeights<Item>: Sendable {
  /// The height of rows that nobody knows, and of rows that are not in memory.
  public let standard: Double

  private struct Known {
    var version: Int
    var width: Double
    var kind: CellKind
    var height: Double
  }

  private struct State {
    var width: Double
    var known: [RowID: Known] = [:]
    var refusals: Set<HeightRefusal> = []
    /// Counts what was invalidated, so that a height that was begun before is not kept.
    var epoch = 0
    var measured = 0
  }

  private let kinds: CellKinds<Item>
  private let identity: ItemIdentity<Item>
  /// Guards what is known. Nothing is measured while it is held.
  private let state: Lock<State>

  /// Heights of the rows of a list.
  ///
  /// - Parameters:
  ///   - kinds: The rules of each kind.
  ///   - identity: How items are told apart.
  ///   - width: How wide the view is.
  ///   - standard: The height of rows that nobody knows.
  public init(
    _ kinds: CellKinds<Item> = CellKinds(), identity: ItemIdentity<Item>, width: Double = 0,
    standard: Double = 44
  ) {
    self.kinds = kinds
    self.identity = identity
    self.standard = standard.isHeight ? standard : 44
    state = Lock(State(width: width.isHeight ? width : 0))
  }

  /// How wide the view is. Setting another width has every row measured anew; what is not a width is not
  /// taken.
  public var width: Double {
    get { state.withLock { $0.width } }
    set {
      guard newValue.isHeight else { return }
      state.withLock { state in
        guard state.width != newValue else { return }
        state.width = newValue
        state.known = [:]
        state.epoch += 1
      }
    }
  }

  /// What was given and is not a height: the first of each source and kind.
  package var refusals: Set<HeightRefusal> { state.withLock { $0.refusals } }

  /// How many rows the height is known of.
  var count: Int { state.withLock { $0.known.count } }

  /// How often a height was worked out.
  var measured: Int { state.withLock { $0.measured } }

  // MARK: - Asking

  /// How high the row of an item is; 0 where there is none.
  public func height(of item: Item?) -> Double {
    guard let item else { return 0 }
    let version = version(of: item)
    let id = identity.id?(item)
    let (known, width, epoch) = state.withLock { state in
      (id.flatMap { state.known[$0] }, state.width, state.epoch)
    }
    if let known, known.version == version, known.width == width { return known.height }
    let kind = kinds.kind(of: item)
    let (height, refusals) = measure(item, kind, width)
    state.withLock { state in
      state.measured += 1
      for refusal in refusals where !state.refusals.contains(where: refusal.isLike) {
        state.refusals.insert(refusal)
      }
      guard let id, state.epoch == epoch else { return }
      state.known[id] = Known(version: version, width: width, kind: kind, height: height)
    }
    return height
  }

  private func measure(
    _ item: Item, _ kind: CellKind, _ width: Double
  ) -> (Double, [HeightRefusal]) {
    var refusals: [HeightRefusal] = []
    func usable(_ height: Double?, _ source: HeightRefusal.Source) -> Double? {
      guard let height, !height.isHeight else { return height }
      refusals.append(HeightRefusal(source: source, kind: kind, value: "\(height)"))
      return nil
    }
    let height =
      usable(kinds.own(item)?.rowHeight(in: width), .item)
      ?? usable(kinds.rules(of: kind, for: item)?.height?(item, width), .rule)
    return (height ?? standard, refusals)
  }

  // MARK: - Measuring again

  /// Has one row measured again.
  public func invalidate(_ id: RowID) {
    state.withLock { state in
      state.known[id] = nil
      state.epoch += 1
    }
  }

  /// Has the rows of a kind measured again.
  public func invalidate(_ kind: CellKind) {
    state.withLock { state in
      state.known = state.known.filter { $0.value.kind != kind }
      state.epoch += 1
    }
  }

  /// Has every row measured again.
  public func invalidateAll() {
    state.withLock { state in
      state.known = [:]
      state.epoch += 1
    }
  }

  /// Forgets rows that are no longer in memory, and those that changed without a word of their item.
  func follow(_ change: ListChange, from old: ListSnapshot<Item>, to new: ListSnapshot<Item>) {
    guard let id = identity.id else { return }
    // Rows are given up in steps of their own, in which they stay where they are.
    let staysInPlace = change.removed.isEmpty && change.inserted.isEmpty && change.moved.isEmpty
    var gone = change.removed.joined().compactMap { old.row(at: $0)?.item.map(id) }
    var changed: [RowID] = []
    for position in change.updated.joined() {
      if let item = new.row(at: position)?.item {
        if version(of: item) == 0 { changed.append(id(item)) }
      } else if staysInPlace, let item = old.row(at: position)?.item {
        gone.append(id(item))
      }
    }
    guard !gone.isEmpty || !changed.isEmpty else { return }
    state.withLock { state in
      for id in gone + changed { state.known[id] = nil }
      if !changed.isEmpty { state.epoch += 1 }
    }
  }

  private func version(of item: Item) -> Int { (item as? any CellItem)?.rowVersion ?? 0 }
}

/// Says that something that is not a height was given as one; the next one who knows was asked instead.
package struct HeightRefusal: Hashable, Sendable, CustomStringConvertible {
  /// Who knows heights, the first of them before the others.
  package enum Source: String, Hashable, Sendable {
    /// The item itself.
    case item
    /// The rules of its kind.
    case rule
  }

  /// Who gave it.
  package var source: Source
  /// The kind of the row.
  package var kind: CellKind
  /// What was given, such as `nan`.
  package var value: String

  /// What was given, by whom, and what a height is.
  package var description: String {
    "the \(source.rawValue) of a row of kind “\(kind)” gave \(value) as its height: "
      + "a height is a number from 0 on, and nil leaves it to others"
  }

  /// Whether both tell of the same mistake.
  func isLike(_ other: HeightRefusal) -> Bool { source == other.source && kind == other.kind }
}

extension ListSettings {
  /// Has the rows of each page measured when it is read, off the main actor, so that the view finds the
  /// heights ready. Rows that the ``filter`` leaves out are not measured.
  ///
  /// A row that comes again is measured with its page when its item says another
  /// ``CellItem/rowVersion``. One that has none is measured when the view asks, after the list found it
  /// changed.
  public mutating func measure(with heights: CellHeights<Item>) {
    measure = { _ = heights.height(of: $0) }
  }
}
