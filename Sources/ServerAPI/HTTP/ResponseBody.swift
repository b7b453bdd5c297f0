/// The bytes of an answer, in one buffer that was written once and is never copied.
///
/// At least ``padding`` readable bytes of zero follow the last one, so that a vectorised parser can
/// read past the end without a copy.
public struct ResponseBody: Sendable {
  /// How many zero bytes follow the content.
  public static let padding = 64

  private let storage: ResponseStorage?

  /// No bytes.
  public init() { storage = nil }

  /// A copy of these bytes.
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

  /// The UTF-8 bytes of `text`.
  public init(text: String) { self.init(text.utf8) }

  init(storage: ResponseStorage?) { self.storage = storage }

  /// How many bytes there are, without the padding.
  public var count: Int { storage?.count ?? 0 }

  /// Whether there are no bytes.
  public var isEmpty: Bool { count == 0 }

  /// Lends the bytes. They stay where they are as long as any copy of this body lives, so whoever
  /// keeps a copy may keep the pointer too. `padding` zero bytes follow the end of the buffer when it is not empty.
  public func withUnsafeBytes<R, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    guard let storage else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    return try withExtendedLifetime(storage) { () throws(E) -> R in
      try body(UnsafeRawBufferPointer(start: storage.base, count: storage.count))
    }
  }

  /// The content as UTF-8, or `nil` where it is not.
  public var utf8Text: String? {
    withUnsafeBytes { String(validating: $0, as: UTF8.self) }
  }
}

extension ResponseBody: Hashable {
  /// Equal when the bytes are.
  public static func == (a: ResponseBody, b: ResponseBody) -> Bool {
    a.withUnsafeBytes { a in b.withUnsafeBytes { b in a.elementsEqual(b) } }
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}

extension ResponseBody: CustomStringConvertible {
  /// The number of bytes; the content may be anybody's secret.
  public var description: String { "\(count) bytes" }
}

/// The memory of a finished body.
///
/// `@unchecked Sendable` holds because nothing writes to the memory once ``ResponseBuilder/finish()``
/// has made this object, and its owner frees it when the last body that shows it is gone.
final class ResponseStorage: @unchecked Sendable {
  let base: UnsafeMutableRawPointer
  let count: Int

  init(base: UnsafeMutableRawPointer, count: Int) {
    self.base = base
    self.count = count
  }

  deinit { base.deallocate() }
}
