import Foundation
import Quire
import Testing
import UIKit

@testable import QuireUIUnderTest

/// What QuireUI uses on platforms that have a part of UIKit and SwiftUI.
@MainActor @Suite struct PlatformTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/QuireUI")

  /// The lines of each file that a platform compiles. A condition in these files names platforms alone.
  private func sources(_ os: String) throws -> [String: String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path)
    var sources: [String: String] = [:]
    for name in names where name.hasSuffix(".swift") {
      let text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
      var stack: [Bool] = []
      var kept: [Substring] = []
      for line in text.split(separator: "\n") {
        let words = line.trimmingCharacters(in: .whitespaces)
        if words.hasPrefix("#if") {
          stack.append(holds(words, on: os))
        } else if words == "#else" {
          stack.append(!stack.removeLast())
        } else if words == "#endif" {
          stack.removeLast()
        } else if stack.allSatisfy(\.self) {
          kept.append(line)
        }
      }
      sources[name] = kept.joined(separator: "\n")
    }
    return sources
  }

  private func holds(_ condition: String, on os: String) -> Bool {
    condition.dropFirst(4).components(separatedBy: " && ").allSatisfy { part in
      part.components(separatedBy: " || ").contains { one in
        if one.contains("os(") { return one.hasPrefix("!") != one.contains("os(\(os))") }
        return true
      }
    }
  }

  @Test(arguments: ["tvOS", "watchOS"])
  func `a television and a watch get no tables, and no modifiers that they lack`(os: String) throws {
    let missing =
      ["import UIKit", "listRowSeparator("] + (os == "tvOS" ? [".swipeActions("] : [])
    for (name, text) in try sources(os) {
      for word in missing { #expect(!text.contains(word), "\(name) has \(word) on \(os)") }
    }
    let phone = try sources("iOS").values.joined()
    for word in missing { #expect(phone.contains(word)) }
  }

  @Test func `an app that is optimized for the Mac has no refresh control`() {
    UIDevice.current.userInterfaceIdiom = .mac
    let table = UITableView(frame: CGRect(x: 0, y: 0, width: 320, height: 300), style: .plain)
    let binding = ListTableBinding(ListWorld(Shelf(3)).controller, in: table)
    #expect(table.refreshControl == nil)
    UIDevice.current.userInterfaceIdiom = .phone
    withExtendedLifetime(binding) {}
  }
}
