import Foundation
package import ItemMapping

/// One way in which a public API pages a list, as `Fixtures/paging` describes it.
package struct Convention: Sendable {
  package let name: String
  /// The file that it is in: the idea it belongs to.
  package let idea: String
  let spec: JSONAny.Object

  /// The address of the first page.
  package var address: String { text("url") ?? "" }
  /// The JSON that every request sends.
  package var body: JSONAny? { spec["body"] }
  /// The options of the command that declare it.
  package var options: [String] { words("options") }
  /// What recognition prints, where that is fixed.
  package var recognized: String? { text("recognized") }
  /// Where its shape is documented.
  package var source: String { text("source") ?? "" }

  /// Whether the last page has a cursor too, which leads to an empty page with the same cursor.
  package var repeatsItsEnd: Bool { flag("always") }

  /// Whether it is never looked at while recognition is developed. A hash of the name chooses two of five,
  /// of those that recognition was not built with.
  package var isHeldOut: Bool {
    if spec["known"]?.bool == true { return false }
    let hash = name.utf8.reduce(14_695_981_039_346_656_037 as UInt64) {
      ($0 ^ UInt64($1)) &* 1_099_511_628_211
    }
    return hash % 5 < 2
  }

  func text(_ name: String) -> String? { spec[name]?.string }
  func number(_ name: String) -> Int? { spec[name]?.int }
  func flag(_ name: String) -> Bool { spec[name]?.bool ?? false }
  func words(_ name: String) -> [String] {
    text(name)?.split(separator: " ").map(String.init) ?? []
  }

  /// All conventions, by file and in its order.
  package static let all: [Convention] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/paging")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".json") }.sorted().flatMap { file -> [Convention] in
      guard let text = try? String(contentsOf: folder.appending(path: file), encoding: .utf8)
      else { return [] }
      let parsed: JSONAny
      do throws(JSONError) {
        parsed = try JSONAny(parsing: text)
      } catch {
        fatalError("\(file): \(error)")
      }
      return (parsed.array ?? []).compactMap { value in
        guard let spec = value.object, let name = spec["name"]?.string else { return nil }
        return Convention(name: name, idea: String(file.dropLast(5)), spec: spec)
      }
    }
  }()

  package static let developed = all.filter { !$0.isHeldOut }
}

extension Convention: CustomStringConvertible {
  package var description: String { name }
}
