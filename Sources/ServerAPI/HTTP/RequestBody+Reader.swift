extension RequestBody {
  struct Reader {
    let body: RequestBody
    var offset = 0
    init(_ body: RequestBody) { self.body = body }
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(RequestError) -> Int {
      guard case .bytes(let bytes)? = body.pieces.first else { return 0 }
      let count = min(buffer.count, bytes.count - offset)
      bytes.withUnsafeBytes {
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
      }
      offset += count
      return count
    }
    mutating func rewind() throws(RequestError) { offset = 0 }
  }
}
