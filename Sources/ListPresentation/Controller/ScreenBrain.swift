internal import ListModel
internal import ServerAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Decides what a controller does, and when. A plain value: events on the screen and steps of the list go in,
/// commands come out. It has no view, no clock and no list inside.
///
/// `RefreshCoordinator` decides on loads. This type keeps the state that needs: who carries out a refresh
/// and its outcome, the events that wait until the list has reported the end of one, and pending commands.
struct ScreenBrain {
  typealias Event = RefreshCoordinator.Event
  typealias Command = RefreshCoordinator.Command
  typealias Ticket = RefreshCoordinator.Ticket

  /// The running refresh, and who carries it out.
  private enum Refresh {
    case none
    /// It was decided on, but hasn't started.
    case due(Ticket)
    /// The list carries it out; the outcome is the last one it reported.
    case byList(Ticket, LoadToken.Outcome)
    /// The program carries it out, and ends it with its token.
    case byProgram(Ticket)
  }

  /// The notification that the list is delivering.
  private enum Delivery {
    case nothing
    /// A step: the list may be ahead of what it has reported.
    case step
    /// The end of a refresh whose outcome isn't reported yet; these events arrived in the meantime.
    case end(waiting: [Event])
  }

  /// The pending commands, in order. A view may add more when it carries out one.
  private enum Work {
    case resting([Command])
    case carryingOut([Command])
  }

  private(set) var coordinator: RefreshCoordinator
  private var keeper: FactKeeper
  private var refresh = Refresh.none
  private var delivery = Delivery.nothing
  private var work = Work.resting([])
  /// When a refresh of the program succeeded; the list may not know of it.
  private var ownRefreshAt: Duration?
  private var own = OwnLoads()

  /// Creates the state for a list as it is.
  init(_ options: RefreshOptions, _ facts: ListFacts, endedEmpty: Bool) {
    coordinator = RefreshCoordinator(options)
    keeper = FactKeeper(facts, endedEmpty: endedEmpty)
    // The list notified its observers of the start of a running refresh before this one followed it.
    if isListRefreshing { decide(.refreshBegan) }
  }

  /// The current state of the list, with the loads of the program.
  var facts: ListFacts { own.added(to: keeper.facts) }

  /// Whether the list itself is being refreshed. A restore is no refresh.
  private var isListRefreshing: Bool { keeper.facts.isReloading }

  /// Returns the age of the shown rows; `nil` if it is unknown.
  ///
  /// - Parameters:
  ///   - now: The monotonic time, which dates refreshes of the program.
  ///   - date: The current date.
  func age(at now: Duration, _ date: Date) -> Duration? {
    let age = facts.freshness.age(at: date)
    guard let ownAge = ownRefreshAt.map({ now - $0 }) else { return age }
    return age.map { min($0, ownAge) } ?? ownAge
  }

  // MARK: - What happens

  /// Updates the state of the list. This decides something only if the list was reset, which is handled here
  /// because the program may request a load before observers are notified.
  mutating func look(_ facts: ListFacts) {
    let isReset = facts.resets != keeper.facts.resets
    keeper.look(facts)
    if isReset { dropOwnLoads() }
  }

  /// Drops the loads of the program that began before its list was reset.
  private mutating func dropOwnLoads() {
    ownRefreshAt = nil
    own.drop()
    decide(.reset)
    takeIn()
    if case .byProgram(let ticket) = refresh { decide(.refreshEnded(ticket, .cancelled)) }
  }

  /// Decides on the state of the list.
  mutating func takeIn() { decide(.listChanged(facts)) }

  /// Handles an event on the screen.
  mutating func handle(_ event: Event) {
    switch (delivery, work, refresh) {
    case (.end(let waiting), _, _):
      delivery = .end(waiting: waiting + [event])
      return
    // A cancelled list reports it a moment later. A refresh requested before that must not join the one that
    // is over.
    case (.nothing, .resting, .byList(let ticket, let outcome)) where !isListRefreshing:
      decide(.refreshEnded(ticket, outcome))
    default: break
    }
    decide(event)
  }

  /// Applies other options.
  mutating func use(_ options: RefreshOptions) { decide(.options(options)) }

