import ServerAPI
import Support

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

#if SQLITE
  /// Uses a store from another process, for tests that kill it or run next to it.
  ///
  ///     CacheWriter write FOLDER FIRST    puts entries FIRST, FIRST + 1 … until it is killed, and prints
  ///                                       the next number after each flush
  ///     CacheWriter share FOLDER TURNS    reads and writes TURNS times, then prints the errors
  ///     CacheWriter read FOLDER           reads as a user without write permission, and prints the counts
  @main struct Writer {
    let store: SQLiteCacheStore

    static func main() async throws {
      let arguments = CommandLine.arguments
      guard arguments.count > 2 else { exit(2) }
      let number = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
      let writer = Writer(store: SQLiteCacheStore(folder: URL(filePath: arguments[2])))
      switch arguments[1] {
      case "write": try await writer.write(from: number)
      case "share": try await writer.share(turns: number)
      case "read": try await writer.read()
      default: exit(2)
      }
    }

    private func write(from first: Int) async throws {
      var number = first
      say("ready")
      while true {
        for _ in 0..<Int.random(in: 1...20) {
          store.put(try SharedEntry(number).entry(time: Double(number)))
          number += 1
        }
        await store.flush()
        say("\(number)")
      }
    }

    private func share(turns: Int) async throws {
      var torn = 0
      for turn in 1...max(1, turns) {
        let entry = SharedEntry(Int.random(in: 0..<40))
        if turn % 50 == 0 {
          store.remove(CacheSelection(key: entry.key))
        } else if turn % 3 == 0 {
          store.put(try entry.entry(time: Double(turn)))
        } else {
          for found in store.entries(for: entry.key) where !entry.isWhole(found) { torn += 1 }
        }
        if turn % 20 == 0 { await store.flush() }
      }
      await store.flush()
      say("\(turns) \(torn) \(store.problems.map { "\($0)" }.joined(separator: "; "))")
    }

    private func read() async throws {
      // Root can write anywhere.
      if getuid() == 0, setgid(65_534) != 0 || setuid(65_534) != 0 { exit(3) }
      let count = await store.listings(CacheSelection()).count
      let whole = (0..<20).filter { number in
        store.entries(for: SharedEntry(number).key).contains(where: SharedEntry(number).isWhole)
      }
      store.put(try SharedEntry(1_000).entry(time: 0))
      await store.flush()
      let kinds = store.problems.map { "\($0.kind)" }.joined(separator: ",")
      say("\(count) \(whole.count) \(store.entries(for: SharedEntry(1_000).key).count) \(kinds)")
    }

    private func say(_ text: String) {
      print(text)
      fflush(nil)
    }
  }
#else
  /// There is no store on disk.
  @main struct Writer {
    static func main() { exit(2) }
  }
#endif
