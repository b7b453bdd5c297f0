import Foundation
import ServerAPI

@testable import ListModel

/// A model of one number and all that can happen to it: the machine is driven here as its owner would,
/// and every promise is checked after each event.
struct ModelWorld {
  enum Event: Hashable, CaseIterable {
    case load
    /// … with a policy that shows what is stored first.
    case loadShowingStored
    /// … by somebody who does not wait.
    case loadUnheard
    /// The response to the request comes from the server, or from the cache.
    case respond, respondStored
    /// No response comes, or an error of the server.
    case silence, refuse
    /// Somebody else ended the request.
    case stop
    /// The response is decoded, or can't be.
    case decode, misread
    /// A subclass has worked with the value.
    case apply
    /// All that can still come of loads that are over, or at another time than it is due.
    case stray
    case cancel, reset
  }

  /// What is under way; a load waits for one thing at a time.
  enum Work: Hashable { case request, decoding, subclass }

  private(set) var machine = ModelMachine<Int, Int>()
  private let response: HTTPResponse
  private let storedResponse: HTTPResponse
  private var work: (what: Work, load: Int)?
  private var waiting: [Int] = []
  private var told: Set<Int> = []
  private var lastWaiter = 0
  private var lastLoad = 0
  private var lastValue = 0
  private var showsStored = false
  /// Whether a load failed without a response since the server was last heard.
  private var isSilent = false
  var problem: String?

  init() throws(RequestError) {
    response = HTTPResponse(url: try WebURL("https://test"))
    var stored = response
    stored.source = .cache(asOf: Date(timeIntervalSince1970: 3), isFresh: false)
    storedResponse = stored
  }

  static let lost = RequestError(.connectRefused)

  func isPossible(_ event: Event) -> Bool {
    switch event {
    case .respond, .respondStored, .silence, .refuse, .stop: work?.what == .request
    case .decode, .misread: work?.what == .decoding
    case .apply: work?.what == .subclass
    case .load, .loadShowingStored: waiting.count < 3
    case .loadUnheard, .stray, .cancel, .reset: true
    }
  }

  mutating func happen(_ event: Event) {
    switch event {
    case .load: load(newWaiter(), .init())
    case .loadShowingStored:
      load(newWaiter(), .init(policy: .cacheThenNetwork, hasStore: true))
    case .loadUnheard: load(nil, .init())
    case .respond: end { [response] in .responded(load: $0, .succeeded(response)) }
    case .respondStored:
      end { [storedResponse] in .responded(load: $0, .succeeded(storedResponse)) }
    case .silence: fail { .responded(load: $0, .failed(Self.lost)) }
    case .refuse: fail { .responded(load: $0, .failed(RequestError(.status(500)))) }
    case .stop: end { .responded(load: $0, .cancelled(.byCaller)) }
    case .decode:
      lastValue += 1
      let value = lastValue
      end { .decoded(load: $0, .success(value), took: .seconds(1), at: 5) }
      check(machine.value == value, "a value that came is not there")
    case .misread:
      fail { .decoded(load: $0, .failure(.decoding("broken")), took: .seconds(1), at: 5) }
    case .apply: end { .applied(load: $0) }
    case .stray: stray()
    case .cancel:
      let value = machine.value
      send(.cancel)
      check(machine.load == nil && work == nil, "something went on after it was cancelled")
      check(machine.value == value, "cancelling changed the value")
    case .reset:
      send(.reset)
      check(machine.load == nil && work == nil, "something outlived a reset")
      check(machine.state == .neverLoaded && machine.freshness == .nothing, "a reset left a trace")
      isSilent = false
    }
    checkAll()
  }

  private mutating func newWaiter() -> Int {
    lastWaiter += 1
    waiting.append(lastWaiter)
    return lastWaiter
  }

  private mutating func load(_ waiter: Int?, _ caching: ModelMachine<Int, Int>.Caching) {
    let running = machine.load
    let next = machine.nextLoad
    send(.load(waiter, caching))
    check(machine.load == next, "a load has another number than was said")
    check(running == nil || running == next, "a load did not join the one under way")
    if running == nil { showsStored = caching.hasStore && machine.value == nil }
    lastLoad = next
  }

  /// What is under way ends.
  private mutating func end(_ event: (Int) -> ModelMachine<Int, Int>.Event) {
    guard let load = work?.load else { return }
    work = nil
    send(event(load))
  }

  private mutating func fail(_ event: (Int) -> ModelMachine<Int, Int>.Event) {
    let (value, isRequest) = (machine.value, work?.what == .request)
    end(event)
    check(machine.value == value, "a failure changed the value")
    guard case .failed(let error) = machine.state else {
      return check(machine.load != nil, "a load ended without an end")
    }
    check(isRequest || error == .decoding("broken"), "a load failed for another reason")
    isSilent = error == .request(Self.lost)
  }

