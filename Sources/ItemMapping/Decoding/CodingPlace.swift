/// Where decoding is, cheap to extend: the list of keys is only made when somebody asks for it.
struct CodingPlace {
  var node: CodingPathNode?
  /// The position in an array below the node, or -1. No text has room for so many that they don't
  /// fit.
  private var position: Int32 = -1
  /// How many values are being decoded around this place, each of which takes some of the stack.
  private(set) var depth: Int32 = 0

  /// So many values may be decoded within each other. The server says how deep they are nested, and
  /// a thread may have no more than 512 KB of stack.
  static var deepest: Int { 192 }

  init() {}

  private init(_ node: CodingPathNode?, _ position: Int32, _ depth: Int32) {
    self.node = node
    self.position = position
    self.depth = depth
  }

  /// The place of an element.
  @inline(__always)
  func adding(_ position: Int) -> CodingPlace {
    CodingPlace(
      self.position < 0 ? node : CodingPathNode(parent: self, key: nil),
      Int32(truncatingIfNeeded: position), depth)
  }

  /// The place of a member.
  func adding(_ key: any CodingKey) -> CodingPlace {
    CodingPlace(CodingPathNode(parent: self, key: key), -1, depth)
  }

  /// The same place, seen by a value that decodes itself there.
  @inline(__always)
  var entered: CodingPlace { CodingPlace(node, position, depth &+ 1) }

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

/// A key and the place of the container it belongs to.
final class CodingPathNode {
  let parent: CodingPlace
  let key: (any CodingKey)?

  init(parent: CodingPlace, key: (any CodingKey)?) {
    self.parent = parent
    self.key = key
  }
}

/// A key of no particular type.
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

  /// As the standard library makes it: digits are a number too, unless a strategy for keys is set.
  init(dictionaryKey key: String, isPlain: Bool) {
    stringValue = key
    intValue = isPlain ? nil : Int(key)
  }

  init(index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }
}
