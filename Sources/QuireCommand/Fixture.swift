internal import Foundation

/// The example lists in the folder `Fixtures`.
enum Fixture {
  /// The pages of one list in order, as their text.
  static func pages(of name: String) throws -> [String] {
    let folder = "Fixtures/\(name)"
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let pages = files.filter { $0.hasSuffix(".json") }.sorted()
    guard !pages.isEmpty else {
      throw CommandError("there are no pages in \(folder); run this from the folder of the package")
    }
    return try pages.map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
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
