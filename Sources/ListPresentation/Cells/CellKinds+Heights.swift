public import ListModel
public import ListReading
internal import Support

extension CellKinds {
  /// The heights of rows. Each height is computed once, and again when its item has another version or the view
  /// another width.
  ///
  /// A height comes from the item (``CellItem``), else from the rules of its kind (``CellKinds``), else it is
  /// `standard`. A source that returns `nil` is skipped; so is one that returns an invalid height, which is
  /// recorded in `refusals`.
  ///
  /// ```swift
  /// let heights = CellKinds.Heights(kinds, identity: .id, width: 320)
  /// let books = ListModel<Book>(server, "/books", paging: .link) { $0.measure(with: heights) }
  /// ```
  ///
  /// With ``ListSettings/measure(with:)``, rows are measured together with their page, off the main actor. Items
  /// without identity are measured each time.
  public final class Heights: Sendable {
    /// The height of rows with no height of their own, and of rows that aren't in memory.
    package let standard: Double
    /// Whether the program gave the standard height.
    private let hasStandard: Bool

    private struct Known {
      var version: Int
      var width: Double
      var kind: CellKind
      var height: Double?
    }

    private struct State {
      var width: Double
      var known: [RowID: Known] = [:]
      var refusals: Set<HeightRefusal> = []
      /// Incremented by each invalidation, so that a measurement that started before it is dropped.
      var epoch = 0
      var measured = 0
    }

    private let kinds: CellKinds<Item>
    private let identity: ItemIdentity<Item>
    /// Guards the known heights. Nothing is measured while it is held.
    private let state: Lock<State>

    /// Creates heights for the rows of a list.
    ///
    /// - Parameters:
    ///   - kinds: The rules of each kind.
    ///   - identity: The identity of items.
    ///   - width: The width of the view.
    ///   - standard: The height of rows with no height of their own. If it is `nil`, a view that can gives them the
    ///     height of their content, and other views 44.
    public init(
      _ kinds: CellKinds<Item> = CellKinds(), identity: ItemIdentity<Item>, width: Double = 0,
      standard: Double? = nil
    ) {
      self.kinds = kinds
      self.identity = identity
      hasStandard = standard?.isHeight == true
      self.standard = standard.flatMap { $0.isHeight ? $0 : nil } ?? 44
      state = Lock(State(width: width.isHeight ? width : 0))
    }

    /// The width of the view. Setting another width measures every row again; an invalid width is ignored.
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

    /// The invalid heights that were returned: the first of each source and kind.
    package var refusals: Set<HeightRefusal> { state.withLock { $0.refusals } }

    /// The number of rows with a known height.
    var count: Int { state.withLock { $0.known.count } }

    /// The number of measurements so far.
    var measured: Int { state.withLock { $0.measured } }

    // MARK: - Reading heights

    /// Returns the height of an item's row; 0 if there is no item.
    public func height(of item: Item?) -> Double {
      item.map { ownHeight(of: $0) ?? standard } ?? 0
    }

    /// Returns the height that the program gives to a row; `nil` if a view may decide.
    func givenHeight(of item: Item?) -> Double? {
      item.flatMap(ownHeight) ?? (hasStandard ? standard : nil)
    }

    /// Returns the height of an item's row from the item or the rules of its kind.
    private func ownHeight(of item: Item) -> Double? {
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
    ) -> (Double?, [HeightRefusal]) {
      var refusals: [HeightRefusal] = []
      func usable(_ height: Double?, _ source: HeightRefusal.Source) -> Double? {
        guard let height, !height.isHeight else { return height }
        refusals.append(HeightRefusal(source: source, kind: kind, value: "\(height)"))
        return nil
      }
      let height =
        usable(kinds.own(item)?.rowHeight(in: width), .item)
        ?? usable(kinds.rules(of: kind, for: item)?.height?(item, width), .rule)
      return (height, refusals)
    }

    // MARK: - Measuring again

    /// Measures one row again.
    func invalidate(_ id: RowID) {
      state.withLock { state in
        state.known[id] = nil
        state.epoch += 1
      }
    }

    /// Measures the rows of a kind again.
    func invalidate(_ kind: CellKind) {
      state.withLock { state in
        state.known = state.known.filter { $0.value.kind != kind }
        state.epoch += 1
      }
    }

    /// Measures every row again.
    func invalidateAll() {
      state.withLock { state in
        state.known = [:]
        state.epoch += 1
      }
    }

    /// Forgets rows that are no longer in memory, and those that changed while their item has no version.
    func follow(_ change: ListChange, from old: ListSnapshot<Item>, to new: ListSnapshot<Item>) {
      guard let id = identity.id else { return }
      // Eviction is a step of its own, in which the rows keep their positions.
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
}

/// A report that a source returned an invalid height, so that the next source was used.
package struct HeightRefusal: Hashable, Sendable, CustomStringConvertible {
  /// The sources of heights, in order of precedence.
  package enum Source: String, Hashable, Sendable {
    /// The item itself.
    case item
    /// The rules of its kind.
    case rule
  }

  /// The source that returned it.
  package var source: Source
  /// The kind of the row.
  package var kind: CellKind
  /// The returned value, such as `nan`.
  package var value: String

  /// The value, its source, and what a valid height is.
  package var description: String {
    "invalid height \(value) from the \(source.rawValue) of a row of kind “\(kind)”: "
      + "return a finite number that is at least 0, or nil for the default"
  }

  /// Whether both have the same source and kind.
  func isLike(_ other: HeightRefusal) -> Bool { source == other.source && kind == other.kind }
}

extension ListSettings {
  /// Measures the rows of each page when it is read, off the main actor, so that the view finds the heights
  /// ready. Rows that the ``filter`` leaves out are not measured.
  ///
  /// A row that is loaded again is measured with its page if its item has another ``CellItem/rowVersion``. If
  /// the item has no version, it is measured when the view asks, after the list found it changed.
  public mutating func measure(with heights: CellKinds<Item>.Heights) {
    measure = { _ = heights.height(of: $0) }
  }
}
