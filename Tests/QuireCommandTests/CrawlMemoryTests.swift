import Foundation
import QuireTesting
import Testing

@testable import QuireCommand

/// The memory of a crawl.
@Suite(
  .timeLimit(.minutes(5)),
  .disabled(if: ProcessInfo.processInfo.environment["QUIRE_SANITIZED"] == "1"))
struct CrawlMemoryTests {
  private static let size = 500
  private static let pages = Thoroughness.current == .full ? 200 : 80

  /// Returns a page with rows of about a thousand bytes each.
  private static func page(_ number: Int) -> LoopbackResponse {
    let text = String(repeating: "x", count: 950)
    let rows = ((number - 1) * size..<number * size).map { #"{"id":\#($0),"text":"\#(text)"}"# }
    return .json(
      #"{"data":[\#(rows.joined(separator: ","))],"page":\#(number),"total_pages":\#(pages)}"#)
  }

  /// Returns the peak memory of a process so far, in bytes.
  private static func peak(of process: QuireProcess) throws -> Int {
    let facts = try String(contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)
    let line = try #require(facts.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.filter(\.isNumber))) * 1_024
  }

  @Test func `memory stays within a few pages, however long the list is`() async throws {
    let (early, late) = (try LoopbackGate(), try LoopbackGate())
    let server = try LoopbackServer { request in
      let number = request.number("page") ?? 1
      let page = Self.page(number)
      return number == 10 ? page.held(by: early) : number == Self.pages ? page.held(by: late) : page
    }
    let process = try QuireProcess(["crawl", server.baseURL, "--quiet"])
    await early.reached()
    let before = try Self.peak(of: process)
    early.open()
    await late.reached()
    let after = try Self.peak(of: process)
    late.open()
    let result = await process.end()
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.utf8.count(where: { $0 == 0x0A }) == Self.pages * Self.size)
    // Memory grows mainly by the ids, which are far smaller than the rows written.
    let rows = (Self.pages - 10) * Self.size * 1_000
    #expect(after - before < rows / 4, "\(before) bytes became \(after)")
  }
}
