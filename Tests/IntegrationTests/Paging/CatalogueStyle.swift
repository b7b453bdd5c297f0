import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI
import Testing

/// One way of paging: its declaration, and a server that uses it.
struct CatalogueStyle: Sendable, CustomTestStringConvertible {
  /// How a client of this server detects the last page.
  enum Ending {
    /// The page says so.
    case stated
    /// The page is short; after a full one another request is needed.
    case shortPage
    /// The next page is empty, which always takes another request.
    case emptyPage
    /// There is only one page.
    case onlyPage
  }

  /// How a list starts in the middle, if it can.
  enum Middle {
    case none
    /// With the page of this number.
    case page(Int)
    /// With a call for that page.
    case call(Call)
    /// It starts at the end by itself.
    case end
  }

  let testDescription: String
  let paging: Paging
  let call: Call
  let items: JSONPath
  let ending: Ending
  let middle: Middle
  /// Whether the places of pages can be worked out and the server reports the number of rows or the last page.
  let isCounted: Bool
  let serve: @Sendable (LoopbackRequest, Catalogue) -> LoopbackResponse

  init(
    _ name: String, _ paging: Paging, _ call: Call = Call("/rows"), items: JSONPath = "rows",
    ending: Ending = .stated, middle: Middle = .none, isCounted: Bool = false,
    serve: @escaping @Sendable (LoopbackRequest, Catalogue) -> LoopbackResponse
  ) {
    testDescription = name
    self.paging = paging
    self.call = call
    self.items = items
    self.ending = ending
    self.middle = middle
    self.isCounted = isCounted
    self.serve = serve
  }

  /// Whether a list can start at a page by its number.
  var hasPageNumbers: Bool { if case .page = middle { true } else { false } }

  /// The number of requests for the whole list.
  func requestCount(_ catalogue: Catalogue) -> Int {
    switch ending {
    case .stated: catalogue.pageCount
    case .shortPage: catalogue.pageCount + (catalogue.isLastPageFull ? 1 : 0)
    case .emptyPage: catalogue.pageCount + 1
    case .onlyPage: 1
    }
  }

  func server(_ catalogue: Catalogue) throws -> LoopbackServer {
    try LoopbackServer { [serve] request in serve(request, catalogue) }
  }

  @MainActor func list(
    _ loopback: LoopbackServer, _ other: Call? = nil, transport: any Transport = CurlTransport()
  ) -> ListModel<CatalogueRow> {
    catalogueList(loopback, other ?? call, items: items, paging: paging, transport: transport)
  }

  static let all = numbered + counted + chained + others
}
