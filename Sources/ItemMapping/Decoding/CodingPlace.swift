/// Where decoding is, cheap to extend: the list of keys is only made when somebody asks for it.
struct CodingPlace {
  var node: CodingPathNode?
  /// The position in an array below the node, or -1.
  var index = -1

  /// The place of an element.
  @inline(__always)
  func adding(_ position: Int) -> CodingPlace {
    CodingPlace(
      node: index < 0 ? node : CodingPathNode(parent: self, key: nil), index: position)
  }

  /// The place of a member.
  func adding(_ key: any CodingKey) -> CodingPlace {
    CodingPlace(node: CodingPathNode(parent: self, key: key))
  }

  /// The keys from the outermost value down to here.
  var path: [any CodingKey] {
    var path: [any CodingKey] = []
    var place = self
    while true {
      if place.index >= 0 { path.append(TapeKey(index: place.index)) }
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
