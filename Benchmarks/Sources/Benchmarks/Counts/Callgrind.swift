import Foundation

/// What callgrind counted between entry and return of `counted_run`, by function.
struct Callgrind {
  private(set) var total = 0
  /// Instructions of each function itself, by its mangled name.
  private(set) var functions: [String: Int] = [:]

  /// Reads a file that callgrind wrote. Names are written once and then referred to by numbers.
  init(_ text: String) {
    var names: [Substring: String] = [:]
    var function = ""
    var isCall = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("fn=") || line.hasPrefix("cfn=") {
        let field = line.drop { $0 != "=" }.dropFirst()
        let end = field.firstIndex(of: ")") ?? field.startIndex
        let id = field[...end]
        let name = field[end...].dropFirst(2)
        if !name.isEmpty { names[id] = String(name) }
        if line.hasPrefix("fn=") { function = names[id] ?? "?" }
      } else if line.hasPrefix("calls=") {
        isCall = true
      } else if let digit = line.first,
        digit.isNumber || digit == "+" || digit == "-" || digit == "*"
      {
        // The line behind a call is what the function that was called cost.
        if !isCall, let cost = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) {
          functions[function, default: 0] += cost
          total += cost
        }
        isCall = false
      }
    }
  }

  static func run(_ command: [String], environment: [String: String], folder: String) throws
    -> Callgrind
  {
    let file = folder + "/callgrind.out"
    _ = try finished(
      [
        "valgrind", "--tool=callgrind", "--toggle-collect=counted_run",
        "--callgrind-out-file=\(file)",
      ]
        + command, environment)
    return Callgrind(try String(contentsOfFile: file, encoding: .utf8))
  }
}

/// Runs a command of the system to its end and returns its output.
func finished(_ command: [String], _ environment: [String: String]? = nil) throws -> String {
  let process = Process()
  let (output, errors) = (
    Pipe(), FileManager.default.temporaryDirectory.path + "/quire-errors-\(UUID())"
  )
  _ = FileManager.default.createFile(atPath: errors, contents: nil)
  defer { try? FileManager.default.removeItem(atPath: errors) }
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = command
  if let environment { process.environment = environment }
  process.standardOutput = output
  process.standardError = FileHandle(forWritingAtPath: errors)
  try process.run()
  let data = try output.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    let why = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
    throw BenchmarkError(
      "\(command.joined(separator: " ")) ended with \(process.terminationStatus)\n\(why)")
  }
  return String(decoding: data, as: UTF8.self)
}
