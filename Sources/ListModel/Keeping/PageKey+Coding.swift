internal import ItemMapping
internal import ServerAPI
internal import Support

/// The coding of a key for a kept page. It includes what earlier pages showed of the page size.
extension PageKey {
  /// The encoded key; `nil` for a trial, which only makes sense next to the page before it.
  var bytes: [UInt8]? {
    var writer = ByteWriter()
    switch place {
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
    case .trial: return nil
    }
    writer.write(size) { $0.write($1) }
    writer.write(full) { $0.write($1) }
    writer.write(isForeign)
    return writer.bytes
  }

  init(_ bytes: [UInt8]) throws(ByteReader.InvalidBytes) {
    var reader = ByteReader(bytes)
    let place: Place
    switch try reader.number() {
    case 0: place = .start
    case 1: place = .number(try reader.number())
    case 2: place = .offset(try reader.number())
    case 3: place = .after(try reader.json())
    case 4: place = .before(try reader.json())
    case 5: place = .url(try reader.url())
    default: throw ByteReader.InvalidBytes()
    }
    self.init(place)
    size = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.number() }
    full = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.number() }
    isForeign = try reader.flag()
    guard reader.isAtEnd else { throw ByteReader.InvalidBytes() }
  }
}

extension ByteReader {
  fileprivate mutating func json() throws(InvalidBytes) -> JSONAny {
    let text = try text()
    do throws(JSONError) {
      return JSONAny(try JSONDocument(text).root, keepingDigits: true)
    } catch {
      throw InvalidBytes()
    }
  }

  mutating func url() throws(InvalidBytes) -> WebURL {
    let text = try text()
    do throws(RequestError) {
      return try WebURL(text)
    } catch {
      throw InvalidBytes()
    }
  }
}
