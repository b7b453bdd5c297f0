extension LoopbackResponse.Body {
  /// Returns a part of the body, clamped to its size.
  func slice(_ range: Range<Int>) -> LoopbackSpan {
    let range = range.clamped(to: 0..<count)
    switch self {
    case .bytes(let bytes): return .bytes(bytes[range])
    case .repeating(let block, _): return .repeating(block, range)
    }
  }
}

/// Bytes to send that need not all be in memory.
enum LoopbackSpan: Hashable, Sendable {
  case bytes(ArraySlice<UInt8>)
  /// These positions of a block that repeats endlessly.
  case repeating([UInt8], Range<Int>)

  var isEmpty: Bool {
    switch self {
    case .bytes(let bytes): bytes.isEmpty
    case .repeating(_, let range): range.isEmpty
    }
  }

  /// Calls `send` with one piece after another while it returns true.
  func forEachPiece(atMost limit: Int = .max, _ send: (ArraySlice<UInt8>) -> Bool) -> Bool {
    switch self {
    case .bytes(let bytes):
      var rest = bytes
      while !rest.isEmpty {
        let piece = rest.prefix(limit)
        rest = rest[piece.endIndex...]
        guard send(piece) else { return false }
      }
    case .repeating(let block, let range):
      var position = range.lowerBound
      while position < range.upperBound {
        let offset = position % block.count
        let size = min(block.count - offset, range.upperBound - position, limit)
        guard send(block[offset..<offset + size]) else { return false }
        position += size
      }
    }
    return true
  }

  /// All bytes in one array.
  var joined: [UInt8] {
    var out: [UInt8] = []
    _ = forEachPiece {
      out += $0
      return true
    }
    return out
  }
}

extension LoopbackSpan {
  /// Returns the bytes at these positions, clamped to the size.
  func part(_ range: Range<Int>) -> LoopbackSpan {
    switch self {
    case .bytes(let bytes):
      let range = range.clamped(to: 0..<bytes.count)
      return .bytes(
        bytes[(bytes.startIndex + range.lowerBound)..<(bytes.startIndex + range.upperBound)])
    case .repeating(let block, let whole):
      let range = range.clamped(to: 0..<whole.count)
      return .repeating(
        block, (whole.lowerBound + range.lowerBound)..<(whole.lowerBound + range.upperBound))
    }
  }
}
