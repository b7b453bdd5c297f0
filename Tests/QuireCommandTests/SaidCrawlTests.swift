import QuireTesting
import TestSupport
import Testing

/// A share of the matrix of what servers say, read by the command: its status says no more than the responses do, and
/// the same as a walk.
@Suite(.timeLimit(.minutes(30))) struct SaidCrawlTests {
  @Test func `a crawl says no more than the responses do`() async throws {
    let runs = try SeededGenerator.runs(Thoroughness.runs(40, full: 600))
    var failures: [String] = []
    for run in runs {
      var random = run
      var item = SaidMatrix.makeCase(&random)
      let walk = await item.read()
      item.reader = .crawl
      let reading = try await crawl(item)
      for failure in item.failures(of: reading) {
        failures.append(
          "\(failure.kind(of: item)), QUIRE_SEED=\(run.seed): \(item)\n\(reading)\n\(failure.note)")
      }
      if reading.end.isComplete != walk.end.isComplete, !reading.lacksDeclaredFacts {
        failures.append("QUIRE_SEED=\(run.seed): \(item)\n\(reading)\nwalk:\n\(walk)")
      }
    }
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
  }

  private func crawl(_ item: SaidCase) async throws -> SaidReading {
    let run = SaidRun(item.server)
    let server = try run.loopback()
    let result = try await QuireProcess.run(
      ["crawl", server.baseURL + "/rows", "--retries", "0", "--select", "id", "--stats"]
        + ["--consistency", item.level.rawValue] + item.options)
    var reading = SaidReading()
    reading.responses = run.responses
    reading.ids = result.output.split(separator: "\n").compactMap { Int($0.filter(\.isNumber)) }
    switch result.status {
    case 0: reading.end = .complete
    case 3: reading.end = .incomplete(result.errors)
    default: reading.end = .failed("status \(result.status): \(result.errors)")
    }
    for claim in [SaidReading.Claim.mayLack, .unproven, .whole, .exact]
    where result.errors.contains(#""consistency":"\#(claim.rawValue)""#) {
      reading.claim = claim
    }
    return reading
  }
}

extension SaidReading {
  /// Whether the command ended because no response has what an option declares, which a walk doesn't know.
  fileprivate var lacksDeclaredFacts: Bool {
    switch end {
    case .complete: false
    case .incomplete(let text): text.contains(": no response has ")
    case .failed(let text): text.hasPrefix("status 1: ") && text.contains(": no response has ")
    }
  }
}

extension SaidCase {
  /// The options that declare the paging.
  fileprivate var options: [String] {
    guard declaration != .automatic else { return [] }
    let options = server.options.split(separator: " ").map(String.init)
    guard declaration == .withRules, !server.way.isChained || server.way.hasCursor,
      server.way != .ranges
    else { return options }
    var rules: [String: String] = [:]
    for saying in server.sayings {
      guard let (name, value) = saying.fact.option, rules[name] == nil else { continue }
      rules[name] = value
    }
    return options + rules.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
  }
}

extension SaidServer.Way {
  /// Whether a cursor leads to the next page.
  fileprivate var hasCursor: Bool { self == .cursors || self == .countingCursors }
}

extension SaidServer {
  fileprivate var options: String {
    let items = way == .relay ? "--items data.rows.nodes " : "--items rows "
    return switch way {
    case .pages: items + "--paging page"
    case .pagesFromZero: items + "--paging page --first-page 0"
    case .pagesOfAnySize, .pagesOfOwnSize: items + "--paging page --size \(size)"
    case .pageHeaders: items + "--paging page --next-page header:X-Next-Page"
    case .offsets, .offsetsOfCappedSize, .offsetsRounded: items + "--paging offset --size \(size)"
    case .ranges: items + "--paging range --size \(size)"
    case .links: items + "--paging link"
    case .nextURL, .nextURLOfOffset: items + "--next next"
    case .cursors, .countingCursors: items + "--cursor next_cursor"
    case .keys: items + "--keyset key=after --unique-keys --size \(size)"
    case .keysWithTies: items + "--keyset group=after --size \(size)"
    case .relay:
      items + "--paging relay --connection data.rows --size \(size) --body {\"query\":\"q\"}"
    case .single: items + "--paging none"
    }
  }
}

extension SaidFact {
  /// The option that declares it.
  fileprivate var option: (name: String, value: String)? {
    switch self {
    case .flag(let flag, _): ("--has-next", (flag.isOfMore ? "" : "!") + flag.rawValue)
    case .total(let name, _): ("--total", name.hasPrefix("X-") ? "header:" + name : name)
    case .bound(.relation, _): ("--total", "total.value")
    case .bound: ("--total", "total")
    case .pageCount: ("--pages", "total_pages")
    case .otherTotal, .totalInRows, .lastLink, .contentRange, .next: nil
    }
  }
}
