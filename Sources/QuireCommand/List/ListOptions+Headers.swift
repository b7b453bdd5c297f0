internal import Quire

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ListOptions {
  /// Returns the header lines of `--header`, also those in files, and that of `--token-env`.
  static func headers(_ arguments: Arguments) throws(UsageError) -> [String] {
    var lines: [String] = []
    for text in arguments.all("header") {
      guard text.hasPrefix("@") else {
        lines.append(text)
        continue
      }
      let path = String(text.dropFirst())
      guard let data = FileManager.default.contents(atPath: path),
        let content = String(validating: data, as: UTF8.self)
      else { throw UsageError("--header: the file \(path) can't be read as text") }
      lines += content.split(whereSeparator: \.isNewline).map(String.init).filter {
        !$0.allSatisfy(\.isWhitespace)
      }
    }
    guard let name = arguments["token-env"] else { return lines }
    guard let token = ProcessInfo.processInfo.environment[name], !token.isEmpty else {
      throw UsageError("--token-env: the environment has no variable \(name), or it is empty")
    }
    if lines.contains(where: { $0.lowercased().hasPrefix("authorization:") }) {
      throw UsageError("--token-env and a header Authorization can't be used together; remove one")
    }
    return lines + ["Authorization: Bearer \(token)"]
  }
}
