internal import ItemMapping
package import ServerAPI
package import Support

/// The coding of a key for a kept page. It includes what earlier pages showed of the page size.
extension PageKey {
  /// The encoded key; `nil` for a trial, which only makes sense next to the page before it.
  package var bytes: [UInt8]? {
    var writer = ByteWriter()
    guard place.write(to: &writer) else { return nil }
    writer.write(size) { $0.write($1) }
    writer.write(full) { $1.write(to: &$0) }
    writer.write(isForeign)
    writer.write(doubt) { $1.write(to: &$0) }
    // Enough to step back over one page; a checkpoint is written for each page.
    let earlier = earlier.prefix(6).filter {
      if case .trial = $0.place { false } else { true }
    }
    writer.write(earlier.count)
    for start in earlier {
      _ = start.place.write(to: &writer)
      writer.write(start.rows)
    }
    return writer.bytes
  }

  package init(_ bytes: [UInt8]) throws(ByteReader.InvalidBytes) {
    var reader = ByteReader(bytes)
    self.init(try Place(&reader))
    size = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.number() }
    full = try reader.optional { reader throws(ByteReader.InvalidBytes) in try FullSize(&reader) }
    isForeign = try reader.flag()
    doubt = try reader.optional { reader throws(ByteReader.InvalidBytes) in
      try EndDoubt(&reader)
    }
    let count = try reader.number()
    guard (0...100).contains(count) else { throw ByteReader.InvalidBytes() }
    for _ in 0..<count {
      let place = try Place(&reader)
      let rows = try reader.number()
      guard rows >= 0 else { throw ByteReader.InvalidBytes() }
      earlier.append(Earlier(place: place, rows: rows))
    }
    guard reader.isAtEnd else { throw ByteReader.InvalidBytes() }
  }
}

extension FullSize {
  fileprivate func write(to writer: inout ByteWriter) {
    writer.write(rows)
    writer.write(grounds.rawValue)
  }

  fileprivate init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    rows = try reader.number()
    guard let grounds = Grounds(rawValue: try reader.number()) else {
      throw ByteReader.InvalidBytes()
    }
    self.grounds = grounds
  }
}

extension EndDoubt {
  fileprivate func write(to writer: inout ByteWriter) {
    switch self {
    case .unconfirmed: writer.write("")
    case .contradicted(let reason): writer.write(reason)
    }
  }

  fileprivate init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    let reason = try reader.text()
    self = reason.isEmpty ? .unconfirmed : .contradicted(reason)
  }
}

extension PageKey.Place {
  /// Writes the place; `false` for a trial.
  fileprivate func write(to writer: inout ByteWriter) -> Bool {
    switch self {
    case .start: writer.write(0)
    case .number(let number):
      writer.write(1)
      writer.write(number)
    case .offset(let offset):
      writer.write(2)
      writer.write(offset)
    case .after(let cursor):
      writer.write(3)
      writer.write(cursor.text())
    case .before(let cursor):
      writer.write(4)
      writer.write(cursor.text())
    case .url(let url):
      writer.write(5)
      writer.write(url.description)
    case .trial: return false
    }
    return true
  }

  fileprivate init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    switch try reader.number() {
    case 0: self = .start
    case 1: self = .number(try reader.number())
    case 2: self = .offset(try reader.number())
    case 3: self = .after(try reader.json())
    case 4: self = .before(try reader.json())
    case 5: self = .url(try reader.url())
    default: throw ByteReader.InvalidBytes()
    }
  }
}

extension ByteReader {
  mutating func json() throws(InvalidBytes) -> JSONAny {
    let text = try text()
    do throws(JSONError) {
      return JSONAny(try JSONDocument(text).root, keepingDigits: true)
    } catch {
      throw InvalidBytes()
    }
  }

  package mutating func url() throws(InvalidBytes) -> WebURL {
    let text = try text()
    do throws(RequestError) {
      return try WebURL(text)
    } catch {
      throw InvalidBytes()
    }
  }
}
