import ListModel
import QuireTesting
import ServerAPI
import Testing

@testable import ListPresentation
@testable import ListReading

/// Random events on a screen whose list reports its steps late, and whose view calls back while commands are
/// carried out.
struct ScreenBrainSequenceTests {
  /// A list that is ahead of what it has reported, and a program that may refresh by itself.
  private struct World {
    var brain: ScreenBrain
    var random: SeededGenerator
    var hasLoaded = false
    var rows = 0
    var refresh = LoadState.idle
    var next = LoadState.idle
    /// The events that the list has yet to report.
    var unreported: [ListEvent] = []
    var usesProgram = false
    var programs: [RefreshCoordinator.Ticket] = []
    /// The loads of further rows that the program carries out.
    var ownNext: [Int] = []
    var headers = 0
    var starts = 0
    /// The number of started refreshes when one was requested and none ran.
    var wishes: [Int] = []
    var callbacks = 30
    var log: [String] = []
    var problem: String?

    init(_ random: SeededGenerator) {
      self.random = random
      brain = ScreenBrain(RefreshOptions(), ListFacts(), endedEmpty: false)
    }

    var facts: ListFacts {
      var facts = ListFacts()
      facts.hasLoaded = hasLoaded
      facts.shownRows = rows
      facts.refreshState = refresh
      facts.isReloading = refresh == .loading
      facts.nextState = next
      return facts
    }

    mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    /// Handles events as a controller does.
    mutating func act(_ decide: (inout ScreenBrain) -> Void) {
      brain.look(facts)
      decide(&brain)
      guard brain.beginsWork() else { return }
      while let command = brain.next() { carryOut(command) }
    }

    mutating func carryOut(_ command: RefreshCoordinator.Command) {
      switch command {
      case .renewRefresh: break
      case .refresh(let ticket):
        brain.begin(ticket, byProgram: usesProgram)
        if usesProgram { programs.append(ticket) } else { beginRefresh() }
        if usesProgram { starts += 1 }
        if programs.count > 1 { problem = "two refreshes of the program's own" }
      case .loadNext:
        // A list that was reset loads its first page; the screen isn't notified of it yet.
        if !hasLoaded, unreported.isEmpty { problem = "the next page before the first one" }
        if usesProgram {
          let wasRunning = ownNext.contains(where: brain.isNextRunning)
          if let number = brain.beginNext() {
            ownNext.append(number)
            if wasRunning { problem = "two loads of further rows" }
          }
        } else if next == .idle {
          next = .loading
        }
      case .loadPrevious: break
      case .beginHeader:
        headers += 1
        if headers != 1 { problem = "the header began \(headers) times" }
      case .endHeader:
        headers -= 1
        if headers != 0 { problem = "the header ended without a beginning" }
      }
      // The view calls back.
      if callbacks > 0, roll(3) == 0 {
        callbacks -= 1
        touch()
      }
    }

    mutating func beginRefresh() {
      guard refresh != .loading else { return }
      starts += 1
      refresh = .loading
      unreported.append(.didStart(.refresh))
      if next == .loading {
        next = .idle
        unreported += [.didCancel(.next, .byCaller), .didFinish(.next)]
      }
    }

    /// Performs a user action on the screen.
    mutating func touch() {
      let event: RefreshCoordinator.Event
      switch roll(8) {
      case 0, 1:
        event = .refresh(silently: roll(2) == 0)
        if refresh != .loading, programs.isEmpty { wishes.append(starts) }
      case 2: event = .loadMore
      case 3: event = .pulledDown(Double(roll(100)))
      case 4: event = .released
      case 5: event = .saw(0..<min(rows, 2), fillsView: roll(2) == 0)
      case 6: event = .disappeared
      default: event = .appeared(age: nil)
      }
      log.append("\(event)")
      act { $0.handle(event) }
      act { $0.takeIn() }
    }

    mutating func report() {
      guard !unreported.isEmpty else { return }
      let event = unreported.removeFirst()
      log.append("report \(event)")
      act { $0.stepBegan(event) }
      act { $0.takeIn() }
      if roll(3) == 0 { touch() }
      brain.stepEnded()
      // The next observer does so too.
      if roll(3) == 0 { touch() }
    }

    mutating func endRefresh() {
      guard refresh == .loading else { return }
      switch roll(3) {
      case 0:
        (refresh, hasLoaded, rows, next) = (.idle, true, roll(5), .idle)
        unreported += [.didChange(ListChange()), .didSucceed(.refresh), .didFinish(.refresh)]
      case 1:
        refresh = .failed(.decoding(""))
        unreported += [.didFail(.refresh, .decoding("")), .didFinish(.refresh)]
      default:
        refresh = .idle
        unreported += [.didCancel(.refresh, .byCaller), .didFinish(.refresh)]
      }
      log.append("ended as \(unreported.suffix(2)[unreported.count - 2])")
    }

