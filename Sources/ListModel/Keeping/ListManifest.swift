internal import ServerAPI
internal import Support

/// What a store has of a list: which pages, in which order, and what was in sight.
struct ListManifest: Hashable, Sendable {
  /// The first byte of all that is kept. Another number is another format.
  static let format = 2

  /// What the pages were read as; see ``ListArchive/signature``.
  var signature: String
  /// Names this list among those that were kept here before, so that their pages never mix.
  var generation: Int
  /// The places of the pages. The one the list began with is at 0, those before it are below.
  var places: ClosedRange<Int>
  /// How many pages have come, those that came again included.
  var turns = 1
  var anchor: Anchor?

  /// The row that was in sight first.
  struct Anchor: Hashable, Sendable {
    /// The place of its page.
    var place: Int
    /// Its place among the rows of the page.
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
    writer.write(turns)
    writer.write(anchor) { writer, anchor in
      writer.write(anchor.place)
      writer.write(anchor.row)
    }
    return writer.bytes
  }

  init(_ bytes: [UInt8]) throws(ByteReader.Broken) {
    var reader = ByteReader(bytes)
    guard try reader.number() == Self.format else { throw ByteReader.Broken() }
    signature = try reader.text()
    generation = try reader.number()
    let (low, high) = (try reader.number(), try reader.number())
    guard Self.limit.contains(low), Self.limit.contains(high), low <= high else {
      throw ByteReader.Broken()
    }
    places = low...high
    turns = try reader.number()
    guard (0...Self.most).contains(turns) else { throw ByteReader.Broken() }
    anchor = try reader.optional { reader throws(ByteReader.Broken) in
      Anchor(place: try reader.number(), row: try reader.number())
    }
    if let anchor, !places.contains(anchor.place) || !(0...Self.most).contains(anchor.row) {
      self.anchor = nil
    }
    guard reader.isAtEnd else { throw ByteReader.Broken() }
  }

  /// More pages than any list has: broken bytes must not keep anybody busy.
  private static var limit: ClosedRange<Int> { -200_000...200_000 }
  private static var most: Int { 1 << 40 }
}
