import Foundation
import QuireTesting
import ServerAPI
import Testing

@testable import ListModel
@testable import ListReading

struct ModelMachineTests {
  typealias Machine = ModelMachine<Int, String>

  /// The events of a machine, each about its first load.
  enum Event: CaseIterable {
    case load, loadShowingStored, respond, respondStored, refuse, stop, decode, misread, apply
    case cancel, reset
  }

  /// The states of a machine, with the events that lead there.
  enum Place: CaseIterable {
    case neverLoaded, asked, askedForStored, decoding, decodingStored, shown, loaded, failed

    var events: [Event] {
      switch self {
      case .neverLoaded: []
      case .asked: [.load]
      case .askedForStored: [.loadShowingStored]
      case .decoding: [.load, .respond]
      case .decodingStored: [.loadShowingStored, .respondStored]
      case .shown: [.loadShowingStored, .respondStored, .decode]
      case .loaded: [.load, .respond, .decode]
      case .failed: [.load, .refuse]
      }
    }
  }

  /// The transitions that change anything.
  private static let rows: [Place: [Event: String]] = [
    .neverLoaded: [.load: "loading | send nil", .loadShowingStored: "loading | send cacheOnly"],
    .asked: over([
      .respond: "loading | decode", .respondStored: "loading | decode",
      .refuse: "failed | finish first: failed", .stop: "neverLoaded | finish first: cancelled",
    ]),
    .askedForStored: over([
      .respond: "loading | decode", .respondStored: "loading | decode",
      .refuse: "loading | send revalidate", .stop: "neverLoaded | finish first: cancelled",
    ]),
    .decoding: over([
      .decode: "loaded | note, apply, finish first: loaded",
      .misread: "failed | note, finish first: failed",
    ]),
    .decodingStored: over([
      .decode: "loading | note, apply", .misread: "loading | note, send revalidate",
    ]),
    .shown: [
      .apply: "loading | send revalidate", .cancel: "loaded | abandon first: byCaller",
      .reset: "neverLoaded | abandon first: superseded",
    ],
    .loaded: [
      .load: "loading | send revalidate", .loadShowingStored: "loading | send revalidate",
      .reset: "neverLoaded | ",
    ],
    .failed: [
      .load: "loading | send revalidate", .loadShowingStored: "loading | send cacheOnly",
      .reset: "neverLoaded | ",
    ],
  ]

  /// A load without a value can be ended in any state.
  private static func over(_ row: [Event: String]) -> [Event: String] {
    row.merging([
      .cancel: "neverLoaded | abandon first: byCaller",
      .reset: "neverLoaded | abandon first: superseded",
    ]) { row, _ in row }
  }

  @Test(arguments: Place.allCases, Event.allCases)
  func `every event has one effect in each state`(_ place: Place, _ event: Event) throws {
    var machine = Machine()
    for event in place.events { _ = machine.handle(try Self.event(event, "first")) }
    let state = Self.text(machine.state)
    let effects = machine.handle(try Self.event(event, "second")).map(Self.text)
    let expected = Self.rows[place]?[event] ?? "\(state) | "
    #expect(Self.text(machine.state) + " | " + effects.joined(separator: ", ") == expected)
  }

  @Test(arguments: Place.allCases)
  func `completions of loads that join a load are called after the earlier ones`(
    _ place: Place
  ) throws {
    var machine = Machine()
    for event in place.events { _ = machine.handle(try Self.event(event, "first")) }
    guard let load = machine.load else { return }
    #expect(machine.handle(.load("second", .init())).isEmpty && machine.nextLoad == load)
    #expect(machine.handle(.cancel).map(Self.text) == ["abandon first, second: byCaller"])
    #expect(machine.load == nil && machine.nextLoad == load + 1)
  }

  @Test func `the cache mode of the call takes precedence over the policy`() {
    var machine = Machine()
    let caching = Machine.Caching(policy: .cacheThenNetwork, hasStore: true, isSetByCall: true)
    #expect(machine.handle(.load(nil, caching)).map(Self.text) == ["send nil"])
  }

  @Test func `without a cache no stored value is requested first`() {
    var machine = Machine()
    let effects = machine.handle(.load(nil, Machine.Caching(policy: .cacheThenNetwork)))
    #expect(effects.map(Self.text) == ["send revalidate"])
  }

  /// Breadth first, so that the first failure found is the shortest, until no event leads to a new state.
  @Test func `no sequence of events breaks the contract`() throws {
    let start = try ModelWorld()
    var frontier: [(ModelWorld, [ModelWorld.Event])] = [(start, [])]
    var seen: Set<ModelWorld.Shape> = [start.shape]
    while !frontier.isEmpty {
      var next: [(ModelWorld, [ModelWorld.Event])] = []
      for (world, events) in frontier {
        for event in ModelWorld.Event.allCases where world.isPossible(event) {
          var after = world
          after.handle(event)
          if let problem = after.problem {
            Issue.record("\(problem) after \(events + [event])")
            return
          }
          if seen.insert(after.shape).inserted { next.append((after, events + [event])) }
        }
      }
      frontier = next
    }
    #expect(seen.count > 50, "\(seen.count) states")
  }

  @Test func `random sequences of 200 events keep the contract`() throws {
    for seeded in try SeededGenerator.runs(Thoroughness.runs(400, full: 100_000)) {
      var generator = seeded
      var world = try ModelWorld()
      var events: [ModelWorld.Event] = []
      for _ in 0..<200 {
        let possible = ModelWorld.Event.allCases.filter(world.isPossible)
        let event = possible[Int.random(in: 0..<possible.count, using: &generator)]
        events.append(event)
        world.handle(event)
        if let problem = world.problem {
          Issue.record("\(seeded): \(problem) after \(events)")
          return
        }
      }
    }
  }

  private static func event(_ event: Event, _ waiter: String) throws -> Machine.Event {
    var response = HTTPResponse(url: try WebURL("https://test"))
    switch event {
    case .load: return .load(waiter, .init())
    case .loadShowingStored:
      return .load(waiter, .init(policy: .cacheThenNetwork, hasStore: true))
    case .respond: return .responded(load: 1, .succeeded(response))
    case .respondStored:
      response.source = .cache(asOf: Date(timeIntervalSince1970: 3), isFresh: true)
      return .responded(load: 1, .succeeded(response))
    case .refuse: return .responded(load: 1, .failed(RequestError(.status(500))))
    case .stop: return .responded(load: 1, .cancelled(.byCaller))
    case .decode: return .decoded(load: 1, .success(7), took: .zero, at: 5)
    case .misread: return .decoded(load: 1, .failure(.decoding("broken")), took: .zero, at: 5)
    case .apply: return .applied(load: 1)
    case .cancel: return .cancel
    case .reset: return .reset
    }
  }

  private static func text(_ state: BaseModel<Int>.State) -> String {
    if case .failed = state { "failed" } else { "\(state)" }
  }

  private static func text(_ effect: Machine.Effect) -> String {
    switch effect {
    case .send(_, let mode): "send " + (mode.map { "\($0)" } ?? "nil")
    case .decode: "decode"
    case .noteDecoding: "note"
    case .apply: "apply"
    case .finish(let waiters, .loaded): "finish \(waiters.joined(separator: ", ")): loaded"
    case .finish(let waiters, .failed): "finish \(waiters.joined(separator: ", ")): failed"
    case .finish(let waiters, .cancelled): "finish \(waiters.joined(separator: ", ")): cancelled"
    case .abandon(let waiters, let reason):
      "abandon \(waiters.joined(separator: ", ")): \(reason)"
    }
  }
}
