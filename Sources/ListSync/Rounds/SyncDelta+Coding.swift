internal import ItemMapping
internal import ListReading
internal import Support

extension SyncDelta {
  func write(to writer: inout ByteWriter) {
    switch self {
    case .begin(let date, let stamps):
      writer.write(0)
      writer.write(date)
      writer.write(stamps) { $1.write(to: &$0) }
    case .page(let page):
      writer.write(1)
      page.write(to: &writer)
    case .seal(let seal):
      writer.write(2)
      seal.write(to: &writer)
    case .remove(let indices):
      writer.write(3)
      writer.write(rising: indices)
    case .end(let date):
      writer.write(4)
      writer.write(date)
    }
  }

  init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    switch try reader.number() {
    case 0:
      let date = try reader.double()
      self = .begin(
        at: date, try reader.optional { reader throws(ByteReader.InvalidBytes) in try RoundStamps(&reader) })
    case 1: self = .page(try Page(&reader))
    case 2: self = .seal(try Seal(&reader))
    case 3: self = .remove(try reader.rising())
    case 4: self = .end(at: try reader.double())
    default: throw ByteReader.InvalidBytes()
    }
  }
}

extension SyncDelta.Page {
  fileprivate func write(to writer: inout ByteWriter) {
    writer.write(rising: seen)
    writer.write(updated) { $1.write(to: &$0) }
    writer.write(returned) { $1.write(to: &$0) }
    writer.write(rising: left)
    writer.write(inserted) { writer, row in
      writer.write(row.id)
      writer.write(mark: row.mark)
    }
    writer.write(unreadable)
    writer.write(checkpoint) { $0.write($1) }
    writer.write(idPath?.description) { $0.write($1) }
    writer.write(requests)
    writer.write(stamps) { $1.write(to: &$0) }
  }

  fileprivate init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    seen = try reader.rising()
    updated = try reader.array { reader throws(ByteReader.InvalidBytes) in try SyncDelta.Marked(&reader) }
    returned = try reader.array { reader throws(ByteReader.InvalidBytes) in try SyncDelta.Marked(&reader) }
    left = try reader.rising()
    inserted = try reader.array { reader throws(ByteReader.InvalidBytes) in
      SyncDelta.New(id: try reader.packedID(), mark: try reader.mark())
    }
    unreadable = try reader.number()
    checkpoint = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.text() }
    idPath = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.path() }
    requests = try reader.number()
    stamps = try reader.optional { reader throws(ByteReader.InvalidBytes) in try RoundStamps(&reader) }
  }
}

extension SyncDelta.Marked {
  fileprivate func write(to writer: inout ByteWriter) {
    writer.write(index)
    writer.write(mark: mark)
  }

  fileprivate init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    (index, mark) = (try reader.index(), try reader.mark())
  }
}

extension SyncDelta.Seal {
  func write(to writer: inout ByteWriter) {
    consistency.write(to: &writer)
    writer.write(problem) { $0.write($1) }
    writer.write(version) { $0.write($1) }
    writer.write(isSameVersion)
    writer.write(isFull)
    for number in [requests, deletes, heldBack] { writer.write(number) }
    writer.write(reason) { $1.write(to: &$0) }
    writer.write(watermark) { $1.write(to: &$0) }
    writer.write(watermarkProblem) { $0.write($1) }
  }

  init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    consistency = try Consistency(&reader)
    problem = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.text() }
    version = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.text() }
    (isSameVersion, isFull) = (try reader.flag(), try reader.flag())
    (requests, deletes, heldBack) = (try reader.number(), try reader.number(), try reader.number())
    reason = try reader.optional { reader throws(ByteReader.InvalidBytes) in try HeldBackReason(&reader) }
    watermark = try reader.optional { reader throws(ByteReader.InvalidBytes) in try Watermark(&reader) }
    watermarkProblem = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.text() }
  }
}

extension HeldBackReason {
  fileprivate func write(to writer: inout ByteWriter) {
    switch self {
    case .unproven(let claim):
      writer.write(0)
      claim.write(to: &writer)
    case .incomplete: writer.write(1)
    case .aboveLimit(let limit):
      writer.write(2)
      writer.write(limit)
    case .unreadable(let count):
      writer.write(3)
      writer.write(count)
    }
  }

  fileprivate init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    switch try reader.number() {
    case 0: self = .unproven(try Consistency.Claim(&reader))
    case 1: self = .incomplete
    case 2: self = .aboveLimit(try reader.number())
    case 3: self = .unreadable(try reader.number())
    default: throw ByteReader.InvalidBytes()
    }
  }
}
