import ItemMapping
import ListReading
import ListSync
import QuireTesting
import SQLiteFile
import ServerAPI
import Support
import Testing

@testable import QuireCollect

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A database in a folder of its own, and a server with one page for each list, which a test may change.
final class CollectedLists {
  let folder: String
  private let pages = Pages()

  private final class Pages: Sendable {
    let texts = Lock([String: String]())
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/quire-collect-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var path: String { folder + "/lists.db" }

  /// Sets the rows of a list.
  subscript(list: String) -> String {
    get { pages.texts.withLock { $0[list] ?? "[]" } }
    set { pages.texts.withLock { $0[list] = newValue } }
  }

  var server: Server {
    Server(
      "https://test",
      transport: MockTransport { [pages] request in
        let list = String(request.url.path.dropFirst())
        return pages.texts.withLock { $0[list] }.map { .json($0) } ?? .status(404)
      })
  }

  /// A list whose rows are in one page.
  static func list(_ name: String, _ change: (inout CollectList) -> Void = { _ in }) -> CollectList {
    var list = CollectList(name, Call("/\(name)"), items: .root)
    list.paging = .single
    change(&list)
    return list
  }

  /// Collects lists by programs that begin and end.
  @discardableResult func collect(_ lists: CollectList...) async throws -> [Collector.Outcome] {
    try await Collector(server, CollectPlan(lists), into: try SQLiteSink(path)).run()
  }

  /// Collects one list, and returns the receipt of its round.
  func receipt(_ list: CollectList) async throws -> SyncReceipt { try await collect(list)[0].result.get() }

  /// The text that a query returns.
  func text(_ sql: String) throws -> String {
    try SQLiteConnection(path, .readWrite, isPassive: false).text(sql)
  }

  func run(_ sql: String) throws {
    let database = try SQLiteConnection(path, .create, isPassive: false)
    // A list that follows a table may be reading it.
    database.setBusyTimeout(milliseconds: 10_000)
    try database.run(sql)
  }
}
