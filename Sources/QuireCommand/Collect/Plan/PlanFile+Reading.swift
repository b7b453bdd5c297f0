internal import Quire
internal import QuireCollect
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PlanFile {
  private static let maximumSize = 4 << 20

  /// Reads a plan. Throws all that is wrong with its form.
  init(reading path: String) throws(UsageError) {
    // A folder or a pipe is no plan, and a file may be far too long to be read.
    let unreadable = UsageError("the plan \(path) can't be read; check its name and your rights")
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { throw unreadable }
    if facts.st_size > Self.maximumSize { throw UsageError("the plan \(path) is too long: more than 4 MB") }
    guard let data = FileManager.default.contents(atPath: path) else { throw unreadable }
    try self.init(Array(data), at: path)
  }

  init(_ bytes: [UInt8], at path: String) throws(UsageError) {
    self.path = path
    var problems: [TextProblem] = []
    do throws(TextProblem) {
      let start = TextPlace(line: 1, column: 1)
      guard let root = try YAMLNode.reading(bytes), !root.isNothing else {
        throw TextProblem(place: start, text: "the plan is empty; it needs lists")
      }
      guard case .map(let members) = root.content else {
        throw TextProblem(
          place: root.place, text: "a plan is a map with \(Self.members.joined(separator: ", ")), found \(root.kind)")
      }
      read(members, root.place, &problems)
    } catch {
      problems.append(error)
    }
    if !problems.isEmpty { throw self.error(problems) }
  }

  private mutating func read(
    _ members: [(key: YAMLNode, value: YAMLNode)], _ start: TextPlace, _ problems: inout [TextProblem]
  ) {
    var defaults: [Entry] = []
    var found: YAMLNode?
    for (key, value) in members {
      switch key.text {
      case "server": server = Self.text(key, value, &problems)
      case "every":
        every = Self.text(key, value, &problems).map {
          Entry(name: "every", values: [$0], place: key.place)
        }
      case "defaults":
        guard case .map(let options) = value.content else {
          problems.append(.init(place: value.place, text: "defaults must be a map of options, found \(value.kind)"))
          continue
        }
        for (key, value) in options where Self.isOption(key, in: "defaults", &problems) {
          Self.entry(key, value, &problems).map { defaults.append($0) }
        }
      case "lists": found = value
      case let name:
        let hint = Suggestion.hint(for: name ?? "", among: Self.members)
        let isOption = Self.options.contains { $0.name == name }
        let advice = hint.isEmpty && isOption ? "; options of all lists are in defaults" : hint
        problems.append(.init(place: key.place, text: "unknown word “\(name ?? "")” in a plan\(advice)"))
      }
    }
    guard let found else {
      if problems.isEmpty { problems.append(.init(place: start, text: "the plan has no lists; add them below lists:")) }
      return
    }
    lists = Self.lists(in: found, defaults, &problems)
    var names: [String: String] = [:]
    for list in lists + lists.flatMap(\.children) {
      if let other = names.updateValue(list.name, forKey: list.name.lowercased()) {
        problems.append(
          .init(place: list.place, text: "“\(other)” and “\(list.name)” are the same table; rename one of them"))
      }
    }
    for list in lists + lists.flatMap(\.children) {
      let view = CollectPlan.view(of: list.name)
      if let other = names[view.lowercased()] {
        problems.append(
          .init(place: list.place, text: "“\(other)” is the view of the table “\(list.name)”; rename one of them"))
      }
    }
  }

  /// Reads a map of names and lists.
  private static func lists(in node: YAMLNode, _ defaults: [Entry], _ problems: inout [TextProblem]) -> [List] {
    guard case .map(let members) = node.content, !members.isEmpty else {
      let isEmpty = node.isNothing || { if case .map = node.content { true } else { false } }()
      let text =
        isEmpty ? "there is no list here; add one, as books: {url: …}" : "lists must be a map, found \(node.kind)"
      problems.append(.init(place: node.place, text: text))
      return []
    }
    return members.map { key, value in
      var list = List(name: key.text ?? "", place: key.place)
      guard case .map(let options) = value.content else {
        let advice = value.isNothing ? "add options such as url below it" : "found \(value.kind)"
        problems.append(.init(place: value.place, text: "the list “\(list.name)” must be a map of options; \(advice)"))
        return list
      }
      // Also what is off or has no value here replaces a default.
      var own: Set<String> = []
      for (key, value) in options {
        if key.text == "children" {
          list.children = lists(in: value, defaults, &problems)
        } else if isOption(key, in: "a list", &problems) {
          own.insert(key.text ?? "")
          if !value.isNull { entry(key, value, &problems).map { list.entries.append($0) } }
        }
      }
      list.entries += defaults.filter { !own.contains($0.name) }
      return list
    }
  }

  private static func isOption(_ key: YAMLNode, in place: String, _ problems: inout [TextProblem]) -> Bool {
    let name = key.text ?? ""
    if name == "url" || options.contains(where: { $0.name == name }) { return true }
    var text = "“\(name)” is an option of a run, not of a list; "
    switch name {
    case "table": text = "the name of a list is that of its table; remove “table”"
    case "every": text += "write it at the top of the plan"
    case _ where runOptions.contains(name): text += "add --\(name) to the command"
    default: text = "unknown option “\(name)”" + Suggestion.hint(for: name, among: options.map(\.name) + ["url"])
    }
    problems.append(.init(place: key.place, text: text))
    return false
  }

  private static func text(_ key: YAMLNode, _ value: YAMLNode, _ problems: inout [TextProblem]) -> Value? {
    if let text = value.text, !value.isNothing { return Value(text: text, place: value.place) }
    problems.append(.init(place: value.place, text: "\(key.text ?? "") must be a text, found \(value.kind)"))
    return nil
  }

  /// Reads an option. `nil` if it is off, or wrong.
  private static func entry(_ key: YAMLNode, _ value: YAMLNode, _ problems: inout [TextProblem]) -> Entry? {
    let name = key.text ?? ""
    let spec = options.first { $0.name == name } ?? OptionSpec("url", "URL", "")
    var entry = Entry(name: name, values: [], place: key.place)
    func wrong(_ expected: String, _ node: YAMLNode) {
      problems.append(.init(place: node.place, text: "\(name) must be \(expected), found \(node.kind)"))
    }
    guard spec.takesValue else {
      switch value.content {
      case .text("true", isQuoted: false), .text("True", isQuoted: false), .text("TRUE", isQuoted: false): return entry
      case .text("false", isQuoted: false), .text("False", isQuoted: false), .text("FALSE", isQuoted: false): return nil
      default: wrong("true or false", value)
      }
      return nil
    }
    let separator = spec.partSeparator
    let forms = spec.repeats ? "a text or a list of texts" + (separator == nil ? "" : " or a map") : "a text"
    switch value.content {
    case .text(let text, _) where !value.isNothing: entry.values = [Value(text: text, place: value.place)]
    case .list(let nodes) where spec.repeats && nodes.isEmpty: return nil
    case .map(let members) where separator != nil && members.isEmpty: return nil
    case .list(let nodes) where spec.repeats:
      for node in nodes {
        guard let text = node.text, !node.isNothing else {
          wrong(forms, node)
          return nil
        }
        entry.values.append(Value(text: text, place: node.place))
      }
    case .map(let members) where separator != nil:
      for (key, node) in members {
        guard let text = node.text, !node.isNothing else {
          wrong("a map of texts", node)
          return nil
        }
        entry.values.append(Value(text: (key.text ?? "") + (separator ?? "") + text, place: node.place))
      }
    default:
      wrong(forms, value)
      return nil
    }
    return entry
  }
}
