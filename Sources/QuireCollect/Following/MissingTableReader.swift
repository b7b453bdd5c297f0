#if !SQLITE
  internal import ListReading

  /// Reads no table, since this build has no SQLite.
  actor TableReader<Item> {
    private let name: String

    @MainActor init(_ table: CollectedTable<Item>, _ identity: ItemIdentity<Item>) { name = table.name }

    func look(restarts: Bool) -> sending TableLook<Item> {
      var look = TableLook<Item>()
      look.failure = .reading(name, "Quire was built without SQLite; build it with the trait SQLite")
      return look
    }
  }
#endif
