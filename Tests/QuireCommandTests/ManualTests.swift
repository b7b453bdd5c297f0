import Foundation
import Testing

@testable import QuireCommand

/// The manual page and completions, generated from the specs of the commands.
@Suite struct ManualTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test func `docs/quire.1 is the output of quire help man`() throws {
    let page = try String(
      contentsOf: Self.root.appendingPathComponent("docs/quire.1"), encoding: .utf8)
    #expect(page == Commands.help(on: "man"))
  }

  @Test func `text that roff would take for a request is escaped`() {
    #expect(Manual.escaped(".TH -x \\") == "\\&.TH \\-x \\e")
    #expect(Manual.escaped("'a") == "\\&'a")
    #expect(Manual.escaped("a…é") == "a\\[u2026]\\[u00E9]")
  }

  @Test(arguments: [("groff", ["-ww", "-man", "-Tutf8", "-z"]), ("mandoc", ["-Tlint"])])
  func `typesetters accept the manual page without warnings`(
    _ tool: String, _ words: [String]
  ) throws {
    guard let path = Self.path(of: tool) else { return }
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = words + [Self.root.appendingPathComponent("docs/quire.1").path]
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text == "" && process.terminationStatus == 0)
  }

  private static func path(of tool: String) -> String? {
    ["/bin", "/usr/bin", "/usr/local/bin"].map { "\($0)/\(tool)" }
      .first(where: FileManager.default.isExecutableFile)
  }

  @Test(arguments: [("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["--no-execute"])])
  func `completions are valid scripts and contain every option`(
    _ shell: String, _ check: [String]
  ) async throws {
    let script = Completions.script(for: shell, Commands.all)
    for option in CrawlCommand.spec.options { #expect(script.contains(option.name)) }
    let folder = try TemporaryFolder()
    try script.write(toFile: folder.file("script"), atomically: true, encoding: .utf8)
    guard let found = Self.path(of: shell) else { return }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: found)
    process.arguments = check + [folder.file("script")]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test(arguments: [
    ("quire cr", "crawl"), ("quire crawl --ite", "--items"), ("quire crawl --format c", "csv"),
    ("quire completions f", "fish"), ("quire crawl --paging key", "keyset"),
    ("quire browse --titl", "--title"), ("quire browse --paging key", "keyset"),
    ("quire help ma", "man"), ("quire crawl --format = c", "csv"),
    ("quire crawl --resume my", "my state"), ("quire crawl --resume = my", "my state"),
    ("quire crawl --cache my", "my folder"), ("quire crawl --body @my", "@my state"),
    ("quire crawl --body @ my", "@my state"),
    ("quire crawl --body my", ""), ("quire crawl --items x", ""),
  ])
  func `bash completes commands, options, choices and files`(_ line: String, _ reply: String) throws {
    guard FileManager.default.isExecutableFile(atPath: "/bin/bash") else { return }
    let folder = try TemporaryFolder()
    try "".write(toFile: folder.file("my state"), atomically: true, encoding: .utf8)
    if line.contains("--cache") {
      try FileManager.default.createDirectory(
        atPath: folder.file("my folder"), withIntermediateDirectories: true)
    }
    let words = line.split(separator: " ").map { "'\($0)'" }.joined(separator: " ")
    let script = """
      \(Completions.script(for: "bash", Commands.all))
      COMP_WORDS=(\(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _quire; echo "${COMPREPLY[*]}"
      """
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    process.arguments = ["-c", script]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text == "\(reply)\n")
  }

  @Test func `help exists for each command and fails for others`() throws {
    for command in Commands.all where command.name != "help" {
      #expect(try Commands.text(of: Commands.help, [command.name]) == command.helpText)
    }
    #expect(try Commands.text(of: Commands.help, []) == Commands.overview)
    #expect(throws: UsageError.self) { try Commands.text(of: Commands.help, ["crwal"]) }
  }
}
