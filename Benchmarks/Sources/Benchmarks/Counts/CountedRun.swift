import CCounting
import Foundation

/// What one work asks of the allocator each time, as the process that did it prints it.
struct CountedRun: Codable {
  var blocks: Double
  var bytes: Double

  /// Does a work in this process, on the thread that calls, and prints what it asked for.
  static func print(_ name: String, folder: String) throws {
    let work = try CountedWork.named(name)
    guard counting_begin() else { throw BenchmarkError("counts are taken on Linux only") }
    let body = Box<CountedWork.Body>()
    try run(counting_run) { body.value = try await work.prepare(folder) }
    guard let once = body.value else { return }
    let all: CountedWork.Body = { for _ in 0..<work.times { try await once() } }
    // The first time fills what is kept for later.
    try run(counting_run) { try await once() }
    let (blocks, bytes) = (counted_blocks(), counted_bytes())
    try run(counted_run, all)
    let times = Double(work.times)
    let counts = CountedRun(
      blocks: Double(counted_blocks() - blocks) / times,
      bytes: Double(counted_bytes() - bytes) / times)
    Swift.print(String(decoding: try JSONEncoder().encode(counts), as: UTF8.self))
  }

  private static func run(
    _ loop: (UnsafePointer<Bool>) -> Void, _ body: @escaping @Sendable () async throws -> Void
  ) throws {
    let done = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
    defer { done.deallocate() }
    done.pointee = false
    let failure = Box<any Error>()
    let flag = Box(done)
    Task.detached {
      do { try await body() } catch { failure.value = error }
      flag.value?.pointee = true
    }
    loop(done)
    if let error = failure.value { throw error }
  }
}

/// Brings a value out of a task.
///
/// `@unchecked Sendable` holds because the task runs on the thread that waits for it.
private final class Box<Value>: @unchecked Sendable {
  var value: Value?

  init(_ value: Value? = nil) { self.value = value }
}
