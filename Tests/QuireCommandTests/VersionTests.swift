import Support
import Testing

@Suite(.timeLimit(.minutes(1))) struct VersionTests {
  @Test func `--version prints the version`() async throws {
    let result = try await QuireProcess.run("--version")
    #expect(result.status == 0)
    #expect(result.output == "quire \(Version.text)\n")
  }
}
