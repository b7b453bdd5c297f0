import ItemMapping
import ListModel
import ListPresentation
import QuireTesting
import ServerAPI
import Synchronization
import Testing

/// Random things that happen to a list and its screen: a view that follows every change always has the
/// rows of its controller.
@MainActor struct ControllerSequenceTests {
  @Test(arguments: [0, 1, 2, 3, 4, 5, 6, 7])
  func `whatever happens, the view has the rows of its controller`(features: Int) async throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<(Thoroughness.isFull ? 1_000 : 30) {
      let bench = ScreenBench(rows: (0..<20).map { Row(id: $0, group: $0 / 3) }) { settings in
        configure(&settings, features)
      }
      if features & 4 != 0 { bench.view.visibleRows = VisibleRows(nil, fillsView: false) }
      var steps: [String] = []
      for _ in 0..<25 { steps.append(await step(bench, &random, features)) }
      await bench.settle()
      await bench.flush()
      let controller = bench.controller
      #expect(bench.view.mismatches.isEmpty, "\(steps) · \(random)")
      #expect(bench.view.rows == RecordingListView.texts(controller.sections), "\(random)")
      #expect(bench.view.placeholder == controller.placeholder, "\(steps) · \(random)")
      #expect(bench.view.header == controller.header, "\(steps) · \(random)")
      #expect(bench.view.footer == controller.footer, "\(steps) · \(random)")
      #expect(bench.view.refreshing == 0, "\(steps) · \(random)")
      if controller.sections.rowCount > 0 { #expect(controller.placeholder == nil, "\(random)") }
      let shown = controller.sections.sections.flatMap(\.items)
      let expected = bench.model.rows.items.filter { features & 2 == 0 || $0.id % 3 != 0 }
      #expect(shown == expected, "\(steps) · \(random)")
    }
  }

  private func configure(_ settings: inout ListControllerSettings<Row>, _ features: Int) {
    if features & 1 != 0 {
      settings.section = { SectionLabel($0.group, header: "\($0.group)\($0.text)") }
    }
    if features & 2 != 0 { settings.filter = { $0.id % 3 != 0 } }
  }

  private func step(
    _ bench: ScreenBench, _ random: inout SeededGenerator, _ features: Int
  ) async -> String {
    let ids = bench.model.rows.items.map(\.id)
    let id = ids.randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<14, using: &random) {
    case 0:
      bench.server.rows.withLock { rows in
        rows.shuffle(using: &random)
        rows.removeLast(min(2, rows.count))
      }
      return "server shuffled"
    case 1:
      bench.server.rows.withLock { rows in
        for index in rows.indices where index % 3 == 1 {
          rows[index].text = ["", "!", "?"].randomElement(using: &random) ?? ""
          rows[index].group = Int.random(in: 0...4, using: &random)
        }
        let new = Int.random(in: 100...999, using: &random)
        if !rows.contains(where: { $0.id == new }) { rows.insert(Row(id: new), at: 0) }
      }
      return "server changed"
    case 2:
      bench.controller.refresh(silently: Bool.random(using: &random))
      return "refresh"
    case 3, 4:
      bench.controller.loadMore()
      return "more"
    case 5:
      bench.transport.enqueue(.failure(.connectRefused))
      return "next answer fails"
    case 6:
      _ = try? bench.model.edit(.remove(RowID(id)))
      return "remove \(id)"
    case 7:
      _ = try? bench.model.edit(.move(RowID(id), to: Bool.random(using: &random) ? .start : .end))
      return "move \(id)"
    case 8:
      _ = try? bench.model.edit(.update(RowID(id), Row(id: id, group: 2, text: "#")))
      return "update \(id)"
    case 9:
      bench.model.refresh(.replace)
      return "replace"
    case 10:
      bench.controller.settings.section = nil
      configure(&bench.controller.settings, features)
      return "settings"
    case 11:
      bench.controller.didPullDown(Double.random(in: 0...100, using: &random))
      if Bool.random(using: &random) { bench.controller.didRelease() }
      return "pull"
    case 12:
      bench.model.cancel()
      return "cancel"
    default:
      await bench.settle()
      return "settle"
    }
  }
}
