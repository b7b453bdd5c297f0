public import ListModel
public import Observation
public import ServerAPI

/// Binds a list to a view: turns loads into rows, controls and placeholders, and user actions into loads
/// and row actions.
///
/// ```swift
/// let screen = ListController(books) {
///   $0.rows.section = { SectionLabel($0.year, header: "\($0.year)") }
///   $0.refresh.autoRefresh = .ifOlderThan(.seconds(300))
/// }
/// screen.attach(view)                            // a ListView; QuireUI has one for each view of UIKit
/// screen.delegate = self
/// screen.appeared()
/// ```
///
/// The view sees each step before the delegate of the list is notified of it. The list's delegate and
/// events stay free for other uses: a controller follows the list as ``TransformedList`` does. It keeps the
/// list alive, but neither view nor delegate.
///
/// To divide the rows into custom sections, subclass it and override ``sections(of:)``, or use the closures of
/// ``settings``.
@MainActor open class ListController<Item>: Observable {
  /// The list of a server; `nil` for a ``LocalList``.
  public var model: ListModel<Item>? { list as? ListModel<Item> }
  /// The list of a server or of the program.
  let list: any RowSource<Item>
  /// The kinds of cells that show the items.
  public let kinds: CellKinds<Item>
  /// The heights of the rows.
  public let heights: CellKinds<Item>.Heights
  /// The delegate, which is offered every action on a row first.
  public weak var delegate: (any ListControllerDelegate<Item>)?
  /// The handlers for actions on rows that the delegate doesn't handle, tried in order.
  public var actions = ListController<Item>.Actions()
  /// Called with actions that nothing handled.
  public var onUnhandled: ((RowAction, Item?, RowPosition) -> Void)?
  /// Called before the action of a placeholder is performed.
  public var onPlaceholderAction: ((Placeholder.Action.Kind) -> Void)?
  /// The attached view, held weakly.
  public internal(set) weak var view: (any ListView)?

  /// The settings. Setting them divides the rows again.
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
  /// Receives the report of a ``LoadToken`` that is held too long.
  package var reportHeldToken: (String) -> Void = LogMonitor.standardError
  var brain: ScreenBrain
  let ends = LoadEnds()
  /// The header, footer and placeholder that the view got last.
  var shownState = ShownState()
  /// Where the screen is.
  var place = ScreenPlace() {
    didSet { notePlace() }
  }
  /// The row that the view has already moved and the list has yet to move.
  var movedRow: MovedRow?
  /// Whether the page before the first row is being loaded, until its rows are shown. A view keeps the visible rows
  /// where they are then, although others are inserted above them.
  public internal(set) var isLoadingPrevious = false
  /// Whether rows of a gap are being loaded above those below it, until they are shown. A view keeps its last visible rows
  /// where they are then, and not the first ones.
  public internal(set) var isLoadingAboveLastRows = false
  /// The states of the gaps' loads when the screen last heard of them.
  var gapStates: [PageID: LoadState] = [:]
  /// The rows as the plan arranges them; `nil` while ``sections(of:)`` divides them.
  private var arrangement: RowArrangement<Item, Item>?
  /// The rows of the list that were divided last.
  private(set) var listRows: ListSnapshot<Item>
  private var shown = ListSections<Item>()
  private var dividing = Dividing.resting
  let registrar = ObservationRegistrar()
  // Stored, because making a key path of a generic class is slow.
  private let sectionsPath = \ListController.sections
  let statePath = \ListController.state

  /// Creates a controller of a list.
  ///
  /// - Parameters:
  ///   - model: The list.
  ///   - kinds: The kinds of cells.
  ///   - heights: The row heights, if they are measured together with their page. By default they are
  ///     measured when the view asks for them.
  ///   - time: The clock for ages.
  ///   - configure: Changes the settings.
  public init(
    _ model: ListModel<Item>, kinds: CellKinds<Item> = CellKinds(),
    heights: CellKinds<Item>.Heights? = nil, time: TimeSource = .system,
    configure: (inout Settings) -> Void = { _ in }
  ) {
    (list, settings, brain) = Self.start(with: model, configure)
    listRows = model.deliveredRows
    self.kinds = kinds
    self.heights = heights ?? CellKinds.Heights(kinds, identity: model.identity)
    self.time = time
    begin()
  }

  /// Creates a controller of rows that the program has itself.
  ///
  /// ```swift
  /// let screen = ListController(LocalList(books)) {
  ///   $0.rows.section = { SectionLabel($0.genre, header: $0.genre) }
  /// }
  /// ```
  public init(
    _ list: LocalList<Item>, kinds: CellKinds<Item> = CellKinds(),
    heights: CellKinds<Item>.Heights? = nil, time: TimeSource = .system,
    configure: (inout Settings) -> Void = { _ in }
  ) {
    (self.list, settings, brain) = Self.start(with: list, configure)
    listRows = list.deliveredRows
    self.kinds = kinds
    self.heights = heights ?? CellKinds.Heights(kinds, identity: list.identity)
    self.time = time
    begin()
  }

  private static func start(
    with list: any RowSource<Item>, _ configure: (inout Settings) -> Void
  ) -> (any RowSource<Item>, Settings, ScreenBrain) {
    var settings = Settings()
    configure(&settings)
    var facts = ListFacts(of: list, shownRows: 0, isFiltered: settings.isFiltered)
    facts.complete(by: settings)
    let brain = ScreenBrain(
      settings.refresh, facts, endedEmpty: facts.hasLoaded && list.deliveredRows.isEmpty)
    return (list, settings, brain)
  }

