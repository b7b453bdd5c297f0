#if !SQLITE
  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// Takes the place of a store on disk in a build without a database: keeps entries in memory, and says so.
  final class UnkeptCacheStore: CacheStore {
    private let memory = MemoryCacheStore()
    private let problem: CacheProblem

    init(folder: URL) {
      problem = CacheProblem(
        .unusable,
        "\(folder.path): this program was built without SQLite, so nothing is kept on disk;"
          + " use a cache in memory, or depend on Quire with the trait SQLite")
      memory.report(problem)
    }

    var salt: [UInt8] { memory.salt }
    func entries(for key: CacheKey) -> [CacheEntry] { memory.entries(for: key) }
    func put(_ entry: CacheEntry) { memory.put(entry) }
    func remove(_ selection: CacheSelection) { memory.remove(selection) }
    func listings(_ selection: CacheSelection) async -> [CacheEntry.Listing] { memory.listings(selection) }
    func flush() async {}
    var problems: [CacheProblem] { memory.problems }
    func report(_ problem: CacheProblem) { memory.report(problem) }
    func prepare() async throws(CacheProblem) { throw problem }
  }
#endif
