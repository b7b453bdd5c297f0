internal import ListSync
internal import Quire
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The lines of a sync: one for each change of a row, and one for the end of each round.
enum SyncLines {
  /// Returns the lines of a step.
  ///
  /// - Parameter selection: The members of a row to write; `nil` for the row as the server sent it.
  static func bytes(of step: SyncWalk.Step, _ selection: Selection?) -> [UInt8] {
    var bytes: [UInt8] = []
    for (operation, id, row) in step.rows {
      append(operation, id, step.round, to: &bytes)
      if operation != .delete {
        bytes.append(contentsOf: #","row":"#.utf8)
        if let selection {
          bytes.append(contentsOf: selection.text(of: row).utf8)
        } else {
          row.appendOneLine(to: &bytes)
        }
      }
      bytes.append(contentsOf: "}\n".utf8)
    }
    for id in step.deletes {
      append(.delete, id, step.round, to: &bytes)
      bytes.append(contentsOf: "}\n".utf8)
    }
    if let receipt = step.receipt { bytes.append(contentsOf: (json(receipt).text() + "\n").utf8) }
    return bytes
  }

  private static func append(_ operation: SyncOperation, _ id: RowID, _ round: Int, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: #"{"op":"\#(operation.rawValue)","round":\#(round),"id":"#.utf8)
    bytes.append(contentsOf: text(of: id).utf8)
  }

  /// Returns an id as JSON.
  private static func text(of id: RowID) -> String {
    switch id {
    case .number(let number): "\(number)"
    // Ids that are neither numbers nor texts are kept as their JSON.
    case .text(let text) where text.hasPrefix("\0"): String(text.dropFirst())
    case .text, .other: JSONAny.string("\(id)").text()
    }
  }

  /// Returns the line of a round.
  static func json(_ receipt: SyncReceipt) -> JSONAny.Object {
    let assumptions = ListAssumption.allCases.filter(receipt.consistency.assumptions.contains)
    return [
      "op": .string("round"), "round": .int(receipt.round), "complete": .bool(receipt.isComplete),
      "full": .bool(receipt.isFull),
      "claim": .string(receipt.consistency.claim.name),
      "assumptions": .array(assumptions.map { .string($0.rawValue) }),
      "may_lack": receipt.consistency.claim.bound.map { .int($0) } ?? .null,
      "problem": receipt.problem.map { .string($0) } ?? .null,
      "same_version": .bool(receipt.isSameVersion), "requests": .int(receipt.requests),
      "rows": .int(receipt.rows), "inserted": .int(receipt.inserted), "returned": .int(receipt.returned),
      "updated": .int(receipt.updated), "deleted": .int(receipt.deleted), "held_back": .int(receipt.heldBack),
      "unreadable": .int(receipt.unreadable),
      "watermark": receipt.watermark.map { .object(json($0)) } ?? .null,
      "from": .string(time(receipt.moments.lowerBound)), "to": .string(time(receipt.moments.upperBound)),
    ]
  }

  private static func json(_ watermark: SyncReceipt.Watermark) -> JSONAny.Object {
    // That of texts is infinite, which JSON doesn't have.
    let lateness = watermark.lateness.isFinite ? JSONAny.double(watermark.lateness) : .null
    return [
      "mark": watermark.mark.map { .string($0) } ?? .null,
      "lateness": Int(exactly: watermark.lateness).map { .int($0) } ?? lateness, "late": .int(watermark.late),
      "missed": .int(watermark.missed), "problem": watermark.problem.map { .string($0) } ?? .null,
    ]
  }

  private static func time(_ date: Date) -> String { date.formatted(.iso8601) }
}
