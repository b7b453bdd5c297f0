import Foundation

/// Counts instructions and allocations of all works and compares them with those in a file.
struct CountsCommand {
  static let file = "counts.json"
  /// As many functions of a work are kept, so that those that grow can be named.
  static let functions = 25

  private let program: String
  private let folder: String
  /// Hashing, the parser and the size of the environment are the same in each run.
  private let environment: [String: String]

  static func run(_ arguments: ArraySlice<String>) throws {
    guard arguments.allSatisfy({ $0 == "--write" }) else {
      throw BenchmarkError("counts takes --write and nothing else")
    }
    guard (try? finished(["valgrind", "--version"])) != nil else {
      throw BenchmarkError("counts need valgrind; on Debian: apt-get install valgrind")
    }
    let folder = FileManager.default.temporaryDirectory.path + "/quire-counts-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let command = try CountsCommand(folder: folder)
    let counts = try command.counts()
    if arguments.contains("--write") {
      try counts.write(to: file)
      return print("\nwritten to \(file)")
    }
    try command.compare(counts, with: try Counts(contentsOf: file))
  }

  private init(folder: String) throws {
    self.folder = folder
    program = folder + "/Benchmarks"
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    environment = [
      "PATH": path, "SWIFT_DETERMINISTIC_HASHING": "1",
      "SIMDJSON_FORCE_IMPLEMENTATION": Platform.parser,
    ]
    // Valgrind gives up on the debug information that Swift writes; names of functions stay.
    _ = try finished(["strip", "-g", "-o", program, Platform.executable.path])
  }

  private func counts() throws -> Counts {
    var counts = Counts(platform: try Platform.facts())
    for work in CountedWork.all {
      let counted = try count(work)
      counts.works[work.name] = counted
      let name = work.name.padding(toLength: 40, withPad: " ", startingAt: 0)
      print(
        name,
        String(
          format: "%12d instructions, %8.2f blocks and %9.1f bytes a row", counted.instructions,
          counted.blocks, counted.bytes))
    }
    return counts
  }

  private func count(_ work: CountedWork) throws -> Counts.Work {
    let counter = Platform.executable.deletingLastPathComponent().path + "/libMallocCounter.so"
    let native = environment.merging(["LD_PRELOAD": counter]) { $1 }
    let run = try JSONDecoder().decode(
      CountedRun.self, from: Data(finished([program, "count", work.name, scratch()], native).utf8))
    let callgrind = try Callgrind.run(
      [program, "count", work.name, scratch()], environment: environment, folder: folder)
    let largest = callgrind.functions.sorted { $0.value > $1.value }.prefix(Self.functions)
    let names = try Platform.demangled(largest.map(\.key))
    var functions: [String: Int] = [:]
    for (name, (_, count)) in zip(names, largest) {
      functions[name, default: 0] += count / work.times
    }
    return Counts.Work(
      instructions: callgrind.total / work.times, blocks: rounded(run.blocks / Double(work.rows)),
      bytes: rounded(run.bytes / Double(work.rows)), functions: functions)
  }

  private func rounded(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }

  /// An empty folder for a process.
  private func scratch() -> String { folder + "/\(UUID().uuidString)" }

  private func compare(_ new: Counts, with old: Counts) throws {
    let differences = Set(new.platform.keys).union(old.platform.keys).sorted()
      .filter { new.platform[$0] != old.platform[$0] }
    print("\nSince \(Self.file) was written:")
    for key in differences {
      print("  \(key): \(old.platform[key] ?? "none") → \(new.platform[key] ?? "none")")
    }
    var grown: [String] = []
    for name in Set(new.works.keys).union(old.works.keys).sorted() {
      guard let new = new.works[name], let old = old.works[name] else {
        print("  \(name): \(new.works[name] == nil ? "gone" : "new"); run make counts WRITE=1")
        grown.append(name)
        continue
      }
      let growth = new.growth(since: old)
      print("  \(name): \(percent(Double(new.instructions), Double(old.instructions)))")
      guard !growth.isEmpty else { continue }
      grown.append(name)
      print("    up: \(growth.joined(separator: ", "))")
      for function in new.grownFunctions(since: old) {
        print("    +\(function.growth) in \(function.name)")
      }
    }
    guard differences.isEmpty else {
      return print("Machine, toolchain or libraries differ, so nothing is judged.")
    }
    guard grown.isEmpty else {
      throw BenchmarkError(
        "grown by more than \(Int(Counts.Work.tolerance * 100)) %: \(grown.joined(separator: ", "))\n"
          + "If the change is worth it, keep the new counts with make counts WRITE=1.")
    }
  }
}
