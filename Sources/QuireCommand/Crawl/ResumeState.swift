internal import Quire

/// The position of a crawl, as recorded in its resume file.
///
/// The file has one line of JSON for the crawl, then one for each page, or for a part of a large one, and one for the end
/// of each run. An incomplete last line is ignored.
struct ResumeState: Sendable {
  static let format = 3

  /// Where a crawl stopped.
  struct Position: Sendable {
    /// Where to continue; `nil` before the first page and if no page follows.
    var checkpoint: PageWalk.Checkpoint?
    var isComplete = false
    var rows = 0
    /// The columns of csv.
    var columns: [String]?
    /// The members that had no column.
    var omitted: Set<String> = []
  }

  /// What is known of the rows of the last line.
  enum LastRows: Sendable {
    /// They are written. If the output is a regular file, that was its size.
    case written(Output.RegularFile?)
    /// They were about to be written to a regular file, and then the run was killed.
    case announced(AnnouncedRows, before: Position)
  }

  /// The crawl that the file belongs to.
  let crawl: SignatureDigests
  private(set) var position = Position()
  private(set) var last: LastRows
  private var lines = 1

  /// Reads the first line of a file.
  init(head line: some Collection<UInt8>) throws(UsageError) {
    guard let head = (try? JSONDocument(line)).map({ JSONAny($0.root) }),
      let format = head["quire"]?.int
    else {
      throw UsageError("it was not written by --resume; use another file")
    }
    guard format == Self.format, let crawl = SignatureDigests(head["crawl"]) else {
      throw UsageError("it was written by another version of quire; remove it to start over")
    }
    self.crawl = crawl
    last = .written(nil)
  }

  /// Reads the next line.
  mutating func add(_ line: some Collection<UInt8>) throws(UsageError) {
    lines += 1
    guard let page = try? JSONDocument(line), apply(page.root) else {
      throw UsageError("line \(lines) is damaged; remove the file to start over")
    }
  }

  private mutating func apply(_ page: JSONView) -> Bool {
    let output = Output.RegularFile(page["output"].map { JSONAny($0) })
    if page["end"]?.int != nil {
      last = .written(output)
      return true
    }
    guard let count = page["rows"]?.int, Self.ids(of: page) != nil else { return false }
    let before = position
    if let text = page["next"]?.string {
      guard let checkpoint = PageWalk.Checkpoint(text: text) else { return false }
      position.checkpoint = checkpoint
    } else {
      position.checkpoint = nil
    }
    position.isComplete = page["complete"]?.bool ?? false
    position.rows += count
    if let list = page["columns"], list.kind == .array {
      position.columns = list.elements.compactMap(\.string)
    }
    if let list = page["omitted"] {
      position.omitted.formUnion(list.elements.compactMap(\.string))
    }
    guard page["bytes"] != nil else {
      last = .written(output)
      return true
    }
    guard let announced = AnnouncedRows(page["bytes"].map { JSONAny($0) }, to: output) else {
      return false
    }
    last = .announced(announced, before: before)
    return true
  }

  /// Whether the rows of the last line are in an output that rows are appended to. Throws if that is unknown, or if
  /// the output lacks rows.
  ///
  /// - Parameter read: Reads bytes of the output; `nil` if they can't be read.
  func hasLastRows(
    in target: Output.RegularFile?, _ read: (Range<Int>) -> [UInt8]?
  ) throws(UsageError) -> Bool {
    func check(_ size: Int) throws(UsageError) {
      guard let target, target.size < size else { return }
      throw UsageError(
        "the output has \(target.size) bytes, but the crawl has written \(size); append to it with >>,"
          + " or remove the resume file to start over")
    }
    switch last {
    case .written(let known):
      if let known, let target, target.isSameFile(as: known) { try check(known.size) }
      return true
    case .announced(let rows, _):
      // Whether they are in another file can't be seen.
      guard let target, target.isSameFile(as: rows.file) else { return false }
      try check(rows.file.size)
      switch rows.found(in: target.size, read) {
      case .all: return true
      case .part: return false
      case .others(let size):
        throw UsageError(
          "the output has \(target.size) bytes, but the crawl, which was killed, has written at most"
            + " \(size) of them; nothing was cut: move what follows these to another file, append to a"
            + " new output, or remove the resume file to start over")
      }
    }
  }

  /// Returns the state before the last line.
  func withoutLast() -> ResumeState {
    guard case .announced(let rows, let before) = last else { return self }
    var state = self
    (state.position, state.last) = (before, .written(rows.file))
    return state
  }

  /// Returns the ids that a line has, none for the first one; `nil` if it is damaged.
  static func ids(of line: some Collection<UInt8>) -> [RowID]? {
    (try? JSONDocument(line)).flatMap { ids(of: $0.root) }
  }

  /// Returns the ids of a page; `nil` if one of them is damaged.
  private static func ids(of page: JSONView) -> [RowID]? {
    guard let list = page["ids"] else { return [] }
    var ids: [RowID] = []
    ids.reserveCapacity(list.count)
    for element in list.elements {
      if let text = element.string {
        ids.append(.text(text))
      } else if case .int(let number)? = element.scalar(at: .root) {
        ids.append(.number(number))
      } else {
        return nil
      }
    }
    return ids
  }
}

/// The line of a resume file for rows of one page.
struct ResumeEntry: Sendable {
  var rows: Int
  var ids: [RowID]
  var checkpoint: PageWalk.Checkpoint?
  var isComplete: Bool
  var columns: [String]?
  /// The members that had no column, as far as no earlier line has them.
  var omitted: Set<String> = []

  /// Returns the line. It is added before the rows are written if they are announced, else after.
  func line(announcing rows: AnnouncedRows?) -> String {
    var object: JSONAny.Object = ["rows": .int(self.rows), "complete": .bool(isComplete)]
    object["next"] = checkpoint.map { .string($0.text) } ?? .null
    object["output"] = rows?.file.json
    object["bytes"] = rows?.json
    if let columns { object["columns"] = .array(columns.map { .string($0) }) }
    if !omitted.isEmpty { object["omitted"] = .array(omitted.sorted().map { .string($0) }) }
    object["ids"] = .array(ids.map(\.json))
    return object.text() + "\n"
  }
}

extension ResumeState {
  /// Returns the first line of a file.
  static func head(_ crawl: SignatureDigests) -> String {
    let object: JSONAny.Object = ["quire": .int(format), "crawl": crawl.json]
    return object.text() + "\n"
  }

  /// Returns the line for the end of a run.
  static func end(_ status: CrawlStatus, _ output: Output.RegularFile?) -> String {
    let object: JSONAny.Object = [
      "end": .int(Int(status.rawValue)), "output": output?.json ?? .null,
    ]
    return object.text() + "\n"
  }
}

extension RowID {
  fileprivate var json: JSONAny {
    if case .number(let number) = self { .int(number) } else { .string("\(self)") }
  }
}

extension Output.RegularFile {
  var json: JSONAny { .array([.int(device), .int(inode), .int(size)]) }

  init?(_ json: JSONAny?) {
    guard let numbers = json?.array?.compactMap(\.int), numbers.count == 3 else { return nil }
    self.init(device: numbers[0], inode: numbers[1], size: numbers[2])
  }
}
