import QuireTesting
import ServerAPI
import Support
import TestSupport
import Testing

@testable import ListModel
@testable import ListReading

/// Random sequences of loads and edits on a list, with edits from callbacks, and observers that apply changes.
@MainActor struct RandomEditTests {
  @Test func `edits show at once, and each event has its rows, in random sequences`()
    async throws
  {
    for seeded in try SeededGenerator.runs(Thoroughness.runs(60, full: 5_000)) {
      let world = EditedListWorld(seeded)
      for _ in 0..<60 {
        await world.step()
        if let problem = world.problem {
          Issue.record("\(seeded): \(problem) after \(world.history)")
          return
        }
      }
    }
  }
}

/// A list of a server whose rows change, and the edits that a program makes.
@MainActor private final class EditedListWorld {
  /// The rows of the server.
  private final class Rows: Sendable {
    let ids = Lock<[Int]>(Array(0..<12))
  }

  private var random: SeededGenerator
  private let server = Rows()
  private let bench: ListBench
  private let follower: RowFollower
  private var edits: [EditID] = []
  private var fresh = 100
  private(set) var history: [String] = []
  private(set) var problem: String?

  init(_ random: SeededGenerator) {
    self.random = random
    bench = ListBench(
      paging: .pageNumber(size: 3, first: 0, endsBy: .hasNext("more")),
      MockTransport { [server] request in
        let number = request.query["page"].flatMap { Int($0) } ?? 0
        let rows = server.ids.withLock { $0 }
        return .json(
          page(rows.dropFirst(number * 3).prefix(3), #""more":\#(rows.count > number * 3 + 3)"#))
      })
    follower = RowFollower(bench.model)
    bench.model.follow(follower)
  }

  private func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  func step() async {
    switch number(18) {
    case 0: act("refresh") { bench.model.refresh() }
    case 1: act("hide") { bench.model.refresh(.replace) }
    case 2, 3: act("next") { bench.model.loadNextPage() }
    case 4: if number(8) == 0 { act("reset") { bench.model.reset() } }
    case 5:
      history.append("outcome")
      _ = await bench.model.loadNextPage().outcome
    case 6:
      history.append("delivered")
      await bench.model.eventsDelivered()
    case 7: server.ids.withLock { $0.insert(1_000 + fresh, at: number(4)) }
    case 8:
      let (id, count) = (number(12), number(3))
      act("edit in \(count) callbacks") {
        var left = count
        follower.onStep = { [bench] in
          guard left > 0 else { return }
          left -= 1
          _ = try? bench.model.edit(.move(RowID(id), to: left == 1 ? .start : .end))
        }
      }
    case 9:
      guard !edits.isEmpty else { return }
      let edit = edits.remove(at: number(edits.count))
      history.append("confirm")
      showsAtOnce { bench.model.confirm(edit) }
    case 10:
      guard !edits.isEmpty else { return }
      let edit = edits.remove(at: number(edits.count))
      history.append("rollback")
      showsAtOnce { bench.model.rollback(edit) }
    case 11, 12:
      guard !edits.isEmpty else { return }
      let edit = edits.remove(at: number(edits.count))
      fresh += 1
      let row = number(2) == 0 ? fresh : number(12)
      if row == fresh { server.ids.withLock { $0.insert(row, at: number(4)) } }
      history.append("confirm as \(row)")
      showsAtOnce { bench.model.confirm(edit, as: Row(id: row)) }
    default: edit()
    }
    check(Set(bench.ids).count == bench.ids.count, "a row is in the list twice")
    check(bench.delegate.mismatches.isEmpty, "\(bench.delegate.mismatches)")
    check(follower.mismatches == 0, "a follower read other rows than those of its event")
    if bench.model.outbox.isEmpty {
      check(bench.ids == follower.rows, "the rows are not those of the last event")
    }
  }

  private func edit() {
    fresh += 1
    let id = RowID(number(12))
    let edit: ListEdit<Row> =
      switch number(3) {
      case 0:
        .insert(Row(id: fresh), id: RowID(fresh), at: [.start, .end, .after(id)][number(3)])
      case 1: .remove(id)
      default: .move(id, to: [.start, .end, .before(RowID(number(12)))][number(3)])
      }
    history.append("\(edit)")
    showsAtOnce {
      if let made = try? bench.model.edit(edit) { edits.append(made) }
    }
  }

  private func act(_ name: String, _ body: () -> Void) {
    history.append(name)
    body()
  }

  /// Checks that the rows of the list are visible after an edit that changes them.
  private func showsAtOnce(_ edit: () -> Void) {
    let before = bench.model.brain.rows.items.map(\.id)
    edit()
    let after = bench.model.brain.rows.items.map(\.id)
    check(before == after || bench.ids == after, "an edit is not in the rows at once")
  }

  private func check(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds, problem == nil { problem = what() }
  }
}
