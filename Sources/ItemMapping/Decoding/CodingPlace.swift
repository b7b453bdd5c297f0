/// A coding path that is cheap to extend: the list of keys is only made on demand.
struct CodingPlace {
  var node: CodingPathNode?
  /// The position in an array below the node, or -1. No text is large enough for positions that
  /// don't fit.
  private var position: Int32 = -1
  /// The number of values being decoded around this place. Each takes some of the stack.
  private(set) var depth: Int32 = 0

  /// The most values that may be nested while decoding. The server controls the nesting, and a
  /// thread may have only 512 KB of stack.
  static var maximumDepth: Int { 192 }

  init() {}

  init(_ node: CodingPathNode?, _ position: Int32, _ depth: Int32) {
    self.node = node
    self.position = position
    self.depth = depth
  }

  /// Returns the place of an element.
  @inline(__always)
  func adding(_ position: Int) -> CodingPlace {
    CodingPlace(
      self.position < 0 ? node : CodingPathNode(parent: self, key: nil),
      Int32(truncatingIfNeeded: position), depth)
  }

  /// Returns the place of a member.
  func adding(_ key: any CodingKey) -> CodingPlace {
    CodingPlace(CodingPathNode(parent: self, key: key), -1, depth)
  }

  /// Enters a value that decodes itself there.
  @inline(__always)
  mutating func enter() { depth &+= 1 }

  /// The keys from the outermost value down to here.
  var path: [any CodingKey] {
    var path: [any CodingKey] = []
    var place = self
    while true {
      if place.position >= 0 { path.append(TapeKey(index: Int(place.position))) }
      guard let node = place.node else { break }
      if let key = node.key { path.append(key) }
      place = node.parent
    }
    return path.reversed()
  }
}

/// A key and the place of the container it belongs to. Both change only while nobody reads them: where a ``TapeDecoder``
/// begins or ends to stand for a value.
class CodingPathNode {
  @exclusivity(unchecked) final var parent: CodingPlace
  @exclusivity(unchecked) final var key: (any CodingKey)?

  init(parent: CodingPlace, key: (any CodingKey)?) {
    self.parent = parent
    self.key = key
  }
}

/// A general coding key.
struct TapeKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  /// Creates the key as the standard library does: digits are a number too, unless a key strategy
  /// is set.
  init(dictionaryKey key: String, isPlain: Bool) {
    stringValue = key
    intValue = isPlain ? nil : Int(key)
  }

  init(index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }
}
