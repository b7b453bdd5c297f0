internal import ListReading
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// As one value of bytes.
extension ListDigest: Codable {
  private static let format = 1

  /// Encodes the digest as data.
  public func encode(to encoder: any Encoder) throws {
    var writer = ByteWriter()
    writer.write(Self.format)
    consistency.write(to: &writer)
    writer.write(isWholeList)
    writer.write(Array(0..<rows.count)) { writer, index in
      writer.write(rows.packedID(at: index))
      writer.write(mark: rows[markOf: index])
    }
    var container = encoder.singleValueContainer()
    try container.encode(Data(writer.bytes))
  }

  /// Decodes a digest. Throws if the data is damaged, or was written by another version.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    var reader = ByteReader(Array(try container.decode(Data.self)))
    do {
      guard try reader.number() == Self.format else { throw ByteReader.InvalidBytes() }
      let consistency = try Consistency(&reader)
      let isWholeList = try reader.flag()
      let rows = try reader.array { reader throws(ByteReader.InvalidBytes) in
        (id: try reader.packedID(), mark: try reader.mark())
      }
      guard reader.isAtEnd else { throw ByteReader.InvalidBytes() }
      self.init([], consistency, isWholeList: isWholeList)
      for row in rows { _ = self.rows.insert(row.id, mark: row.mark, round: 1) }
    } catch {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "the digest is damaged, or was written by another version of Quire; make a new one")
    }
  }
}
