#if SQLITE
  import Foundation
  import QuireTesting
  import Testing

  /// With `--offline`, nothing reaches a server, whatever else is asked for.
  @Suite(.timeLimit(.minutes(5))) struct OfflineTests {
    private static let served = ServedRows(count: 75)

    /// Options that change what is requested, each with the others left out.
    private static let options: [[String]] =
      ["any", "signs", "seams", "whole", "exact"].map { ["--consistency", $0] } + [
        [], ["--parallel", "8"], ["--retries", "5"], ["--explain"], ["--max-pages", "2"],
        ["--id", "none"], ["--id", "id"], ["--rate", "1000/s"], ["--timeout", "5", "--wait", "5"],
        ["--version-at", "header:X-Revision"], ["--allow-other-origin"], ["--http1"],
        ["--parallel", "4", "--consistency", "exact", "--explain"],
      ]

    private func server(_ style: PagingStyle, damagesPages: Bool = false) throws -> LoopbackServer {
      try LoopbackServer { [serve = style.serve] request in
        guard !damagesPages else { return .json("{").with("Cache-Control", "max-age=0") }
        return serve(request, Self.served).with("Cache-Control", "max-age=0").with("ETag", "\"1\"")
          .with("X-Revision", "7")
      }
    }

    /// The styles whose pages a cache can have.
    private static let styles = PagingStyle.all.filter { !$0.options.contains("--body") }

    @Test(arguments: styles)
    func `no option opens a connection, and nothing is claimed of stored pages`(
      _ style: PagingStyle
    ) async throws {
      let server = try server(style)
      let folder = try TemporaryFolder()
      let words = ["crawl", server.baseURL + style.path, "--cache", folder.path, "--stats"]
      let online = try await QuireProcess.run(words + style.options)
      #expect(online.status == 0, "\(online.errors)")
      let before = (server.acceptedConnections, server.requestCount)
      for declared in style.isDetected ? [style.options, []] : [style.options] {
        for options in Self.options {
          let result = try await QuireProcess.run(words + declared + options + ["--offline"])
          #expect([0, 2, 3].contains(result.status), "\(options): \(result.errors)")
          #expect(!result.errors.contains(#""requests":1"#), "\(options): \(result.errors)")
          guard result.output.split(separator: "\n").count > ServedRows.size,
            style.description != "one response"
          else { continue }
          let claims = [#""consistency":"unproven""#, #""consistency":"may-lack""#]
          #expect(claims.contains(where: result.errors.contains), "\(options): \(result.errors)")
          if ["whole", "exact"].contains(where: options.contains) { #expect(result.status != 0) }
        }
      }
      #expect((server.acceptedConnections, server.requestCount) == before)
    }

    @Test func `a stored page that is damaged is not requested again`() async throws {
      let server = try server(PagingStyle.all[0], damagesPages: true)
      let folder = try TemporaryFolder()
      let words = ["crawl", server.baseURL + "/rows", "--cache", folder.path]
      #expect(try await QuireProcess.run(words).status == 2)
      let before = server.acceptedConnections
      for level in ["seams", "exact"] {
        let offline = try await QuireProcess.run(words + ["--offline", "--consistency", level])
        #expect(offline.status == 2, "\(offline.errors)")
      }
      #expect(server.acceptedConnections == before)
    }

    @Test func `browse opens no connection either`() async throws {
      let server = try server(PagingStyle.all[0])
      let folder = try TemporaryFolder()
      let words = ["browse", server.baseURL + "/rows", "--cache", folder.path]
      _ = try await QuireProcess.run(words + ["--offline"])
      #expect(server.acceptedConnections == 0)
    }
  }
#endif
