internal import Quire
internal import QuireCollect

extension PlanFile {
  /// Returns the options of each list, which the parser of the command has read. Throws all that is wrong with them.
  ///
  /// - Parameters:
  ///   - arguments: Those of the run.
  ///   - secrets: Knows what the plan's references to secrets stand for.
  func options(_ arguments: Arguments, _ secrets: PlanSecrets) throws(UsageError) -> [CollectOptions] {
    try checkRun(arguments)
    var problems: [TextProblem] = []
    var all: [CollectOptions] = []
    let chosen = try chosen(arguments["only"])
    var run = ["--into=\(arguments["into"] ?? "")"]
    if let time = arguments["every"] {
      run.append("--every=\(time)")
    } else if let every, !arguments.has("limit") {
      let words = words(every, secrets)
      run += words
      do throws(UsageError) {
        _ = try Arguments(words + ["--", "-"], for: CollectCommand.spec).seconds("every")
      } catch {
        throw self.error([problem(error, at: every.values[0].place, secrets)])
      }
    }
    if let summary = arguments["summary"] { run.append("--summary=\(summary)") }
    for name in ["quiet", "durable"] where arguments.has(name) { run.append("--\(name)") }
    for list in lists where chosen.contains(list.name) {
      var children: [CollectOptions] = []
      for child in list.children {
        if let other = child.children.first {
          problems.append(.init(place: other.place, text: "a child can't have children"))
        }
        do throws(TextProblem) { children.append(try self.options(of: child, isChild: true, run, secrets)) } catch {
          problems.append(error)
        }
      }
      do throws(TextProblem) {
        var options = try self.options(of: list, isChild: false, run, secrets)
        options.add(children)
        all.append(options)
      } catch {
        problems.append(error)
      }
    }
    if !problems.isEmpty { throw UsageError(secrets.masked(error(problems).description)) }
    return all
  }

  private func checkRun(_ arguments: Arguments) throws(UsageError) {
    let others = arguments.values.keys.filter { !Self.runningOptions.contains($0) }.sorted()
    if let name = others.first {
      switch name {
      case "table": throw UsageError("--table can't be used with a plan: the name of a list is that of its table")
      default: throw UsageError("--\(name) can't be used with a plan; write it there, in a list or in defaults")
      }
    }
    if arguments["into"] == nil, CollectCommand.stores(arguments) {
      throw UsageError("--into is missing; name the file of a database: --into FILE")
    }
  }

  /// Returns the names of the lists that a run reads.
  private func chosen(_ words: String?) throws(UsageError) -> Set<String> {
    let known = lists.map(\.name)
    guard let words else { return Set(known) }
    let chosen = OptionSyntax.list(words)
    if chosen.isEmpty {
      throw UsageError("--only names no list; those of \(path) are \(known.joined(separator: ", "))")
    }
    for name in chosen where !known.contains(name) {
      if let parent = lists.first(where: { $0.children.contains { $0.name == name } }) {
        throw UsageError("--only: “\(name)” is read for each row of “\(parent.name)”; use --only \(parent.name)")
      }
      throw UsageError(
        "--only: \(path) has no list “\(name)”"
          + (Suggestion.nearest(to: name, among: known).map { "; did you mean \($0)?" }
            ?? "; it has \(known.joined(separator: ", "))"))
    }
    return Set(chosen)
  }

  private func options(
    of list: List, isChild: Bool, _ run: [String], _ secrets: PlanSecrets
  ) throws(TextProblem) -> CollectOptions {
    guard let url = list.entries.first(where: { $0.name == "url" })?.values.first else {
      throw TextProblem(place: list.place, text: "the list “\(list.name)” has no url")
    }
    var words = (values: run + ["--table=\(list.name)"], standIns: run + ["--table=\(list.name)"])
    for entry in list.entries where entry.name != "url" {
      for word in self.words(entry, secrets) {
        do throws(UsageError) { _ = try Arguments([word, "--", "-"], for: CollectCommand.spec) } catch {
          throw problem(error, at: entry.values.first?.place ?? entry.place, secrets)
        }
        words.values.append(word)
      }
      let decidesOnRows = Self.sourceOptions.contains(entry.name)
      words.standIns += self.words(entry, secrets, by: decidesOnRows ? .standIn : .value)
    }
    do throws(UsageError) {
      let address = try address(url.text, secrets, .value, isChild: isChild)
      var options = try CollectOptions(try Arguments(words.values + ["--", address], for: CollectCommand.spec))
      do throws(CollectError) { try options.list.check(isChild: isChild) } catch { throw UsageError("\(error)") }
      let shown = try self.address(url.text, secrets, .standIn, isChild: isChild)
      options.storeSource(
        of: try CollectOptions(try Arguments(words.standIns + ["--", shown], for: CollectCommand.spec)))
      return options
    } catch {
      let entry = list.entries.first { error.description.contains("--\($0.name)") }
      let isAddress = ["address", "of each row"].contains { error.description.contains($0) }
      let place = entry?.values.first?.place ?? entry?.place ?? (isAddress ? url.place : list.place)
      throw problem(error, at: place, secrets)
    }
  }

  /// The options that decide which rows a list has.
  private static let sourceOptions: Set = ["method", "items", "id", "where", "body", "form"]

  /// Returns the address of a list. One without a scheme is below the server of the plan.
  private func address(
    _ text: String, _ secrets: PlanSecrets, _ replacement: PlanSecrets.Replacement, isChild: Bool
  ) throws(UsageError) -> String {
    // A query may have the address of something else.
    let hasScheme = text.prefix { !"/?#".contains($0) }.hasSuffix(":") && text.contains("://")
    guard let server, !hasScheme else {
      return secrets.expanded(address: text, by: replacement, isPath: false, escapingBraces: isChild)
    }
    if text.hasPrefix("//") {
      throw UsageError("the address “\(text)” begins with two slashes; write one, or https:// for another server")
    }
    let base = secrets.expanded(address: server.text, by: replacement, isPath: false)
    if base.contains(where: { "?#".contains($0) }) {
      throw UsageError("server has a ? or #, and no address can be below that; write the query in each list")
    }
    let path = secrets.expanded(address: text, by: replacement, isPath: true, escapingBraces: isChild)
    if text.hasPrefix("?") { return base + path }
    return String(base.reversed().drop { $0 == "/" }.reversed()) + "/" + path.drop { $0 == "/" }
  }

  private func words(
    _ entry: Entry, _ secrets: PlanSecrets, by replacement: PlanSecrets.Replacement = .value
  ) -> [String] {
    let isFlag = CollectCommand.spec.option(entry.name)?.takesValue == false
    return isFlag
      ? ["--\(entry.name)"] : entry.values.map { "--\(entry.name)=\(secrets.expanded($0.text, by: replacement))" }
  }

  /// Returns what is wrong with options, which have no dashes in a plan.
  private func problem(_ error: UsageError, at place: TextPlace, _ secrets: PlanSecrets) -> TextProblem {
    let names = CollectCommand.spec.options.map(\.name).sorted { $0.count > $1.count }
    // A secret may look like an option.
    let masked = secrets.masked(error.description)
    return TextProblem(place: place, text: names.reduce(masked) { $0.replacing("--\($1)", with: $1) })
  }
}
