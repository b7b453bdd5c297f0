import Foundation
import ServerAPI

@testable import ListModel
@testable import ListReading

/// A model of one number, and its events. Drives the machine as its owner does, and checks the contract after
/// each event.
struct ModelWorld {
  enum Event: Hashable, CaseIterable {
    case load
    /// … with a policy that shows a stored value first.
    case loadShowingStored
    /// … without a completion.
    case loadWithoutCompletion
    /// The response to the request arrives from the server, or from the cache.
    case respond, respondStored
    /// The request fails without a response, or with an error of the server.
    case silence, refuse
    /// The request was cancelled outside of the model.
    case stop
    /// The response is decoded, or can't be.
    case decode, misread
    /// The subclass has handled the value.
    case apply
    /// Late events of loads that ended, and events at the wrong time.
    case stray
    case cancel, reset
  }

  /// The running work; a load waits for one thing at a time.
  enum Work: Hashable { case request, decoding, subclass }

  private(set) var machine = ModelMachine<Int, Int>()
  private let response: HTTPResponse
  private let storedResponse: HTTPResponse
  private var work: (what: Work, load: Int)?
  private var waiting: [Int] = []
  private var notified: Set<Int> = []
  private var lastWaiter = 0
  private var lastLoad = 0
  private var lastValue = 0
  private var showsStored = false
  /// Whether a load failed without a response since the last response of the server.
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
    case .loadWithoutCompletion, .stray, .cancel, .reset: true
    }
  }

  mutating func handle(_ event: Event) {
    switch event {
    case .load: load(newWaiter(), .init())
    case .loadShowingStored:
      load(newWaiter(), .init(policy: .cacheThenNetwork, hasStore: true))
    case .loadWithoutCompletion: load(nil, .init())
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
      check(machine.value == value, "a received value is missing")
    case .misread:
      fail { .decoded(load: $0, .failure(.decoding("broken")), took: .seconds(1), at: 5) }
    case .apply: end { .applied(load: $0) }
    case .stray: stray()
    case .cancel:
      let value = machine.value
      send(.cancel)
      check(machine.load == nil && work == nil, "work continued after it was cancelled")
      check(machine.value == value, "cancelling changed the value")
    case .reset:
      send(.reset)
      check(machine.load == nil && work == nil, "work survived a reset")
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
    check(machine.load == next, "a load has an unexpected number")
    check(running == nil || running == next, "a load did not join the running one")
    if running == nil { showsStored = caching.hasStore && machine.value == nil }
    lastLoad = next
  }

  /// Ends the running work.
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
      return check(machine.load != nil, "a load ended silently")
    }
    check(isRequest || error == .decoding("broken"), "a load failed with the wrong error")
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
        check(machine.changes(by: event) == .init(), "a late event would change properties")
        check(machine.handle(event).isEmpty, "a late event had an effect")
      }
    }
    check(
      machine.value == value && machine.state == state && machine.freshness == freshness,
      "a late event changed the state")
  }

  /// Passes an event to the machine and performs its effects.
  private mutating func send(_ event: ModelMachine<Int, Int>.Event) {
    let before = machine
    let changes = machine.changes(by: event)
    let effects = machine.handle(event)
    check(
      changes
        == .init(
          value: machine.value != before.value, state: machine.state != before.state,
          freshness: machine.freshness != before.freshness),
      "observers are not notified of exactly the changed properties")
    for effect in effects { perform(effect) }
  }

  private mutating func perform(_ effect: ModelMachine<Int, Int>.Effect) {
    switch effect {
    case .send(let load, let mode):
      begin(.request, load)
      check(
        mode != .cacheOnly || machine.value == nil,
        "a stored value is requested though there is a value")
    case .decode(let load, _): begin(.decoding, load)
    case .noteDecoding: check(work == nil, "decoding ended while other work was running")
    case .apply(let load, let value):
      check(machine.value == value, "the subclass is called before the value is set")
      if machine.load == load { begin(.subclass, load) }
    case .finish(let waiters, let outcome):
      check(work == nil && machine.load == nil, "a load ended before its state changed")
      switch (outcome, machine.state) {
      case (.loaded(let value), .loaded):
        check(value == machine.value, "the outcome has the wrong value")
      case (.failed(let error), .failed(let reason)):
        check(error == reason, "the outcome has the wrong error")
      case (.cancelled, .neverLoaded), (.cancelled, .loaded): break
      default: check(false, "\(outcome) in the state \(machine.state)")
      }
      if case .loaded = outcome {
        isSilent = isSilent && machine.freshness.asOf == Date(timeIntervalSince1970: 3)
      }
      tell(waiters)
    case .abandon(let waiters, _):
      check(work != nil && machine.load == nil, "a load that was not running was abandoned")
      work = nil
      tell(waiters)
    }
  }

  private mutating func begin(_ what: Work, _ load: Int) {
    check(work == nil, "a load waits for two things at once")
    check(load == machine.load, "work started for a load that has ended")
    work = (what, load)
  }

  private mutating func tell(_ waiters: [Int]) {
    check(notified.isDisjoint(with: waiters), "a completion was called twice")
    check(waiters == waiting, "completions were not all called in order")
    notified.formUnion(waiters)
    waiting = []
  }

  private mutating func checkAll() {
    check(
      (machine.load != nil) == (machine.state == .loading),
      "the state does not match the running load")
    check(machine.load == work?.load, "the running work belongs to another load")
    check(machine.load != nil || waiting.isEmpty, "a completion waits though no load runs")
    check(
      (machine.value == nil) == (machine.freshness == .nothing), "value and freshness do not match")
    switch machine.state {
    case .loaded: check(machine.value != nil, "loaded without a value")
    case .neverLoaded: check(machine.value == nil, "there is a value though none was loaded")
    case .loading, .failed: break
    }
    if case .unreachable = machine.freshness {
      check(isSilent, "offline though the server responded")
    }
  }

  private mutating func check(_ holds: Bool, _ what: String) {
    if !holds, problem == nil { problem = what }
  }

  /// Two worlds with equal shapes behave alike, since numbers only have to differ.
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
