internal import ItemMapping
internal import Support

/// The version of the whole list that a response carries, where the program declared its place.
struct PageVersion: Hashable, Sendable {
  /// The version; `nil` if the response has none.
  var text: String?

  init(_ value: JSONAny?) {
    guard let value, !value.isNull else { return }
    text = value.string ?? value.text()
  }
}

/// The version of a list in all its responses. If it is the same, these are the rows of one instant.
enum ListVersion: Hashable, Sendable {
  /// The program declared none, or there is no response yet.
  case undeclared
  /// The same in every response.
  case one(String)
  /// Not the same.
  case several
  /// A response has none.
  case missing

  /// Adds that of a response.
  ///
  /// - Parameter isFirst: Whether it is the first response.
  mutating func add(_ version: PageVersion?, isFirst: Bool) {
    guard let text = version?.text else {
      // After a response with a version, one without is not known to have the same.
      if version != nil || self != .undeclared { self = .missing }
      return
    }
    switch self {
    case .undeclared: self = isFirst ? .one(text) : .missing
    case .one(text), .several, .missing: break
    case .one: self = .several
    }
  }

  /// The one version; `nil` where there are none or several.
  var text: String? { if case .one(let text) = self { text } else { nil } }

  /// Whether responses have versions.
  var isSaid: Bool {
    switch self {
    case .one, .several: true
    case .undeclared, .missing: false
    }
  }
}

// MARK: - Checkpoints

extension ListVersion {
  func write(to writer: inout ByteWriter) {
    switch self {
    case .undeclared: writer.write(0)
    case .one(let text):
      writer.write(1)
      writer.write(text)
    case .several: writer.write(2)
    case .missing: writer.write(3)
    }
  }

  init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    switch try reader.number() {
    case 0: self = .undeclared
    case 1: self = .one(try reader.text())
    case 2: self = .several
    case 3: self = .missing
    default: throw ByteReader.InvalidBytes()
    }
  }
}
