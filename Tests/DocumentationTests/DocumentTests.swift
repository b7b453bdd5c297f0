import Foundation
import Testing

/// Compares the samples of the documents with the code of this folder, which is compiled and run.
@Suite struct DocumentTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private static let root = folder.deletingLastPathComponent().deletingLastPathComponent()

  static var documents: [String] {
    let catalog = "Sources/Quire/Quire.docc"
    let articles =
      (try? FileManager.default.contentsOfDirectory(
        atPath: root.appendingPathComponent(catalog).path)) ?? []
    return ["README.md"]
      + articles.filter { $0.hasSuffix(".md") }.sorted().map { "\(catalog)/\($0)" }
  }

  @Test func `the documents are found`() {
    #expect(Self.documents.count >= 5, "\(Self.documents)")
  }

  @Test(arguments: documents)
  func `each sample of a document is compiled, each output is compared`(document: String) throws {
    let text = try String(contentsOf: Self.root.appendingPathComponent(document), encoding: .utf8)
    let code = try Self.compiledCode()
    #expect(!text.contains(" ```"), "an indented sample in \(document) would not be compared")
    for sample in Self.samples(in: text) {
      #expect(
        code.contains("\n" + sample + "\n"), "not compiled as written in \(document):\n\(sample)")
    }
  }

  @Test(arguments: ["README.md", "CONTRIBUTING.md", "SECURITY.md"])
  func `each link of a document leads to a file`(page: String) throws {
    let text = try String(contentsOf: Self.root.appendingPathComponent(page), encoding: .utf8)
    let targets = text.matches(of: #/\]\(([^)\s]+)\)/#).map { String($0.1) }
    #expect(page != "README.md" || targets.count > 20)
    for target in targets where !target.contains("://") {
      let path = Self.root.appendingPathComponent(target).path
      #expect(FileManager.default.fileExists(atPath: path), "\(page) links to \(target)")
    }
  }

  @Test func `each test behind a promise exists`() throws {
    let article = Self.root.appendingPathComponent("Sources/Quire/Quire.docc/Promises.md")
    let text = try String(contentsOf: article, encoding: .utf8)
    let paths = text.matches(of: #/`(Tests/[^`]+)`/#).map { String($0.1) }
    #expect(paths.count > 10)
    for path in paths {
      let file = Self.root.appendingPathComponent(path).path
      #expect(FileManager.default.fileExists(atPath: file), "Promises.md names \(path)")
    }
  }

  @Test func `a sample that differs in one word is noticed`() throws {
    let samples = Self.samples(
      in: "a\n```swift\nimport Quire\n\n  let x = 1\n```\n```\nmake\n```\n")
    #expect(samples == ["let x = 1"])
    #expect(Self.samples(in: "```text\n  1 item\n```\n```json\n[]\n```\n") == ["1 item", "[]"])
    #expect(try !Self.compiledCode().contains("\nlet gate = Door()\n"))
    #expect(try Self.compiledCode().contains("\nlet gate = Gate()\n"))
  }

  /// The blocks of a document that this folder must contain: Swift, and output and JSON, which tests compare
  /// or read.
  private static func samples(in text: String) -> [String] {
    ("\n" + text).components(separatedBy: "\n```").filter { block in
      ["swift\n", "text\n", "json\n"].contains(where: block.hasPrefix)
    }.map { block in normalized(block.drop { $0 != "\n" }) }
  }

  private static func compiledCode() throws -> String {
    // Samples for UIKit and SwiftUI are compiled by a package of their own.
    let folders = [folder, root.appendingPathComponent("Tests/QuireUI/QuireUITests/Samples")]
    return try folders.flatMap { folder in
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix("Samples.swift") }
        .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }
    }.map { "\n" + normalized($0) }.joined(separator: "\n") + "\n"
  }

  /// Returns the lines without indentation, blank lines and imports.
  private static func normalized(_ text: some StringProtocol) -> String {
    text.components(separatedBy: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") }
      .joined(separator: "\n")
  }
}
