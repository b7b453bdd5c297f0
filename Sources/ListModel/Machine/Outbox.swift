/// The steps of a list that observers have not been notified of yet, in order, and the rows to show meanwhile.
///
/// A plain value, which decides what is visible at each moment:
///
/// - While a step is delivered, the rows are those right after it (``delivered``).
/// - Otherwise the rows are those of the last step, or newer ones that a call has shown early (``shown``).
struct Outbox<Item> {
  /// What observers are notified of.
  enum Step {
    case event(ListEvent)
    /// The rows of a page are visible.
    case page(ListPage<Item>)
    /// A load has ended.
    case finish(load: Int, LoadOutcome)
  }

  /// Rows and their age.
  struct Shown {
    var rows = ListSnapshot<Item>()
    var freshness = Freshness.nothing
  }

  /// The steps, each with the rows after it if it changes them.
  private var steps: ArraySlice<(step: Step, rows: ListSnapshot<Item>?)> = []
  /// The number of steps that were ever added, and of those that were delivered.
  private(set) var added = 0
  var done: Int { added - steps.count }
  /// The rows right after the last delivered step.
  private(set) var delivered = Shown()
  /// Rows that are shown before the steps up to this number are delivered.
  private var early: (shown: Shown, until: Int)?

  var isEmpty: Bool { steps.isEmpty }
  var count: Int { steps.count }

  /// What is visible while no step is being delivered.
  var shown: Shown { early?.shown ?? delivered }

  /// Adds the steps of one decision.
  ///
  /// - Parameters:
  ///   - effects: The effects of the decision, of which the notifications and outcomes are delivered.
  ///   - rows: The rows after the decision.
  ///   - pages: Pages whose rows are visible after its change.
  mutating func add(
    _ effects: [ListEffect], rows: ListSnapshot<Item>, pages: [ListPage<Item>] = []
  ) {
    var pages = pages[...]
    for effect in effects {
      switch effect {
      case .notify(.didChange(let change)): append(.event(.didChange(change)), rows)
      case .notify(let event):
        while let page = pages.popFirst() { append(.page(page)) }
        append(.event(event))
      case .finish(let load, let outcome):
        while let page = pages.popFirst() { append(.page(page)) }
        append(.finish(load: load, outcome))
      case .request, .abandon, .keep: break  // Performed when it was decided.
      }
    }
    while let page = pages.popFirst() { append(.page(page)) }
  }

  private mutating func append(_ step: Step, _ rows: ListSnapshot<Item>? = nil) {
    steps.append((step, rows))
    added += 1
  }

  /// Shows the rows after all steps before these are delivered.
  mutating func showEarly(_ shown: Shown) {
    if !steps.isEmpty { early = (shown, added) }
  }

  /// Removes the next step, which is delivered now.
  mutating func next() -> Step? {
    guard let (step, rows) = steps.popFirst() else { return nil }
    if let rows { delivered.rows = rows }
    if case .event(.didUpdateFreshness(let freshness)) = step { delivered.freshness = freshness }
    if let until = early?.until, until <= done { early = nil }
    return step
  }
}

extension ListSnapshot {
  /// Whether both are the rows of the same moment. Takes O(1).
  func isSame(as other: ListSnapshot) -> Bool {
    if isEmpty || other.isEmpty { return isEmpty && other.isEmpty }
    return tree.root.children.withUnsafeBufferPointer { pages in
      other.tree.root.children.withUnsafeBufferPointer { pages.baseAddress == $0.baseAddress }
    }
  }
}
