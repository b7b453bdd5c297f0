import ListModel
import ListPresentation

/// A list of the program, its controller, and a view.
@MainActor final class LocalBench {
  let list: LocalList<Row>
  let controller: ListController<Row>
  let view = RecordingListView()

  init(
    _ list: LocalList<Row>, kinds: CellKinds<Row> = CellKinds(),
    _ configure: (inout ListController<Row>.Settings) -> Void = { _ in }
  ) {
    self.list = list
    controller = ListController(list, kinds: kinds, configure: configure)
    view.controller = controller
    controller.attach(view)
  }

  convenience init(
    count: Int, kinds: CellKinds<Row> = CellKinds(),
    _ configure: (inout ListController<Row>.Settings) -> Void = { _ in }
  ) {
    self.init(LocalList((0..<count).map { Row(id: $0) }), kinds: kinds, configure)
  }

  var isInStep: Bool { view.mismatches.isEmpty && view.structure.isEmpty }
}

/// What the closures of a test were called with.
@MainActor final class RowLog {
  var ids: [Int] = []
}
