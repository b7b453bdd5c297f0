internal import Quire

/// The position of a crawl, as recorded in its resume file.
///
/// The file has one line of JSON for the crawl and one for each page, added after the rows of the page are
/// written. An incomplete last line is ignored.
struct ResumeState: Sendable {
  static let format = 2

  /// The crawl that the file belongs to.
  var crawl: SignatureDigests
  /// Where to continue; `nil` before the first page and if no page follows.
  var checkpoint: PageWalk.Checkpoint?
  var isComplete = false
  var rows = 0
  /// The columns of csv.
  var columns: [String]?
  /// The output after the last page, if it is a regular file.
  var output: Output.RegularFile?
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
    output = Output.RegularFile(head["output"])
  }

  /// Reads the next line.
  mutating func add(_ line: some Collection<UInt8>) throws(UsageError) {
    lines += 1
    guard let page = try? JSONDocument(line), apply(page.root) else {
      throw UsageError("line \(lines) is damaged; remove the file to start over")
    }
  }

  private mutating func apply(_ page: JSONView) -> Bool {
    guard let count = page["rows"]?.int, Self.ids(of: page) != nil else { return false }
    if let text = page["next"]?.string {
      guard let checkpoint = PageWalk.Checkpoint(text: text) else { return false }
      self.checkpoint = checkpoint
    } else {
      checkpoint = nil
    }
    isComplete = page["complete"]?.bool ?? false
    rows += count
    output = Output.RegularFile(page["output"].map { JSONAny($0) })
    if let list = page["columns"], list.kind == .array {
      columns = list.elements.compactMap(\.string)
    }
    return true
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

/// The line of a resume file for one page, added after its rows are written.
struct ResumeEntry: Sendable {
  var rows: Int
  var ids: [RowID]
  var checkpoint: PageWalk.Checkpoint?
  var isComplete: Bool
  var columns: [String]?
  var output: Output.RegularFile?

  var line: String {
    var object: JSONObject = ["rows": .int(rows), "complete": .bool(isComplete)]
    object["next"] = checkpoint.map { .string($0.text) } ?? .null
    object["output"] = output.json
    if let columns { object["columns"] = .array(columns.map { .string($0) }) }
    object["ids"] = .array(ids.map(\.json))
    return object.text() + "\n"
  }
}

extension ResumeState {
  /// Returns the first line of a file.
  static func head(_ crawl: SignatureDigests, _ output: Output.RegularFile?) -> String {
    let object: JSONObject = [
      "quire": .int(format), "crawl": crawl.json, "output": output.json,
    ]
    return object.text() + "\n"
  }
}

extension RowID {
  fileprivate var json: JSONAny {
    if case .number(let number) = self { .int(number) } else { .string("\(self)") }
  }
}

extension Output.RegularFile? {
  fileprivate var json: JSONAny {
    map { .array([.int($0.device), .int($0.inode), .int($0.size)]) } ?? .null
  }
}

extension Output.RegularFile {
  fileprivate init?(_ json: JSONAny?) {
    guard let numbers = json?.array?.compactMap(\.int), numbers.count == 3 else { return nil }
    self.init(device: numbers[0], inode: numbers[1], size: numbers[2])
  }
}
