import Foundation
import QuireTesting
import Testing

@testable import QuireCommand

/// Tokens that a shell command prints.
@Suite(.timeLimit(.minutes(2))) struct TokenCommandTests {
  @Test func `a token is renewed after a 401, and is neither printed nor stored`() async throws {
    let served = ServedRows(count: 60)
    let server = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      // The first token is accepted for one page.
      guard request.header("Authorization") == "Bearer s3cret\(number == 1 ? 1 : 2)" else {
        return .status(401)
      }
      return served.page(number: number, #""page":\#(number),"total_pages":3"#)
    }
    let folder = try TemporaryFolder()
    let count = folder.file("count")
    let command = "echo x >> '\(count)'; echo \" s3cret$(wc -l < '\(count)' | tr -d ' ')\""
    let result = try await QuireProcess(
      [
        "crawl", server.baseURL, "--token-command", command, "--resume", folder.file("state"),
        "--explain", "--stats",
      ], appendingTo: folder.file("rows")
    ).end()
    #expect(result.status == 0 && ids(result.output) == served.ids, "\(result.errors)")
    #expect(folder.text("count") == "x\nx\n")
    #expect(!(result.errors + folder.text("state")).contains("s3cret"))
    #expect(!folder.text("state").contains("echo"))
  }

  @Test(arguments: [
    ("exit 3", "authentication failed: the command ended with status 3; check --token-command"),
    ("echo; echo no key >&2; echo x >&2; exit 4", "ended with status 4: no key; check"),
    ("true", "the command printed no token; check --token-command"),
    ("echo two s3cret", "the output of the command is no token, which is one word of ASCII;"),
    ("kill -9 $$", "signal 9 ended the command"),
    ("no-such-program-here", "ended with status 127: "),
  ])
  func `a command without a token ends the crawl with its status and its error`(
    _ command: String, _ text: String
  ) async throws {
    let server = try LoopbackServer { _ in .json("[]") }
    let result = try await QuireProcess.run("crawl", server.baseURL, "--token-command", command)
    #expect(result.status == 2 && result.errors.contains(text), "\(result.errors)")
    #expect(!result.errors.contains("s3cret") && server.requestCount == 0)
  }

  @Test func `a rejected token is asked for again, and then the crawl ends`() async throws {
    let server = try LoopbackServer { _ in .status(401) }
    let result = try await QuireProcess.run(
      "crawl", server.baseURL, "--token-command", "echo s3cret")
    #expect(result.status == 2 && server.requestCount == 2)
    #expect(result.errors.contains("rejected renewed credentials; check --token-command"))
    #expect(!result.errors.contains("s3cret"), "\(result.errors)")
  }

  @Test(arguments: [
    (["--token-env", "PATH"], "--token-command and --token-env can't be used together"),
    (["--header", "authorization: x"], "--token-command and a header Authorization can't"),
    (["--cache", "/tmp/x"], "--token-command and --cache can't be used together"),
    (["--token-command", "s3cret"], "--token-command was given twice"),
  ])
  func `options that contradict a command for tokens are refused`(
    _ options: [String], _ text: String
  ) async throws {
    let words = ["crawl", "http://127.0.0.1:9/", "--token-command", "echo s3cret"]
    let result = try await QuireProcess.run(words + options)
    #expect(result.status == 1 && result.errors.contains(text), "\(result.errors)")
    #expect(!result.errors.contains("s3cret"))
  }

  @Test func `a cancelled task ends its command`() async throws {
    let folder = try TemporaryFolder()
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let command = ShellCommand("echo x > '\(pipe)'; exec sleep 1000")
    let task = Task { try await command.run() }
    // Is there once the command runs.
    let descriptor = open(pipe, O_RDONLY)
    var byte: UInt8 = 0
    #expect(read(descriptor, &byte, 1) == 1)
    close(descriptor)
    task.cancel()
    #expect(try await task.value.ending == .killed(SIGTERM))
  }
}
