#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension RequestBody {
  /// Reads a body piece by piece, for a transport. Has at most one file open, and closes it at the end of
  /// the piece, on rewinding, and when it is destroyed.
  public struct Reader: ~Copyable {
    private let pieces: [Piece]
    private var index = 0
    private var offset = 0
    private var descriptor: Int32 = -1

    /// Starts at the first byte.
    public init(_ body: RequestBody) { pieces = body.pieces }

    deinit {
      if descriptor >= 0 { close(descriptor) }
    }

    /// Fills `buffer` from the current piece and returns the number of bytes; `0` means the end of the body,
    /// or an empty buffer.
    ///
    /// Throws if a file is missing or has become shorter.
    public mutating func read(
      into buffer: UnsafeMutableRawBufferPointer
    ) throws(RequestError) -> Int {
      while index < pieces.count, !buffer.isEmpty {
        let count: Int
        switch pieces[index] {
        case .bytes(let bytes):
          count = min(buffer.count, bytes.count - offset)
          bytes.withUnsafeBytes {
            buffer.copyMemory(from: .init(rebasing: $0[offset..<offset + count]))
          }
        case .file(let path, let length):
          count = try readFile(path, min(buffer.count, max(0, length - offset)), buffer)
        }
        if count > 0 {
          offset += count
          return count
        }
        closePiece()
        index += 1
      }
      return 0
    }

    /// Goes back to the first byte, for a retry.
    public mutating func rewind() {
      closePiece()
      index = 0
    }

    private mutating func closePiece() {
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
      offset = 0
    }

    private mutating func readFile(
      _ path: String, _ wanted: Int, _ buffer: UnsafeMutableRawBufferPointer
    ) throws(RequestError) -> Int {
      guard wanted > 0 else { return 0 }
      if descriptor < 0 {
        // Without blocking: the path may be a pipe by now.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw RequestBody.unreadable(path, RequestBody.reason(errno)) }
      }
      while true {
        let count = readBytes(descriptor, buffer.baseAddress, wanted)
        if count > 0 { return count }
        if count == 0 {
          throw RequestBody.unreadable(path, "it ends at byte \(offset), shorter than before")
        }
        guard errno == EINTR else { throw RequestBody.unreadable(path, RequestBody.reason(errno)) }
      }
    }
  }

  /// Returns the whole body, for tests and for transports that can't stream.
  public func bytes() throws(RequestError) -> [UInt8] {
    var reader = Reader(self)
    var result: [UInt8] = []
    result.reserveCapacity(min(length, 64 << 20))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try reader.read(into: buffer)
      if count == 0 { return result }
      result += UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }
  }
}

/// Calls `read` of the system, which the method of the same name would shadow.
private func readBytes(_ descriptor: Int32, _ to: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, to, count)
}
