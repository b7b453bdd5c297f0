import FoundationEssentials

/// A file on disk that is removed after the test.
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
