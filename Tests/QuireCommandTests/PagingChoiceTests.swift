import Quire
import Testing

@testable import QuireCommand

@Suite struct PagingChoiceTests {
  private func options(
    _ words: [String], url: String = "https://x/y"
  ) throws(UsageError) -> ListOptions {
    try crawl(words, url: url).list
  }

  private func crawl(
    _ words: [String], url: String = "https://x/y"
  ) throws(UsageError) -> CrawlOptions {
    try CrawlOptions(try Arguments([url] + words, for: CrawlCommand.spec))
  }

  private func refusal(_ words: [String]) -> String? {
    do throws(UsageError) {
      _ = try crawl(words)
      return nil
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    ("", ".automatic"), ("--paging none", ".single"), ("--paging link", ".link"),
    ("--paging page", ".pageNumber()"),
    ("--page-param p --first-page 0", #".pageNumber(first: 0, parameter: "p")"#),
    (
      "--paging page --pages meta.pages --size 20",
      #".pageNumber(size: 20, endsBy: .pageCount("meta.pages"))"#
    ),
    (
      "--has-next more --paging page --total n --next-page m --last-page l",
      #".pageNumber(endsBy: .hasNext("more"), .nextPage("m"), .lastPage("l"), .total("n"))"#
    ),
    (
      "--offset-param skip --limit-param take --size 5",
      #".offset(limit: 5, parameter: "skip", limitParameter: "take")"#
    ),
    (
      "--paging offset --size 7 --limit-param none --end-status 416",
      ".offset(limit: 7, limitParameter: nil, endsBy: .status(416))"
    ),
    ("--limit-param take", #".offset(limit: 100, limitParameter: "take")"#),
    ("--cursor meta.next", #".cursor(at: "meta.next")"#),
    ("--cursor next --end repeat", #".cursor(at: "next", endsBy: .repeatedCursor)"#),
    ("--cursor next --end cursor:0", #".cursor(at: "next", endsBy: .cursor(0))"#),
    ("--cursor next --end cursor:end", #".cursor(at: "next", endsBy: .cursor("end"))"#),
    (
      "--paging page --end empty --has-next !Done",
      #".pageNumber(endsBy: .emptyPage, .isLast("Done"))"#
    ),
    (
      "--cursor header:X-Next#a.b --cursor-into body:start.key",
      #".cursor(at: .headerJSON("X-Next", at: "a.b"), into: .body("start.key"))"#
    ),
    ("--next rel:next@links", #".nextURL(at: .relation("next", in: "links"))"#),
    (
      "--next next --next-base https://x/api/ --total count",
      #".nextURL(at: "next", total: "count", base: try WebURL("https://x/api/"))"#
    ),
    (
      "--keyset id=after,at=header:X-At --size 3",
      #".keyset(["id", "at"], into: ["after", .header("X-At")], limit: 3)"#
    ),
    (
      "--keyset at=after --unique-keys", #".keyset(["at"], into: ["after"], isUnique: true)"#
    ),
    ("--paging range --unit rows --size 3", #".range(unit: "rows", size: 3)"#),
    (
      "--connection data.issues --size 3 --body {\"query\":\"q\"}",
      #".relay(connection: "data.issues", size: 3)"#
    ),
  ])
  func `options and pagings convert into each other`(
    _ line: String, _ declaration: String
  ) throws {
    let words = line.split(separator: " ").map(String.init)
    let paging = try options(words).paging
    #expect("\(paging)" == declaration)
    guard line != "" else { return }
    let body = words.contains("--body") ? ["--body", "{}"] : []
    let again = try options(try #require(paging.options) + body)
    #expect("\(again.paging)" == declaration)
  }

  @Test func `a limit in the address is the page size of offsets`() throws {
    let paging = try options(["--paging", "offset"], url: "https://x/y?limit=7").paging
    #expect("\(paging)" == ".offset(limit: 7)")
  }

  @Test(arguments: [
    (
      "--paging page --cursor next",
      "--cursor can't be used with --paging page: it belongs to --paging cursor"
    ),
    (
      "--next a --cursor b",
      "--next can't be used with --cursor, which implies --paging cursor: it belongs to --paging next"
    ),
    ("--total n", "--total can't be used with --paging auto; name the paging, as in --paging page"),
    ("--size 5", "--size needs --size-param with --paging auto"),
    (
      "--cursor c --end never",
      "--end must be empty, repeat or cursor:VALUE, as in cursor:0, found “never”"
    ),
    ("--paging page --end repeat", "--end repeat needs --cursor: only cursors have it"),
    ("--end empty", "--end can't be used with --paging auto; name the paging, as in --paging page"),
    (
      "--paging page --total !n",
      "--total can't be negated, found “!n”; only --has-next can"
    ),
    ("--size-param s", "--size-param needs --size"),
    ("--paging cursor", "--paging cursor needs --cursor SOURCE"),
    ("--paging next", "--paging next needs --next SOURCE"),
    ("--paging keyset", "--paging keyset needs --keyset PATH=PLACE"),
    ("--paging relay --body {}", "--paging relay needs --connection PATH or --items PATH"),
    (
      "--paging relay --connection a",
      "--paging relay needs --body with a GraphQL query: {\"query\": …}"
    ),
    (
      "--paging keyset --keyset id=a --limit-param a --size-param b",
      "--limit-param and --size-param can't be used together: both set where the page size goes"
    ),
    ("--offline", "--offline needs --cache"),
    ("--cache d --body {}", "--cache can't be used with POST: only responses to GET are cached"),
    ("--key README.md", "--key needs --cert"),
    (
      "--resume f --format json",
      "--resume and --format json can't be used together: only ndjson and csv can be appended to"
    ),
    (
      "--quiet --progress always",
      "--quiet and --progress always can't be used together: --quiet prints only errors"
    ),
    ("--cursor header:", "--cursor has an empty name"),
    (
      "--cursor n --cursor-into cookie:x",
      "--cursor-into must be query:NAME, body:PATH, form:NAME, header:NAME or path:NAME, found “cookie:x”"
    ),
    ("--rate 0/s", "--rate must be a number of requests per s, min or h, as in 5/s, found “0/s”"),
    ("--header nothing", "--header must be 'NAME: VALUE': the name or the colon is missing"),
    ("--cacert /no/such", "--cacert: the file /no/such can't be read"),
    ("--select a,b=a,a", "--select names “a” twice; rename one of them: other=a"),
  ])
  func `conflicting and invalid options are refused`(_ line: String, _ text: String) {
    #expect(refusal(line.split(separator: " ").map(String.init)) == text)
  }

  @Test(arguments: ["--items a..b", "--where @.a<", "--body {", "--next-base ::", "--max-pages 0"])
  func `values that can't be parsed are refused`(_ line: String) {
    #expect(refusal(line.split(separator: " ").map(String.init)) != nil)
  }

  @Test(arguments: [("5/s", 5), ("5", 5), ("30/min", 0.5), ("3600/h", 1), ("0.5/s", 0.5)])
  func `a rate is a number of requests per time`(_ text: String, _ perSecond: Double) throws {
    #expect(try RequestRate(text).perSecond == perSecond)
  }
}
