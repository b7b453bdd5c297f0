import Foundation
import Quire

/// The bytes that all ways of mapping read, followed by as many as a parser may read on.
///
/// `@unchecked Sendable` holds because nothing writes to the memory after `init`.
final class MappingText: @unchecked Sendable {
  static let padding = 64
  let bytes: UnsafeRawBufferPointer
  let data: Data
  private let memory: UnsafeMutableRawBufferPointer

  init(_ text: String) {
    data = Data(text.utf8)
    memory = .allocate(byteCount: data.count + Self.padding, alignment: 64)
    memory.copyBytes(from: data)
    memory[data.count...].initializeMemory(as: UInt8.self, repeating: 0)
    bytes = UnsafeRawBufferPointer(rebasing: memory[..<data.count])
  }

  deinit { memory.deallocate() }

  func document() throws -> JSONDocument {
    try JSONDocument(unsafeBytes: bytes, padding: Self.padding, keeping: self)
  }
}
