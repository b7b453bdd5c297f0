import Foundation

/// The lines of a sync, applied to a table.
struct SyncFeed {
  struct Round: Decodable, Equatable {
    var round: Int
    var complete: Bool
    var claim: String
    var requests: Int
    var rows: Int
    var inserted: Int
    var updated: Int
    var deleted: Int
    var held_back: Int
    var same_version: Bool
    var full: Bool
    var watermark: Watermark?

    struct Watermark: Decodable, Equatable {
      var mark: String?
      var lateness: Double?
      var late: Int
      var missed: Int
      var problem: String?
    }
  }

  private struct Line: Decodable {
    struct Row: Decodable {
      var id: Int
      var version: Int
    }

    var op: String
    var round: Int
    var id: Int?
    var row: Row?
  }

  /// The versions of the rows.
  private(set) var rows: [Int: Int] = [:]
  private(set) var rounds: [Round] = []
  /// What no table can apply.
  private(set) var problems: [String] = []

  init(_ text: String) {
    for text in text.split(separator: "\n") {
      let data = Data(text.utf8)
      guard let line = try? JSONDecoder().decode(Line.self, from: data) else {
        problems.append("no line: \(text)")
        continue
      }
      switch (line.op, line.id) {
      case ("insert", let id?):
        if rows.updateValue(line.row?.version ?? -1, forKey: id) != nil { problems.append("inserted twice: \(id)") }
      case ("update", let id?):
        if rows.updateValue(line.row?.version ?? -1, forKey: id) == nil { problems.append("updated, not there: \(id)") }
      case ("delete", let id?):
        if rows.removeValue(forKey: id) == nil { problems.append("deleted, not there: \(id)") }
      case ("round", nil):
        if let round = try? JSONDecoder().decode(Round.self, from: data) { rounds.append(round) }
      default: problems.append("no operation: \(text)")
      }
    }
  }
}
