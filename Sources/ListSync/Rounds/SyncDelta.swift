package import ItemMapping
package import ListReading

/// One step of a round, as it changes a ``SyncState``. A state is the sum of its steps.
package enum SyncDelta: Hashable, Sendable {
  /// A round begins at a date, in seconds since 1970, with the stamps that it measures.
  case begin(at: Double, RoundStamps? = nil)
  case page(Page)
  /// The list was read; only deletes are left.
  case seal(Seal)
  /// These rows are reported as gone.
  case remove([Int])
  /// The round has ended at a date.
  case end(at: Double)

  /// The rows of a page.
  package struct Page: Hashable, Sendable {
    /// Known rows that are as they were.
    package var seen: [Int] = []
    /// Rows with new content.
    package var updated: [Marked] = []
    /// Rows that were gone or not reported before.
    package var returned: [Marked] = []
    /// Rows that are not meant to be reported any more.
    package var left: [Int] = []
    /// New rows, in the order of their indices.
    package var inserted: [New] = []
    /// How many rows could not be read.
    package var unreadable = 0
    /// Where the walk goes on; `nil` where it has ended.
    package var checkpoint: String?
    package var idPath: JSONPath?
    /// The number of requests of the round so far.
    package var requests = 0
    /// The stamps of the round so far.
    package var stamps: RoundStamps?

    package init() {}

    /// How many more rows are reported after the page than before it.
    var newRows: Int { inserted.count { !$0.isLeft } + returned.count - left.count }
  }

  package struct Marked: Hashable, Sendable {
    package var index: Int
    package var mark: UInt64
  }

  package struct New: Hashable, Sendable {
    package var id: [UInt8]
    package var mark: UInt64
    /// Whether it is not meant to be reported.
    package var isLeft: Bool { mark == RowTable.noMark }
  }

  /// What was read.
  package struct Seal: Hashable, Sendable {
    package var consistency: Consistency
    package var problem: String?
    /// The version of the whole list, if the round proves that the rows are those of that version.
    package var version: String?
    package var isSameVersion = false
    /// Whether the whole list was read.
    package var isFull = true
    package var requests = 0
    /// How many rows are reported as gone, and how many are held back.
    package var deletes = 0
    package var heldBack = 0
    package var reason: HeldBackReason?
    /// What the round leaves for the next ones, and why it leaves no mark.
    package var watermark: Watermark?
    package var watermarkProblem: String?
  }
}
