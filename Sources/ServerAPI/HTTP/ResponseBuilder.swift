#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Collects a body while it arrives. It belongs to one thread; the finished ``ResponseBody`` is `Sendable`.
final class ResponseBuilder {
  private var base: UnsafeMutableRawPointer?
  private var capacity = 0
  private(set) var count = 0

  init(capacity: Int = 0) {
    if capacity > 0 { reserve(capacity) }
  }

  deinit { free(base) }

  /// Reserves capacity for `wanted` bytes in total. Growth by half keeps the bytes copied for a body of
  /// unknown length below twice its size.
  func reserve(_ wanted: Int) {
    guard wanted > capacity else { return }
    let grown = max(wanted, capacity + capacity / 2)
    guard let moved = realloc(base, grown + ResponseBody.padding) else {
      preconditionFailure("can't allocate a body of \(grown) bytes")
    }
    base = moved
    capacity = grown
  }

  func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
    reserve(count + bytes.count)
    (base.unsafelyUnwrapped + count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  /// Lets `write` fill up to `room` bytes in place; `write` returns the number of bytes written.
  func append(room: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int) {
    reserve(count + room)
    count += write(
      UnsafeMutableRawBufferPointer(start: base.unsafelyUnwrapped + count, count: room))
  }

  /// Returns the body and resets the builder. The body keeps its share of a memory budget.
  func finish(_ share: MemoryBudget.Share? = nil) -> ResponseBody {
    guard let base, count > 0 else { return ResponseBody() }
    memset(base + count, 0, ResponseBody.padding)
    let body = ResponseBody(storage: ResponseStorage(base: base, count: count, share: share))
    self.base = nil
    capacity = 0
    count = 0
    return body
  }
}
