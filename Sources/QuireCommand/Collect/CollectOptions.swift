internal import ListSync
internal import Quire
internal import QuireCollect

/// The options of `quire collect`.
struct CollectOptions {
  var rounds: RoundOptions
  /// The list, and its table.
  private(set) var list: CollectList
  /// Those of the lists that are read for each row of this one.
  private(set) var children: [CollectOptions] = []
  let printsJSON: Bool
  /// The file of the database; empty if there is none.
  let path: String
  private let isDurable: Bool
  /// What decides which rows the table has: the list, and a filter of its rows.
  private var source: (list: CollectList, filter: String?)

  init(_ arguments: Arguments) throws(UsageError) {
    guard let path = arguments["into"] ?? (CollectCommand.stores(arguments) ? nil : "") else {
      throw UsageError("--into is missing; name the file of a database: --into FILE")
    }
    self.path = path
    rounds = try RoundOptions(arguments, of: CollectCommand.spec.name, from: path)
    isDurable = arguments.has("durable")
    printsJSON = arguments["summary"] == "json"
    let options = rounds.crawl.list
    guard let name = arguments["table"] ?? Self.name(of: options.call) else {
      throw UsageError("the URL has no name for the table; add one with --table NAME")
    }
    list = CollectList(name, options.call, items: options.items)
    if case .by(let path) = options.identity { list.id = path }
    list.deletes = arguments["deletes"].flatMap(CollectList.Deletes.init) ?? .soft
    if list.deletes == .off {
      if arguments.has("max-deletes") {
        throw UsageError("--max-deletes and --deletes off can't be used together: nothing is deleted")
      }
      rounds.deleteLimit = DeleteLimit(rows: 0, share: 0)
    }
    (list.deleteLimit, list.watermark) = (rounds.deleteLimit, rounds.watermark)
    source = (list, arguments["where"])
  }

  /// Stores with the table what decides on its rows as other options have it, which have no secrets.
  mutating func storeSource(of other: CollectOptions) { source = other.source }

  /// Returns the last name in the path of an address, without the ending of a file.
  private static func name(of call: Call) -> String? {
    guard let url = try? WebURL(call.address) else { return nil }
    let last = url.path.split(separator: "/").last
    return last.map { String($0.prefix { $0 != "." }) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Opens the database.
  func sink() throws(UsageError) -> SQLiteSink {
    do { return try SQLiteSink(path, survivesPowerLoss: isDurable) } catch { throw UsageError("\(error)") }
  }

  /// Adds lists that are read for each row of this one.
  mutating func add(_ children: [CollectOptions]) {
    self.children += children
    list.children += children.map(\.list)
  }

  /// Opens the table. Sends no request.
  func store(in sink: SQLiteSink) async throws(UsageError) -> SinkStore {
    do {
      try CollectPlan([list]).check()
      return try await SinkStore(list, listSource(source.list), sink, .system)
    } catch {
      throw UsageError("\(error)")
    }
  }

  /// Opens the table of what is read for each row of another list. Sends no request.
  func rounds(of parent: CollectList, in sink: SQLiteSink) async throws(UsageError) -> ChildRounds {
    do {
      let source = try listSource(source.list.belonging(to: parent.name))
      return try await ChildRounds(list, of: parent, source, sink, .system)
    } catch {
      throw UsageError("\(error)")
    }
  }

  private func listSource(_ list: CollectList) throws(RequestError) -> ListSource {
    try ListSource(rounds.crawl.list.server(), list, filter: source.filter)
  }
}
