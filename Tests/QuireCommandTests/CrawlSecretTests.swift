import Foundation
import QuireTesting
import Testing

/// Headers that are not in the list of processes.
@Suite(.timeLimit(.minutes(1))) struct CrawlSecretTests {
  private func server() throws -> LoopbackServer {
    try LoopbackServer { _ in .json(#"{"rows":[{"id":1}]}"#) }
  }

  @Test func `headers are read from a file`() async throws {
    let server = try server()
    let folder = try TemporaryFolder()
    try "X-Key: s3cret\n\nX-Other: two\n".write(
      toFile: folder.file("headers"), atomically: false, encoding: .utf8)
    let words = ["crawl", server.baseURL, "--paging", "none", "--header"]
    let result = try await QuireProcess.run(words + ["@\(folder.file("headers"))"])
    #expect(result.status == 0, "\(result.errors)")
    let request = try await server.request(at: 0)
    #expect(request.header("X-Key") == "s3cret" && request.header("X-Other") == "two")
    let missing = try await QuireProcess.run(words + ["@\(folder.file("none"))"])
    #expect(missing.status == 1 && missing.errors.contains("can't be read as text"))
    try "s3cret".write(toFile: folder.file("headers"), atomically: false, encoding: .utf8)
    let wrong = try await QuireProcess.run(words + ["@\(folder.file("headers"))"])
    #expect(wrong.status == 1 && !wrong.errors.contains("s3cret"), "\(wrong.errors)")
    #expect(server.requestCount == 1)
  }

  @Test func `a token is read from the environment`() async throws {
    let server = try server()
    let words = ["crawl", server.baseURL, "--paging", "none", "--token-env", "TOKEN"]
    let process = try QuireProcess(words, environment: ["TOKEN": "s3cret"])
    #expect(await process.end().status == 0)
    #expect(try await server.request(at: 0).header("Authorization") == "Bearer s3cret")
    let missing = try await QuireProcess.run(words)
    #expect(missing.status == 1 && missing.errors.contains("has no variable TOKEN"))
    let twice = try QuireProcess(
      words + ["--header", "Authorization: Basic x"], environment: ["TOKEN": "s3cret"])
    let result = await twice.end()
    #expect(result.status == 1 && !result.errors.contains("s3cret"), "\(result.errors)")
  }

  @Test func `half of a character is written as it came, and csv says that it can't`() async throws {
    let server = try LoopbackServer { _ in .json(#"{"rows":[{"id":1,"text":"a\ud800b"}]}"#) }
    let words = ["crawl", server.baseURL, "--paging", "none"]
    let lines = try await QuireProcess.run(words)
    #expect(lines.output == #"{"id":1,"text":"a\ud800b"}"# + "\n")
    let csv = try await QuireProcess.run(words + ["--format", "csv"])
    #expect(csv.output == "id,text\n1,a\u{FFFD}b\n")
    #expect(csv.errors.contains("half of a character (a lone surrogate) became U+FFFD;"))
  }
}
