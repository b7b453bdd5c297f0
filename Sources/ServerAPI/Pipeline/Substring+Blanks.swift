extension Substring {
  /// The text without spaces and tabs around it, as field values are read.
  var withoutBlanks: Substring {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    guard let first = utf8.firstIndex(where: { !isBlank($0) }),
      let last = utf8.lastIndex(where: { !isBlank($0) })
    else { return self[endIndex...] }
    return self[first..<utf8.index(after: last)]
  }
}
