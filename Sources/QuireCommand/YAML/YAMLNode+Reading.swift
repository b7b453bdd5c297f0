internal import CYAML
internal import Support

extension YAMLNode {
  /// Documents with more values are refused. The values that an alias stands for count each time, so that a few lines
  /// can't stand for billions of them.
  private static let maximumCount = 100_000
  private static let maximumDepth = 64

  /// Reads the only document of a text; `nil` if it has none.
  static func reading(_ text: [UInt8]) throws(TextProblem) -> YAMLNode? {
    let result = text.withUnsafeBytes { bytes in
      Result { () throws(TextProblem) in try read(bytes) }
    }
    return try result.get()
  }

  private static func read(_ bytes: UnsafeRawBufferPointer) throws(TextProblem) -> YAMLNode? {
    var problem: UnsafePointer<CChar>?
    guard let events = yaml_reader_open(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, &problem)
    else {
      let text = problem.map { String(cString: $0) } ?? ""
      throw TextProblem(place: TextPlace(line: 1, column: 1), text: "YAML can't be read: \(text)")
    }
    defer { yaml_reader_close(events) }
    var reader = Reader(events: events)
    var root: YAMLNode?
    while true {
      try reader.next()
      switch Int(reader.event.kind) {
      case Int(YAML_READ_END): return root
      case Int(YAML_READ_DOCUMENT):
        if root != nil { throw reader.problem("a second document begins here; a plan is one") }
      default: root = try reader.node(depth: 0)
      }
    }
  }

  private struct Reader {
    let events: OpaquePointer
    var event = yaml_read_event()
    var count = 0
    /// What anchors name, and the number of values in it.
    var anchors: [String: (node: YAMLNode, count: Int)] = [:]

    init(events: OpaquePointer) { self.events = events }

    var place: TextPlace { TextPlace(line: Int(event.line), column: Int(event.column)) }

    func problem(_ text: String) -> TextProblem { TextProblem(place: place, text: text) }

    mutating func next() throws(TextProblem) {
      yaml_reader_next(events, &event)
      if Int(event.kind) == Int(YAML_READ_PROBLEM) {
        let text = String(cString: event.text)
        throw problem(
          text.contains("found character that cannot start any token")
            ? "no value can begin with this character; indent with blanks, not tabs, and quote texts with @ or `"
            : "this is no YAML: \(text)")
      }
    }

    /// Returns the node that begins with the current event.
    mutating func node(depth: Int) throws(TextProblem) -> YAMLNode {
      if depth > maximumDepth { throw problem("values are nested more than \(maximumDepth) deep") }
      if event.has_tag != 0 { throw problem("tags, which begin with !, can't be used here") }
      try add(1)
      let (start, before) = (place, count)
      let anchor = event.anchor.map { String(cString: $0) }
      var node: YAMLNode
      switch Int(event.kind) {
      case Int(YAML_READ_SCALAR):
        let bytes = UnsafeRawBufferPointer(start: event.text, count: event.length)
        node = YAMLNode(
          content: .text(String(decoding: bytes, as: UTF8.self), isQuoted: event.is_quoted != 0), place: start)
      case Int(YAML_READ_ALIAS):
        guard let anchor, let known = anchors[anchor] else {
          throw problem("nothing before has the anchor “\(anchor ?? "")”")
        }
        try add(known.count)
        node = known.node
        // What is wrong with it is looked for where it is used.
        node.place = start
        return node
      case Int(YAML_READ_LIST): node = YAMLNode(content: .list(try list(depth)), place: start)
      default: node = YAMLNode(content: .map(try map(depth)), place: start)
      }
      if let anchor { anchors[anchor] = (node, count - before) }
      return node
    }

    private mutating func add(_ number: Int) throws(TextProblem) {
      count += number
      guard count > maximumCount else { return }
      throw problem("there are more than \(maximumCount) values, with those that aliases stand for")
    }

    private mutating func list(_ depth: Int) throws(TextProblem) -> [YAMLNode] {
      var nodes: [YAMLNode] = []
      while true {
        try next()
        if Int(event.kind) == Int(YAML_READ_CLOSE) { return nodes }
        nodes.append(try node(depth: depth + 1))
      }
    }

    private mutating func map(_ depth: Int) throws(TextProblem) -> [(key: YAMLNode, value: YAMLNode)] {
      var members: [(key: YAMLNode, value: YAMLNode)] = []
      var places: [String: TextPlace] = [:]
      while true {
        try next()
        if Int(event.kind) == Int(YAML_READ_CLOSE) { return members }
        let key = try node(depth: depth + 1)
        guard let name = key.text else { throw TextProblem(place: key.place, text: "a name must be a text") }
        if name == "<<", case .text(_, isQuoted: false) = key.content {
          throw TextProblem(place: key.place, text: "merge keys (<<) can't be used here; use defaults, or an alias")
        }
        if let other = places.updateValue(key.place, forKey: name) {
          throw TextProblem(place: key.place, text: "“\(name)” is there twice; the other one is in line \(other.line)")
        }
        try next()
        members.append((key, try node(depth: depth + 1)))
      }
    }
  }
}
