import Quire
import QuireTesting
import Testing

/// Random steps of server, list, program and user: after each step, a view has the rows of its controller.
@MainActor @Suite struct RandomScreenTests {
  static let steps = 10_000

  @Test func `a table follows 10,000 random steps`() async throws {
    try await walk { TableScreen($0) }
  }

  @Test func `a collection view follows 10,000 random steps`() async throws {
    try await walk { CollectionScreen($0) }
  }

  @Test func `a SwiftUI list follows 10,000 random steps`() async throws {
    try await walk { SwiftUIScreen($0) }
  }

  private func walk(_ make: (ListWorld) -> any TestScreen) async throws {
    var random = try SeededGenerator.fromEnvironment()
    var taken = 0
    var shown = 0
    while taken < Self.steps {
      let world = world(&random)
      world.swipes = [RowAction.Swipe("loud", title: "Loud")]
      let screen = make(world)
      var log: [String] = []
      for _ in 0..<100 {
        log.append(await step(screen, &random))
        await world.model.eventsDelivered()
        if let difference = screen.difference() {
          Issue.record("\(difference)\n\(log.suffix(8)) · \(taken) · \(random)")
          return
        }
        taken += 1
        shown += world.controller.sections.rowCount
      }
      await world.settle()
      #expect(world.gapDifference == nil, "\(random)")
      #expect(screen.difference() == nil, "\(random)")
    }
    // Most steps must have rows to go wrong with.
    #expect(shown > 3 * Self.steps, "\(shown)")
  }

  private func world(_ random: inout SeededGenerator) -> ListWorld {
    let count = Int.random(in: 0...30, using: &random)
    let isDivided = Bool.random(using: &random)
    let isFiltered = Int.random(in: 0..<4, using: &random) == 0
    return ListWorld(Shelf(count)) {
      if isDivided { $0.rows.section = { SectionLabel($0.group, header: "\($0.group)") } }
      if isFiltered { $0.rows.filter = { $0.id % 4 != 0 } }
    }
  }

  private func place(
    _ world: ListWorld, _ random: inout SeededGenerator
  ) -> RowPosition? {
    let count = world.controller.sections.rowCount
    guard count > 0 else { return nil }
    return world.controller.sections.position(ofRow: Int.random(in: 0..<count, using: &random))
  }

  private func step(
    _ screen: any TestScreen, _ random: inout SeededGenerator
  ) async -> String {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: await listStep(screen.world, &random)
    case 1: programStep(screen.world, &random)
    default: await userStep(screen, &random)
    }
  }

  private func listStep(_ world: ListWorld, _ random: inout SeededGenerator) async -> String {
    switch Int.random(in: 0..<9, using: &random) {
    case 0, 1:
      world.shelf.change(&random)
      return "the server changes"
    case 2:
      world.shelf.failOnce()
      return "the next response fails"
    case 3:
      world.controller.refresh(silently: Bool.random(using: &random))
      return "refresh"
    case 4:
      world.controller.loadMore()
      return "load more"
    case 5:
      world.model.cancel()
      return "cancel"
    case 6:
      _ = try? await world.model.checkForNewRows()
      return "probe"
    default:
      await world.settle()
      return "settle"
    }
  }

  private func programStep(_ world: ListWorld, _ random: inout SeededGenerator) -> String {
    let item = world.model.rows.items.randomElement(using: &random) ?? Row(id: 0)
    let id = RowID(item.id)
    switch Int.random(in: 0..<9, using: &random) {
    case 0:
      _ = try? world.model.edit(.remove(id))
      return "remove \(id)"
    case 1:
      _ = try? world.model.edit(.move(id, to: Bool.random(using: &random) ? .start : .end))
      return "move \(id)"
    case 2:
      var row = item
      row.text = ["", "!", "?"].randomElement(using: &random) ?? ""
      row.group = Int.random(in: 0...5, using: &random)
      _ = try? world.model.edit(.update(id, row))
      return "update \(id)"
    case 3:
      let new = Int.random(in: 20_000..<30_000, using: &random)
      _ = try? world.model.edit(.insert(Row(id: new, group: new % 6), at: .after(id)))
      return "insert \(new)"
    case 4:
      let size = Int.random(in: 1...4, using: &random)
      world.controller.settings.rows.section = { row in
        SectionLabel(row.group / size, header: "\(row.group / size)", footer: row.text)
      }
      return "other sections"
    case 5:
      world.controller.settings.rows.section = nil
      return "no sections"
    case 6:
      let rest = Int.random(in: 0...3, using: &random)
      world.controller.settings.rows.filter = rest == 0 ? nil : { $0.id % 4 != rest }
      return "another filter"
    case 7:
      if let first = world.model.rows.items.last { world.controller.scroll(to: RowID(first.id)) }
      return "scroll to the last"
    default:
      world.controller.settings.refresh.pullsDown.toggle()
      return "pulls down: \(world.controller.settings.refresh.pullsDown)"
    }
  }

  private func userStep(
    _ screen: any TestScreen, _ random: inout SeededGenerator
  ) async -> String {
    let world = screen.world
    switch Int.random(in: 0..<14, using: &random) {
    case 0:
      screen.disappear()
      return "disappear"
    case 1, 2:
      screen.appear()
      return "appear"
    case 3:
      screen.detach()
      return "detach"
    case 4, 5:
      if !screen.isAttached { screen.attach() }
      return "attach"
    case 6:
      let width = Double(Int.random(in: 200...600, using: &random))
      screen.resize(to: width)
      return "width \(width)"
    case 7, 8:
      let part = Double.random(in: -0.2...1.2, using: &random)
      screen.scroll(to: part)
      return "scroll to \(part)"
    case 9:
      await screen.pull()
      return "pull"
    case 10:
      screen.tapFooter()
      screen.tapPlaceholder()
      return "tap"
    case 11:
      if Int.random(in: 0..<4, using: &random) == 0 { screen.renew() }
      return "the screen goes away, perhaps"
    default:
      guard screen.isAttached, let from = place(world, &random), let to = place(world, &random)
      else { return "nothing" }
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        screen.delete(from)
        return "delete \(from)"
      case 1:
        screen.swipe(from)
        return "swipe \(from)"
      case 2:
        await screen.move(from, to: to) {}
        return "move \(from) to \(to)"
      default:
        let removed = world.controller.item(at: to)
        await screen.move(from, to: to) {
          if let removed { _ = try? world.model.edit(.remove(RowID(removed.id))) }
          await world.model.eventsDelivered()
        }
        return "move \(from) to \(to), which is removed"
      }
    }
  }
}
