import ItemMapping
import ListModel
import QuireTesting
import ServerAPI
import Testing

/// One way of paging: how a client declares it, and a server that has it.
struct CatalogueStyle: Sendable, CustomTestStringConvertible {
  /// What tells this server's clients that a page is the last one.
  enum Ending {
    /// The page itself.
    case told
    /// That it is short; a full one costs another request.
    case shortPage
    /// That none follows, which always costs another request.
    case emptyPage
    /// That there is only one.
    case onlyPage
  }

  /// How a list begins in the middle, if it can.
  enum Middle {
    case none
    /// With the page of this number.
    case page(Int)
    /// With a call that leads there.
    case call(Call)
    /// It begins at the end by itself.
    case end
  }

  let testDescription: String
  let paging: Paging
  let call: Call
  let items: JSONPath
  let ending: Ending
  let middle: Middle
  /// Whether pages have places that can be worked out, and the server says how many rows there are.
  let isCounted: Bool
  let serve: @Sendable (LoopbackRequest, Catalogue) -> LoopbackResponse

  init(
    _ name: String, _ paging: Paging, _ call: Call = Call("/rows"), items: JSONPath = "rows",
    ending: Ending = .told, middle: Middle = .none, isCounted: Bool = false,
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

  /// How many requests the whole list takes.
  func requestCount(_ catalogue: Catalogue) -> Int {
    switch ending {
    case .told: catalogue.pageCount
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
