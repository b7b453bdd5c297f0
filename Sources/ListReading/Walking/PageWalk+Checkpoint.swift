internal import ItemMapping
internal import ServerAPI
internal import Support

extension PageWalk {
  /// The position of a ``PageWalk``, from which another walk can continue.
  ///
  /// It may contain cursors and links of the server, so protect it like a response.
  public struct Checkpoint: Hashable, Sendable {
    /// The next page; `nil` where it is not known yet how to request it.
    var key: PageKey?
    var itemsPath: JSONPath?
    var idPath: JSONPath?
    /// The origin of the first page.
    var home: WebURL.Origin?
    var pages = 0
    var account = RowAccount()
    var record = ConsistencyRecord()
    /// Whether the paging was recognized.
    var isRecognized = false
    /// The recognized paging; `nil` where it can't be stored, so that it has to be recognized again after resuming.
    var recognized: RecognizedPaging?
    /// Whether the list is being read a second time. After resuming, the second reading starts from the beginning.
    var isConfirming = false
    /// The number of rows of the page that were already delivered. The walk skips them.
    package var rowsToSkip = 0

    init(key: PageKey) { self.key = key }

    /// Whether it is known how to request the next page. Otherwise a walk that continues reads the first page again.
    package var hasPlace: Bool { key != nil }
  }
}

extension PageWalk.Checkpoint {
  /// The version of the format.
  private static let format = 14

  /// The checkpoint in letters and digits.
  public var text: String {
    var writer = ByteWriter()
    writer.write(Self.format)
    writer.write(key?.bytes) { $0.write($1) }
    writer.write(itemsPath?.description) { $0.write($1) }
    writer.write(idPath?.description) { $0.write($1) }
    writer.write(home?.description) { $0.write($1) }
    writer.write(pages)
    account.write(to: &writer)
    record.write(to: &writer)
    writer.write(isRecognized)
    writer.write(recognized?.bytes) { $0.write($1) }
    writer.write(isConfirming)
    writer.write(rowsToSkip)
    return writer.bytes.reduce(into: "") { text, byte in
      text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
  }

  /// Reads ``text``; `nil` where it is not a checkpoint.
  public init?(text: String) {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    let bytes = stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
    do throws(ByteReader.InvalidBytes) {
      try self.init(bytes)
    } catch {
      return nil
    }
  }

  private init(_ bytes: [UInt8]) throws(ByteReader.InvalidBytes) {
    var reader = ByteReader(bytes)
    guard try reader.number() == Self.format else { throw ByteReader.InvalidBytes() }
    let key = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.content() }
    self.key = try key.map { bytes throws(ByteReader.InvalidBytes) in try PageKey(bytes) }
    itemsPath = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.path() }
    idPath = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.path() }
    home = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.url().origin }
    pages = try reader.number()
    account = try RowAccount(&reader)
    record = try ConsistencyRecord(&reader)
    isRecognized = try reader.flag()
    let recognized = try reader.optional { reader throws(ByteReader.InvalidBytes) in
      try reader.content()
    }
    self.recognized = try recognized.map { bytes throws(ByteReader.InvalidBytes) in
      try RecognizedPaging(bytes)
    }
    isConfirming = try reader.flag()
    rowsToSkip = try reader.number()
    guard reader.isAtEnd, pages >= 0, rowsToSkip >= 0 else {
      throw ByteReader.InvalidBytes()
    }
  }
}

extension ByteReader {
  mutating func path() throws(InvalidBytes) -> JSONPath {
    let text = try text()
    do throws(JSONPath.ParsingError) {
      return try JSONPath(parsing: text)
    } catch {
      throw InvalidBytes()
    }
  }
}
