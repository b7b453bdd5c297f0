import Quire
import QuireTesting
import Testing

@testable import QuireCommand

/// Random rows in columns: csv is read by another reader, and a table has a line for each row.
@Suite struct RandomColumnsTests {
  /// Rows with names and values that need quotes, or are long, wide or empty.
  private struct Rows {
    var names: [String]
    var cells: [[String?]]

    init(_ random: inout SeededGenerator) {
      let pieces = ["a", ",", "\"", "\r", "\n", "\r\n", " ", "日", "é", "👩‍🚀", "\u{1B}", ";", "\t"]
      func text() -> String {
        (0..<Int.random(in: 0..<8, using: &random)).map { _ in
          pieces.randomElement(using: &random) ?? ""
        }.joined()
      }
      names = (0..<Int.random(in: 1..<6, using: &random)).map { "\($0)" + text() }
      let columns = names.count
      cells = (0..<Int.random(in: 1..<9, using: &random)).map { row in
        // The first row has all members, so that each is a column.
        (0..<columns).map { _ in
          row > 0 && Int.random(in: 0..<4, using: &random) == 0 ? nil : text()
        }
      }
    }

    var json: String {
      let rows = cells.map { cells in
        let members = zip(names, cells).compactMap { name, cell in
          cell.map { "\(JSONAny.string(name).text()):\(JSONAny.string($0).text())" }
        }
        return "{\(members.joined(separator: ","))}"
      }
      return "[\(rows.joined(separator: ","))]"
    }
  }

  /// Writes rows page by page.
  private func written(
    _ format: RowFormat, _ rows: Rows, _ random: inout SeededGenerator
  ) throws -> String {
    let elements = Array(try JSONDocument(rows.json).root.elements)
    var writer = RowWriter(format, nil)
    var (bytes, next): ([UInt8], Int) = ([], 0)
    while next < elements.count {
      let end = Int.random(in: next + 1...elements.count, using: &random)
      bytes += try writer.bytes(of: Array(elements[next..<end]))
      next = end
    }
    return String(decoding: bytes + writer.end(), as: UTF8.self)
  }

  /// Reads csv by RFC 4180.
  private func records(_ csv: String) -> [[String]] {
    var (records, fields, field): ([[String]], [String], String.UnicodeScalarView) = (
      [], [], .init()
    )
    var (isQuoted, wasQuoted) = (false, false)
    for scalar in csv.unicodeScalars {
      switch scalar {
      case "\"" where isQuoted: (isQuoted, wasQuoted) = (false, true)
      case "\"":
        // Two quotes in a quoted field are one.
        if wasQuoted { field.append(scalar) }
        (isQuoted, wasQuoted) = (true, false)
      case _ where isQuoted: field.append(scalar)
      case ",", "\n":
        fields.append(String(field))
        (field, wasQuoted) = (.init(), false)
        guard scalar == "\n" else { continue }
        records.append(fields)
        fields = []
      default: field.append(scalar)
      }
    }
    return records
  }

  @Test(arguments: try SeededGenerator.runs(Thoroughness.runs(300)))
  func `another reader finds each cell of csv`(_ seeded: SeededGenerator) throws {
    var random = seeded
    let rows = Rows(&random)
    let found = records(try written(.csv, rows, &random))
    let expected = [rows.names] + rows.cells.map { $0.map { $0 ?? "" } }
    #expect(
      found.map { $0.map { Array($0.utf8) } } == expected.map { $0.map { Array($0.utf8) } },
      "\(rows.json)")
  }

  @Test(arguments: try SeededGenerator.runs(Thoroughness.runs(300)))
  func `a table has one line for each row`(_ seeded: SeededGenerator) throws {
    var random = seeded
    let rows = Rows(&random)
    let table = try written(.table, rows, &random)
    let lines = table.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    // The names, the line below them, and what follows the last line break.
    #expect(lines.count == rows.cells.count + 3 && lines.last?.isEmpty == true, "\(table)")
    #expect(table.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 }, "\(table)")
  }
}
