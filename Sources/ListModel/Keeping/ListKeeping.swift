public import ServerAPI

/// Has a list kept as it was seen, so that it is there again when the program starts, without the
/// network: every page, in its order, and the row that was in sight. See ``ListModel/restore()``.
///
/// ```swift
/// let books = ListModel<Book>(server, "/books", paging: .link) {
///   $0.keeping = ListKeeping(in: store)
/// }
/// await books.restore().outcome
/// books.refresh()
/// ```
///
/// What is kept are the answers of the server, not the items: they are read again, and where the list goes
/// on is worked out anew. So it is dropped where the type or the table of the items, the paging or
/// ``version`` is another one. Edits are not kept.
///
/// A page that the server forbids to store (`Cache-Control: no-store`) is not kept, and the kept list
/// ends before it. So it does before a page that ``Paging/automatic`` had to try ways for, and before a
/// status that means the end, which is asked for once more.
///
/// One list at a time should be kept under one name. A server with credentials or cookies of its own
/// needs a ``Server/Configuration/cachePartition``: without it nothing is kept, as nobody could say whose
/// it is.
public struct ListKeeping: Sendable {
  /// Where it is kept; usually the store of the server's cache.
  public var store: any CacheStore
  /// What it is kept under. Without a name it is made of what is asked: the address with its parameters,
  /// the method, the fields, the body and the paging. Give one where ``ListModel/prepare(_:)`` adds what
  /// differs each time.
  public var name: String?
  /// Raise it when what is kept is of no use any more.
  public var version: Int

  /// Keeps a list.
  public init(in store: any CacheStore, as name: String? = nil, version: Int = 0) {
    self.store = store
    self.name = name
    self.version = version
  }
}
