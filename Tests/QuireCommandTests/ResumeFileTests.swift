import Foundation
import Quire
import QuireTesting
import Testing

@testable import QuireCommand

/// Requirements for resume files, and their content.
@Suite(.timeLimit(.minutes(2))) struct ResumeFileTests {
  private static let served = ServedRows(count: 60)

  private let folder: TemporaryFolder
  private let server: LoopbackServer

  init() throws {
    folder = try TemporaryFolder()
    server = try LoopbackServer { request in
      let number =
        request.number("page") ?? request.json([String: LooseNumber].self)?["page"]?.value
      return Self.served.page(number: number ?? 1, #""page":\#(number ?? 1),"total_pages":3"#)
    }
  }

  /// A member of the body, which may be anything.
  private struct LooseNumber: Decodable {
    let value: Int?

    init(from decoder: any Decoder) throws {
      value = try? decoder.singleValueContainer().decode(Int.self)
    }
  }

  private var state: String { folder.file("state") }

  /// Crawls one page, or with `pages` set to `nil` the whole list, into a file of its own: if that were removed, the
  /// next one could look like the same file, truncated.
  private func crawl(
    _ words: [String] = [], query: String = "", pages: Int? = 1
  ) async throws -> QuireProcess.Result {
    let limit = pages.map { ["--max-pages", "\($0)"] } ?? []
    return try await QuireProcess(
      ["crawl", server.baseURL + "/rows" + query, "--resume", state] + limit + words,
      appendingTo: folder.file("rows-\(UUID())")
    ).end()
  }

  /// Creates an empty file.
  private func create(_ path: String) throws {
    try "".write(toFile: path, atomically: false, encoding: .utf8)
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func expectRefused(
    _ text: String, location: SourceLocation = #_sourceLocation
  ) async throws {
    let requests = server.requestCount
    let result = try await crawl()
    #expect(result.status == 1 && result.output == "", sourceLocation: location)
    #expect(result.errors.contains(text), "\(result.errors)", sourceLocation: location)
    #expect(server.requestCount == requests, sourceLocation: location)
  }

  // MARK: - Files

  @Test func `a symbolic link is not followed, whatever its target`() async throws {
    let target = folder.file("target")
    symlink(target, state)
    try await expectRefused("it is a symbolic link, and links are not followed; use the file")
    #expect(!FileManager.default.fileExists(atPath: target))
    try create(target)
    try await expectRefused("it is a symbolic link")
    #expect(folder.text("target") == "")
    unlink(state)
    #expect(try await crawl().status == 3)
    rename(state, target)
    symlink(target, state)
    let before = folder.text("target")
    try await expectRefused("it is a symbolic link")
    #expect(folder.text("target") == before)
  }

  @Test func `a pipe, a device and a folder are refused`() async throws {
    #expect(mkfifo(state, 0o600) == 0)
    try await expectRefused("it is not a regular file; use another path")
    unlink(state)
    #expect(mkdir(state, 0o700) == 0)
    try await expectRefused(": Is a directory")
    let device = try await QuireProcess.run("crawl", server.baseURL, "--resume", "/dev/null")
    #expect(
      device.status == 1 && device.errors.contains("it is not a regular file; use another path"))
  }

  @Test func `a file with a second hard link is refused`() async throws {
    try create(folder.file("other"))
    #expect(link(folder.file("other"), state) == 0)
    try await expectRefused("it has 2 hard links")
    #expect(folder.text("other") == "")
    unlink(folder.file("other"))
    #expect(try await crawl().status == 3)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func `a file of another user is refused`() async throws {
    try create(state)
    #expect(chown(state, 12_345, 12_345) == 0)
    try await expectRefused("it belongs to another user; use a file of your own")
    #expect(folder.text("state") == "")
  }

  @Test func `a file that other users can read is restricted to its owner`() async throws {
    for (rights, isNew) in [(0o644, true), (0o666, true), (0o640, false)] {
      if isNew {
        try? FileManager.default.removeItem(atPath: state)
        try create(state)
      }
      #expect(chmod(state, mode_t(rights)) == 0)
      let result = try await crawl()
      #expect(result.status == 3, "\(result.errors)")
      #expect(try mode(state) == 0o600)
    }
    // A finished crawl sends no request, but still restricts the file.
    #expect(try await crawl(pages: nil).status == 0)
    #expect(chmod(state, 0o644) == 0)
    #expect(try await crawl(pages: nil).status == 0)
    #expect(try mode(state) == 0o600)
  }

  @Test(arguments: [0o620, 0o602, 0o666])
  func `a file that other users can write is refused`(_ rights: Int) async throws {
    #expect(try await crawl().status == 3)
    #expect(chmod(state, mode_t(rights)) == 0)
    let before = folder.text("state")
    try await expectRefused("other users can write to it, so it can't be trusted")
    #expect(folder.text("state") == before)
  }

  @Test func `a foreign file keeps its permissions and its content`() async throws {
    try "something\n".write(toFile: state, atomically: true, encoding: .utf8)
    #expect(chmod(state, 0o644) == 0)
    try await expectRefused("it was not written by --resume; use another file")
    #expect(try mode(state) == 0o644)
    #expect(folder.text("state") == "something\n")
  }

  // MARK: - Content

  private static let secret = [
    "--body", #"{"user":"me","password":"hunter2"}"#, "--header", "X-Tenant: tenant-9",
    "--header", "Authorization: Bearer token-7", "--method", "PUT", "--where", "@.name != 'word-8'",
    "--version-at", "revision",
  ]
  private static let query = "?api_key=key-5&q=word-3"

  @Test func `bodies, headers and the address are stored only as digests`()
    async throws
  {
    #expect(try await crawl(Self.secret, query: Self.query).status == 3)
    let text = folder.text("state")
    for word in [
      "hunter2", "password", "tenant-9", "token-7", "key-5", "word-3", "word-8", "127.0.0.1",
    ] {
      #expect(!text.contains(word), "\(word) in \(text)")
    }
    #expect(text.contains("--body") && text.contains("--header 'X-Tenant'"))
    // Each file has its own salt, so equal values have different digests in two files.
    unlink(state)
    _ = try await crawl(Self.secret, query: Self.query)
    let heads = try [text, folder.text("state")].map { text in
      try JSONAny(parsing: String(text.prefix { $0 != "\n" }))["crawl"]
    }
    for name in ["salt", "options", "credentials"] {
      let values = heads.map { $0?[name]?.object?.map(\.value) ?? [$0?[name] ?? .null] }
      #expect(!values[0].isEmpty && zip(values[0], values[1]).allSatisfy { $0 != $1 }, "\(name)")
    }
  }

  @Test(arguments: [
    (1, #"{"user":"me","password":"other"}"#, "--body differs"),
    (3, "X-Tenant: tenant-8", "--header 'X-Tenant' differs"),
    (3, "X-Other: tenant-9", "--header 'X-Other' is new, --header 'X-Tenant' is missing"),
    (7, "POST", "--method differs"), (9, "@.id != 4712", "--where differs"),
    (11, "header:X-Version", "--version-at differs"),
  ])
  func `the error for another crawl contains only the names of the options that differ`(
    _ index: Int, _ value: String, _ difference: String
  ) async throws {
    #expect(try await crawl(Self.secret, query: Self.query).status == 3)
    var words = Self.secret
    words[index] = value
    let requests = server.requestCount
    let result = try await crawl(words, query: Self.query)
    #expect(result.status == 1 && server.requestCount == requests)
    #expect(
      result.errors.contains(
        "\(state) belongs to another crawl: \(difference); use the options it started with, or"),
      "\(result.errors)")
    // The name of the temporary folder is random and may contain a short secret.
    let message = result.errors.replacing(folder.path, with: "")
    for secret in ["hunter2", "other\"", "tenant-", "471", "key-5", "token-7", "word-3"] {
      #expect(!message.contains(secret), "\(message)")
    }
  }

  @Test func `the address and the content of a --body file identify a crawl`() async throws {
    try "{}".write(toFile: folder.file("body"), atomically: true, encoding: .utf8)
    let body = ["--body", "@" + folder.file("body")]
    #expect(try await crawl(body, query: Self.query).status == 3)
    let other = try await crawl(body, query: "?api_key=key-5&q=word-4")
    #expect(other.status == 1 && other.errors.contains("crawl: the address differs;"))
    #expect(!other.errors.contains("word-"))
    try "[]".write(toFile: folder.file("body"), atomically: true, encoding: .utf8)
    let changed = try await crawl(body, query: Self.query)
    #expect(changed.status == 1 && changed.errors.contains("crawl: --body differs;"))
    let inline = try await crawl(["--body", "{}"], query: Self.query)
    #expect(inline.status == 3, "\(inline.errors)")
  }

  @Test(arguments: [1, 2])
  func `a crawl that resumes is exact only if the version of the list is still the same`(
    _ version: Int
  ) async throws {
    let server = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      let members = #""page":\#(number),"total":60,"revision":\#(number == 1 ? 1 : version)"#
      return Self.served.page(number: number, members)
    }
    let words = [
      "crawl", server.baseURL, "--paging", "page", "--total", "total", "--version-at", "revision",
      "--resume", state, "--stats",
    ]
    let rows = folder.file("rows")
    let first = try await QuireProcess(words + ["--max-pages", "1"], appendingTo: rows).end()
    #expect(first.status == 3, "\(first.errors)")
    let rest = try await QuireProcess(words, appendingTo: rows).end()
    #expect(
      rest.status == 0 && ids(rest.output) == Self.served.ids, "\(rest.errors)")
    #expect(rest.errors.contains(#""consistency":"exact""#) == (version == 1), "\(rest.errors)")
  }

  @Test func `credentials can change, and the crawl reports it`() async throws {
    #expect(try await crawl(Self.secret, query: Self.query).status == 3)
    var words = Self.secret
    words[5] = "authorization: Bearer token-8"
    let result = try await crawl(words, query: "?api_key=key-6&q=word-3")
    #expect(result.status == 3, "\(result.errors)")
    #expect(
      result.errors.contains(
        "continuing with changed credentials: 'api_key' of the address differs,"
          + " --header 'authorization' differs"),
      "\(result.errors)")
    #expect(!result.errors.contains("token-") && !result.errors.contains("key-"))
    let same = try await crawl(words, query: Self.query)
    #expect(same.status == 0 && !same.errors.contains("'api_key'"))
  }

  @Test func `a file of another version is refused`() async throws {
    try #"{"quire":1,"crawl":"x","output":null}"#.appending("\n")
      .write(toFile: state, atomically: true, encoding: .utf8)
    try await expectRefused("it was written by another version of quire; remove it to start over")
  }
}
