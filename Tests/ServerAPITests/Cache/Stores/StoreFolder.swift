#if SQLITE
  import Foundation
  import SQLiteFile
  import Support

  @testable import ServerAPI

  /// A folder for a store, removed with the last reference. The store creates it.
  final class StoreFolder: Sendable {
    let path: String
    private let parent: String

    init() throws {
      var template = Array("\(FileManager.default.temporaryDirectory.path)/store-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
      parent = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      path = parent + "/a/cache"
    }

    deinit {
      chmod(path, 0o700)
      try? FileManager.default.removeItem(atPath: parent)
    }

    /// The names of all files in the folder.
    var files: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// The path of the current database.
    var database: String {
      CacheFolder(path: path).newest().map { CacheFolder(path: path).database($0) } ?? ""
    }

    func store(
      maximumBytes: Int = 256 << 20, time: TimeSource = .system,
      settings: CacheDatabase.Settings = .init()
    ) -> SQLiteCacheStore {
      SQLiteCacheStore(folder: path, maximumBytes: maximumBytes, time: time, settings: settings)
    }

    /// Opens a second connection, for operations that a store never does.
    func connection() throws -> SQLiteConnection {
      let connection = try SQLiteConnection(database, .readWrite, isPassive: true)
      connection.setBusyTimeout(milliseconds: 5_000)
      return connection
    }

    /// Returns the bytes of all files.
    func bytes() -> [UInt8] {
      files.flatMap { [UInt8](FileManager.default.contents(atPath: file($0)) ?? Data()) }
    }
  }

  extension Collection<UInt8> {
    /// Whether the bytes contain the UTF-8 bytes of a text.
    func contains(text: String) -> Bool {
      let wanted = Array(text.utf8)
      let bytes = Array(self)
      guard let first = wanted.first, bytes.count >= wanted.count else { return false }
      return (0...bytes.count - wanted.count).contains { place in
        bytes[place] == first && bytes[place..<place + wanted.count].elementsEqual(wanted)
      }
    }
  }
#endif
