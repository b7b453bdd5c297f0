public import ListModel
public import Observation
public import ServerAPI

/// Binds a list to a view: what loads becomes rows, controls and placeholders, and what is done to the
/// view becomes loads and actions.
///
/// ```swift
/// let screen = ListController(books) {
///   $0.rows.section = { SectionLabel($0.year, header: "\($0.year)") }
///   $0.refresh.autoRefresh = .ifOlderThan(.seconds(300))
/// }
/// screen.attach(tableView)
/// screen.delegate = self
/// screen.appeared()
/// ```
///
/// The view sees each step before the delegate of the list is told of it, and the list keeps its delegate
/// and its events for others: a controller follows the list as ``TransformedList`` does. It keeps the list
/// alive, and neither view nor delegate.
///
/// Subclass it to divide the rows in a way of its own (``sections(of:)``), or use the closures of
/// ``settings``.
@MainActor open class ListController<Item>: Observable {
  /// The list.
  public let model: ListModel<Item>
  /// How items are shown, by kinds.
  public let kinds: CellKinds<Item>
  /// How high rows are.
  public let heights: CellHeights<Item>
  /// Told what is done to rows.
  public weak var delegate: (any ListControllerDelegate<Item>)?
  /// Tried in order when the delegate does not deal with what was done to a row.
  public var actions = RowActionChain<Item>()
  /// Told what nobody dealt with.
  public var onUnhandled: ((RowEvent<Item>) -> Void)?
  /// Told when the action of a placeholder is chosen, before it is carried out.
  public var onPlaceholderAction: ((Placeholder.Action.Kind) -> Void)?
  /// The view, while it lives.
  public internal(set) weak var view: (any ListView)?

  /// The rules. Setting others divides the rows anew.
  public var settings: Settings {
    didSet {
      updateSections()
      if brain.coordinator.options != settings.refresh {
        act { [settings] in $0.use(settings.refresh) }
      }
      showState()
    }
  }

  let time: TimeSource
  var brain: ScreenBrain
  /// What header, footer and placeholder the view was given last.
  var shownState = ShownState()
  /// Whether the view has moved a row already that the list has yet to move.
  var isMovedByHand = false
  /// What the plan makes of the rows of the list; `nil` while ``sections(of:)`` divides them.
  private var arrangement: RowArrangement<Item, Item>?
  /// The rows of the list that were divided last.
  private var list: ListSnapshot<Item>
  private var shown = ListSections<Item>()
  private var dividing = Dividing.resting
  let registrar = ObservationRegistrar()
  // Made once: making a key path of a generic class takes long.
  private let sectionsPath = \ListController.sections
  let statePath = \ListController.state

  /// A controller of a list.
  ///
  /// - Parameters:
  ///   - model: The list.
  ///   - kinds: How items are shown.
  ///   - heights: How high rows are, where they are measured together with their page. By default they
  ///     are measured when the view asks.
  ///   - time: What ages are told by.
  ///   - configure: Changes the rules.
  public init(
    _ model: ListModel<Item>, kinds: CellKinds<Item> = CellKinds(),
    heights: CellHeights<Item>? = nil, time: TimeSource = .system,
    configure: (inout Settings) -> Void = { _ in }
  ) {
    var settings = Settings()
    configure(&settings)
    self.model = model
    self.kinds = kinds
    self.heights = heights ?? CellHeights(kinds, identity: model.identity)
    self.time = time
    self.settings = settings
    list = model.rows
    brain = ScreenBrain(
      settings.refresh, ListFacts(of: model, shownRows: 0, isFiltered: settings.isFiltered),
      endedEmpty: model.hasLoaded && model.count == 0)
    updateSections()
    showState()
    model.follow(self)
  }

  /// A refresh that shows in the view ends there.
  isolated deinit { detach() }

  /// Divides the rows of the list into sections; `nil` leaves it to ``settings``.
  ///
  /// Called with each change. Rows may be left out or be in another order, and rows of the program's own may be
  /// among them; rows of other lists may not, unless they are copied.
  open func sections(of rows: ListSnapshot<Item>) -> ListSections<Item>? { nil }

  /// The rows as they are shown now.
  public var sections: ListSections<Item> {
    registrar.access(self, keyPath: sectionsPath)
    return shown
  }

  /// What is shown around the rows, and in their place.
  var state: ShownState {
    registrar.access(self, keyPath: statePath)
    return shownState
  }

  // MARK: - Views

  /// Shows the list in a view, in place of another one. The view is not kept alive.
  public func attach(_ view: any ListView) {
    detach()
    self.view = view
    view.replaceAll {}
    view.show(shownState.header)
    view.show(shownState.footer)
    view.show(shownState.placeholder)
    if shownState.isRefreshing { view.beginRefreshing() }
    lookAtView()
  }

