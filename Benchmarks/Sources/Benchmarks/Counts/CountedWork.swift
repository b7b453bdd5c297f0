/// Work of a fixed size, done on one thread, whose instructions and allocations are counted.
struct CountedWork: Sendable {
  typealias Body = @Sendable () async throws -> Void

  let name: String
  /// How many rows it handles each time, or 1.
  let rows: Int
  /// How often it is done while the count goes on. What varies between two runs is that much smaller.
  let times: Int
  /// Makes what the work needs, which is not counted. It may use a folder.
  let prepare: @Sendable (_ folder: String) async throws -> Body

  init(
    _ name: String, rows: Int = 1, times: Int = 5,
    prepare: @escaping @Sendable (_ folder: String) async throws -> Body
  ) {
    (self.name, self.rows, self.times, self.prepare) = (name, rows, times, prepare)
  }

  static let all = mappings + lists + caches

  static func named(_ name: String) throws -> CountedWork {
    guard let work = all.first(where: { $0.name == name }) else {
      throw BenchmarkError("there is no work “\(name)”")
    }
    return work
  }
}
