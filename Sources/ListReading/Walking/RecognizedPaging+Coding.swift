internal import ItemMapping
internal import ServerAPI
internal import Support

/// The coding of a recognized paging for a checkpoint.
extension RecognizedPaging {
  /// The encoded paging; `nil` for one that has code of the program.
  var bytes: [UInt8]? {
    var writer = ByteWriter()
    guard paging.write(to: &writer) else { return nil }
    writer.write(itemsPath.description)
    writer.write(Self.allGrounds.firstIndex(of: grounds) ?? 0)
    writer.write(reason)
    return writer.bytes
  }

  init(_ bytes: [UInt8]) throws(ByteReader.InvalidBytes) {
    var reader = ByteReader(bytes)
    paging = try Paging(&reader)
    itemsPath = try reader.path()
    let index = try reader.number()
    guard Self.allGrounds.indices.contains(index) else { throw ByteReader.InvalidBytes() }
    grounds = Self.allGrounds[index]
    reason = try reader.text()
    guard reader.isAtEnd else { throw ByteReader.InvalidBytes() }
  }

  private static let allGrounds: [Grounds] = [.stated, .inferred, .tried]
}

extension Paging {
  /// Writes the paging; `false` for one that has code of the program or is not recognized yet.
  fileprivate func write(to writer: inout ByteWriter) -> Bool {
    switch way {
    case .single: writer.write(0)
    case .pageNumber(let way):
      writer.write(1)
      way.pages.write(to: &writer)
      writer.write(way.start)
      way.parameter.write(to: &writer)
      writer.write(way.headers) { writer, headers in
        for name in [headers.next, headers.total, headers.pageCount] { writer.write(name) }
      }
    case .offset(let way):
      writer.write(2)
      way.pages.write(to: &writer)
      writer.write(way.limit)
      writer.write(way.start)
      way.parameter.write(to: &writer)
    case .range(let way):
      writer.write(3)
      writer.write(way.unit)
      way.pages.write(to: &writer)
      writer.write(way.size)
    case .cursor(let way):
      writer.write(4)
      way.next.write(to: &writer)
      way.into.write(to: &writer)
      writer.write(way.previous) { $1.write(to: &$0) }
      way.previousInto.write(to: &writer)
      way.pages.write(to: &writer)
      writer.write(way.acceptsEmptyText)
    case .keyset(let way):
      writer.write(5)
      writer.write(way.fields) { $0.write($1.description) }
      writer.write(way.places) { $1.write(to: &$0) }
      writer.write(way.isUnique)
      way.pages.write(to: &writer)
    case .relay(let way):
      writer.write(6)
      writer.write(way.connection.description)
      writer.write(way.size)
      for variables in [way.forward, way.backward] {
        writer.write(variables.cursor)
        writer.write(variables.size)
      }
      writer.write(way.startsAtEnd)
    case .link(let way):
      writer.write(7)
      way.addresses.write(to: &writer)
      writer.write(way.total) { $1.write(to: &$0) }
    case .nextURL(let way):
      writer.write(8)
      way.next.write(to: &writer)
      writer.write(way.previous) { $1.write(to: &$0) }
      writer.write(way.total) { $1.write(to: &$0) }
      way.addresses.write(to: &writer)
    case .custom, .automatic: return false
    }
    return true
  }

  fileprivate init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    switch try reader.number() {
    case 0: self = .single
    case 1:
      let pages = try CountedPages(&reader)
      var way = PageNumberPaging(
        pages: pages, start: try reader.number(), parameter: try RequestLocation(&reader))
      way.headers = try reader.optional { reader throws(ByteReader.InvalidBytes) in
        PageNumberPaging.Headers(
          next: try reader.text(), total: try reader.text(), pageCount: try reader.text())
      }
      self.init(strategy: way)
    case 2:
      let pages = try CountedPages(&reader)
      self.init(
        strategy: OffsetPaging(
          pages: pages, limit: try reader.size(), start: try reader.number(),
          parameter: try RequestLocation(&reader)))
    case 3:
      let unit = try reader.text()
      self.init(
        strategy: RangePaging(
          unit: unit, pages: try CountedPages(&reader), size: try reader.size()))
    case 4:
      self.init(
        strategy: CursorPaging(
          next: try ResponseLocation(&reader), into: try RequestLocation(&reader),
          previous: try reader.optionalLocation(), previousInto: try RequestLocation(&reader),
          pages: try CountedPages(&reader), acceptsEmptyText: try reader.flag()))
    case 5:
      let fields = try reader.array { reader throws(ByteReader.InvalidBytes) in try reader.path() }
      let places = try reader.array { reader throws(ByteReader.InvalidBytes) in
        try RequestLocation(&reader)
      }
      guard !fields.isEmpty, fields.count == places.count else { throw ByteReader.InvalidBytes() }
      self.init(
        strategy: KeysetPaging(
          fields: fields, places: places, isUnique: try reader.flag(),
          pages: try CountedPages(&reader)))
    case 6:
      self.init(
        strategy: RelayPaging(
          connection: try reader.path(), size: try reader.size(),
          forward: .init(cursor: try reader.text(), size: try reader.text()),
          backward: .init(cursor: try reader.text(), size: try reader.text()),
          startsAtEnd: try reader.flag()))
    case 7:
      self.init(
        strategy: LinkPaging(
          addresses: try PageAddresses(&reader), total: try reader.optionalLocation()))
    case 8:
      self.init(
        strategy: NextURLPaging(
          next: try ResponseLocation(&reader), previous: try reader.optionalLocation(),
          total: try reader.optionalLocation(), addresses: try PageAddresses(&reader)))
    default: throw ByteReader.InvalidBytes()
    }
  }
}

extension ByteReader {
  /// Reads a number of rows.
  mutating func size() throws(InvalidBytes) -> Int {
    let number = try number()
    guard number > 0 else { throw InvalidBytes() }
    return number
  }

  fileprivate mutating func optionalLocation() throws(InvalidBytes) -> ResponseLocation? {
    try optional { reader throws(InvalidBytes) in try ResponseLocation(&reader) }
  }
}
