extension JSONView {
  /// The place of this value in its document. Worked out by a walk from the root, so it is for
  /// reports rather than for every value.
  public var path: JSONPath { JSONPath(read { $0.segments(to: index) }) }
}

extension JSONTape {
  /// The steps from the root to the value at `target`: at each level, the child that spans it.
  func segments(to target: Int) -> [JSONPath.Segment] {
    var segments: [JSONPath.Segment] = []
    var place = Self.root
    while place < target {
      let isObject = tag(place) == Tag.object
      let end = end(of: place)
      var index = first(in: place)
      var position = 0
      while index < end {
        let value = isObject ? index + 1 : index
        let next = after(value)
        if target < next {
          segments.append(isObject ? .name(string(index)) : .index(position))
          place = value
          break
        }
        index = next
        position += 1
      }
      // Not a value's index: as far as it goes.
      if index >= end { break }
    }
    return segments
  }
}
