import ItemMapping
import ListModel
import ListReading
import Observation
import QuireTesting
import ServerAPI
import Support
import Testing

/// A list of rows that the program has itself.
@MainActor struct LocalListTests {
  private struct Word: Identifiable, Hashable, Sendable {
    var id: String
    var text = ""
  }

  /// An observer that keeps rows of its own by applying changes.
  private final class Copy: ListObserver {
    var rows: [Word]
    var mismatches: [String] = []
    var onChange: (() -> Void)?
    private let list: LocalList<Word>

    init(of list: LocalList<Word>) {
      self.list = list
      rows = Array(list.deliveredRows)
      list.follow(self)
    }

    func notify(_ step: ListEvents<Word>.Step) {
      guard case .didChange(let change) = step.event else { return }
      let now = Array(step.rows)
      rows = change.applied(to: rows) { now[$0] } ?? []
      if rows != now { mismatches.append("\(change) makes \(rows), not \(now)") }
      if Array(list.rows) != now { mismatches.append("the list is ahead of \(change)") }
      onChange?()
    }

    func close() {}
  }

  private func words(_ ids: String) -> [Word] { ids.map { Word(id: String($0)) } }
  private func ids(_ list: LocalList<Word>) -> String { list.items.map(\.id).joined() }

  @Test func `XT-04 a change of the rows shows at once and is reported in a later turn`() async {
    let list = LocalList(words("abc"))
    let copy = Copy(of: list)
    #expect(list.hasLoaded && ids(list) == "abc" && copy.rows == words("abc"))
    list.items = words("cad")
    list.append(Word(id: "e"))
    #expect(ids(list) == "cade" && copy.rows == words("abc"))
    await list.eventsDelivered()
    #expect(copy.rows == words("cade") && copy.mismatches.isEmpty)
  }

