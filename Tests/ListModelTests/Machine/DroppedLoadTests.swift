import ServerAPI
import Testing

@testable import ListModel
@testable import ListReading

/// Loads that are dropped while they wait for another one.
struct DroppedLoadTests {
  private var machine = PageMachine(first: PageKey(.number(0)))

  /// The events in effects, and the loads that end.
  private func texts(_ effects: [ListEffect]) -> [String] {
    effects.compactMap { effect in
      switch effect {
      case .notify(.didStart(let kind)): "start \(kind)"
      case .notify(.didCancel(let kind, let reason)): "cancel \(kind) \(reason)"
      case .notify(.didFinish(let kind)): "finish \(kind)"
      case .finish(let load, _): "load \(load)"
      case .abandon(let number): "abandon \(number)"
      case .notify, .request: nil
      }
    }
  }

  @Test mutating func `a refresh that waits for a restore has its events when all is cancelled`() {
    _ = machine.request(.restore, load: 1)
    _ = machine.request(.refresh, load: 2)
    #expect(
      texts(machine.cancelAll()) == [
        "start first", "cancel first byCaller", "finish first", "load 2", "abandon 1",
        "cancel restore byCaller", "finish restore", "load 1",
      ])
  }

  @Test mutating func `so does one that is cancelled, and one that a jump supersedes`() {
    _ = machine.request(.restore, load: 1)
    _ = machine.request(.refresh, load: 2)
    #expect(
      texts(machine.request(.page(3), load: 3, key: PageKey(.number(3)))) == [
        "start first", "cancel first superseded", "finish first", "load 2",
      ])
    #expect(machine.isReloading)
    #expect(
      texts(machine.cancel(load: 3)) == [
        "start page 3", "cancel page 3 byCaller", "finish page 3", "load 3",
      ])
    #expect(!machine.isReloading && machine.isRestoring)
  }

  @Test mutating func `so does a further page that waits for a refresh`() {
    _ = machine.request(.first, load: 1)
    _ = machine.request(.next, load: 2)
    _ = machine.request(.next, load: 3)
    #expect(texts(machine.cancel(load: 2)) == ["load 2"])
    #expect(
      texts(machine.cancel(load: 3)) == [
        "start next", "cancel next byCaller", "finish next", "load 3",
      ])
    #expect(machine.state(of: .next) == .idle)
  }

  @Test(arguments: [[1, 2], [2, 1]])
  mutating func `the request of a first page ends with the last load that waits for it`(
    order: [Int]
  ) {
    _ = machine.request(.first, load: 1)
    _ = machine.request(.next, load: 2)
    #expect(!texts(machine.cancel(load: order[0])).contains("abandon 1"))
    #expect(texts(machine.cancel(load: order[1])).contains("abandon 1"))
    #expect(machine.runningLoads.isEmpty)
  }
}
