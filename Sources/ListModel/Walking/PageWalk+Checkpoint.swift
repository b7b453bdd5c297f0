internal import ItemMapping
internal import ServerAPI
internal import Support

extension PageWalk {
  /// Where a ``PageWalk`` stands, to go on from there later.
  ///
  /// It may hold what the server put into its cursors and links, so keep it as safe as an answer.
  public struct Checkpoint: Hashable, Sendable {
    /// The page that is next; `nil` where it has yet to be found out how to ask for it.
    var key: PageKey?
    var itemsPath: JSONPath?
    var idPath: JSONPath?
    /// Where the first page came from.
    var home: WebURL.Origin?
    var total: Int?
    var pageCount: Int?
    var pages = 0
    var loss: Loss?
    var count = Count()
    /// Whether the paging was recognized, which has to be done again.
    var isRecognized = false
    /// How many rows of the page were had before. They don't come again.
    public var rowsToSkip = 0

    /// Rows that went and could not be found again.
    struct Loss: Hashable, Sendable {
      enum Unit: Int { case rows, pages }

      /// What there are fewer of.
      var unit: Unit
      var before: Int
      var now: Int

      init(of unit: Unit, before: Int, now: Int) {
        (self.unit, self.before, self.now) = (unit, before, now)
      }

      var error: PagingError {
        .wrongFact(
          "the number of all \(unit)", expected: "\(before) as before, or no row may be missing",
          found: "\(now)")
      }
    }

    /// How many rows there should be, and how many came.
    struct Count: Hashable, Sendable {
      /// The rows of all pages, those that had come before among them.
      var came = 0
      /// The lowest number of rows that the server ever said there are.
      var least: Int?

      /// What is wrong at the end of the list. A row that goes or comes meanwhile is no reason.
      var error: PagingError? {
        guard let least, came < least else { return nil }
        return .wrongFact(
          "the number of all rows", expected: "at most \(came), as no more came", found: "\(least)")
      }
    }

    init(key: PageKey) { self.key = key }

    /// A page has come.
    mutating func take(_ facts: PageFacts, rows: Int) {
      total = facts.total ?? total
      pageCount = facts.pageCount ?? pageCount
      pages += 1
      count.came += rows
      if let total = facts.total { count.least = min(count.least ?? total, total) }
    }
  }
}

extension PageWalk.Checkpoint {
  /// Another number is another format.
  private static let format = 3

  /// The mark in letters and digits.
  public var text: String {
    var writer = ByteWriter()
    writer.write(Self.format)
    writer.write(key?.bytes) { $0.write($1) }
    writer.write(itemsPath?.description) { $0.write($1) }
    writer.write(idPath?.description) { $0.write($1) }
    writer.write(home?.description) { $0.write($1) }
    writer.write(total) { $0.write($1) }
    writer.write(pageCount) { $0.write($1) }
    writer.write(pages)
    writer.write(loss) { writer, loss in
      writer.write(loss.unit.rawValue)
      writer.write(loss.before)
      writer.write(loss.now)
    }
    writer.write(count.came)
    writer.write(count.least) { $0.write($1) }
    writer.write(isRecognized)
    writer.write(rowsToSkip)
    return writer.bytes.reduce(into: "") { text, byte in
      text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
  }

  /// Reads ``text``; `nil` where it is something else.
  public init?(text: String) {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    let bytes = stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
    do throws(ByteReader.Broken) {
      try self.init(bytes)
    } catch {
      return nil
    }
  }

  private init(_ bytes: [UInt8]) throws(ByteReader.Broken) {
    var reader = ByteReader(bytes)
    guard try reader.number() == Self.format else { throw ByteReader.Broken() }
    let key = try reader.optional { reader throws(ByteReader.Broken) in try reader.content() }
    self.key = try key.map { bytes throws(ByteReader.Broken) in try PageKey(bytes) }
    itemsPath = try reader.optional { reader throws(ByteReader.Broken) in try reader.path() }
    idPath = try reader.optional { reader throws(ByteReader.Broken) in try reader.path() }
    home = try reader.optional { reader throws(ByteReader.Broken) in try reader.url().origin }
    total = try reader.optional { reader throws(ByteReader.Broken) in try reader.number() }
    pageCount = try reader.optional { reader throws(ByteReader.Broken) in try reader.number() }
    pages = try reader.number()
    loss = try reader.optional { reader throws(ByteReader.Broken) in
      guard let unit = Loss.Unit(rawValue: try reader.number()) else { throw ByteReader.Broken() }
      return Loss(of: unit, before: try reader.number(), now: try reader.number())
    }
    count.came = try reader.number()
    count.least = try reader.optional { reader throws(ByteReader.Broken) in try reader.number() }
    isRecognized = try reader.flag()
    rowsToSkip = try reader.number()
    guard reader.isAtEnd, pages >= 0, rowsToSkip >= 0 else { throw ByteReader.Broken() }
  }
}

extension ByteReader {
  fileprivate mutating func path() throws(Broken) -> JSONPath {
    let text = try text()
    do throws(JSONPath.ParsingError) {
      return try JSONPath(parsing: text)
    } catch {
      throw Broken()
    }
  }
}
