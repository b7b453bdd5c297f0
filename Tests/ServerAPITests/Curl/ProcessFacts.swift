#if LIBCURL
  import Foundation

  /// Facts about this process from the system.
  func residentBytes() -> Int { status("VmRSS") << 10 }

  /// Its peak memory.
  func peakResidentBytes() -> Int { status("VmHWM") << 10 }

  private func status(_ name: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
    return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }
#endif
