import Foundation

/// What counts of instructions depend on besides the program.
enum Platform {
  static var executable: URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
  }

  #if arch(x86_64)
    /// The parser's code for processors with SSE 4.2, which all have.
    static let parser = "westmere"
  #else
    static let parser = "arm64"
  #endif

  /// Features of the processor by which the C library chooses its code, and versions.
  static func facts() throws -> [String: String] {
    let relevant: Set<Substring> = [
      "sse4_2", "avx", "avx2", "bmi1", "bmi2", "lzcnt", "abm", "movbe", "erms", "fsrm", "rtm",
    ]
    let processor = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
    let flags = processor.split(separator: "\n").first { $0.hasPrefix("flags") } ?? ""
    let libraries = ["libcurl", "simdjson", "sqlite3"]
    var facts = [
      "processor": flags.split(separator: " ").filter(relevant.contains).sorted()
        .joined(separator: " "),
      "parser": parser,
      "swift": try line(["swift", "--version"], containing: "Swift version"),
      "C library": try line(["ldd", "--version"], containing: "ldd"),
      "valgrind": try line(["valgrind", "--version"], containing: "valgrind"),
    ]
    for library in libraries {
      facts[library] = try line(["pkg-config", "--modversion", library], containing: "")
    }
    return facts
  }

  private static func line(_ command: [String], containing text: String) throws -> String {
    let lines = try finished(command).split(separator: "\n")
    return (lines.first { text.isEmpty || $0.contains(text) }).map(String.init) ?? "none"
  }

  /// The names as Swift writes them; those of C and C++ stay.
  static func demangled(_ names: [String]) throws -> [String] {
    let mangled = names.filter { $0.hasPrefix("$s") }
    guard !mangled.isEmpty else { return names }
    let text = try finished(["swift", "demangle", "--compact", "--simplified"] + mangled)
    let lines = text.split(separator: "\n").map(String.init)
    guard lines.count == mangled.count else { return names }
    let readable = Dictionary(zip(mangled, lines)) { first, _ in first }
    return names.map { readable[$0] ?? $0 }
  }
}
