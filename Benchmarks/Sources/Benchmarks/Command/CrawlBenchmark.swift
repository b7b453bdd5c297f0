import CPeer
import Foundation

/// What a page of a crawl costs, from HTTP to ndjson, beside a C program that does the same with libcurl
/// and simdjson, and beside what people write by hand.
struct CrawlBenchmark {
  static let rounds = 11
  static let pages = 2_000
  let yardstick: Yardstick

  init(_ yardstick: Yardstick) { self.yardstick = yardstick }

  func run(_ report: inout Report) async throws {
    let list = yardstick.rows(pages: Self.pages)
    let quire = Self.command(list, try Programs.quire())
    let peer = [Platform.executable.path, "crawl", list, "\(Self.pages)"]
    try checkSameRows(list, quire)
    let costs = try await compare(
      [Self.program("Quire", quire), Self.program("libcurl + simdjson", peer)],
      rounds: Self.rounds)
    for who in ["Quire", "libcurl + simdjson"] {
      report.note(
        String(
          format: "crawl of %d pages, %@: %.0f µs wall, %.0f µs CPU a page", Self.pages, who,
          costs.median(who, \.wall) * 1e6 / Double(Self.pages),
          costs.median(who, \.cpu) * 1e6 / Double(Self.pages)))
    }
    report.add(
      "crawl: CPU a page, times libcurl + simdjson",
      costs.ratio("Quire", to: "libcurl + simdjson", what: \.cpu), atMost: 2.5)
    try beside(&report)
  }

  static func command(_ list: String, _ quire: String) -> [String] {
    [
      quire, "crawl", list, "--paging", "offset", "--size", "100", "--total", "data.total",
      "--progress", "never",
    ]
  }

  private static func program(_ name: String, _ command: [String]) -> Contestant {
    var contestant = Contestant(name) { try Programs.run(command) }
    contestant.isProcess = true
    return contestant
  }

  /// A peer that writes other rows would be no peer.
  private func checkSameRows(_ list: String, _ quire: [String]) throws {
    let short = list.replacing("/\(Self.pages)", with: "/3")
    let ours = try finished(quire.map { $0.replacing("/\(Self.pages)", with: "/3") })
    let theirs = try finished([Platform.executable.path, "crawl", short, "3"])
    guard ours == theirs, ours.split(separator: "\n").count == 300 else {
      throw BenchmarkError("crawl and peer write different rows")
    }
  }

  /// Scripts for the same list, with so many pages that they take a second or two.
  private func beside(_ report: inout Report) throws {
    if let python = Programs.find("python3"),
      (try? Programs.run([python, "-c", "import requests"])) != nil
    {
      try note("python3 with requests and json", [python, "-c", Self.script], pages: 200, &report)
    } else {
      report.note("python3 with requests is not installed, so a crawl is not compared with it")
    }
    if let shell = Programs.find("sh"), Programs.find("curl") != nil, Programs.find("jq") != nil {
      try note("a loop of curl and jq", [shell, "-c", Self.loop, "sh"], pages: 20, &report)
    } else {
      report.note("curl or jq is not installed, so a crawl is not compared with them")
    }
  }

  private func note(
    _ name: String, _ command: [String], pages: Int, _ report: inout Report
  ) throws {
    let start = Cost.ofProcesses()
    try Programs.run(command + [yardstick.rows(pages: pages), "\(pages)"])
    let cost = Cost.ofProcesses() - start
    report.note(
      String(
        format: "crawl of %d pages, %@: %.1f ms wall, %.1f ms CPU a page", pages, name,
        cost.wall * 1e3 / Double(pages), cost.cpu * 1e3 / Double(pages)))
  }

  private static let script = """
    import json, requests, sys
    session = requests.Session()
    for page in range(int(sys.argv[2])):
        answer = session.get(sys.argv[1], params={"limit": 100, "offset": page * 100})
        for row in json.loads(answer.content)["data"]["list"]:
            print(json.dumps(row))
    """
  private static let loop = """
    page=0
    while [ $page -lt $2 ]; do
      curl -s "$1?limit=100&offset=$((page * 100))" | jq -c '.data.list[]'
      page=$((page + 1))
    done
    """
}
