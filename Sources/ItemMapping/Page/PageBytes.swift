/// The bytes of one page, in memory of any kind.
///
/// `@unchecked Sendable` holds because the bytes never change, which
/// ``init(unsafeBytes:padding:keeping:)`` requires of its caller.
public struct PageBytes: @unchecked Sendable {
  fileprivate let bytes: UnsafeRawBufferPointer
  fileprivate let padding: Int
  fileprivate let owner: any Sendable

  /// Uses bytes in place, without a copy.
  ///
  /// - Parameters:
  ///   - bytes: The bytes. They must neither change nor be freed while `owner` is alive.
  ///   - padding: The number of readable bytes after them; their content doesn't matter. With 64 or
  ///     more, JSON is parsed without a copy.
  ///   - owner: The object that keeps the memory alive.
  public init(
    unsafeBytes bytes: UnsafeRawBufferPointer, padding: Int, keeping owner: any Sendable
  ) {
    self.bytes = bytes
    self.padding = padding
    self.owner = owner
  }

  /// Copies the bytes.
  public init(_ bytes: some Collection<UInt8>) {
    let storage = Storage(bytes)
    self.init(
      unsafeBytes: UnsafeRawBufferPointer(rebasing: storage.memory.prefix(storage.count)),
      padding: storage.memory.count - storage.count, keeping: storage)
  }

  /// Calls `body` with the bytes.
  public func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try withExtendedLifetime(owner) { () throws(E) -> R in try body(bytes) }
  }

  /// Memory for a copy. `@unchecked Sendable` holds because only `init` writes to it.
  private final class Storage: @unchecked Sendable {
    let memory: UnsafeMutableRawBufferPointer
    let count: Int

    init(_ bytes: some Collection<UInt8>) {
      count = bytes.count
      memory = .allocate(byteCount: count + 64, alignment: 64)
      memory.copyBytes(from: bytes)
      memory.suffix(64).initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit { memory.deallocate() }
  }
}

extension JSONDocument {
  /// Parses the bytes of a page in place.
  public convenience init(_ page: PageBytes) throws(JSONError) {
    try self.init(unsafeBytes: page.bytes, padding: page.padding, keeping: page.owner)
  }
}

extension PageBytes {
  /// Parses the bytes. A syntax error is thrown as a ``MappingError``.
  package func document() throws(MappingError) -> JSONDocument {
    do throws(JSONError) {
      return try JSONDocument(self)
    } catch {
      throw .invalidJSON(error)
    }
  }
}
