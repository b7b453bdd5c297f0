internal import ServerAPI
internal import Support

/// The record of a kept list: its pages, their order, and the first visible row.
struct ListManifest: Hashable, Sendable {
  /// The version of the format: the first byte of everything that is kept.
  static let format = 4

  /// How the pages were read; see ``ListArchive/signature``.
  var signature: String
  /// Identifies this list among those that were kept under the same name, so that their pages never mix.
  var generation: Int
  /// The places of the pages. The list started with the page at 0; pages before it have negative places.
  var places: ClosedRange<Int>
  /// The number of pages received, including those that were loaded again.
  var arrivals = 1
  var anchor: Anchor?

  /// The first visible row.
  struct Anchor: Hashable, Sendable {
    /// The place of its page.
    var place: Int
    /// Its position among the rows of the page.
    var row: Int
  }
}

extension ListManifest {
  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(Self.format)
    writer.write(signature)
    writer.write(generation)
    writer.write(places.lowerBound)
    writer.write(places.upperBound)
    writer.write(arrivals)
    writer.write(anchor) { writer, anchor in
      writer.write(anchor.place)
      writer.write(anchor.row)
    }
    return writer.bytes
  }

  init(_ bytes: [UInt8]) throws(ByteReader.InvalidBytes) {
    var reader = ByteReader(bytes)
    guard try reader.number() == Self.format else { throw ByteReader.InvalidBytes() }
    signature = try reader.text()
    generation = try reader.number()
    let (low, high) = (try reader.number(), try reader.number())
    guard Self.limit.contains(low), Self.limit.contains(high), low <= high else {
      throw ByteReader.InvalidBytes()
    }
    places = low...high
    arrivals = try reader.number()
    guard (0...Self.most).contains(arrivals) else { throw ByteReader.InvalidBytes() }
    anchor = try reader.optional { reader throws(ByteReader.InvalidBytes) in
      Anchor(place: try reader.number(), row: try reader.number())
    }
    if let anchor, !places.contains(anchor.place) || !(0...Self.most).contains(anchor.row) {
      self.anchor = nil
    }
    guard reader.isAtEnd else { throw ByteReader.InvalidBytes() }
  }

  /// More pages than any list has: broken bytes must not cause a long loop.
  private static var limit: ClosedRange<Int> { -200_000...200_000 }
  private static var most: Int { 1 << 40 }
}
