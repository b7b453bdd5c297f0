import ItemMapping
import ServerAPI
import Testing

@testable import ListReading

/// Loads all pages from a server function with `.automatic`, as a list does.
struct AutomaticWalk {
  /// The ids of the rows in the order of the list, without those that the verdict calls repeated.
  var rows: [Int] = []
  /// The requested parameters.
  var calls: [String] = []
  /// The link that ended the walk.
  var last = PageFacts.Link.end
  var recognized: Paging?

  private var page: PageResponse?

  init(_ call: Call = Call("/books"), most: Int = 60, with server: (Call) -> PagedReply) throws {
    let automatic = Paging.automatic.strategy
    try ask(automatic.first, automatic, call, server)
    let recognition = Recognizer.recognize(try #require(page))
    recognized = recognition.recognized?.paging
    last = recognition.facts.next
    take(leavingOut: 0)
    while case .page(let key) = last, calls.count < most {
      if case .trial(let trial) = key.place {
        try follow(trial, call, server)
      } else {
        let strategy = try #require(recognized).strategy
        try ask(key, strategy, call, server)
        take(leavingOut: 0)
        last = strategy.facts(in: try #require(page)).next
      }
    }
  }

  private mutating func follow(
    _ trial: PageKey.Trial, _ call: Call, _ server: (Call) -> PagedReply
  ) throws {
    let candidate = trial.candidate
    let isAnswered = try ask(candidate.key, candidate.paging.strategy, call, server)
    switch isAnswered ? trial.judge(try #require(page)) : trial.rejected() {
    case .accepted(let found, let key, let repeated):
      recognized = found.paging
      page?.key = key
      take(leavingOut: repeated)
      last = found.paging.strategy.facts(in: try #require(page)).next
    case .end(let found):
      recognized = found.paging
      last = .end
    case .next(let trial): last = .page(PageKey(.trial(trial)))
    case .stopped(let error, _): last = trial.said == nil ? .stopped(error) : .end
    }
  }

  @discardableResult
  private mutating func ask(
    _ key: PageKey, _ strategy: any PageStrategy, _ call: Call, _ server: (Call) -> PagedReply
  ) throws -> Bool {
    var asked = call
    try strategy.apply(key, to: &asked)
    let params = asked.params.items.map { "\($0.name)=\($0.value.texts[0])" }
    calls.append(params.joined(separator: "&"))
    let reply = server(asked)
    guard reply.status < 400 else { return false }
    let url = try WebURL("https://api.test").resolving(asked.address)
    let root = try JSONDocument(reply.json.text()).root
    guard case .found(let path, _) = ListFinder.find(in: root) else {
      Issue.record("no list in \(root)")
      return false
    }
    page = PageResponse(
      key: key, call: asked, response: HTTPResponse(headers: reply.headers, url: url),
      envelope: root, itemsPath: path, count: root[path]?.count ?? 0)
    return true
  }

  private mutating func take(leavingOut repeated: Int) {
    rows +=
      (page?.rows?.elements).map(Array.init)?.dropFirst(repeated).compactMap {
        $0["id"]?.int
      } ?? []
  }

  /// The error that stopped the list, if any.
  var error: PagingError? {
    if case .stopped(let error) = last { error } else { nil }
  }
}
