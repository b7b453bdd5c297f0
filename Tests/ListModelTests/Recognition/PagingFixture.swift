import Foundation
import ItemMapping
import ServerAPI
import Testing

@testable import ListModel

/// Three pages of one public convention, from `Fixtures/paging`.
struct PagingFixture: Sendable, CustomTestStringConvertible {
  let folder: String
  /// The call of the first page.
  let call: Call
  let items: JSONPath

  var testDescription: String { folder }

  init(_ folder: String, _ call: Call, items: JSONPath = .root) {
    self.folder = folder
    self.call = call
    self.items = items
  }

  enum Page: String { case first, middle, last }

  /// Returns the response to a call, with the headers of its file.
  func response(_ page: Page, to call: Call, key: PageKey) throws -> PageResponse {
    let body = try Data(contentsOf: Self.file(folder, "\(page).json"))
    var headers: HTTPHeaders = ["Content-Type": "application/json"]
    if let fields = try? String(contentsOf: Self.file(folder, "\(page).headers"), encoding: .utf8) {
      for line in fields.split(separator: "\n") {
        let parts = line.split(separator: ":", maxSplits: 1)
        headers.add(String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
      }
    }
    let root = try JSONDocument(Array(body)).root
    return PageResponse(
      key: key, call: call,
      response: HTTPResponse(headers: headers, url: try WebURL(Self.url(of: call))),
      envelope: root, itemsPath: items, count: root[items]?.count ?? 0)
  }

  /// Returns the address of a call as it is sent, for calls with plain parameters.
  static func url(of call: Call) -> String {
    let query = call.params.items.map { "\($0.name)=\($0.value.texts[0])" }.joined(separator: "&")
    return call.address + (query.isEmpty ? "" : "?" + query)
  }

  private static func file(_ folder: String, _ name: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/paging/\(folder)/\(name)")
  }
}
