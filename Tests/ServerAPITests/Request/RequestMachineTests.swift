import Testing

@testable import ServerAPI

@Suite struct RequestMachineTests {
  /// Returns a machine in its second generation, in a given state (`idle`: never started).
  private func machine(in state: BaseServerAPI.State) -> RequestMachine {
    var machine = RequestMachine()
    guard state != .idle else { return machine }
    _ = machine.handle(.start)
    _ = machine.handle(.end(generation: 1, .failed))
    _ = machine.handle(.start)
    switch state {
    case .idle, .loading: break
    case .succeeded: _ = machine.handle(.end(generation: 2, .succeeded))
    case .failed: _ = machine.handle(.end(generation: 2, .failed))
    case .cancelled: _ = machine.handle(.cancel)
    }
    return machine
  }

  private struct Row: Sendable {
    var from: BaseServerAPI.State
    var event: RequestMachine.Event
    var to: BaseServerAPI.State
    var action: RequestMachine.Action?
    var discards = 0
  }

  private static let rows: [Row] =
    BaseServerAPI.State.allCases.map { from in
      Row(
        from: from, event: .start, to: .loading,
        action: from == .loading ? .cancel(.superseded) : nil)
    }
    + BaseServerAPI.State.allCases.map { from in
      from == .loading
        ? Row(from: from, event: .cancel, to: .cancelled, action: .cancel(.byCaller))
        : Row(from: from, event: .cancel, to: from, action: nil)
    }
    + BaseServerAPI.State.allCases.flatMap { from in
      [
        (RequestMachine.Ending.succeeded, BaseServerAPI.State.succeeded), (.failed, .failed),
        (.cancelled, .cancelled),
      ].flatMap { ending, state in
        let late = ending == .cancelled ? 0 : 1
        return [
          from == .loading
            ? Row(
              from: from, event: .end(generation: 2, ending), to: state, action: .deliver)
            : Row(
              from: from, event: .end(generation: 2, ending), to: from, action: nil, discards: late),
          Row(
            from: from, event: .end(generation: 1, ending), to: from, action: nil, discards: late),
        ]
      }
    }

  @Test(arguments: rows.indices)
  func `every event has one meaning in every state`(_ index: Int) {
    let row = Self.rows[index]
    var machine = machine(in: row.from)
    let generation = machine.generation
    #expect(machine.state == row.from)
    #expect(machine.handle(row.event) == row.action, "\(row)")
    #expect(machine.state == row.to, "\(row)")
    #expect(machine.discardedResults == row.discards, "\(row)")
    #expect(machine.generation == (row.event == .start ? generation + 1 : generation))
  }

  @Test func `the table has every event in every state`() {
    #expect(Self.rows.count == 5 * (1 + 1 + 6))
  }
}
