internal import ListReading

/// The steps of a list that observers have not been notified of yet, in order, and the rows to show meanwhile.
///
/// A plain value, which decides what is visible at each moment:
///
/// - While a step is delivered, the rows are those right after it (``delivered``).
/// - Otherwise the rows are those of the last step, or newer ones that a call has shown early (``shown``).
struct Outbox<Item> {
  /// Rows, their age, and how many are new above them.
  struct Shown {
    var rows = ListSnapshot<Item>()
    var freshness = Freshness.nothing
    var newRows: NewRows?
  }

  private var steps: ArraySlice<OutboxStep> = []
  /// The rows after each of the changes among the steps.
  private var rows: ArraySlice<ListSnapshot<Item>> = []
  /// The pages among the steps.
  private var pages: ArraySlice<ListPage<Item>> = []
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
    let before = steps.count
    var pagesLeft = pages.count
    func addPages() {
      steps.append(contentsOf: repeatElement(.page, count: pagesLeft))
      pagesLeft = 0
    }
    if !pages.isEmpty { self.pages += pages }
    for effect in effects {
      switch effect {
      case .notify(let event):
        if case .didChange = event { self.rows.append(rows) } else { addPages() }
        steps.append(.event(event))
      case .finish(let load, let outcome):
        addPages()
        steps.append(.finish(load: load, outcome))
      case .request, .abandon: break  // Performed when it was decided.
      }
    }
    addPages()
    added += steps.count - before
  }

  /// Shows the rows after all steps before these are delivered.
  mutating func showEarly(_ shown: Shown) {
    if !steps.isEmpty { early = (shown, added) }
  }

  /// Removes the next step, which is delivered now. The page of a step is taken from ``nextPage()``.
  mutating func next() -> OutboxStep? {
    guard let step = steps.popFirst() else { return nil }
    switch step {
    case .event(.didChange): if let rows = rows.popFirst() { delivered.rows = rows }
    case .event(.didUpdateFreshness(let freshness)): delivered.freshness = freshness
    case .event(.didUpdateNewRows(let newRows)): delivered.newRows = newRows
    default: break
    }
    if let until = early?.until, until <= done { early = nil }
    return step
  }

  /// Removes the page of the step that is delivered now.
  mutating func nextPage() -> ListPage<Item>? { pages.popFirst() }
}

/// What observers are notified of.
enum OutboxStep {
  case event(ListEvent)
  /// The rows of a page are visible.
  case page
  /// A load has ended.
  case finish(load: Int, LoadOutcome)
}

extension ListSnapshot {
  /// Whether both are the rows of the same moment. Takes O(1).
  func isSame(as other: ListSnapshot) -> Bool {
    tree.root.children.withUnsafeBufferPointer { pages in
      other.tree.root.children.withUnsafeBufferPointer { pages.baseAddress == $0.baseAddress }
    } || isEmpty && other.isEmpty
  }
}
