import Foundation

/// The largest resident size of this program so far, in KiB. `getrusage` would not do: what it tells
/// begins with the size of the program that started this one.
func peakMemory() -> Int { memory("VmHWM:") }

/// The resident size of this program, in KiB.
func residentMemory() -> Int { memory("VmRSS:") }

func memory(_ name: String, of process: String = "self") -> Int {
  let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
  return line.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first ?? 0
}