  private mutating func stray() {
    let (value, state, freshness) = (machine.value, machine.state, machine.freshness)
    for load in max(0, lastLoad - 1)...lastLoad + 1 {
      var events: [(Work, ModelMachine<Int, Int>.Event)] = [
        (.request, .responded(load: load, .succeeded(response))),
        (.request, .responded(load: load, .failed(Self.lost))),
        (.request, .responded(load: load, .cancelled(.superseded))),
        (.decoding, .decoded(load: load, .success(-1), took: .zero, at: 9)),
        (.decoding, .decoded(load: load, .failure(.decoding("late")), took: .zero, at: 9)),
        (.subclass, .applied(load: load)),
      ]
      events.removeAll { what, _ in work?.load == load && work?.what == what }
      for (_, event) in events {
        check(machine.changes(by: event) == .init(), "what is late would change something")
        check(machine.handle(event).isEmpty, "what is late had an effect")
      }
    }
    check(
      machine.value == value && machine.state == state && machine.freshness == freshness,
      "what is late changed something")
  }

  /// Hands an event to the machine and carries out what it wants.
  private mutating func send(_ event: ModelMachine<Int, Int>.Event) {
    let before = machine
    let changes = machine.changes(by: event)
    let effects = machine.handle(event)
    check(
      changes
        == .init(
          value: machine.value != before.value, state: machine.state != before.state,
          freshness: machine.freshness != before.freshness),
      "observers are not notified of exactly what changes")
    for effect in effects { carryOut(effect) }
  }

  private mutating func carryOut(_ effect: ModelMachine<Int, Int>.Effect) {
    switch effect {
    case .send(let load, let mode):
      begin(.request, load)
      check(mode != .cacheOnly || machine.value == nil, "what is stored is shown over a value")
    case .decode(let load, _): begin(.decoding, load)
    case .noteDecoding: check(work == nil, "decoding ended while something else was under way")
    case .apply(let load, let value):
      check(machine.value == value, "a subclass is told before the value is there")
      if machine.load == load { begin(.subclass, load) }
    case .finish(let waiters, let outcome):
      check(work == nil && machine.load == nil, "a load ended before its state changed")
      switch (outcome, machine.state) {
      case (.loaded(let value), .loaded): check(value == machine.value, "another value was told")
      case (.failed(let error), .failed(let reason)):
        check(error == reason, "another error was told")
      case (.cancelled, .neverLoaded), (.cancelled, .loaded): break
      default: check(false, "\(outcome) in the state \(machine.state)")
      }
      if case .loaded = outcome {
        isSilent = isSilent && machine.freshness.asOf == Date(timeIntervalSince1970: 3)
      }
      tell(waiters)
    case .giveUp(let waiters, _):
      check(work != nil && machine.load == nil, "what was not under way was given up")
      work = nil
      tell(waiters)
    }
  }

  private mutating func begin(_ what: Work, _ load: Int) {
    check(work == nil, "a load does two things at once")
    check(load == machine.load, "something began for a load that is over")
    work = (what, load)
  }

  private mutating func tell(_ waiters: [Int]) {
    check(told.isDisjoint(with: waiters), "somebody was told twice")
    check(waiters == waiting, "not all who waited were told, in their order")
    told.formUnion(waiters)
    waiting = []
  }

  private mutating func checkAll() {
    check((machine.load != nil) == (machine.state == .loading), "the state does not say what runs")
    check(machine.load == work?.load, "what is under way is not what the machine waits for")
    check(machine.load != nil || waiting.isEmpty, "somebody waits for nothing")
    check((machine.value == nil) == (machine.freshness == .nothing), "an age without a value")
    switch machine.state {
    case .loaded: check(machine.value != nil, "loaded without a value")
    case .neverLoaded: check(machine.value == nil, "a value that was never loaded")
    case .loading, .failed: break
    }
    if case .offline = machine.freshness {
      check(isSilent, "offline though the server was heard")
    }
  }

  private mutating func check(_ holds: Bool, _ what: String) {
    if !holds, problem == nil { problem = what }
  }

  /// Two worlds with equal shapes go on alike: numbers only have to differ.
  var shape: Shape {
    Shape(
      hasValue: machine.value != nil, state: machine.state, freshness: machine.freshness,
      work: work?.what, waiting: waiting.count, showsStored: work != nil && showsStored,
      isSilent: isSilent, hasLoaded: lastLoad > 0)
  }

  struct Shape: Hashable {
    var hasValue: Bool
    var state: BaseModel<Int>.State
    var freshness: Freshness
    var work: Work?
    var waiting: Int
    var showsStored: Bool
    var isSilent: Bool
    var hasLoaded: Bool
  }
}
