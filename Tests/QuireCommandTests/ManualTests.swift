import Foundation
import Testing

@testable import QuireCommand

/// What is made of the declarations of commands: the manual page and completions.
@Suite struct ManualTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test func `the manual page is that of the command: quire help man > docs/quire.1`() throws {
    let page = try String(
      contentsOf: Self.root.appendingPathComponent("docs/quire.1"), encoding: .utf8)
    #expect(page == Commands.help(on: "man"))
  }

  @Test func `nothing in the manual page is a command of the typesetter by accident`() {
    #expect(Manual.escaped(".TH -x \\") == "\\&.TH \\-x \\e")
    #expect(Manual.escaped("'a") == "\\&'a")
  }

  @Test(arguments: [("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["--no-execute"])])
  func `completions are scripts of their shell and name every option`(
    _ shell: String, _ check: [String]
  ) async throws {
    let script = Completions.script(for: shell, Commands.all)
    for option in CrawlCommand.spec.options { #expect(script.contains(option.name)) }
    let folder = try TemporaryFolder()
    try script.write(toFile: folder.file("script"), atomically: true, encoding: .utf8)
    let found = ["/bin", "/usr/bin", "/usr/local/bin"].map { "\($0)/\(shell)" }
      .first(where: FileManager.default.isExecutableFile)
    guard let found else { return }
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
  ])
  func `bash completes commands, options and choices`(_ line: String, _ reply: String) throws {
    guard FileManager.default.isExecutableFile(atPath: "/bin/bash") else { return }
    let words = line.split(separator: " ").map { "'\($0)'" }.joined(separator: " ")
    let script = """
      \(Completions.script(for: "bash", Commands.all))
      COMP_WORDS=(\(words)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _quire; echo "${COMPREPLY[*]}"
      """
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", script]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text == "\(reply)\n")
  }
}