  private func begin() {
    learnGapStates()
    updateSections()
    showState()
    list.follow(self)
  }

  /// Ends a refresh that the view shows.
  isolated deinit {
    detach()
    model?.noteScreen(ObjectIdentifier(self), isInFront: nil)
  }

  /// Divides the rows of the list into sections. Return `nil` to leave it to ``settings``.
  ///
  /// Called with each change. Rows may be left out, be reordered and be mixed with rows of the program itself.
  /// Rows of another list must be copied.
  open func sections(of rows: ListSnapshot<Item>) -> ListSections<Item>? { nil }

  /// The rows as they are shown now.
  public var sections: ListSections<Item> {
    registrar.access(self, keyPath: sectionsPath)
    return shown
  }

  /// The controls around the rows, and the placeholder.
  var state: ShownState {
    registrar.access(self, keyPath: statePath)
    return shownState
  }

  // MARK: - Dividing

  /// Divides the rows again. Call it when something that ``sections(of:)`` or a closure depends on has changed.
  public func updateSections() {
    switch dividing {
    case .resting: divide(listRows, after: nil)
    // A closure is deciding on sections, or the view still has the previous rows.
    case .underWay: dividing = .underWay(again: true)
    }
  }

  /// Applies a change of the list.
  func follow(_ change: ListChange, to rows: ListSnapshot<Item>) {
    heights.follow(change, from: listRows, to: rows)
    divide(rows, after: change)
  }

  /// Applies the current state of the list, if a row above or below the others depends on it.
  func followFacts() {
    if arrangement?.plan.hasEnds == true { divide(listRows, after: ListChange()) }
  }

  /// Divides rows after a change; `nil` if the settings may have changed, but not the list.
  private func divide(_ rows: ListSnapshot<Item>, after change: ListChange?) {
    if case .resting = dividing { dividing = .underWay(again: false) }
    listRows = rows
    if let own = sections(of: rows) {
      let change = SectionsChange(
        from: shown, to: own, by: change ?? ListChange(), identity: list.identity)
      // Rows made by a plan can't be matched with those of the list.
      show(own, arrangement?.isPlain == false ? nil : change)
      arrangement = nil
    } else {
      let isFollowing = arrangement != nil
      let happened = arrange(rows, after: change)
      if !isFollowing || !happened.isEmpty || change?.isEmpty != true {
        let next = arrangement?.sections ?? ListSections()
        let change = SectionsChange(from: shown, to: next, by: happened, identity: list.identity)
        show(next, isFollowing || arrangement?.isPlain == true ? change : nil)
      }
    }
    let isDue = if case .underWay(again: true) = dividing { true } else { false }
    dividing = .resting
    if isDue { updateSections() }
  }

  /// Arranges the rows by the plan, and returns the change of all rows.
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

  /// Shows other rows in the view.
  private func show(_ next: ListSections<Item>, _ change: SectionsChange?) {
    guard let view, change?.isEmpty != true || movedRow != nil else { return commit(next) }
    var isCommitted = false
    let commit = {
      guard !isCommitted else { return }
      isCommitted = true
      self.commit(next)
    }
    if let change, !settings.replacesRows, movedRow == nil {
      view.apply(change, commit: commit)
    } else if let change, let movedRow,
      movedRow.isAll(of: change, from: shown, to: next, by: list.identity)
    {
      view.applyMove(change, commit: commit)
    } else {
      view.replaceAll(commit: commit)
    }
    commit()
    movedRow = nil
    // A view attached in the meantime has the previous rows.
    if let other = self.view, other !== view { other.replaceAll {} }
  }

  private func commit(_ next: ListSections<Item>) {
    registrar.withMutation(of: self, keyPath: sectionsPath) { shown = next }
  }
}

/// Whether rows are being divided or shown in the view.
private enum Dividing {
  case resting
  /// Closures and views may call back while this runs; the rows are then divided again.
  case underWay(again: Bool)
}

extension ListController {
  /// The rules that make rows of a list and drive its controls. Every property has a default.
  public struct Settings {
    /// Which items are shown, what is inserted between and around them, and where sections start.
    public var rows = RowPlan<Item, Item>()
    /// Whether the request itself filters, so that an empty list means that nothing matches.
    public var isFiltered = false
    /// The placeholders.
    public var placeholders = Placeholder.Plan()
    /// When the list is refreshed and when it loads further pages.
    public var refresh = RefreshOptions()
    /// Refreshes in a custom way, and ends the token when done. If `nil`, a ``ListModel`` is refreshed, and a
    /// ``LocalList`` can't be.
    public var refreshHandler: ((LoadToken) -> Void)?
    /// Loads further rows in a custom way, and ends the token when done. If `nil`, a ``ListModel`` loads its next
    /// page, and a ``LocalList`` has no further rows.
    public var loadMoreHandler: ((LoadToken) -> Void)?
    /// Whether a row is deselected after it was selected, even if nothing handled the selection.
    public var deselectsAfterSelection = true
    /// Whether the view replaces all rows with each change, instead of applying the exact change.
    public var replacesRows = false

    /// Creates default settings.
    package init() {}
  }
}
