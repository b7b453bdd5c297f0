internal import Support

/// The bytes of a response, in one immutable buffer that copies share.
///
/// At least 64 zero bytes follow the content, so that a vectorized parser can read past the end
/// without a copy.
public struct ResponseBody: Sendable {
  /// The number of zero bytes after the content.
  package static let padding = 64

  private let storage: ResponseStorage?

  /// Creates an empty body.
  public init() { storage = nil }

  /// Creates a body with a copy of the bytes.
  public init(_ bytes: some Collection<UInt8>) {
    let builder = ResponseBuilder(capacity: bytes.count)
    let copied: Void? = bytes.withContiguousStorageIfAvailable {
      builder.append(UnsafeRawBufferPointer($0))
    }
    if copied == nil {
      Array(bytes).withUnsafeBytes { builder.append($0) }
    }
    self = builder.finish()
  }

  /// Creates a body with the UTF-8 bytes of `text`.
  public init(text: String) { self.init(text.utf8) }

  init(storage: ResponseStorage?) { self.storage = storage }

  /// The number of bytes, without the padding.
  public var count: Int { storage?.count ?? 0 }

  /// The part of a memory budget that the bytes take.
  var share: MemoryBudget.Share? { storage?.share }

  /// Whether both have the same buffer, which is faster than to compare the bytes.
  package func isSame(as other: ResponseBody) -> Bool { storage === other.storage }

  /// Whether there are no bytes.
  public var isEmpty: Bool { count == 0 }

  /// Calls `body` with the bytes. The pointer stays valid as long as any copy of this value exists, so code
  /// that keeps a copy may keep the pointer too. 64 zero bytes follow a buffer that is not empty.
  public func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    guard let storage else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    return try withExtendedLifetime(storage) { () throws(E) -> R in
      try body(UnsafeRawBufferPointer(start: storage.base, count: storage.count))
    }
  }

  /// The content as text, or `nil` if it is not valid UTF-8.
  public var utf8Text: String? {
    withUnsafeBytes { String(validating: $0, as: UTF8.self) }
  }
}

extension ResponseBody: Hashable {
  /// Compares the bytes.
  public static func == (a: ResponseBody, b: ResponseBody) -> Bool {
    a.withUnsafeBytes { a in b.withUnsafeBytes { b in a.elementsEqual(b) } }
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}

extension ResponseBody: CustomStringConvertible {
  /// The number of bytes; the content is left out, since it may be secret.
  public var description: String { "\(count) bytes" }
}

/// The memory of a finished body.
///
/// `@unchecked Sendable` is safe because nothing writes to the memory after ``ResponseBuilder/finish()``
/// has created this object, which frees the memory when the last body that uses it is gone.
final class ResponseStorage: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let count: Int
  let share: MemoryBudget.Share?

  init(base: UnsafeMutableRawPointer, count: Int, share: MemoryBudget.Share?) {
    self.base = base
    self.count = count
    self.share = share
  }

  deinit { base.deallocate() }
}

/// Collects a body while it arrives. It belongs to one thread; the finished ``ResponseBody`` is `Sendable`.
package final class ResponseBuilder {
  private var base: UnsafeMutableRawPointer?
  private var capacity = 0
  package private(set) var count = 0

  package init(capacity: Int = 0) {
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

  package func append(_ bytes: UnsafeRawBufferPointer) {
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
  package func finish(_ share: MemoryBudget.Share? = nil) -> ResponseBody {
    guard let base, count > 0 else { return ResponseBody() }
    memset(base + count, 0, ResponseBody.padding)
    let body = ResponseBody(storage: ResponseStorage(base: base, count: count, share: share))
    self.base = nil
    capacity = 0
    count = 0
    return body
  }
}
