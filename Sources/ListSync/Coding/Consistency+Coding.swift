internal import ItemMapping
internal import ListReading
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension Consistency {
  /// Writes the claim with its assumptions and moments. The seams are not kept.
  func write(to writer: inout ByteWriter) {
    claim.write(to: &writer)
    writer.write(assumptions.map(\.rawValue).sorted()) { $0.write($1) }
    writer.write(checks)
    writer.write(moments) { writer, moments in
      writer.write(moments.lowerBound.timeIntervalSince1970)
      writer.write(moments.upperBound.timeIntervalSince1970)
    }
  }

  init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    let claim = try Claim(&reader)
    let words = try reader.array { reader throws(ByteReader.InvalidBytes) in try reader.text() }
    let checks = try reader.number()
    let moments = try reader.optional { reader throws(ByteReader.InvalidBytes) in
      let (start, end) = (try reader.double(), try reader.double())
      guard start <= end else { throw ByteReader.InvalidBytes() }
      return Date(timeIntervalSince1970: start)...Date(timeIntervalSince1970: end)
    }
    let assumptions = Set(words.compactMap(ListAssumption.init))
    guard assumptions.count == words.count else { throw ByteReader.InvalidBytes() }
    self.init(claim, on: assumptions, checks: checks, moments: moments)
  }
}

extension Consistency.Claim {
  func write(to writer: inout ByteWriter) {
    switch self {
    case .mayLack(let bound):
      writer.write(0)
      writer.write(bound) { $0.write($1) }
    case .unproven: writer.write(1)
    case .whole: writer.write(2)
    case .exact: writer.write(3)
    }
  }

  init(_ reader: inout ByteReader) throws(ByteReader.InvalidBytes) {
    switch try reader.number() {
    case 0:
      self = .mayLack(
        atMost: try reader.optional { reader throws(ByteReader.InvalidBytes) in try reader.number() })
    case 1: self = .unproven
    case 2: self = .whole
    case 3: self = .exact
    default: throw ByteReader.InvalidBytes()
    }
  }
}

extension ByteWriter {
  /// Writes rising indices by their distances, which mostly take a byte each.
  mutating func write(rising indices: [Int]) {
    var last = 0
    write(indices.count)
    for index in indices {
      write(index - last)
      last = index
    }
  }

  mutating func write(mark: UInt64) {
    write(Int(mark >> 32))
    write(Int(mark & 0xFFFF_FFFF))
  }
}

extension ByteReader {
  mutating func rising() throws(InvalidBytes) -> [Int] {
    var last = 0
    return try array { reader throws(InvalidBytes) in
      last += try reader.number()
      guard last >= 0, last < 1 << 32 else { throw InvalidBytes() }
      return last
    }
  }

  mutating func index() throws(InvalidBytes) -> Int {
    let index = try number()
    guard index >= 0 else { throw InvalidBytes() }
    return index
  }

  mutating func mark() throws(InvalidBytes) -> UInt64 {
    let (high, low) = (try number(), try number())
    guard high >= 0, low >= 0, high < 1 << 32, low < 1 << 32 else { throw InvalidBytes() }
    return UInt64(high) << 32 | UInt64(low)
  }

  mutating func packedID() throws(InvalidBytes) -> [UInt8] {
    let bytes = try content()
    let count = bytes.withUnsafeBufferPointer { PackedID.read($0)?.count }
    guard count == bytes.count else { throw InvalidBytes() }
    return bytes
  }

  mutating func path() throws(InvalidBytes) -> JSONPath {
    let text = try text()
    do throws(JSONPath.ParsingError) { return try JSONPath(parsing: text) } catch { throw InvalidBytes() }
  }
}
