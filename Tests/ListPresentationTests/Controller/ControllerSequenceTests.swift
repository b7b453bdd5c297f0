import ItemMapping
import ListModel
import ListPresentation
import ListReading
import QuireTesting
import ServerAPI
import Support
import Testing

/// Random events on a list and its screen: a view that applies every change always has the rows of its
/// controller.
@MainActor struct ControllerSequenceTests {
  /// The features of a sequence, in any combination.
  struct Features: OptionSet, CustomTestStringConvertible {
    let rawValue: Int

    /// Rows are divided by their groups.
    static let sections = Features(rawValue: 1)
    /// Some rows are filtered out.
    static let filter = Features(rawValue: 2)
    /// The view is never full.
    static let emptyView = Features(rawValue: 4)
    /// Distant pages are evicted.
    static let window = Features(rawValue: 8)
    /// The view calls back on every notification.
    static let meddling = Features(rawValue: 16)

    var testDescription: String { "\(rawValue)" }
  }

  @Test(arguments: (0..<32).map(Features.init))
  func `the view always has the rows of its controller`(features: Features) async throws {
    var random = try SeededGenerator.fromEnvironment()
    for _ in 0..<Thoroughness.runs(6, full: 200) {
      let bench = bench(features)
      if features.contains(.meddling) { meddle(in: bench, SeededGenerator(seed: random.next())) }
      var steps: [String] = []
      for _ in 0..<25 { steps.append(await step(bench, &random, features)) }
      bench.view.onCall = nil
      await bench.settle()
      await bench.flush()
      let controller = bench.controller
      #expect(bench.view.mismatches.isEmpty, "\(steps) · \(random)")
      #expect(bench.view.structure.isEmpty, "\(steps) · \(random)")
      #expect(bench.view.rows == RecordingListView.texts(controller.sections), "\(random)")
      #expect(bench.view.placeholder == controller.placeholder, "\(steps) · \(random)")
      #expect(bench.view.header == controller.header, "\(steps) · \(random)")
      #expect(bench.view.footer == controller.footer, "\(steps) · \(random)")
      #expect(bench.view.refreshing == 0, "\(steps) · \(random)")
      if controller.sections.rowCount > 0 { #expect(controller.placeholder == nil, "\(random)") }
      let shown = controller.sections.sections.flatMap(\.items)
      let expected = bench.model.rows.items.filter {
        !features.contains(.filter) || $0.id % 3 != 0
      }
      #expect(shown == expected, "\(steps) · \(random)")
    }
  }

  private func bench(_ features: Features) -> ScreenBench {
    let store = MemoryCacheStore()
    let bench = ScreenBench(
      rows: (0..<20).map { Row(id: $0, group: $0 / 3) }, { configure(&$0, features) },
      model: {
        $0.keeping = ListKeeping(in: store)
        if features.contains(.window) { $0.window = .rows(6) }
      })
    if features.contains(.emptyView) {
      bench.view.visibleRows = (nil, fillsView: false)
    }
    return bench
  }

  /// The view calls another method of the controller on each notification, so that it interrupts everything
  /// that runs there.
  private func meddle(in bench: ScreenBench, _ generator: SeededGenerator) {
    var (random, left) = (generator, 60)
    bench.view.onCall = { [weak controller = bench.controller] in
      guard let controller, left > 0 else { return }
      left -= 1
      switch Int.random(in: 0..<9, using: &random) {
      case 0:
        let isSilent = Bool.random(using: &random)
        controller.refresh(silently: isSilent)
      case 1: controller.loadMore()
      case 2:
        let distance = Double.random(in: 0...100, using: &random)
        controller.didPullDown(distance)
      case 3: controller.didRelease()
      case 4: controller.updateSections()
      case 5: controller.settings.refresh.pullsUp.toggle()
      case 6: controller.settings.refresh.pullsDown.toggle()
      case 7:
        controller.disappeared()
        controller.appeared()
      default:
        let rows = visible(of: controller, &random)
        controller.rowsWillAppear(rows)
      }
    }
  }

  /// Shows some rows in a view that may be behind.
  private func visible(
    of controller: ListController<Row>, _ random: inout SeededGenerator
  ) -> (rows: ClosedRange<RowPosition>?, fillsView: Bool) {
    let count = controller.sections.rowCount + 2
    let first = Int.random(in: 0..<count, using: &random)
    let last = first + Int.random(in: 0..<5, using: &random)
    let fillsView = Bool.random(using: &random)
    guard let lower = controller.sections.position(ofRow: first) else {
      return (nil, fillsView: fillsView)
    }
    let upper = controller.sections.position(ofRow: last)
    return (lower...(upper ?? RowPosition(section: 99, row: 0)), fillsView: fillsView)
  }

  private func configure(_ settings: inout ListController<Row>.Settings, _ features: Features) {
    if features.contains(.sections) {
      settings.rows.section = { SectionLabel($0.group, header: "\($0.group)\($0.text)") }
      settings.rows.mergesSections = false
    }
    if features.contains(.filter) { settings.rows.filter = { $0.id % 3 != 0 } }
  }

  private func step(
    _ bench: ScreenBench, _ random: inout SeededGenerator, _ features: Features
  ) async -> String {
    let ids = bench.model.rows.items.map(\.id)
    let id = ids.randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<22, using: &random) {
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
      return "next response fails"
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
      bench.controller.settings.rows.section = nil
      configure(&bench.controller.settings, features)
      return "settings"
    case 11:
      bench.controller.didPullDown(Double.random(in: 0...100, using: &random))
      if Bool.random(using: &random) { bench.controller.didRelease() }
      return "pull"
    case 12:
      bench.model.cancel()
      return "cancel"
    case 13:
      let number = Int.random(in: 0..<7, using: &random)
      bench.model.loadPage(number)
      return "page \(number)"
    case 14:
      bench.model.loadPreviousPage()
      return "previous"
    case 15:
      bench.controller.rowsWillAppear(visible(of: bench.controller, &random))
      return "see"
    case 16:
      if Int.random(in: 0..<4, using: &random) == 0 { bench.model.reset() }
      return "reset, perhaps"
    case 17:
      // Only a list that has not loaded is restored.
      bench.model.reset()
      bench.model.restore()
      return "restore"
    case 18:
      bench.model.reset()
      bench.model.restore()
      bench.controller.refresh(silently: Bool.random(using: &random))
      return "restore and refresh"
    case 19:
      let number = Int.random(in: 0..<7, using: &random)
      bench.model.loadPage(number).cancel()
      return "page \(number), cancelled"
    default:
      await bench.settle()
      return "settle"
    }
  }
}
