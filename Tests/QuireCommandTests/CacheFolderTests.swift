#if SQLITE
  import Foundation
  import QuireTesting
  import Testing

  /// An unusable cache fails the command before it sends a request.
  @Suite(.timeLimit(.minutes(1))) struct CacheFolderTests {
    @Test(arguments: ["crawl", "browse"])
    func `a cache that other users can write to is refused with advice`(
      command: String
    ) async throws {
      let server = try LoopbackServer { _ in .json("[]") }
      let folder = try TemporaryFolder()
      #expect(chmod(folder.path, 0o777) == 0)
      let result = try await QuireProcess.run(command, server.baseURL, "--cache", folder.path)
      #expect(result.status == 1)
      #expect(result.output.isEmpty)
      #expect(
        result.errors.hasPrefix("quire \(command): --cache \(folder.path): can't be used as a cache"))
      #expect(result.errors.contains("run chmod go-w"))
      #expect(server.requests.isEmpty)
    }

    @Test func `a cache folder that can't be created is an error`() async throws {
      let server = try LoopbackServer { _ in .json("[]") }
      let result = try await QuireProcess.run(
        "crawl", server.baseURL, "--cache", "/dev/null/cache")
      #expect(result.status == 1)
      #expect(result.errors.contains("--cache /dev/null/cache: can't be created: Not a directory"))
      #expect(server.requests.isEmpty)
    }

    @Test func `an empty folder name is an error`() async throws {
      let result = try await QuireProcess.run("crawl", "http://127.0.0.1:9/", "--cache", "")
      #expect(result.status == 1)
      #expect(result.errors.contains("--cache needs the name of a folder"))
    }
  }
#endif
