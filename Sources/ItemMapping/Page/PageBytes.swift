/// The bytes of one page, wherever they lie.
///
/// `@unchecked Sendable` holds because the bytes never change, which ``init(unsafeBytes:padding:keeping:)``
/// asks of whoever calls it.
public struct PageBytes: @unchecked Sendable {
  fileprivate let bytes: UnsafeRawBufferPointer
  fileprivate let padding: Int
  fileprivate let owner: any Sendable

  /// Bytes that are used where they lie.
  ///
  /// - Parameters:
  ///   - bytes: The bytes. They must neither change nor go away as long as `owner` lives.
  ///   - padding: How many bytes behind them can be read, whatever they hold. With 64 or more, JSON
  ///     is parsed without a copy.
  ///   - owner: What keeps the memory alive.
  public init(
    unsafeBytes bytes: UnsafeRawBufferPointer, padding: Int, keeping owner: any Sendable
  ) {
    self.bytes = bytes
    self.padding = padding
    self.owner = owner
  }

  /// A copy of these bytes.
  public init(_ bytes: some Collection<UInt8>) {
    let storage = Storage(bytes)
    self.init(
      unsafeBytes: UnsafeRawBufferPointer(rebasing: storage.memory.prefix(storage.count)),
      padding: storage.memory.count - storage.count, keeping: storage)
  }

  /// Lends the bytes.
  public func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    try withExtendedLifetime(owner) { () throws(E) -> R in try body(bytes) }
  }

  /// Memory of our own. `@unchecked Sendable` holds because only `init` writes to it.
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
  /// Parses the bytes of a page where they lie.
  public convenience init(_ page: PageBytes) throws(JSONError) {
    try self.init(unsafeBytes: page.bytes, padding: page.padding, keeping: page.owner)
  }
}

extension PageBytes {
  /// Parses the bytes. A syntax error is an error of the mapping like any other.
  package func document() throws(MappingError) -> JSONDocument {
    do throws(JSONError) {
      return try JSONDocument(self)
    } catch {
      throw .invalidJSON(error)
    }
  }
}