  @Test func `rows are edited as those of a server are`() async throws {
    let list = LocalList(words("abc"))
    let copy = Copy(of: list)
    try list.edit(.insert(Word(id: "x"), at: .start))
    try list.edit(.move("a", to: .end))
    try list.edit(.update("b", Word(id: "b", text: "!")))
    try list.edit(.remove("c"))
    try list.edit(.insert(Word(id: "c"), at: .after("x")))
    #expect(list.items.map { $0.id + $0.text } == ["x", "c", "b!", "a"])
    #expect(list.position(of: "a") == 3 && list.position(of: "q") == nil)
    #expect(throws: ListEditError.rowExists("a")) {
      try list.edit(.insert(Word(id: "a"), at: .end))
    }
    #expect(throws: ListEditError.unknownRow("q")) { try list.edit(.remove("q")) }
    await list.eventsDelivered()
    #expect(copy.rows == list.items && copy.mismatches.isEmpty)
  }

  @Test func `items with equal ids are shown once and reported`() {
    let list = LocalList(words("abab"))
    #expect(ids(list) == "ab" && list.repeatedIDs == ["a", "b"])
    list.append(Word(id: "b"))
    list.append(contentsOf: words("cca"))
    #expect(ids(list) == "abc" && Set(list.repeatedIDs) == ["a", "b", "c"])
    list.items = words("xy")
    #expect(ids(list) == "xy" && list.repeatedIDs.isEmpty)
  }

  @Test func `items without ids can be set and appended`() async {
    let list = LocalList<Int>([1, 1], identity: .none)
    list.append(1)
    list.append(contentsOf: [2, 3])
    #expect(list.items == [1, 1, 1, 2, 3] && list.repeatedIDs.isEmpty)
    #expect(throws: ListEditError.noIdentity) { try list.edit(.remove(1)) }
    list.items = []
    #expect(list.items.isEmpty && list.hasLoaded)
  }

  @Test func `a list without items counts as loaded when it gets some`() {
    let list = LocalList<Word>()
    #expect(!list.hasLoaded && list.items.isEmpty)
    list.items = []
    #expect(list.hasLoaded)
  }

  @Observable @MainActor final class Library {
    var books = ["a", "b"]
    var favorites: Set<String> = ["a"]
  }

  @Test func `XT-04 a list follows an observable store`() async {
    let library = Library()
    let list = LocalList(identity: .by(\.self)) {
      library.books.filter(library.favorites.contains)
    }
    #expect(list.items == ["a"])
    let (steps, stepped) = AsyncStream.makeStream(of: [String].self)
    let follower = Follower<String> { stepped.yield($0) }
    list.follow(follower)
    library.favorites.insert("b")
    library.books.append("c")
    var step = steps.makeAsyncIterator()
    #expect(await step.next() == ["a", "b"])
    // The same store again, after its first change.
    library.books.reverse()
    #expect(await step.next() == ["b", "a"])
  }

  /// A store that can be changed anywhere. The test decides what happens between the notice of a change and the
  /// change.
  private final class SharedStore: Observable, Sendable {
    private let stored = Lock(["a"])
    private let registrar = ObservationRegistrar()

    var words: [String] {
      registrar.access(self, keyPath: \.words)
      return stored.withLock { $0 }
    }

    func append(_ word: String) {
      registrar.withMutation(of: self, keyPath: \.words) { stored.withLock { $0.append(word) } }
    }

    @concurrent func append(
      _ word: String, after step: @MainActor @Sendable () async -> Void
    ) async {
      registrar.willSet(self, keyPath: \.words)
      await step()
      stored.withLock { $0.append(word) }
      registrar.didSet(self, keyPath: \.words)
    }
  }

  @Test func `a change of a store on another thread may come with the next one`() async {
    let store = SharedStore()
    let list = LocalList(identity: .by(\.self)) { store.words }
    await store.append("b", after: { await list.eventsDelivered() })
    await list.eventsDelivered()
    // Observation doesn't say that the change was made.
    #expect(store.words == ["a", "b"] && list.items == ["a"])
    store.append("c")
    await list.eventsDelivered()
    #expect(list.items == ["a", "b", "c"])
  }

  @Test func `an item is edited by its own id alone`() throws {
    let list = LocalList(words("a"))
    #expect(throws: ListEditError.differentID("b", expected: "a")) {
      try list.edit(.update("a", Word(id: "b")))
    }
    #expect(throws: ListEditError.differentID("b", expected: "c")) {
      try list.edit(.insert(Word(id: "b"), id: "c", at: .end))
    }
    try list.edit(.update("a", Word(id: "a")))
    #expect(list.items == words("a"))
  }

  @Test func `a row that is appended again and again costs nothing`() {
    let list = LocalList(words("a"))
    for _ in 0..<500 { list.append(Word(id: "a")) }
    list.append(contentsOf: words("abbc"))
    #expect(list.items.map(\.id) == ["a", "b", "c"] && list.repeatedIDs == ["a", "b"])
    #expect(list.rows.pages.count <= 2)
  }

  @Test func `that a list is empty is told once it is known`() async {
    let list = LocalList<Word>()
    var notified = 0
    let follower = Follower<Word> { _ in notified += 1 }
    list.follow(follower)
    list.items = []
    await list.eventsDelivered()
    #expect(notified == 1 && list.hasLoaded)
    list.items = []
    await list.eventsDelivered()
    #expect(notified == 1)
  }

  @Test func `a row has a position while an earlier change is delivered`() async {
    let list = LocalList(words("ab"))
    var positions: [Int?] = []
    let follower = Follower<Word> { [unowned list] _ in positions.append(list.position(of: "b")) }
    list.follow(follower)
    list.items = words("cab")
    list.items = words("ba")
    await list.eventsDelivered()
    #expect(positions == [2, 0])
  }

  @Test func `waiting for events waits for the store too`() async {
    let library = Library()
    let list = LocalList(identity: .by(\.self)) {
      library.books.filter(library.favorites.contains)
    }
    var notified: [[String]] = []
    let follower = Follower<String> { notified.append($0) }
    list.follow(follower)
    for (favorites, books) in [(["a", "b"], ["a", "b"]), (["b"], ["b"]), ([], [])] {
      library.favorites = Set(favorites)
      await list.eventsDelivered()
      #expect(list.items == books && notified.last == books)
    }
    #expect(notified.count == 3)
    await list.eventsDelivered()
  }

  @Test func `a reset empties or replaces the rows, and is an event after that`() async {
    let list = LocalList(words("abca"))
    var events = list.events.makeAsyncIterator()
    list.reset()
    #expect(list.items.isEmpty && !list.hasLoaded && list.repeatedIDs.isEmpty)
    list.reset()
    list.reset(to: words("xy"))
    #expect(ids(list) == "xy" && list.hasLoaded && list.resets == 3)
    list.reset(to: words("xz"))
    let expected: [(ListEvent, String)] = [
      (.didChange(ListChange(removed: [0..<3])), ""), (.didReset, ""), (.didReset, ""),
      (.didChange(ListChange(inserted: [0..<2])), "xy"), (.didReset, "xy"),
      (.didChange(ListChange(removed: [1..<2], inserted: [1..<2])), "xz"), (.didReset, "xz"),
    ]
    for (event, ids) in expected {
      let step = await events.next()
      #expect(step?.event == event && step?.rows.items.map(\.id).joined() == ids)
    }
  }

  @Test func `a reset of a list that follows a store reads the store`() async {
    let library = Library()
    let list = LocalList(identity: .by(\.self)) { library.books }
    list.items = []
    list.reset()
    #expect(list.items == ["a", "b"] && list.hasLoaded)
    library.books = []
    list.reset()
    #expect(list.items.isEmpty && !list.hasLoaded)
    library.books = ["c"]
    await list.eventsDelivered()
    #expect(list.items == ["c"] && list.hasLoaded)
  }

  @Test func `events are a sequence with the rows of each step`() async throws {
    var list: LocalList? = LocalList(words("a"))
    let (first, second) = (list?.events.makeAsyncIterator(), list?.events.makeAsyncIterator())
    var (early, late) = (try #require(first), try #require(second))
    list?.append(contentsOf: words("bc"))
    try list?.edit(.remove("a"))
    let steps = [await early.next(), await early.next(), await late.next(), await late.next()]
    let inserted = ListEvent.didChange(ListChange(inserted: [1..<3]))
    let removed = ListEvent.didChange(ListChange(removed: [0..<1]))
    #expect(steps.map { $0?.event } == [inserted, removed, inserted, removed])
    let ids = steps.map { $0?.rows.items.map(\.id).joined() }
    #expect(ids == ["abc", "bc", "abc", "bc"])
    // Too slow a consumer loses steps, and learns how many.
    for number in 0...ListEvents<Word>.limit { list?.append(Word(id: "\(number)")) }
    await list?.eventsDelivered()
    #expect(await early.next()?.event == .didDropEvents(ListEvents<Word>.limit + 1))
    list = nil
    #expect(await early.next() == nil)
  }

  private final class Follower<Item>: ListObserver {
    private let onRows: ([Item]) -> Void
    init(_ onRows: @escaping ([Item]) -> Void) { self.onRows = onRows }
    func notify(_ step: ListEvents<Item>.Step) { onRows(Array(step.rows)) }
    func close() {}
  }

  @Test func `a list that follows a store doesn't keep itself alive`() {
    let library = Library()
    weak var gone: LocalList<String>?
    do {
      let list = LocalList(identity: .by(\.self)) { library.books }
      gone = list
    }
    library.books.append("c")
    #expect(gone == nil)
  }

  @Test func `rows, items and repeated ids are observable`() {
    let list = LocalList(words("a"))
    let changes = Lock(0)
    func watch() {
      withObservationTracking {
        _ = list.items
        _ = list.repeatedIDs
      } onChange: {
        changes.withLock { $0 += 1 }
      }
    }
    watch()
    list.append(Word(id: "b"))
    watch()
    list.append(Word(id: "b"))
    #expect(changes.withLock { $0 } == 2)
  }

  @Test func `a change by an observer is delivered in a later turn`() async {
    let list = LocalList(words("a"))
    let (first, second) = (Copy(of: list), Copy(of: list))
    first.onChange = { if list.items.count < 4 { list.append(Word(id: "\(list.items.count)")) } }
    list.append(Word(id: "b"))
    while list.items.count < 4 { await list.eventsDelivered() }
    await list.eventsDelivered()
    #expect(list.items.map(\.id) == ["a", "b", "2", "3"])
    #expect(first.rows == list.items && second.rows == list.items)
    #expect(first.mismatches.isEmpty && second.mismatches.isEmpty)
  }

  @Test(arguments: try SeededGenerator.runs(Thoroughness.runs(20, full: 500)))
  func `random changes keep observers equal to the list`(random: SeededGenerator) async throws {
    var random = random
    for run in 0..<10 {
      let list = LocalList(words("abcdef"))
      let copy = Copy(of: list)
      var model = words("abcdef")
      for step in 0..<30 {
        try change(list, &model, step: step, &random)
        #expect(list.items == model, "run \(run), step \(step)")
        if Bool.random(using: &random) { await list.eventsDelivered() }
      }
      await list.eventsDelivered()
      #expect(copy.rows == model && copy.mismatches.isEmpty, "run \(run)")
    }
  }

  /// Makes the same random change to a list and to an array.
  private func change(
    _ list: LocalList<Word>, _ model: inout [Word], step: Int, _ random: inout SeededGenerator
  ) throws {
    let place = model.isEmpty ? 0 : Int.random(in: 0..<model.count, using: &random)
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      model.append(Word(id: "n\(step)"))
      list.append(Word(id: "n\(step)"))
    case 1:
      let more = (0..<Int.random(in: 0...200, using: &random)).map { Word(id: "m\(step).\($0)") }
      model += more
      list.append(contentsOf: more)
    case 2 where !model.isEmpty:
      try list.edit(.remove(RowID(model.remove(at: place).id)))
    case 3 where !model.isEmpty:
      model[place].text = "\(step)"
      try list.edit(.update(RowID(model[place].id), model[place]))
    case 4 where !model.isEmpty:
      let word = model.remove(at: place)
      model.insert(word, at: 0)
      try list.edit(.move(RowID(word.id), to: .start))
    case 5:
      model.insert(Word(id: "i\(step)"), at: 0)
      try list.edit(.insert(Word(id: "i\(step)"), at: .start))
    default:
      model = Array(model.shuffled(using: &random).prefix(8)) + [Word(id: "s\(step)")]
      list.items = model
    }
  }
}
