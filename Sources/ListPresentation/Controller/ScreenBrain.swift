internal import ListModel
internal import ServerAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Decides what a controller does, and when: a plain value, fed with what happens on the screen and with the
/// steps of the list, that says what is to be carried out. It has no view, no clock and no list inside.
///
/// ``RefreshCoordinator`` decides about loads. This keeps what that needs: who carries out a refresh and how it
/// went, what has to wait until the list has told of the end of one, and what is still to be carried out.
struct ScreenBrain {
  typealias Event = RefreshCoordinator.Event
  typealias Command = RefreshCoordinator.Command
  typealias Ticket = RefreshCoordinator.Ticket

  /// The refresh that runs, and who carries it out.
  private enum Refresh {
    case none
    /// It was decided, and not begun yet.
    case due(Ticket)
    /// The list does; the outcome is the last it told.
    case byList(Ticket, RefreshOutcome)
    /// The program does, and ends it by its token.
    case byProgram(Ticket)
  }

  /// What the list is telling.
  private enum Telling {
    case nothing
    /// A step: the list may be further than what it has told.
    case step
    /// The end of a refresh, to whose outcome it has yet to come; this is what happened meanwhile.
    case end(waiting: [Event])
  }

  /// What is to be carried out, in order. What a view does when it is told of one may lead to more.
  private enum Work {
    case resting([Command])
    case carryingOut([Command])
  }

  private(set) var coordinator: RefreshCoordinator
  private var keeper: FactKeeper
  private var refresh = Refresh.none
  private var telling = Telling.nothing
  private var work = Work.resting([])
  /// When the program refreshed in a way of its own: the list need not know of it.
  private var ownRefreshAt: Duration?

  /// A screen of a list as it is.
  init(_ options: RefreshOptions, _ facts: ListFacts, endedEmpty: Bool) {
    coordinator = RefreshCoordinator(options)
    keeper = FactKeeper(facts, endedEmpty: endedEmpty)
    // Others were told of the beginning of a refresh that runs.
    if facts.refreshState == .loading { decide(.refreshBegan) }
  }

  /// What is known of the list.
  var facts: ListFacts { keeper.facts }

  /// How old what is shown is; `nil` where nobody knows.
  ///
  /// - Parameters:
  ///   - now: The time since some moment, by which refreshes of the program's own are remembered.
  ///   - seconds: The time since 1970.
  func age(at now: Duration, _ date: Date) -> Duration? {
    let age = facts.freshness.asOf.map { Duration.seconds(date.timeIntervalSince($0)) }
    guard let ownAge = ownRefreshAt.map({ now - $0 }) else { return age }
    return age.map { min($0, ownAge) } ?? ownAge
  }

  // MARK: - What happens

  /// Takes in where the list is, and decides nothing.
  mutating func look(_ facts: ListFacts) { keeper.look(facts) }

  /// Decides by where the list is.
  mutating func takeIn() { decide(.listChanged(facts)) }

  /// Something happened on the screen.
  mutating func handle(_ event: Event) {
    switch (telling, work, refresh) {
    case (.end(let waiting), _, _):
      telling = .end(waiting: waiting + [event])
      return
    // A list that was cancelled tells so in a moment. A refresh that is wanted before that must not join the
    // one that is over.
    case (.nothing, .resting, .byList(let ticket, let outcome)) where facts.refreshState != .loading:
      decide(.refreshEnded(ticket, outcome))
    default: break
    }
    decide(event)
  }

  /// Other options hold.
  mutating func use(_ options: RefreshOptions) { decide(.options(options)) }

  /// The list begins to tell of a step.
  mutating func stepBegan(_ event: ListEvent) {
    tell()
    keeper.take(event)
    switch event {
    case .didStart(let kind) where kind.isRefresh:
      decide(.refreshBegan)
      // It may be over before its beginning is told.
      tell()
    case .didSucceed(let kind) where kind.isRefresh: note(.succeeded)
    case .didFail(let kind, let error) where kind.isRefresh: note(.failed(error))
    case .didCancel(let kind, _) where kind.isRefresh: note(.cancelled)
    case .didReset:
      ownRefreshAt = nil
      decide(.reset)
    case .didFinish(let kind) where kind.isRefresh: refreshOfListEnded()
    default: break
    }
  }

  /// The list tells of a step, or of the end of a refresh where it has got that far.
  private mutating func tell() {
    switch (telling, refresh) {
    case (.end, _): break
    case (_, .byList) where facts.refreshState != .loading: telling = .end(waiting: [])
    default: telling = .step
    }
  }

  /// The list has told of it.
  mutating func stepEnded() {
    if case .step = telling { telling = .nothing }
  }

  private mutating func note(_ outcome: RefreshOutcome) {
    if case .byList(let ticket, _) = refresh { refresh = .byList(ticket, outcome) }
  }

  private mutating func refreshOfListEnded() {
    var waiting: [Event] = []
    if case .end(let events) = telling { waiting = events }
    telling = .step
    // The list may have begun another refresh before it told of the end of this one.
    if case .byList(let ticket, let outcome) = refresh, facts.refreshState != .loading {
      // What the list has become comes first: it decides whether more is wanted.
      takeIn()
      decide(.refreshEnded(ticket, outcome))
    }
    for event in waiting { handle(event) }
  }

  /// A refresh is begun, by the program or by the list.
  mutating func begin(_ ticket: Ticket, byProgram: Bool) {
    refresh = byProgram ? .byProgram(ticket) : .byList(ticket, .cancelled)
  }

  /// A refresh that the program carried out is over.
  mutating func ended(_ ticket: Ticket, _ outcome: RefreshOutcome, at now: Duration) {
    if outcome == .succeeded { ownRefreshAt = now }
    takeIn()
    decide(.refreshEnded(ticket, outcome))
    // The program may have left the list to end by itself.
    if facts.refreshState == .loading { decide(.refreshBegan) }
  }

  // MARK: - What is to be done

  private mutating func decide(_ event: Event) {
    let commands = coordinator.handle(event)
    if let ticket = coordinator.running {
      if commands.contains(.refresh(ticket)) {
        refresh = .due(ticket)
      } else if case .none = refresh {
        refresh = .byList(ticket, .cancelled)
      }
    } else {
      refresh = .none
    }
    switch work {
    case .resting(let due): work = .resting(due + commands)
    case .carryingOut(let due): work = .carryingOut(due + commands)
    }
  }

  /// Whether there is something to carry out that is not being carried out further up. After a yes, ask for
  /// ``next()`` until there is no more.
  mutating func beginsWork() -> Bool {
    guard case .resting(let due) = work, !due.isEmpty else { return false }
    work = .carryingOut(due)
    return true
  }

  /// What is to be carried out next.
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
  /// Whether it asks the server for the list anew. What was kept answers nobody who wants a refresh.
  fileprivate var isRefresh: Bool { makesAnew && self != .restore }
}