  /// Handles the start of a step of the list.
  mutating func stepBegan(_ event: ListEvent) {
    deliver()
    keeper.take(event)
    switch event {
    case .didStart(let kind) where kind.isRefresh:
      decide(.refreshBegan)
      // It may be over before its start is reported.
      deliver()
    case .didSucceed(let kind) where kind.isRefresh:
      own.listRefreshed()
      note(.succeeded)
    case .didFail(let kind, let error) where kind.isRefresh: note(.failed(error))
    case .didCancel(let kind, _) where kind.isRefresh: note(.cancelled)
    // Loads that began since rows of the program were reset go on.
    case .didReset where !keeper.facts.isLocal:
      ownRefreshAt = nil
      own.reset()
      decide(.reset)
    case .didFinish(let kind) where kind.isRefresh: refreshOfListEnded()
    default: break
    }
  }

  /// Notes that the list delivers a step, or the end of a refresh if it is that far.
  private mutating func deliver() {
    switch (delivery, refresh) {
    case (.end, _): break
    case (_, .byList) where !isListRefreshing: delivery = .end(waiting: [])
    default: delivery = .step
    }
  }

  /// Handles the end of a step of the list.
  mutating func stepEnded() {
    if case .step = delivery { delivery = .nothing }
  }

  private mutating func note(_ outcome: LoadToken.Outcome) {
    if case .byList(let ticket, _) = refresh { refresh = .byList(ticket, outcome) }
  }

  private mutating func refreshOfListEnded() {
    var waiting: [Event] = []
    if case .end(let events) = delivery { waiting = events }
    delivery = .step
    // The list may have started another refresh before it reported the end of this one.
    if case .byList(let ticket, let outcome) = refresh, !isListRefreshing {
      // The new state of the list comes first: it decides whether to load more.
      takeIn()
      decide(.refreshEnded(ticket, outcome))
    }
    for event in waiting { handle(event) }
  }

  /// Starts a refresh, carried out by the program or by the list.
  mutating func begin(_ ticket: Ticket, byProgram: Bool) {
    refresh = byProgram ? .byProgram(ticket) : .byList(ticket, .cancelled)
    own.beganRefresh(byProgram: byProgram)
  }

  /// Whether the program still carries out a refresh.
  func isRunning(_ ticket: Ticket) -> Bool { coordinator.running == ticket }

  /// Ends a refresh that the program carried out.
  mutating func ended(
    _ ticket: Ticket, _ outcome: LoadToken.Outcome, hasMore: Bool = true, at now: Duration
  ) {
    guard isRunning(ticket) else { return }
    if outcome == .succeeded { ownRefreshAt = now }
    own.endedRefresh(outcome, hasMore: hasMore)
    takeIn()
    decide(.refreshEnded(ticket, outcome))
    // The program may have left a refresh of the list running.
    if isListRefreshing { decide(.refreshBegan) }
  }

  // MARK: - Further rows by the program

  /// Starts a load of further rows that the program carries out, and returns its number; `nil` if one runs
  /// already, or a refresh that supersedes it.
  mutating func beginNext() -> Int? { coordinator.running == nil ? own.beginNext() : nil }

  /// Whether the program still carries out the load with this number.
  func isNextRunning(_ number: Int) -> Bool { own.isNextRunning(number) }

  /// Ends a load of further rows that the program carried out.
  mutating func endNext(_ number: Int, _ outcome: LoadToken.Outcome, hasMore: Bool) {
    own.endedNext(number, outcome, hasMore: hasMore)
    takeIn()
  }

  // MARK: - What is to be done

  private mutating func decide(_ event: Event) {
    let commands = coordinator.handle(event)
    if let ticket = coordinator.running {
      if commands.contains(.refresh(ticket)) {
        refresh = .due(ticket)
      } else if case .none = refresh {
        refresh = .byList(ticket, .cancelled)
        own.beganRefresh(byProgram: false)
      }
    } else {
      refresh = .none
    }
    switch work {
    case .resting(let due): work = .resting(due + commands)
    case .carryingOut(let due): work = .carryingOut(due + commands)
    }
  }

  /// Returns whether there are commands to carry out and no caller up the stack does that already. If so, call
  /// ``next()`` until it returns `nil`.
  mutating func beginsWork() -> Bool {
    guard case .resting(let due) = work, !due.isEmpty else { return false }
    work = .carryingOut(due)
    return true
  }

  /// Returns the next command to carry out.
  mutating func next() -> Command? {
    guard case .carryingOut(let due) = work, let command = due.first else {
      work = .resting([])
      return nil
    }
    work = .carryingOut(Array(due.dropFirst()))
    return command
  }
}

extension LoadKind {
  /// Whether it reloads the list from the server. Restored rows don't satisfy a refresh.
  fileprivate var isRefresh: Bool { replacesList && self != .restore }
}
