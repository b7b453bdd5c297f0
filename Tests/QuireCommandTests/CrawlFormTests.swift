import Foundation
import QuireTesting
import Testing

/// Fields of a form in the body of each request.
@Suite(.timeLimit(.minutes(2))) struct CrawlFormTests {
  @Test func `the fields of a form are posted with every page`() async throws {
    let served = ServedRows(count: 40)
    let server = try LoopbackServer { request in
      let body = String(decoding: request.body, as: UTF8.self)
      return served.page(number: body.contains("p=2") ? 2 : 1, #""total_pages":2"#)
    }
    let folder = try TemporaryFolder()
    try "api_key=s3cret\n\nnote=a=b\n".write(
      toFile: folder.file("fields"), atomically: false, encoding: .utf8)
    let words = [
      "crawl", server.baseURL, "--page-param", "form:p", "--pages", "total_pages", "--form",
      "q=red shoes&more", "--form", "tag=a", "--form", "tag=é", "--form",
      "@\(folder.file("fields"))", "--resume", folder.file("state"),
    ]
    let result = try await QuireProcess(words, appendingTo: folder.file("rows")).end()
    #expect(result.status == 0 && ids(result.output) == served.ids, "\(result.errors)")
    let fields = "q=red+shoes%26more&tag=a&tag=%C3%A9&api_key=s3cret&note=a%3Db"
    for (index, page) in ["&p=1", "&p=2"].enumerated() {
      let request = try await server.request(at: index)
      #expect(request.method == "POST")
      #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
      #expect(String(decoding: request.body, as: UTF8.self) == fields + page)
    }
    #expect(!folder.text("state").contains("s3cret") && !folder.text("state").contains("shoes"))
    var other = words
    other[7] = "q=blue"
    let changed = try await QuireProcess(other, appendingTo: folder.file("rows")).end()
    #expect(changed.status == 1 && changed.errors.contains("--form 'q' differs"))
  }

  @Test(arguments: [
    (["--form", "s3cret"], "--form must be NAME=VALUE: the name or the equals sign is missing"),
    (["--form", "=s3cret"], "--form must be NAME=VALUE"),
    (["--form", "a=1", "--body", "{}"], "--form and --body can't be used together: a request has"),
    (["--form", "a=1", "--method", "get"], "--form and --method GET can't be used together"),
    (
      ["--form", "a=1", "--cursor", "n", "--cursor-into", "body:n"],
      "--cursor-into body:PATH and --form can't be used together: the body is a form, not JSON; use form:NAME"
    ),
    (
      ["--body", "{}", "--keyset", "id=form:after"],
      "--keyset form:NAME and --body can't be used together: the body is JSON"
    ),
    (["--form", "a=1", "--paging", "relay", "--items", "a.b"], "a GraphQL query is JSON"),
    (
      ["--form", "a=1", "--header", "Content-Type: application/json"],
      "--form and another Content-Type can't be used together"
    ), (["--form", "a=1", "--cache", "/tmp/x"], "--cache can't be used with POST"),
    (["--form", "@/no/such/file"], "--form: the file /no/such/file can't be read"),
  ])
  func `options that contradict a form are refused`(
    _ options: [String], _ text: String
  ) async throws {
    let result = try await QuireProcess.run(["crawl", "http://127.0.0.1:9/"] + options)
    #expect(result.status == 1 && result.errors.contains(text), "\(result.errors)")
    #expect(!result.errors.contains("s3cret"))
  }
}
