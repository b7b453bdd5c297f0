internal import ListSync
internal import Quire

/// What a person should know of rounds that did not go as usual.
enum RoundNotes {
  /// Returns the notes of a round.
  ///
  /// - Parameters:
  ///   - receipt: What is known of the round.
  ///   - duration: How long it took.
  ///   - pause: The time from the beginning of a round to that of the next one.
  ///   - unread: Where rows are that could not be read, and what to do.
  ///   - level: How many requests are sent to be sure of the rows.
  static func of(
    _ receipt: SyncReceipt, took duration: Duration, every pause: Duration?, unread: String, level: Consistency.Level
  ) -> [String] {
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
      notes.append("\(name): \(rows) held back: \(advice(reason, level))")
    }
    if receipt.returned > 0 {
      notes.append(
        "\(name): \(receipt.returned) of the new rows had been gone, so rows of this list come back or move; add"
          + " --distrust absence,order if they were never gone")
    }
    if receipt.unreadable > 0 {
      notes.append("\(name): \(receipt.unreadable) \(receipt.unreadable == 1 ? "row" : "rows") \(unread)")
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

  private static func advice(_ reason: HeldBackReason, _ level: Consistency.Level) -> String {
    switch reason {
    case .unproven(let claim):
      "the claim is \(claim.name), which doesn't prove that they are gone; "
        + (level < .whole
          ? "use --consistency whole or exact"
          : "nothing proves more of this round: rows moved, the paging allows no overlap, or --distrust forbids it")
    case .incomplete: "the round didn't reach the end of the list; the next one that does reports them"
    case .aboveLimit(let limit):
      "more than \(limit) \(limit == 1 ? "row" : "rows") would be deleted at once; check your rights and filters, then run it with --max-deletes"
        + " all"
    case .unreadable(let count):
      "\(count) \(count == 1 ? "row" : "rows") of the round could not be read, and may be these; correct what is wrong"
        + " with them, or name their id with --id PATH"
    }
  }

  private static func seconds(_ duration: Duration) -> String {
    let tenths = Int((duration / .milliseconds(100)).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}
