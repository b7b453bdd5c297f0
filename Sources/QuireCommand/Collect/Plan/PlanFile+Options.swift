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
        throw self.error([problem(error, at: every.values[0].place)])
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
      throw UsageError("--\(name) can't be used with a plan; write it there, in a list or in defaults")
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
    var words = run + ["--table=\(list.name)"]
    for entry in list.entries where entry.name != "url" {
      for word in self.words(entry, secrets) {
        do throws(UsageError) { _ = try Arguments([word, "--", "-"], for: CollectCommand.spec) } catch {
          throw problem(error, at: entry.values.first?.place ?? entry.place)
        }
        words.append(word)
      }
    }
    do throws(UsageError) {
      let text = secrets.expanded(url.text, escapingBraces: isChild)
      let options = try CollectOptions(try Arguments(words + ["--", address(text, secrets)], for: CollectCommand.spec))
      do throws(CollectError) { try options.list.check(isChild: isChild) } catch { throw UsageError("\(error)") }
      return options
    } catch {
      let entry = list.entries.first { error.description.contains("--\($0.name)") }
      let isAddress = ["address", "of each row"].contains { error.description.contains($0) }
      throw problem(error, at: entry?.values.first?.place ?? entry?.place ?? (isAddress ? url.place : list.place))
    }
  }

  /// Returns the address of a list. One without a scheme is below the server of the plan.
  private func address(_ text: String, _ secrets: PlanSecrets) -> String {
    guard let server, !text.contains("://") else { return text }
    let base = secrets.expanded(server.text)
    return String(base.reversed().drop { $0 == "/" }.reversed()) + "/" + text.drop { $0 == "/" }
  }

  private func words(_ entry: Entry, _ secrets: PlanSecrets) -> [String] {
    entry.values.isEmpty ? ["--\(entry.name)"] : entry.values.map { "--\(entry.name)=\(secrets.expanded($0.text))" }
  }

  /// Returns what is wrong with options, which have no dashes in a plan.
  private func problem(_ error: UsageError, at place: TextPlace) -> TextProblem {
    let names = CollectCommand.spec.options.map(\.name).sorted { $0.count > $1.count }
    let text = names.reduce(error.description) { $0.replacing("--\($1)", with: $1) }
    return TextProblem(place: place, text: text)
  }
}
