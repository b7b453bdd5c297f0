internal import ListSync
internal import Quire
internal import Support

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
    if let receipt = step.receipt {
      let line = JSONAny.Object([("op", .string("round"))] + receipt.members).text()
      bytes.append(contentsOf: (line + "\n").utf8)
    }
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
}
