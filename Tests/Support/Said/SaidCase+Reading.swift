import ItemMapping
import ListModel
import ListReading
import QuireTesting
import ServerAPI

/// A row of a list.
private struct SaidRow: Decodable, Identifiable, Sendable {
  let id: Int
}

extension SaidCase {
  /// Reads the list over a mock transport.
  package func read() async -> SaidReading {
    let run = SaidRun(server)
    let client = Server("https://test", transport: run.transport) { $0.retry = .never }
    var reading: SaidReading
    switch reader {
    case .walk: reading = await walk(client)
    case .loop: reading = await loop(client)
    case .list: reading = await list(client)
    case .crawl: reading = SaidReading()
    }
    reading.responses = run.responses
    return reading
  }

  private var items: JSONPath? {
    guard declaration != .automatic else { return nil }
    return server.way == .relay ? "data.rows.nodes" : "rows"
  }

  private func pageWalk(_ client: Server) -> PageWalk {
    PageWalk(
      client, server.call, items: items, paging: paging,
      identity: declaration == .automatic ? .recognized : .by("id"), consistency: consistency)
  }

  private func walk(_ client: Server) async -> SaidReading {
    let walk = pageWalk(client)
    var reading = SaidReading()
    do throws(LoadError) {
      while let page = try await walk.next() {
        reading.ids += page.rows.compactMap { $0["id"]?.int }
      }
      reading.end = SaidReading.End(walk.end)
    } catch {
      reading.end = .failed("\(error)")
    }
    reading.claim = SaidReading.Claim(walk.consistency)
    return reading
  }

  private func loop(_ client: Server) async -> SaidReading {
    let loop = ItemWalk<SaidRow>(pageWalk(client), reading: .decodables(decoder: ItemDecoder()))
    var reading = SaidReading()
    do throws(LoadError) {
      for try await row in loop { reading.ids.append(row.id) }
      reading.end = .complete
    } catch {
      if case .paging(let reason) = error {
        reading.end = .incomplete("\(reason)")
      } else {
        reading.end = .failed("\(error)")
      }
    }
    reading.claim = SaidReading.Claim(loop.walk.consistency)
    return reading
  }

  @MainActor private func list(_ client: Server) async -> SaidReading {
    let list = ListModel<SaidRow>(
      client, server.call, reading: .decodables(at: items), paging: paging, identity: .id
    ) { $0.consistency = consistency }
    let outcome = await list.loadAll()
    var reading = SaidReading()
    if case .reachedEnd(let end) = outcome {
      reading.end = SaidReading.End(end)
    } else {
      reading.end = .failed("\(outcome)")
    }
    reading.ids = list.rows.items.map(\.id)
    reading.claim = SaidReading.Claim(list.consistency)
    return reading
  }
}

extension SaidReading.End {
  fileprivate init(_ end: ListEnd?) {
    switch end {
    case .complete?: self = .complete
    case .incomplete(let reason)?: self = .incomplete("\(reason)")
    case nil: self = .failed("no end")
    }
  }
}

extension SaidReading.Claim {
  fileprivate init(_ consistency: Consistency) {
    self = Self(rawValue: consistency.claim.name) ?? .mayLack
  }
}

// MARK: - Declarations

extension SaidCase {
  private var consistency: Consistency.Level { Consistency.Level(rawValue: level.rawValue) ?? .any }

  private var paging: Paging {
    guard declaration != .automatic else { return .automatic }
    let paging = server.paging
    guard declaration == .withRules else { return paging }
    let rules = server.sayings.compactMap(\.fact.rule)
    return rules.isEmpty ? paging : paging.ending(rules)
  }
}

extension SaidServer {
  /// The declaration of its paging, without rules for the end.
  fileprivate var paging: Paging {
    switch way {
    case .pages: .pageNumber()
    case .pagesFromZero: .pageNumber(first: 0)
    case .pagesOfAnySize, .pagesOfOwnSize: .pageNumber(size: size)
    case .pageHeaders: .pageHeaders()
    case .offsets, .offsetsOfCappedSize, .offsetsRounded: .offset(limit: size)
    case .ranges: .range(size: size)
    case .links: .link
    case .nextURL, .nextURLOfOffset: .nextURL(at: "next")
    case .cursors, .countingCursors: .cursor(at: "next_cursor")
    case .keys: .keyset(["key"], into: [.query("after")], isUnique: true, limit: size)
    case .keysWithTies: .keyset(["group"], into: [.query("after")], limit: size)
    case .relay: .relay(connection: "data.rows", size: size)
    case .single: .single
    }
  }

  fileprivate var call: Call {
    guard way == .relay else { return Call("/rows") }
    let query = Array(
      #"{"query":"query($first: Int, $after: String) { rows(first: $first, after: $after) { nodes { id } } }"}"#
        .utf8)
    return Call("/graphql", method: .post, body: .bytes(query, contentType: "application/json"))
  }
}

extension SaidFact {
  /// The rule that declares it.
  fileprivate var rule: EndRule? {
    switch self {
    case .flag(let flag, _):
      flag.isOfMore
        ? .hasNext(.body([.name(flag.rawValue)])) : .isLast(.body([.name(flag.rawValue)]))
    case .total(let name, _):
      .total(name.hasPrefix("X-") ? .header(name) : .body([.name(name)]))
    case .bound(.relation, _): .total("total.value")
    case .bound: .total("total")
    case .pageCount: .pageCount("total_pages")
    case .otherTotal, .totalInRows, .lastLink, .contentRange, .next: nil
    }
  }
}
