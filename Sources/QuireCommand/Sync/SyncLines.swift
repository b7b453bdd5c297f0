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

  /// Returns what a person should know of a round that did not go as usual.
  ///
  /// - Parameter pause: The time from the beginning of a round to that of the next one.
  static func notes(_ receipt: SyncReceipt, took duration: Duration, every pause: Duration?) -> [String] {
    let name = "round \(receipt.round)"
    var notes: [String] = []
    if receipt.clockStep > 0 {
      notes.append(
        "the clock of this machine went back by \(Int(receipt.clockStep.rounded(.up))) s before \(name); rounds are"
          + " numbered, so no change is lost: order them by their numbers, not by their times")
    }
    if let reason = receipt.reason {
      let isOne = receipt.heldBack == 1
      let rows = isOne ? "1 row was not in the list and is" : "\(receipt.heldBack) rows were not in the list and are"
      notes.append("\(name): \(rows) held back: \(advice(reason))")
    }
    if receipt.returned > 0 {
      notes.append(
        "\(name): \(receipt.returned) of the new rows had been gone, so rows of this list come back or move; add"
          + " --distrust absence,order if they were never gone")
    }
    if receipt.unreadable > 0 {
      notes.append("\(name): \(receipt.unreadable) rows have no id and are left out; name it with --id PATH")
    }
    if let watermark = receipt.watermark {
      if let problem = watermark.problem {
        notes.append("\(name): \(problem); rounds are short again after one that leaves a mark")
      }
      if watermark.missed > 0 {
        let rows = watermark.missed == 1 ? "1 row is" : "\(watermark.missed) rows are"
        notes.append(
          "\(name): \(rows) new or changed below the last mark, where short rounds don't look; use a lower --full if that"
            + " happens often")
      }
    }
    if let pause, duration > pause {
      notes.append(
        "\(name) took \(seconds(duration)), longer than --every \(seconds(pause)); the next one begins at once: use a"
          + " longer time or --parallel")
    }
    return notes
  }

  private static func advice(_ reason: HeldBackReason) -> String {
    switch reason {
    case .unproven(let claim):
      "the claim is \(claim.name), which doesn't prove that they are gone; use --consistency whole or exact"
    case .incomplete: "the round didn't reach the end of the list; the next one that does reports them"
    case .aboveLimit(let limit):
      "more than \(limit) rows would be deleted at once; check your rights and filters, then run it with --max-deletes"
        + " all"
    }
  }

  private static func seconds(_ duration: Duration) -> String {
    let tenths = Int((duration / .milliseconds(100)).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}
