/// Compares the rows of a page with those read before, one after the other.
struct MeetingRecord {
  /// The number of rows before the page.
  let rowsBefore: Int
  var lacksID = false
  private var latest = -1
  private var result = ConsistencyRecord.Meeting()
  private var hasNew = false

  init(rowsBefore: Int) { self.rowsBefore = rowsBefore }

  /// Adds a row that was read before, with its number in the order of reading.
  mutating func add(_ number: Int) {
    if number >= rowsBefore {
      result.repeatsID = true
      return
    }
    result.known += 1
    result.endsKnown = true
    if hasNew { result.hasNewBeforeKnown = true }
    if number < latest { result.isOrdered = false }
    latest = max(latest, number)
  }

  mutating func addNew() {
    hasNew = true
    result.endsKnown = false
  }

  /// What the page shares with the rows before it; `nil` if a row has no id.
  var meeting: ConsistencyRecord.Meeting? {
    guard !lacksID else { return nil }
    var meeting = result
    meeting.distance = latest < 0 ? nil : rowsBefore - 1 - latest
    return meeting
  }
}
