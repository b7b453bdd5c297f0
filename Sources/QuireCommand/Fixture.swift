internal import Foundation
internal import Quire

/// The example lists in the folder `Fixtures`.
enum Fixture {
  /// The rows of one list, in the order of its pages, as they are.
  static func rows(of name: String) throws -> [JSONObject] {
    let folder = "Fixtures/\(name)"
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let pages = files.filter { $0.hasSuffix(".json") }.sorted()
    guard !pages.isEmpty else {
      throw CommandError("there are no pages in \(folder); run this from the folder of the package")
    }
    return try pages.flatMap { file in
      let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      let rows = try JSONDocument(text).root["data"]?["list"]?.elements.map { JSONAny($0) }
      guard let rows else { throw CommandError("there is no data.list in \(folder)/\(file)") }
      return rows.compactMap(\.object)
    }
  }
}

struct CommandError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Says what went wrong and ends the program.
func fail(_ problem: String) -> Never {
  FileHandle.standardError.write(Data("quire: \(problem)\n".utf8))
  exit(1)
}
