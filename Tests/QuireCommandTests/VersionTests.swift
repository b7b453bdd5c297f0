import Foundation
import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct VersionTests {
  @Test func `--version prints the version`() async throws {
    let result = try await QuireProcess.run("--version")
    #expect(result.status == 0)
    #expect(result.output == "quire \(Version.text)\n")
  }

  @Test func `the README depends on the present version`() throws {
    let readme = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../README.md")
    let text = try String(contentsOf: readme, encoding: .utf8)
    #expect(text.contains("from: \"\(Version.text)\""))
  }
}
