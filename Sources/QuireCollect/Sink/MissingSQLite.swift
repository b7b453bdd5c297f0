#if !SQLITE
  /// A database of SQLite that rows are collected into. This build has no SQLite.
  public final class SQLiteSink: RowSink {
    /// The file.
    public let path: String

    /// Throws, since Quire was built without SQLite.
    public init(_ path: String, survivesPowerLoss: Bool = false) throws(CollectError) {
      self.path = path
      throw .database("\(path): Quire was built without SQLite; build it with the trait SQLite")
    }

    /// Does nothing.
    public func open(_ list: CollectList) -> StoredList? { nil }

    /// Does nothing.
    public func store(_ batch: inout CollectBatch) {}

    /// Does nothing.
    public func replaceRecords(of list: CollectList, by records: [[UInt8]]) {}
  }
#endif
