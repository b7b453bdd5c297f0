import ItemMapping
import QuireTesting
import ServerAPI
import Testing

@testable import ListReading

/// Members beside the rows whose names are made of paging words and other words, and whose values never change.
struct RandomNamesTests {
  private static let pagingWords = [
    "next", "more", "last", "end", "has", "is", "no", "not", "page", "pages", "cursor", "token",
    "link", "url", "offset", "batch", "results", "items", "after", "before", "total", "count",
    "start", "first", "done", "key", "id", "marker", "limit", "size", "number", "prev",
  ]
  private static let otherWords = [
    "review", "details", "update", "billing", "date", "login", "step", "party", "user", "color",
    "version", "owner", "price", "info", "name", "week", "order", "shipping", "theme", "job",
    "event", "time", "zone", "release", "help", "draft", "visit", "payment", "season",
  ]
  private static let values = [
    "null", "false", "true", "\"\"", "0", "1", "2", "10", "45", "\"abc\"", "\"2027-01-01\"",
    "\"/help\"", "\"https://api.test/about\"", "\"7\"", "[]", "{}", "[1,2]", #"{"a":1}"#,
    #"{"href":"/about"}"#, "1.5", "-1",
  ]

  /// A member whose name has one other word at least, and so is no name of a paging.
  private static func member(_ random: inout SeededGenerator) -> String {
    var words = [Self.otherWords.randomElement(using: &random) ?? ""]
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let word = Self.pagingWords.randomElement(using: &random) ?? ""
      words.insert(word, at: Int.random(in: 0...words.count, using: &random))
    }
    let style = NameStyle.allCases.randomElement(using: &random) ?? .snake
    let name = style.spell(NameWords(words: words))
    return "\"\(name)\":\(Self.values.randomElement(using: &random) ?? "null")"
  }

  @Test func `a member whose name has another word decides nothing`() async throws {
    for random in try SeededGenerator.runs(
      Thoroughness.runs(500, full: 10_000), failed: [1_358, 6_714, 7_173, 8_944, 9_382])
    {
      var random = random
      var list = HonestList(way: HonestList.Way.allCases.randomElement(using: &random) ?? .bare)
      list.count = [10, 30, 41, 45, 47].randomElement(using: &random) ?? 45
      let without = list
      list.members = (0..<Int.random(in: 1...3, using: &random))
        .map { _ in "," + Self.member(&random) }.joined()
      let read = try await list.read()
      #expect(read.rows == Array(0..<list.count), "\(random) \(list) \(read)")
      let usual = try await without.read()
      #expect(read.end == usual.end, "\(random) \(list) \(read)")
      #expect(read.claim == usual.claim, "\(random) \(list) \(read)")
      #expect(read.assumptions == usual.assumptions, "\(random) \(list) \(read)")
    }
  }

  @Test(
    arguments: [
      #""terminated_early":false"#, #""limit_reached":false"#, #""exceededTransferLimit":false"#,
      #""is_incomplete":false,"terminated_early":false,"is_complete":true"#, #""load_more":false"#,
      #""num_items":10"#, #""nb_results":10"#, #""numberOfRecords":10,"limit_exceeded":false"#,
    ], HonestList.Way.allCases)
  func `what says that rows are left out says nothing where it doesn't`(
    member: String, way: HonestList.Way
  ) async throws {
    let (with, without) = (HonestList(way: way, members: "," + member), HonestList(way: way))
    let (read, usual) = (try await with.read(), try await without.read())
    #expect(read.rows == Array(0..<45) && read.end == usual.end, "\(read)")
    #expect(read.claim == usual.claim && read.assumptions == usual.assumptions, "\(read)")
  }

  @Test(
    arguments: [
      #""next_review_at":null"#, #""more_details":false"#, #""last_update":true"#,
      #""next_billing_date":null"#, #""last_login":true"#, #""end_date":true"#,
      #""nextStep":null"#, #""afterParty":"""#, #""next_page_views":2"#, #""token":"abc""#,
      #""wizard":{"next":null}"#, #""noMore":false"#, #""no_more_items":false"#,
      #""hasNoMore":false"#, #""isNotLast":true"#, #""withoutMore":false"#, #""end":false"#,
      #""nothing_more":false"#, #""notFinished":true"#, #""unfinished":true"#,
      #""incomplete":false"#,
    ], HonestList.Way.allCases)
  func `the rows of an honest list all come`(member: String, way: HonestList.Way) async throws {
    let read = try await HonestList(way: way, members: "," + member).read()
    #expect(read.rows == Array(0..<45), "\(read)")
  }
}