    mutating func endProgram() {
      guard !programs.isEmpty else { return }
      let ticket = programs.removeFirst()
      log.append("program ended")
      act { $0.ended(ticket, [.succeeded, .cancelled][ticket.number % 2], at: .zero) }
      act { $0.takeIn() }
    }

    mutating func endOwnNext() {
      guard !ownNext.isEmpty else { return }
      let number = ownNext.removeFirst()
      let wasRunning = brain.isNextRunning(number)
      if wasRunning, brain.coordinator.running != nil { problem = "a load outlives its list" }
      log.append("program ended \(number)")
      let outcome = [.succeeded, .cancelled, LoadToken.Outcome.failed(.custom(""))][roll(3)]
      if wasRunning, outcome == .succeeded { rows += roll(3) }
      act { $0.endNext(number, outcome, hasMore: number % 3 > 0) }
      if brain.isNextRunning(number) { problem = "a load that ended still runs" }
    }

    mutating func step() {
      switch roll(13) {
      case 0, 1, 2: touch()
      case 3, 4, 5: report()
      case 6: endRefresh()
      case 7:
        log.append("refresh of the list")
        beginRefresh()
      case 8: endProgram()
      case 9: usesProgram.toggle()
      case 11: endOwnNext()
      case 10: if next == .loading { (next, rows) = (.idle, rows + roll(3)) }
      default:
        guard roll(4) == 0 else { return }
        log.append("reset")
        if refresh == .loading {
          unreported += [.didCancel(.refresh, .byCaller), .didFinish(.refresh)]
        }
        (refresh, next, hasLoaded, rows) = (.idle, .idle, false, 0)
        unreported.append(.didReset)
      }
    }

    /// Ends everything that runs.
    mutating func settle() {
      callbacks = 0
      for _ in 0..<200
      where !unreported.isEmpty || !programs.isEmpty || !ownNext.isEmpty || refresh == .loading {
        endProgram()
        endOwnNext()
        endRefresh()
        while !unreported.isEmpty {
          let event = unreported.removeFirst()
          act { $0.stepBegan(event) }
          act { $0.takeIn() }
          brain.stepEnded()
        }
      }
      if headers != 0 { problem = problem ?? "a header that never ends" }
      if brain.coordinator.running != nil { problem = problem ?? "a refresh that never ends" }
      if brain.facts.nextState == .loading, next != .loading {
        problem = problem ?? "a load of further rows that never ends"
      }
      if brain.beginsWork() { problem = problem ?? "work is left" }
      if wishes.contains(where: { $0 >= starts }) { problem = problem ?? "a refresh was not made" }
    }
  }

  @Test func `every requested refresh runs, and ends on the screen`()
    throws
  {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(400, full: 100_000) {
      var world = World(SeededGenerator(seed: random.next()))
      for _ in 0..<40 where world.problem == nil { world.step() }
      world.settle()
      guard let problem = world.problem else { continue }
      Issue.record("\(problem) after \(world.log) · \(random)")
      return
    }
  }

  // MARK: - One rule each

  private func brain(_ facts: (inout ListFacts) -> Void = { _ in }) -> ScreenBrain {
    var now = ListFacts()
    now.hasLoaded = true
    facts(&now)
    return ScreenBrain(RefreshOptions(), now, endedEmpty: false)
  }

  private func commands(_ brain: inout ScreenBrain) -> [String] {
    guard brain.beginsWork() else { return [] }
    var texts: [String] = []
    while let command = brain.next() {
      if case .refresh(let ticket) = command { brain.begin(ticket, byProgram: false) }
      texts.append("\(command)".prefix { $0 != "(" }.description)
    }
    return texts
  }

  @Test func `a request during a refresh's end waits for its outcome`() {
    var brain = brain()
    brain.handle(.refresh(silently: false))
    #expect(commands(&brain) == ["beginHeader", "refresh"])
    var facts = brain.facts
    // The list's refresh has ended, and the list starts to report it.
    brain.look(facts)
    brain.stepBegan(.didChange(ListChange()))
    brain.stepEnded()
    brain.handle(.refresh(silently: true))
    #expect(commands(&brain).isEmpty)
    brain.stepBegan(.didSucceed(.refresh))
    brain.stepEnded()
    facts.refreshState = .idle
    brain.look(facts)
    brain.stepBegan(.didFinish(.refresh))
    #expect(commands(&brain) == ["endHeader", "refresh"])
  }

  @Test func `a request after an unreported cancel starts a new refresh`() {
    var brain = brain()
    brain.handle(.refresh(silently: false))
    _ = commands(&brain)
    brain.handle(.refresh(silently: false))
    #expect(commands(&brain) == ["endHeader", "beginHeader", "refresh"])
  }

  @Test func `a refresh running at creation ends on the screen`() {
    var brain = brain {
      $0.refreshState = .loading
      $0.isReloading = true
    }
    brain.handle(.refresh(silently: false))
    #expect(commands(&brain) == ["beginHeader", "renewRefresh"])
    brain.look(ListFacts())
    brain.stepBegan(.didFinish(.first))
    #expect(commands(&brain) == ["endHeader"])
  }
}
