import Quire

/// The smallest row there is.
struct NumberRow: Decodable, Identifiable, Sendable {
  var id: Int
}

/// The same as a class with a table.
final class NumberItem: BaseItem, Identifiable {
  var id = 0

  override class var fields: FieldTable {
    FieldTable(NumberItem.self) { f in f(\.id, "id", .required) }
  }
}

/// Answers at once with page after page of rows that have nothing but an id. It keeps nothing, so that
/// what grows is the list.
struct NumberedTransport: Transport {
  static let pageSize = 20

  func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
    let start = request.query["offset"].flatMap { Int($0) } ?? 0
    let count = request.query["limit"].flatMap { Int($0) } ?? 0
    let rows = (start..<start + count).map { #"{"id":\#($0)}"# }
    let text = "[\(rows.joined(separator: ","))]"
    return HTTPResponse(body: ResponseBody(text: text), url: request.url)
  }

  static func server() -> Server { Server("https://test", transport: NumberedTransport()) }
}

extension ListModel {
  /// Loads so many further pages.
  func loadPages(_ count: Int) async throws {
    for _ in 0..<count {
      switch await loadNextPage().outcome {
      case .appended, .replaced: break
      case let outcome: throw BenchmarkError("a page ended with \(outcome)")
      }
    }
  }
}

@MainActor func numberList(
  pageSize: Int = NumberedTransport.pageSize
) -> ListModel<NumberRow> {
  ListModel(
    NumberedTransport.server(), "/rows", items: .root, paging: .offset(limit: pageSize),
    identity: .id)
}

@MainActor func itemList() -> ListModel<NumberItem> {
  ListModel(
    NumberedTransport.server(), "/rows", items: .root,
    paging: .offset(limit: NumberedTransport.pageSize), identity: .id)
}
