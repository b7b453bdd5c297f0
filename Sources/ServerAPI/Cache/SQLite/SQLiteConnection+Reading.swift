#if SQLITE
  internal import SQLiteFile
  internal import Support

  /// A key as the database stores it.
  struct CacheRowKey: Hashable {
    var digest: [UInt8]
    var partition: String

    init(digest: [UInt8], partition: String) {
      (self.digest, self.partition) = (digest, partition)
    }

    init(_ key: CacheKey, salt: [UInt8]) {
      self.init(digest: CacheFilter.digest(key, salt: salt), partition: key.partition)
    }

    static func == (a: CacheRowKey, b: CacheRowKey) -> Bool {
      a.digest == b.digest && a.partition.hasSameBytes(as: b.partition)
    }

    /// Returns the checksum of a row of this key, as an integer of the database.
    func checksum(
      _ variant: String, head: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer
    ) -> Int {
      var sum = RowChecksum()
      sum.add(digest)
      sum.add(partition)
      sum.add(variant)
      sum.add(head)
      sum.add(body)
      return Int(truncatingIfNeeded: sum.value)
    }
  }

  /// The rows of a key.
  struct FoundRows {
    var entries: [CacheEntry] = []
    /// Rows whose last use is before this minute.
    var outdatedUses: [Int] = []
    /// Damaged rows.
    var broken: [Int] = []
  }

  /// A row without its body.
  struct ListedRow {
    var id: Int
    var rowKey: CacheRowKey
    var space: CacheKey.Space
    var address: String
    var variant: String
    var bytes: Int
    var used: Int
    var head: EntryHead
  }

  extension SQLiteConnection {
    /// Returns the entries of a key for which `isVisible` returns `true`.
    func entries(
      _ key: CacheKey, _ facts: KeyMemo.Facts, minute: Int,
      isVisible: (_ variant: String, _ receivedAt: Double) -> Bool
    ) throws(SQLiteFailure) -> FoundRows {
      let statement = try statement(.entries)
      defer { statement.reset() }
      let rowKey = facts.rowKey
      statement.bind(1, rowKey.digest)
      statement.bind(2, rowKey.partition)
      var found = FoundRows()
      while try statement.step() {
        let (id, variant) = (statement.number(0), statement.text(1))
        guard isVisible(variant, statement.double(2)) else { continue }
        let (head, body) = (statement.bytes(5), statement.bytes(6))
        guard statement.number(4) == rowKey.checksum(variant, head: head, body: body),
          let row = EntryHead(Array(head)),
          let content = row.content(facts.url, body: ResponseBody(body))
        else {
          found.broken.append(id)
          continue
        }
        found.entries.append(CacheEntry(key: key, variant: variant, content: content))
        if statement.number(3) < minute { found.outdatedUses.append(id) }
      }
      return found
    }

    /// Returns the rows that pass a filter, newest first.
    func rows(_ filter: CacheFilter) throws(SQLiteFailure) -> [ListedRow] {
      let statement = try prepare(
        """
        SELECT id, digest, partition, space, address, variant, bytes, used, head FROM entry
        \(filter.condition) ORDER BY received DESC, id DESC
        """)
      filter.bind(to: statement)
      var rows: [ListedRow] = []
      while try statement.step() {
        guard let space = CacheKey.Space(rawValue: statement.text(3)),
          let head = EntryHead(Array(statement.bytes(8)))
        else { continue }
        let rowKey = CacheRowKey(digest: Array(statement.bytes(1)), partition: statement.text(2))
        rows.append(
          ListedRow(
            id: statement.number(0), rowKey: rowKey, space: space, address: statement.text(4),
            variant: statement.text(5), bytes: statement.number(6), used: statement.number(7),
            head: head))
      }
      return rows
    }
  }

  /// A checksum that detects damaged rows. It protects against accidents, not against attacks.
  ///
  /// It feeds eight bytes at a time into each of four independent lanes, which takes far less time than reading
  /// the bytes. Any change of a single word changes the result.
  struct RowChecksum {
    private(set) var value: UInt64 = 0x51_7569_7265

    private static let prime: UInt64 = 0x9E37_79B1_85EB_CA87

    /// Adds a part of the row and its length.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
      var a = value
      var b = value &+ 1
      var c = value &+ 2
      var d = value &+ 3
      var place = 0
      let whole = bytes.count & ~31
      while place < whole {
        a = Self.mix(a, Self.word(bytes, place))
        b = Self.mix(b, Self.word(bytes, place + 8))
        c = Self.mix(c, Self.word(bytes, place + 16))
        d = Self.mix(d, Self.word(bytes, place + 24))
        place += 32
      }
      while place + 8 <= bytes.count {
        a = Self.mix(a, Self.word(bytes, place))
        place += 8
      }
      var rest: UInt64 = 0
      while place < bytes.count {
        rest = rest << 8 | UInt64(bytes[place])
        place += 1
      }
      b = Self.mix(b, rest)
      value = UInt64(bytes.count)
      for lane in [a, b, c, d] { value = Self.mix(value, lane ^ lane >> 32) }
      value ^= value >> 29
    }

    mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

    mutating func add(_ text: String) {
      var text = text
      text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt64 {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
    }

    @inline(__always)
    private static func mix(_ lane: UInt64, _ word: UInt64) -> UInt64 {
      let mixed = (lane ^ word) &* prime
      return mixed << 29 | mixed >> 35
    }
  }
#endif
