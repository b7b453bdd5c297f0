#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
  import Foundation
  import Quire
  import QuireTesting
  import Synchronization

  /// A row whose text may grow.
  struct DemoRow: Decodable, Identifiable, Sendable {
    let id: Int
    var lines = 1

    var text: String { (0..<lines).map { "Row \(id), line \($0 + 1)" }.joined(separator: "\n") }

    enum CodingKeys: CodingKey { case id }
  }

  /// A server in the program: pages of twenty rows, half a second each.
  struct DemoServer {
    var count = 200
    /// Whether the first page is sent once, and then fails.
    var failsAfterFirst = false

    @MainActor func list() -> ListModel<DemoRow> {
      let (count, fails) = (count, failsAfterFirst)
      let isFirst = FirstOnly()
      let transport = MockTransport { request in
        guard request.url.path == "/rows" else {
          return .bytes(Self.picture, type: "image/png").delayed(by: .milliseconds(700))
        }
        let page = request.query["page"].flatMap { Int($0) } ?? 0
        if fails, page == 0, !isFirst.take() {
          return .failure(.connectRefused).delayed(by: .milliseconds(500))
        }
        let numbers = min(count, page * 20)..<min(count, page * 20 + 20)
        let rows = numbers.map { #"{"id":\#($0)}"# }
        return .json("[\(rows.joined(separator: ","))]").delayed(by: .milliseconds(500))
      }
      return ListModel(
        Server("https://demo", transport: transport) { $0.retry = .never }, "/rows",
        paging: .pageNumber(size: 20, first: 0))
    }

    /// A picture of one point.
    private static let picture = [UInt8](
      Data(
        base64Encoded:
          "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
        ?? Data())
  }

  /// Tells the first request from later ones.
  private final class FirstOnly: Sendable {
    private let isTaken = Mutex(false)

    func take() -> Bool {
      isTaken.withLock { taken in
        defer { taken = true }
        return !taken
      }
    }
  }

  /// What a demo shows.
  struct DemoOptions {
    var isDivided = false
    var hasPictures = false
    var startsAt: Int?

    /// Returns the controller of a list, and starts it.
    @MainActor func controller(_ server: DemoServer) -> ListController<DemoRow> {
      let list = server.list()
      let (hasPictures, isDivided) = (hasPictures, isDivided)
      let kinds = CellKinds<DemoRow> {
        $0.content = { row in
          RowContent(
            row.text, subtitle: hasPictures ? "with a picture" : nil,
            image: hasPictures ? .address("/pictures/\(row.id)") : nil,
            accessory: hasPictures && row.id.isMultiple(of: 3) ? .address("/pictures/small") : nil)
        }
      }
      let controller = ListController(list, kinds: kinds) {
        if isDivided {
          $0.rows.section = { row in
            SectionLabel(row.id / 10, header: "Rows \(row.id / 10 * 10) and\nthose that follow")
          }
        }
        if startsAt != nil { $0.refresh.autoRefresh = .never }
      }
      if let startsAt { list.loadPage(startsAt) }
      return controller
    }
  }

  /// Carries out what the demos offer: rows grow, and all but the first one move.
  final class DemoDelegate: ListControllerDelegate {
    private let list: ListController<DemoRow>

    init(_ list: ListController<DemoRow>) {
      self.list = list
      list.delegate = self
    }

    func canMove(_ row: DemoRow?, at position: RowPosition) -> Bool { true }

    func swipeActions(
      for row: DemoRow?, at position: RowPosition, on edge: RowAction.Swipe.Edge
    ) -> [RowAction.Swipe] { edge == .leading ? [RowAction.Swipe("grow", title: "Grow")] : [] }

    func handle(_ action: RowAction, on row: DemoRow?, at position: RowPosition) -> Bool {
      guard var row, let model = list.model else { return false }
      let id = RowID(row.id)
      switch action {
      case .swipe("grow"):
        row.lines += 2
        return (try? model.edit(.update(id, row))) != nil
      case .move(let place):
        guard row.id > 0, let other = list.item(at: place) else { return false }
        let target = RowID(other.id)
        let isDown = position < place
        return (try? model.edit(.move(id, to: isDown ? .after(target) : .before(target)))) != nil
      default: return action == .select
      }
    }
  }
#endif
