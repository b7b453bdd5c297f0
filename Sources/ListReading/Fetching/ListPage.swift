public import ItemMapping
public import ServerAPI

/// One page of a list: its rows, and the facts around them in the response.
///
/// Subclass it to read further fields of a response. The paths of the table start at the root of the
/// response, not at a row.
///
/// ```swift
/// final class Inbox: ListPage<Message> {
///   var unread = 0
///
///   override class var fields: FieldTable {
///     FieldTable(Inbox.self) { f in f(\.unread, "meta.unread") }
///   }
/// }
///
/// let inbox = ListModel<Message>(server, "/messages", page: Inbox.self)
/// … (inbox.page as? Inbox)?.unread
/// ```
open class ListPage<Item>: BaseItem {
  /// The items of the page as the server sent them, including duplicates of rows in the list.
  public internal(set) final var items: [Item] = []
  /// The facts about the position of the page in the list.
  public internal(set) final var facts = PageFacts(next: .end)
  /// How the page follows the pages before it; `nil` for the first one.
  public package(set) final var seam: Seam?
  /// The values that could not be read.
  public internal(set) final var report = MappingReport()
  /// The headers of the response.
  public internal(set) final var headers: HTTPHeaders = [:]
  /// The URL of the response, after redirects.
  public internal(set) final var url: WebURL?
  /// Whether the response is from the server or from a cache.
  public internal(set) final var source = HTTPResponse.Source.network
  /// The timings of the request, including the mapping of its response.
  public package(set) final var timings = HTTPResponse.Timings()

  override open class var fields: FieldTable {
    FieldTable(ListPage<Item>.self) { f in
      for name in ["items", "facts", "seam", "report", "headers", "url", "source", "timings"] {
        f.ignore(name)
      }
    }
  }
}
