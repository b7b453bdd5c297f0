internal import Quire
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
/// The example lists in `Fixtures` of the package, or installed with the command.
enum Fixture {
  /// Returns the rows of one list, in the order of its pages.
  static func rows(of name: String) throws -> [JSONAny.Object] {
    let installed = executableFolder.map { "\($0)/../share/quire/\(name)" }
    let folders = [installed, "Fixtures/\(name)"].compactMap { $0 }
    guard let folder = folders.first(where: { !pages(in: $0).isEmpty }) else {
      throw CommandError(
        "can't start the demo: its example data is not in \(folders.joined(separator: " or "));"
          + " run it in the folder of the package, or install it with make install")
    }
    return try pages(in: folder).flatMap { file in
      let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      let rows = try JSONDocument(text).root["data"]?["list"]?.elements.map { JSONAny($0) }
      guard let rows else { throw CommandError("no data.list in \(folder)/\(file)") }
      return rows.compactMap(\.object)
    }
  }

  /// The folder of this executable, without symbolic links.
  private static var executableFolder: String? {
    #if os(Linux)
      let path = realpath("/proc/self/exe", nil)
    #else
      let path = CommandLine.arguments.first.flatMap { realpath($0, nil) }
    #endif
    guard let path else { return nil }
    defer { free(path) }
    return String(cString: path).split(separator: "/", omittingEmptySubsequences: false)
      .dropLast().joined(separator: "/")
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

/// Prints an error and exits with status 1.
func fail(_ problem: String) -> Never {
  LogMonitor.standardError("quire: \(problem)")
  exit(1)
}