  /// Shows the list in no view. A refresh that shows there ends there; the list goes on with it.
  public func detach() {
    if shownState.isRefreshing { view?.endRefreshing(.cancelled) }
    view = nil
  }

  // MARK: - Dividing

  /// Divides the rows again, after something changed that ``sections(of:)`` or a closure depends on.
  public func updateSections() {
    switch dividing {
    case .resting: divide(list, after: nil)
    // A closure is about to say where rows belong, or the view to have the rows of before.
    case .underWay: dividing = .underWay(again: true)
    }
  }

  /// Follows a change of the list.
  func follow(_ change: ListChange, to rows: ListSnapshot<Item>) {
    heights.follow(change, from: list, to: rows)
    divide(rows, after: change)
  }

  /// Follows what the list says of itself, where something around its rows depends on that.
  func followFacts() {
    if arrangement?.plan.hasEnds == true { divide(list, after: ListChange()) }
  }

  /// Divides rows after a change; `nil` where the rules may have changed, and not the list.
  private func divide(_ rows: ListSnapshot<Item>, after change: ListChange?) {
    if case .resting = dividing { dividing = .underWay(again: false) }
    list = rows
    if let own = sections(of: rows) {
      let change = SectionsChange(
        from: shown, to: own, by: change ?? ListChange(), identity: model.identity)
      // Rows that a plan made can't be followed to those of the list.
      show(own, arrangement?.isPlain == false ? nil : change)
      arrangement = nil
    } else {
      let isFollowing = arrangement != nil
      let happened = arrange(rows, after: change)
      if !isFollowing || !happened.isEmpty || change?.isEmpty != true {
        let next = arrangement?.sections ?? ListSections()
        let change = SectionsChange(from: shown, to: next, by: happened, identity: model.identity)
        show(next, isFollowing || arrangement?.isPlain == true ? change : nil)
      }
    }
    let isDue = if case .underWay(again: true) = dividing { true } else { false }
    dividing = .resting
    if isDue { updateSections() }
  }

  /// Has the plan arrange the rows, and returns what happened to all of them.
  private func arrange(_ rows: ListSnapshot<Item>, after change: ListChange?) -> ListChange {
    brain.look(facts)
    let facts = brain.facts
    guard arrangement != nil else {
      arrangement = RowArrangement(settings.rows, of: rows, facts)
      return change ?? ListChange()
    }
    if let change { return arrangement?.apply(change, to: rows, facts) ?? change }
    return arrangement?.use(settings.rows) ?? ListChange()
  }

  /// Gives the view other rows.
  private func show(_ next: ListSections<Item>, _ change: SectionsChange?) {
    guard let view, change?.isEmpty != true || isMovedByHand else { return commit(next) }
    var isCommitted = false
    let commit = {
      guard !isCommitted else { return }
      isCommitted = true
      self.commit(next)
    }
    if let change, !settings.replacesRows, !isMovedByHand {
      view.apply(change, commit: commit)
    } else {
      view.replaceAll(commit: commit)
    }
    commit()
    isMovedByHand = false
    // A view that came meanwhile has the rows of before.
    if let other = self.view, other !== view { other.replaceAll {} }
  }

  private func commit(_ next: ListSections<Item>) {
    registrar.withMutation(of: self, keyPath: sectionsPath) { shown = next }
  }
}

/// Whether rows are being divided, or a view is taking them in.
private enum Dividing {
  case resting
  /// Closures and views may call back meanwhile; then rows are divided again afterwards.
  case underWay(again: Bool)
}

extension ListController {
  /// How a list becomes rows, and what its controls do. Every property has a default.
  public struct Settings {
    /// Which items are shown, what stands between and around them, and where sections begin.
    public var rows = RowPlan<Item, Item>()
    /// Whether the server was asked for some items only, so that no rows means that nothing matches.
    public var isFiltered = false
    /// What stands in the place of rows.
    public var placeholders = PlaceholderPlan()
    /// What refreshes the list and loads further pages.
    public var refresh = RefreshOptions()
    /// Refreshes in a way of its own, and ends the token when that is done; without it the list is
    /// refreshed.
    public var refreshHandler: ((RefreshToken) -> Void)?
    /// Whether the mark of a row goes when it was selected, whoever dealt with that, or nobody.
    public var deselectsAfterSelection = true
    /// Whether the view gets all rows anew with each change, instead of the exact change.
    public var replacesRows = false

    /// The defaults.
    public init() {}
  }
}
