import FoundationEssentials

/// A file on disk that goes when the test is over.
final class TemporaryFile: Sendable {
  let path: String
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    path = FileManager.default.temporaryDirectory.path() + "quire-\(UUID().uuidString)"
    try Data(bytes).write(to: URL(filePath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
