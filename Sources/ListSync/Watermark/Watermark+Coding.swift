internal import Support

extension Watermark {
  func write(to writer: inout ByteWriter) {
    writer.write(mark: plan)
    writer.write(mark) { $1.write(to: &$0) }
    writer.write(highest?.text) { $0.write($1) }
    writer.write(lateness) { $0.write($1) }
    writer.write(roundsSinceFull)
    writer.write(needsFull)
  }

  init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    self.init(plan: try reader.mark())
    mark = try reader.optional { reader throws(ByteReader.InvalidBytes) in try Mark(&reader) }
    highest = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.stamp() }
    lateness = try reader.array { reader throws(ByteReader.InvalidBytes) in try reader.double() }
    roundsSinceFull = try reader.index()
    needsFull = try reader.flag()
  }
}

extension Watermark.Mark {
  fileprivate func write(to writer: inout ByteWriter) {
    writer.write(stamp.text)
    writer.write(floor.text)
  }

  fileprivate init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    self.init(try reader.stamp(), floor: try reader.stamp())
  }
}

extension RoundStamps {
  func write(to writer: inout ByteWriter) {
    writer.write(mark: plan)
    for flag in [isSorted, isShort, isWitnessed, hasFall, hasRise] { writer.write(flag) }
    writer.write(border) { writer, border in
      border.mark.write(to: &writer)
      writer.write(border.overlap)
    }
    for number in [now, overlap, lateness] { writer.write(number) }
    for text in [problem, detour, last?.text, top?.text] { writer.write(text) { $0.write($1) } }
    for number in [pages, late, missed] { writer.write(number) }
    writer.write(highestRows) { $0.write($1.text) }
  }

  init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    let plan = try reader.mark()
    let (isSorted, isShort) = (try reader.flag(), try reader.flag())
    let (isWitnessed, hasFall, hasRise) = (try reader.flag(), try reader.flag(), try reader.flag())
    let border = try reader.optional { reader throws(ByteReader.InvalidBytes) in
      Watermark.Border(mark: try Watermark.Mark(&reader), overlap: try reader.double())
    }
    self.init(plan: plan, isSorted: isSorted, isShort: isShort, border: border, now: try reader.double())
    (overlap, lateness) = (try reader.double(), try reader.double())
    problem = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.text() }
    detour = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.text() }
    last = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.stamp() }
    top = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.stamp() }
    (pages, late, missed) = (try reader.index(), try reader.index(), try reader.index())
    highestRows = try reader.array { reader throws(ByteReader.InvalidBytes) in try reader.stamp() }
    (self.isWitnessed, self.hasFall, self.hasRise) = (isWitnessed, hasFall, hasRise)
  }
}

extension ByteReader {
  fileprivate mutating func stamp() throws(InvalidBytes) -> Stamp {
    guard let stamp = Stamp(try text()) else { throw InvalidBytes() }
    return stamp
  }
}
