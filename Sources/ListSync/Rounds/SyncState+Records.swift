internal import ItemMapping
internal import ListReading
internal import Support

// MARK: - Records

extension SyncState {
  private static let format = 2
  private static let rowsOfRecord = 1_024

  private enum Kind: Int {
    case steps, facts, rows
  }

  /// Returns the record of steps.
  static func record(of steps: [SyncDelta]) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(format)
    writer.write(Kind.steps.rawValue)
    writer.write(steps) { $1.write(to: &$0) }
    return writer.bytes
  }

  /// Returns records that have the whole state. Forgets the rows that are gone, so use this state from now on.
  public mutating func records() -> some Sequence<[UInt8]> {
    dropGone()
    let state = self
    let chunks = (state.rows.count + Self.rowsOfRecord - 1) / Self.rowsOfRecord
    return (0...chunks).lazy.map { number in
      number == 0 ? state.factsRecord : state.rowsRecord((number - 1) * Self.rowsOfRecord)
    }
  }

  /// Creates a state from all its records, in order.
  public init(records: some Sequence<[UInt8]>) throws(SyncError) {
    self.init()
    var count = 0
    for record in records {
      count += 1
      do throws(SyncError) { try add(record) } catch {
        if case .damagedRecord = error { throw .damagedRecord(count) }
        throw error
      }
    }
    guard isComplete else { throw .damagedRecord(count + 1) }
  }

  /// Whether no record is missing that an earlier one announced.
  public var isComplete: Bool { rows.count >= announced }

  /// Adds the next record.
  public mutating func add(_ record: [UInt8]) throws(SyncError) {
    do {
      var reader = ByteReader(record)
      guard try reader.number() == Self.format else { throw SyncError.otherFormat }
      switch Kind(rawValue: try reader.number()) {
      case .steps:
        guard isComplete else { throw ByteReader.InvalidBytes() }
        let steps = try reader.array { reader throws(ByteReader.InvalidBytes) in try SyncDelta(&reader) }
        for step in steps { try apply(step) }
      case .facts: try readFacts(&reader)
      case .rows: try readRows(&reader)
      case nil: throw ByteReader.InvalidBytes()
      }
      guard reader.isAtEnd else { throw ByteReader.InvalidBytes() }
    } catch let error as SyncError {
      throw error
    } catch {
      throw .damagedRecord(1)
    }
  }

  /// Returns the steps of a record. Throws if it is no record of steps.
  static func steps(of record: [UInt8]) throws(ByteReader.InvalidBytes) -> [SyncDelta] {
    var reader = ByteReader(record)
    guard try reader.number() == format, try reader.number() == Kind.steps.rawValue else {
      throw ByteReader.InvalidBytes()
    }
    return try reader.array { reader throws(ByteReader.InvalidBytes) in try SyncDelta(&reader) }
  }

  private var factsRecord: [UInt8] {
    var writer = ByteWriter()
    writer.write(Self.format)
    writer.write(Kind.facts.rawValue)
    writer.write(rows.count)
    writer.write(round)
    writer.write(idPath?.description) { $0.write($1) }
    writer.write(version) { $0.write($1) }
    writer.write(lastEnd) { $0.write($1) }
    writer.write(watermark) { $1.write(to: &$0) }
    switch phase {
    case .idle: writer.write(0)
    case .reading(let progress, let checkpoint):
      writer.write(1)
      progress.write(to: &writer)
      writer.write(checkpoint) { $0.write($1) }
    case .deleting(let progress, let seal):
      writer.write(2)
      progress.write(to: &writer)
      seal.write(to: &writer)
    }
    return writer.bytes
  }

  private mutating func readFacts(_ reader: inout ByteReader) throws {
    self = SyncState()
    announced = try reader.index()
    round = try reader.index()
    idPath = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.path() }
    version = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.text() }
    lastEnd = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.double() }
    watermark = try reader.optional { reader throws(ByteReader.InvalidBytes) in try Watermark(&reader) }
    switch try reader.number() {
    case 0: phase = .idle
    case 1:
      let progress = try Progress(&reader)
      phase = .reading(
        progress,
        checkpoint: try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.text() })
    case 2: phase = .deleting(try Progress(&reader), try SyncDelta.Seal(&reader))
    default: throw ByteReader.InvalidBytes()
    }
  }

  private func rowsRecord(_ start: Int) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(Self.format)
    writer.write(Kind.rows.rawValue)
    writer.write(start)
    writer.write(Array(start..<min(rows.count, start + Self.rowsOfRecord))) { writer, index in
      writer.write(rows.packedID(at: index))
      writer.write(mark: rows[markOf: index])
      writer.write(round - rows[roundOf: index])
    }
    return writer.bytes
  }

  private mutating func readRows(_ reader: inout ByteReader) throws {
    guard try reader.number() == rows.count, !isComplete else { throw ByteReader.InvalidBytes() }
    let read = try reader.array { reader throws(ByteReader.InvalidBytes) in
      (id: try reader.packedID(), mark: try reader.mark(), age: try reader.index())
    }
    for row in read {
      guard row.age < round, rows.insert(row.id, mark: row.mark, round: round - row.age).isNew else {
        throw ByteReader.InvalidBytes()
      }
      kinds[Int(row.id[0])] += 1
      if row.mark != RowTable.noMark { rowCount += 1 }
    }
    // Later steps may forget rows.
    if isComplete { announced = 0 }
  }
}

extension SyncState.Progress {
  fileprivate func write(to writer: inout ByteWriter) {
    writer.write(begin)
    writer.write(clockStep)
    for number in [pages, requests, seen, inserted, returned, updated, left, deleted, unreadable] {
      writer.write(number)
    }
    writer.write(stamps) { $1.write(to: &$0) }
  }

  fileprivate init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    (begin, clockStep) = (try reader.double(), try reader.double())
    (pages, requests, seen) = (try reader.number(), try reader.number(), try reader.number())
    (inserted, returned, updated) = (try reader.number(), try reader.number(), try reader.number())
    (left, deleted, unreadable) = (try reader.number(), try reader.number(), try reader.number())
    stamps = try reader.optional { reader throws(ByteReader.InvalidBytes) in try RoundStamps(&reader) }
  }
}
