#if SQLITE
  import ListModel
  import ListReading
  import ServerAPI
  import Support
  import Testing

  struct Row: Codable, Identifiable, Equatable, Sendable {
    var id: Int
    var v: Int?
  }

  /// Has the same id for a number and its text.
  struct LooseRow: Decodable, Identifiable, Equatable {
    let id: Int
    let v: Int

    private enum CodingKeys: CodingKey { case id, v }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      v = try values.decode(Int.self, forKey: .v)
      if let text = try? values.decode(String.self, forKey: .id) {
        id = Int(text) ?? 0
      } else {
        id = try values.decode(Int.self, forKey: .id)
      }
    }
  }

  struct CountedRow: Decodable, Identifiable, Equatable {
    static let decoded = Lock(0)
    let id: Int
    let v: Int

    private enum CodingKeys: CodingKey { case id, v }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      (id, v) = (try values.decode(Int.self, forKey: .id), try values.decode(Int.self, forKey: .v))
      Self.decoded.withLock { $0 += 1 }
    }
  }

  /// A clock whose sleeps end when a test says so.
  final class Sleeps: Sendable {
    private let state = Lock(
      (waiters: [CheckedContinuation<Void, Never>](), seen: [CheckedContinuation<Void, Never>]()))

    var time: TimeSource {
      var time = TimeSource.system
      time.sleep = { [self] _ in
        await withCheckedContinuation { waiter in
          let seen = state.withLock { state in
            state.waiters.append(waiter)
            defer { state.seen = [] }
            return state.seen
          }
          for observer in seen { observer.resume() }
        }
      }
      return time
    }

    var waiting: Int { state.withLock { $0.waiters.count } }

    /// Returns once somebody sleeps.
    func sleeps() async {
      await withCheckedContinuation { observer in
        let isAsleep = state.withLock { state in
          if state.waiters.isEmpty { state.seen.append(observer) }
          return !state.waiters.isEmpty
        }
        if isAsleep { observer.resume() }
      }
    }

    func wake() {
      let waiters = state.withLock { state in
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.resume() }
    }
  }

  /// Checks that each change, applied to the rows before it, gives the rows after it.
  @MainActor final class Shown<Item: Identifiable & Equatable & SendableMetatype>: ListObserver
  where Item.ID: Sendable {
    private let list: LocalList<Item>
    private var rows: [Item] = []
    var changes: [String] = []

    init(_ list: LocalList<Item>) {
      self.list = list
      rows = Array(list.deliveredRows.items)
      list.follow(self)
    }

    func look() async { await list.eventsDelivered() }

    var ids: [Item.ID] { rows.map(\.id) }

    func notify(_ step: ListEvents<Item>.Step) {
      guard case .didChange(let change) = step.event else { return }
      if !change.isEmpty { changes.append("\(change)") }
      let after = Array(step.rows.items)
      #expect(change.applied(to: rows) { after[$0] } == after, "\(change)")
      rows = after
    }

    func close() {}
  }
#endif
