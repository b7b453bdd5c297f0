internal import ItemMapping
internal import ServerAPI
internal import Support

/// The coding of the parts of a paging.
extension CountedPages {
  func write(to writer: inout ByteWriter) {
    writer.write(size) { $0.write($1) }
    writer.write(firstSize) { $0.write($1) }
    writer.write(sizeParameter) { $1.write(to: &$0) }
    writer.write(ends) { $1.write(to: &$0) }
  }

  init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    self.init(
      size: try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.size() },
      firstSize: try reader.optional { reader throws(ByteReader.InvalidBytes) in
        try reader.size()
      },
      sizeParameter: try reader.optional { reader throws(ByteReader.InvalidBytes) in
        try RequestLocation(&reader)
      },
      ends: try reader.array { reader throws(ByteReader.InvalidBytes) in try EndRule(&reader) })
  }
}

extension PageAddresses {
  func write(to writer: inout ByteWriter) {
    writer.write(keeping) { $0.write($1) }
    writer.write(base?.description) { $0.write($1) }
  }

  init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    keeping = try reader.array { reader throws(ByteReader.InvalidBytes) in try reader.text() }
    base = try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.url() }
  }
}

extension EndRule {
  func write(to writer: inout ByteWriter) {
    func write(_ kind: Int, _ place: ResponseLocation) {
      writer.write(kind)
      place.write(to: &writer)
    }
    switch self {
    case .shortPage: writer.write(0)
    case .emptyPage: writer.write(1)
    case .total(let place): write(2, place)
    case .pageCount(let place): write(3, place)
    case .lastPage(let place): write(4, place)
    case .hasNext(let place): write(5, place)
    case .isLast(let place): write(6, place)
    case .nextPage(let place): write(7, place)
    case .page(let number):
      writer.write(8)
      writer.write(number)
    case .status(let status):
      writer.write(9)
      writer.write(status)
    case .repeatedCursor: writer.write(10)
    case .cursor(let cursor):
      writer.write(11)
      writer.write(cursor.text())
    }
  }

  init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    switch try reader.number() {
    case 0: self = .shortPage
    case 1: self = .emptyPage
    case 2: self = .total(try ResponseLocation(&reader))
    case 3: self = .pageCount(try ResponseLocation(&reader))
    case 4: self = .lastPage(try ResponseLocation(&reader))
    case 5: self = .hasNext(try ResponseLocation(&reader))
    case 6: self = .isLast(try ResponseLocation(&reader))
    case 7: self = .nextPage(try ResponseLocation(&reader))
    case 8: self = .page(try reader.number())
    case 9: self = .status(try reader.number())
    case 10: self = .repeatedCursor
    case 11: self = .cursor(try reader.json())
    default: throw ByteReader.InvalidBytes()
    }
  }
}

extension ResponseLocation {
  func write(to writer: inout ByteWriter) {
    let (kind, name, path): (Int, String, JSONPath) =
      switch self {
      case .body(let path): (0, "", path)
      case .header(let name): (1, name, .root)
      case .headerJSON(let name, let path): (2, name, path)
      case .relation(let name, let path): (3, name, path)
      }
    writer.write(kind)
    writer.write(name)
    writer.write(path.description)
  }

  init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    let (kind, name, path) = (try reader.number(), try reader.text(), try reader.path())
    switch kind {
    case 0: self = .body(path)
    case 1: self = .header(name)
    case 2: self = .headerJSON(name, at: path)
    case 3: self = .relation(name, in: path)
    default: throw ByteReader.InvalidBytes()
    }
  }
}

extension RequestLocation {
  func write(to writer: inout ByteWriter) {
    let (kind, text): (Int, String) =
      switch self {
      case .query(let name): (0, name)
      case .members: (1, "")
      case .header(let name): (2, name)
      case .path(let name): (3, name)
      case .body(let path): (4, path.description)
      case .form(let name): (5, name)
      }
    writer.write(kind)
    writer.write(text)
  }

  init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    let kind = try reader.number()
    if kind == 4 {
      self = .body(try reader.path())
      return
    }
    let name = try reader.text()
    switch kind {
    case 0: self = .query(name)
    case 1: self = .members
    case 2: self = .header(name)
    case 3: self = .path(name)
    case 5: self = .form(name)
    default: throw ByteReader.InvalidBytes()
    }
  }
}
