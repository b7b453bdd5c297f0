package import QuireTesting

/// Makes random servers of still lists, each with a way of paging, a way to stop, and what it says.
package enum SaidMatrix {
  /// Returns the case of a seed.
  package static func makeCase(_ random: inout SeededGenerator) -> SaidCase {
    func any<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &random)]
    }
    func happens(_ chance: Double) -> Bool { random.nextUnit() < chance }

    let way = any(SaidServer.Way.allCases)
    let isLarge = happens(0.01)
    let size = isLarge ? 100 : Int.random(in: 3...10, using: &random)
    let isHonest = way == .single || happens(0.3)
    var rows = isLarge ? 1_000 : Int.random(in: 0...60, using: &random)
    if happens(0.4) { rows = (rows + size - 1) / size * size }
    var cap = rows
    if !isHonest {
      cap = isLarge ? 1_000 : max(1, Int.random(in: 0..<max(1, rows), using: &random))
      if isLarge { rows = 1_000 + Int.random(in: 1...250, using: &random) }
      if happens(0.6) { cap = max(1, cap / size) * size }
      if cap >= rows { rows = cap + Int.random(in: 1...20, using: &random) }
    }
    let status = any([400, 403, 404, 410, 416, 422, 429])
    var stops: [SaidServer.Stop] = [
      .empty, .bare, .repeated, .firstAgain, .status(status, ifEndsAfter: false),
      .status(status, ifEndsAfter: true),
    ]
    if way.isChained { stops += [.noNext, .noNext] }
    if way != .keys, way != .keysWithTies, way != .single, !isHonest { stops.append(.filtered) }
    if isHonest {
      let status = any([400, 404, 410, 422])
      // A limit that is just as large as the list has a place only for whole pages.
      let isLimit = (way == .offsets || way == .offsetsOfCappedSize) && rows % size == 0
      stops = [
        .empty, .empty, .bare, .repeated, .status(status, ifEndsAfter: isLimit && happens(0.5)),
      ]
    }
    let sayings = (0..<any([0, 1, 1, 1, 2, 2, 3])).map { _ in
      makeSaying(isHonest: isHonest, &random)
    }
    var server = SaidServer(
      way, rows: rows, cap: cap, size: size, stop: any(stops),
      omitsNext: way != .pageHeaders && happens(0.4))
    for saying in sayings
    where server.allows(saying.fact)
      && !server.sayings.contains(where: { $0.fact.member == saying.fact.member })
    {
      server.sayings.append(saying)
    }
    let declaration: SaidCase.Declaration =
      way == .single || happens(0.35) ? .automatic : any([.plain, .withRules])
    return SaidCase(
      server, declaration, any(SaidCase.Level.allCases), any([.walk, .walk, .loop, .list]))
  }

  private static func makeSaying(
    isHonest: Bool, _ random: inout SeededGenerator
  ) -> SaidServer.Saying {
    func any<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &random)]
    }
    let basis: SaidFact.Basis = any([.list, .list, .cap])
    let amount: SaidFact.Amount =
      isHonest ? any([.all, .all, .page]) : any(SaidFact.Amount.allCases)
    let fact: SaidFact
    switch Int.random(in: 0..<16, using: &random) {
    case 0...2: fact = .flag(any(SaidFlag.allCases), basis)
    case 3: fact = .flag(any([.hasMore, .isLast]), .fullPage)
    case 4...7:
      fact = .total(
        name: any(["total", "total", "totalCount", "total_count", "X-Total-Count"]), amount)
    case 8...9: fact = .bound(any(SaidFact.Bound.allCases), amount == .page ? .low : amount)
    case 10: fact = any([.otherTotal, .totalInRows])
    case 11...12: fact = .pageCount(basis)
    case 13: fact = .lastLink(basis)
    case 14: fact = .contentRange(amount == .page ? .all : amount)
    default: fact = .next(basis)
    }
    switch fact {
    // Only a flag on each page takes back what the last full page says, and a link on some pages is a chain that ends.
    case .flag(_, .fullPage), .next: return SaidServer.Saying(fact)
    default: break
    }
    return SaidServer.Saying(fact, on: any([.everyPage, .everyPage] + SaidServer.Place.allCases))
  }
}

extension SaidServer {
  /// Whether a server with this way of paging can say that.
  fileprivate func allows(_ fact: SaidFact) -> Bool {
    switch fact {
    case .pageCount: stop != .filtered && (way.firstPage == 1 || way == .pagesFromZero)
    case .lastLink: stop != .filtered && [.pages, .pagesFromZero, .links].contains(way)
    case .next: !way.isChained && ![.keys, .keysWithTies, .single, .ranges].contains(way)
    case .contentRange: stop != .filtered
    // An empty page that says nothing doesn't take back what a full one says.
    case .flag(_, .fullPage): stop != .bare
    case .total(let name, _): way != .relay || name == "totalCount" || name.hasPrefix("X-")
    default: true
    }
  }
}

extension SaidFact {
  /// What two facts can't both be.
  fileprivate var member: String {
    switch self {
    case .flag(let flag, _): flag.rawValue
    case .total(let name, _): name
    case .bound: "total"
    case .otherTotal: "comments"
    case .totalInRows: "replies"
    case .pageCount: "total_pages"
    case .lastLink: "last link"
    case .contentRange: "range"
    case .next: "next"
    }
  }
}

// MARK: - Smaller cases

extension SaidCase {
  /// Cases like this one that are simpler, the simplest first.
  package var simpler: [SaidCase] {
    var cases: [SaidCase] = []
    func add(_ change: (inout SaidCase) -> Void) {
      var other = self
      change(&other)
      if other != self { cases.append(other) }
    }
    for index in server.sayings.indices { add { $0.server.sayings.remove(at: index) } }
    if reader != .walk { add { $0.reader = .walk } }
    if declaration == .withRules { add { $0.declaration = .plain } }
    if declaration == .automatic { add { $0.declaration = .plain } }
    for index in server.sayings.indices { add { $0.server.sayings[index].place = .everyPage } }
    add { $0.server.omitsNext = false }
    add { $0.server.stop = .empty }
    if !level.demandsClaim { add { $0.level = .seams } }
    add {
      $0.server.size = 4
      $0.server.cap = server.cap == server.rows ? 8 : 8
      $0.server.rows = server.cap == server.rows ? 8 : 12
    }
    let pages = server.cap / server.size
    if pages > 1 {
      add {
        let cut = (pages - 1) * server.size
        $0.server.cap -= cut
        $0.server.rows -= cut
      }
    }
    return cases
  }
}
