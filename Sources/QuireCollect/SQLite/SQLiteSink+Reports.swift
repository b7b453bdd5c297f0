#if SQLITE
  internal import ItemMapping
  internal import ListReading
  internal import ListSync
  internal import SQLiteFile
  internal import Support

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// What a sink says of the rounds, beside the rows.
  extension SQLiteSink {
    /// Notes whose rows the table has.
    func addList(_ batch: CollectBatch, isForeign: Bool) throws(SQLiteFailure) {
      let statement = try database.prepare(
        "INSERT INTO _quire_lists (list, format, source, is_foreign) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING")
      statement.bind(1, batch.list.name)
      statement.bind(2, SinkSchema.format)
      statement.bind(3, batch.source)
      statement.bind(4, isForeign ? 1 : 0)
      try statement.run()
    }

    /// Notes that a round has begun.
    func addRound(_ batch: CollectBatch) throws(SQLiteFailure) {
      let statement = try database.prepare(
        "INSERT INTO _quire_rounds (list, parent, round, began) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING")
      statement.bind(batch.list)
      statement.bind(3, batch.round)
      statement.bind(4, SinkText.date(batch.date))
      try statement.run()
    }

    func addUnread(_ batch: CollectBatch) throws(SQLiteFailure) {
      guard !batch.unread.isEmpty else { return }
      let statement = try database.prepare(
        "INSERT INTO _quire_unread (list, parent, round, id, reason, \"row\") VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
      for row in batch.unread {
        statement.bind(batch.list)
        statement.bind(3, batch.round)
        if let id = row.id { statement.bind(4, id) }
        statement.bind(5, row.reason)
        statement.bind(6, borrowing: row.json.unsafeText)
        try statement.run()
        statement.reset()
      }
    }

    func add(_ misfits: [String: (rows: Int, example: String)], _ list: String) throws(SQLiteFailure) {
      for (column, misfit) in misfits {
        let statement = try database.prepare(
          """
          INSERT INTO _quire_misfits (list, "column", "rows", example) VALUES (?1, ?2, ?3, ?4)
          ON CONFLICT DO UPDATE SET "rows" = "rows" + excluded."rows"
          """)
        statement.bind(1, list)
        statement.bind(2, column)
        statement.bind(3, misfit.rows)
        statement.bind(4, misfit.example)
        try statement.run()
      }
    }

    /// Stores what is known of a round at its end.
    func end(_ receipt: SyncReceipt, _ batch: CollectBatch) throws(SQLiteFailure) {
      if receipt.isFull, !receipt.isSameVersion {
        let statement = try database.prepare("DELETE FROM _quire_unread WHERE list = ?1 AND parent = ?2 AND round < ?3")
        statement.bind(batch.list)
        statement.bind(3, receipt.round)
        try statement.run()
      }
      let fields = SinkText.fields(of: receipt, batch.list)
      let names = fields.map { "\"\($0.name)\" = ?" }.joined(separator: ", ")
      let statement = try database.prepare(
        "UPDATE _quire_rounds SET \(names) WHERE list = ? AND parent = ? AND round = ?")
      for (place, field) in fields.enumerated() {
        let index = Int32(place + 1)
        switch field.value {
        case .number(let number): statement.bind(index, number)
        case .real(let number): statement.bind(index, number)
        case .text(let text): statement.bind(index, text)
        case nil: break
        }
      }
      statement.bind(batch.list, from: Int32(fields.count + 1))
      statement.bind(Int32(fields.count + 3), receipt.round)
      try statement.run()
    }
  }

  /// Values as the tables of a sink have them.
  enum SinkText {
    enum Value {
      case number(Int)
      case real(Double)
      case text(String)
    }

    static func date(_ date: Date) -> String { CivilTime.text(ofSeconds: date.timeIntervalSince1970) }

    /// The columns of a receipt, and their values.
    static func fields(of receipt: SyncReceipt, _ list: CollectList) -> [(name: String, value: Value?)] {
      let assumptions = receipt.consistency.orderedAssumptions.map(\.rawValue)
      let limit = list.options.deleteLimit
      let watermark = receipt.watermark
      return [
        ("began", .text(date(receipt.moments.lowerBound))), ("ended", .text(date(receipt.moments.upperBound))),
        ("claim", .text(receipt.consistency.claim.name)), ("assumptions", .text(assumptions.joined(separator: ","))),
        ("may_lack", receipt.consistency.claim.bound.map { .number($0) }),
        ("is_complete", .number(receipt.isComplete ? 1 : 0)), ("problem", receipt.problem.map { .text($0) }),
        ("is_full", .number(receipt.isFull ? 1 : 0)), ("requests", .number(receipt.requests)),
        ("rows", .number(receipt.rows)), ("inserted", .number(receipt.inserted)),
        ("returned", .number(receipt.returned)), ("updated", .number(receipt.updated)),
        ("deleted", .number(receipt.deleted)), ("held_back", .number(receipt.heldBack)),
        ("held_back_because", list.heldBackText(receipt).map { .text($0) }), ("deletes", .text(list.deletes.rawValue)),
        ("delete_limit", limit.rows == .max ? nil : .number(limit.count(of: receipt.rows + receipt.deleted))),
        ("unread", .number(receipt.unreadable)), ("watermark", watermark?.mark.map { .text($0) }),
        ("lateness", watermark.flatMap { $0.lateness.isFinite ? .real($0.lateness) : nil }),
        ("missed", watermark.map { .number($0.missed) }),
      ]
    }
  }

  extension SQLiteFailure {
    /// The failure as one of a database that is collected into, with what to do.
    func asError(_ path: String) -> CollectError {
      let advice =
        switch meaning {
        case .busy: "another program has locked it for 10 seconds; end that, and run this again"
        case .damaged where code != nil: "the file is damaged or no database of SQLite; use another file"
        case .full: "the disk is full; what was stored is whole, and the next run goes on there"
        case .readOnly: "the file can't be written; change its rights or use another file"
        case .unusable: "check that its folder exists and can be written"
        default: nil as String?
        }
      return .database("\(path): \(text)\(advice.map { ": \($0)" } ?? "")")
    }
  }
#endif
