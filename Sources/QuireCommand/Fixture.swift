internal import Foundation
internal import Quire

/// The example lists in the folder `Fixtures` of the package, and where the command was installed.
enum Fixture {
  /// The rows of one list, in the order of its pages, as they are.
  static func rows(of name: String) throws -> [JSONObject] {
    let bin = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
    let installed = bin.map { "\($0.path)/../share/quire/\(name)" }
    let folders = [installed, "Fixtures/\(name)"].compactMap { $0 }
    guard let folder = folders.first(where: { !pages(in: $0).isEmpty }) else {
      throw CommandError(
        "there are no pages in \(folders.joined(separator: " or ")); run this from the folder of the"
          + " package, or install the command by make install")
    }
    return try pages(in: folder).flatMap { file in
      let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      let rows = try JSONDocument(text).root["data"]?["list"]?.elements.map { JSONAny($0) }
      guard let rows else { throw CommandError("there is no data.list in \(folder)/\(file)") }
      return rows.compactMap(\.object)
    }
  }

  private static func pages(in folder: String) -> [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".json") }.sorted()
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
