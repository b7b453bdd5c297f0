#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A directory of its own under the system's temporary one, removed with the last reference.
final class LoopbackDirectory: Sendable {
  /// Its path.
  let path: String

  init() throws(LoopbackError) {
    let parent = FileManager.default.temporaryDirectory.path
    var template = Array("\(parent)/loopback-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw .system(call: "mkdtemp", code: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { remove() }

  /// Removes it now; for what lives until the process ends.
  func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  func makeFolder(_ name: String) throws(LoopbackError) {
    guard mkdir(file(name), 0o700) == 0 else { throw .system(call: "mkdir", code: errno) }
  }

  func write(_ text: String, to name: String) throws(LoopbackError) {
    guard FileManager.default.createFile(atPath: file(name), contents: Data(text.utf8)) else {
      throw .system(call: "write", code: errno)
    }
  }

  func read(_ name: String) throws(LoopbackError) -> Data {
    guard let data = FileManager.default.contents(atPath: file(name)) else {
      throw .system(call: "read", code: errno)
    }
    return data
  }
}
