#if SQLITE
  import QuireTesting
  import Support
  import Testing

  @testable import ServerAPI

  @Suite struct CacheQueueTests {
    /// A database that applies every write and keeps everything.
    private struct Written {
      var entries: [CacheKey: [ExactText: Double]] = [:]

      mutating func apply(_ task: CacheQueue.Task) {
        switch task {
        case .put(let entry):
          entries[entry.key, default: [:]][ExactText(entry.variant)] = entry.content.receivedAt
        case .remove(let selection):
          for (key, variants) in entries
          where selection.includes(key, address: selection.prefix == nil ? "" : key.text) {
            entries[key] = variants.filter {
              !selection.includes(variant: $0.key.text, receivedAt: $0.value)
            }
          }
        }
      }

      func visible(_ key: CacheKey, _ queue: CacheQueue) -> Set<Double> {
        let view = queue.view(key)
        let rows = (entries[key] ?? [:]).filter {
          view?.isVisible(variant: $0.key.text, receivedAt: $0.value) ?? true
        }
        return Set(rows.values).union(view?.entries.map(\.content.receivedAt) ?? [])
      }
    }

    @Test func `readers see every change at once, written or not`() throws {
      for random in try SeededGenerator.runs(Thoroughness.runs(100, full: 3_000)) {
        var script = CacheStoreScript(random)
        var queue = CacheQueue()
        var written = Written()
        for _ in 0..<120 {
          switch Int.random(in: 0..<10, using: &script.random) {
          case 0..<4:
            let entry = try script.entry()
            script.model.put(entry)
            _ = queue.put(entry)
          case 4, 5:
            let selection = script.selection()
            script.model.remove(selection)
            queue.remove(selection)
          case 6:
            let steps = queue.dequeue()
            for task in queue.tasks(steps) { written.apply(task) }
            queue.finish(steps, removals: true)
          default:
            let key = script.key()
            let wanted = Set(script.model.contents(key).map(\.receivedAt))
            try #require(written.visible(key, queue) == wanted, "\(random)")
          }
        }
        while queue.hasWork {
          let steps = queue.dequeue()
          for task in queue.tasks(steps) { written.apply(task) }
          queue.finish(steps, removals: true)
        }
        // No pending change is left.
        #expect(queue.bytes == 0)
        #expect(queue.keys.isEmpty && queue.pendingSweeps.isEmpty)
      }
    }

    @Test func `a removed entry never returns, even if some writes fail`() throws {
      for random in try SeededGenerator.runs(Thoroughness.runs(100, full: 3_000)) {
        var script = CacheStoreScript(random)
        var queue = CacheQueue()
        var written = Written()
        var gone: Set<Double> = []
        for _ in 0..<200 {
          switch Int.random(in: 0..<10, using: &script.random) {
          case 0..<4:
            let entry = try script.entry()
            script.model.put(entry)
            _ = queue.put(entry)
          case 4, 5:
            let selection = script.selection()
            gone.formUnion(script.model.selected(selection).map(\.receivedAt))
            queue.remove(selection)
          default:
            let steps = queue.dequeue()
            let works = Bool.random(using: &script.random)
            let tasks = queue.tasks(steps)
            if works { for task in tasks { written.apply(task) } }
            queue.finish(steps, removals: works)
          }
          let key = script.key()
          try #require(written.visible(key, queue).isDisjoint(with: gone), "\(random)")
        }
      }
    }

    @Test func `too many failed removals become one removal of everything`() throws {
      var queue = CacheQueue()
      var written = Written()
      for number in 0..<3_000 {
        let entry = try sampleEntry("https://api.test/\(number)")
        written.apply(.put(entry))
        queue.remove(CacheSelection(key: entry.key))
      }
      while queue.hasWork { queue.finish(queue.dequeue(), removals: false) }
      #expect(queue.keys.count <= CacheQueue.maximumFailedRemovals)
      let kept = CacheKey(.responses, "https://api.test/0")
      #expect(written.visible(kept, queue).isEmpty)
      _ = queue.put(try sampleEntry(kept.text, receivedAt: 5))
      #expect(written.visible(kept, queue) == [5])
      let steps = queue.dequeue()
      for task in queue.tasks(steps) { written.apply(task) }
      queue.finish(steps, removals: true)
      #expect(written.visible(kept, queue) == [5])
      #expect(written.entries.values.allSatisfy { $0.isEmpty || $0 == [ExactText(""): 5] })
      #expect(!queue.hasFailedRemovals)
    }

    @Test func `pending entries stay within their limit`() throws {
      var queue = CacheQueue()
      let (huge, large) = (ResponseBody([UInt8](repeating: 1, count: 17 << 20)), sampleBody(300_000))
      let small = sampleBody(30_000)
      var kept = 0
      for number in 0..<200 {
        let body = number == 0 ? huge : large
        if queue.put(try sampleEntry("https://api.test/\(number)", body: body)) { kept += 1 }
      }
      // An entry above the limit is accepted if nothing else is pending.
      #expect(kept == 1)
      for number in 0..<2_000 {
        _ = queue.put(try sampleEntry("https://api.test/s/\(number)", body: small))
        #expect(queue.bytes <= 2 * CacheQueue.limit)
      }
      #expect(queue.bytes > CacheQueue.limit)
    }
  }

  @Suite struct RowChecksumTests {
    @Test func `every changed byte, lost byte and moved boundary changes the checksum`() throws {
      var random = try SeededGenerator.fromEnvironment()
      for count in [0, 1, 7, 8, 9, 31, 32, 33, 63, 64, 65, 200] {
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        let sum = Self.sum([bytes])
        for place in bytes.indices {
          for bit in 0..<8 {
            var changed = bytes
            changed[place] ^= 1 << UInt8(bit)
            #expect(Self.sum([changed]) != sum)
          }
        }
        #expect(Self.sum([bytes + [0]]) != sum)
        for boundary in 0..<count {
          #expect(Self.sum([Array(bytes[..<boundary]), Array(bytes[boundary...])]) != sum)
        }
      }
    }

    private static func sum(_ parts: [[UInt8]]) -> UInt64 {
      var sum = RowChecksum()
      for part in parts { sum.add(part) }
      return sum.value
    }
  }
#endif
