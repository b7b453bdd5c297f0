internal import Quire

/// How far the rows of a crawl were written, as its resume file tells.
///
/// The file has one line of JSON for the crawl and one for each page, added when the rows of the page
/// were written. A line that was not written whole counts as none.
struct ResumeState: Sendable {
  static let format = 2

  /// The crawl that it belongs to.
  var crawl: SignatureDigests
  /// Where to go on; `nil` before the first page, and where nothing follows.
  var checkpoint: PageWalk.Checkpoint?
  var isComplete = false
  var ids: [RowID] = []
  var rows = 0
  /// The columns of csv.
  var columns: [String]?
  /// Where the output ended, where it is a regular file.
  var place: Output.Place?

  /// Reads the whole lines of a file; `nil` where there are none.
  init?(_ lines: [String]) throws(UsageError) {
    guard let first = lines.first else { return nil }
    guard let head = try? JSONAny(parsing: first), let format = head["quire"]?.int else {
      throw UsageError("it is not a file that --resume wrote")
    }
    guard format == Self.format, let crawl = SignatureDigests(head["crawl"]) else {
      throw UsageError("another version of quire wrote it; remove it to start over")
    }
    self.crawl = crawl
    place = Output.Place(head["output"])
    for (index, line) in lines.enumerated().dropFirst() {
      guard let page = try? JSONAny(parsing: line), take(page) else {
        throw UsageError("line \(index + 1) of it is damaged")
      }
    }
  }

  private mutating func take(_ page: JSONAny) -> Bool {
    guard let count = page["rows"]?.int else { return false }
    if let text = page["next"]?.string {
      guard let checkpoint = PageWalk.Checkpoint(text: text) else { return false }
      self.checkpoint = checkpoint
    } else {
      checkpoint = nil
    }
    isComplete = page["complete"]?.bool ?? false
    rows += count
    place = Output.Place(page["output"])
    columns = page["columns"]?.array?.compactMap(\.string) ?? columns
    for id in page["ids"]?.array ?? [] {
      switch id {
      case .int(let number): ids.append(.number(number))
      case .string(let text): ids.append(.text(text))
      default: return false
      }
    }
    return true
  }
}

/// What a resume file is told of a page whose rows were written.
struct ResumeEntry: Sendable {
  var rows: Int
  var ids: [RowID]
  var checkpoint: PageWalk.Checkpoint?
  var isComplete: Bool
  var columns: [String]?
  var place: Output.Place?

  var line: String {
    var object: JSONObject = ["rows": .int(rows), "complete": .bool(isComplete)]
    object["next"] = checkpoint.map { .string($0.text) } ?? .null
    object["output"] = place.json
    if let columns { object["columns"] = .array(columns.map { .string($0) }) }
    object["ids"] = .array(ids.map(\.json))
    return object.text() + "\n"
  }
}

extension ResumeState {
  /// The first line of a file.
  static func head(_ crawl: SignatureDigests, _ place: Output.Place?) -> String {
    let object: JSONObject = [
      "quire": .int(format), "crawl": crawl.json, "output": place.json,
    ]
    return object.text() + "\n"
  }
}

extension RowID {
  fileprivate var json: JSONAny {
    if case .number(let number) = self { .int(number) } else { .string("\(self)") }
  }
}

extension Output.Place? {
  fileprivate var json: JSONAny {
    map { .array([.int($0.device), .int($0.inode), .int($0.size)]) } ?? .null
  }
}

extension Output.Place {
  fileprivate init?(_ json: JSONAny?) {
    guard let numbers = json?.array?.compactMap(\.int), numbers.count == 3 else { return nil }
    self.init(device: numbers[0], inode: numbers[1], size: numbers[2])
  }
}
