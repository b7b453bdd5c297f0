public import ItemMapping
public import ServerAPI

/// One page of a list: its rows, and what else the answer says.
///
/// Subclass it to read more of what stands around the rows. The table's paths begin at the outermost
/// value of the answer.
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
  /// The items of the page, as the server sent them: those the list had already are among them.
  public internal(set) final var items: [Item] = []
  /// What the answer says of its place in the list.
  public internal(set) final var facts = PageFacts(next: .end)
  /// What could not be read.
  public internal(set) final var report = MappingReport()
  /// The fields of the answer.
  public internal(set) final var headers: HTTPHeaders = [:]
  /// Where the answer came from, after redirects.
  public internal(set) final var url: WebURL?
  /// Whether it is from the server or from a cache.
  public internal(set) final var source = HTTPResponse.Source.network
  /// Where the time of the request went, and that of making items of its response.
  public internal(set) final var timings = HTTPResponse.Timings()

  override open class var fields: FieldTable {
    FieldTable(ListPage<Item>.self) { f in
      for name in ["items", "facts", "report", "headers", "url", "source", "timings"] {
        f.ignore(name)
      }
    }
  }
}
