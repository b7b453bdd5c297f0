import Foundation
import ServerAPI
import Testing

/// The folder with the public suites. They are data of others and not part of this repository.
let suites = ProcessInfo.processInfo.environment["QUIRE_SUITES"]

// Without the folder there is nothing to compare with, so the suite is skipped with the reason.
@Suite(.enabled(if: suites != nil, "set QUIRE_SUITES to the folder of the conformance suites"))
struct ReferenceResolutionSuite {
  private struct Cases: Decodable {
    var base: String
    var normal: [[String]]
    var abnormal: [[String]]
  }

  @Test func `every reference of RFC 3986 section 5_4 resolves exactly`() throws {
    let file = URL(fileURLWithPath: try #require(suites))
      .appendingPathComponent("rfc3986-resolution.json")
    let cases = try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file))
    let base = URLReference(cases.base)
    #expect(cases.normal.count + cases.abnormal.count > 40)
    for pair in cases.normal + cases.abnormal {
      #expect(URLReference(pair[0]).resolved(against: base).description == pair[1], "\(pair[0])")
    }
  }
}
