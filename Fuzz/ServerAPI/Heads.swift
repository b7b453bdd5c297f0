@testable import ServerAPI

/// Reads any lines as the head of a response. It must not crash. An accepted head must be within the limits,
/// have a status, and yield no more fields than lines and no line break in any of them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHeads(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  // With a leading status line, the first lines are fields; without it they are parsed as one.
  for lead in ["", "HTTP/1.1 200 OK\r\n"] { check(Array(lead.utf8) + bytes) }
  return 0
}

private func check(_ bytes: [UInt8]) {
  var limits = HTTPRequest.Limits()
  limits.headerBytes = 1024
  limits.headerCount = 16
  var head = ReceivedHead()
  var taken = 0
  var lines = 0
  bytes.withUnsafeBytes { all in
    var rest = all[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
      let line = UnsafeRawBufferPointer(rebasing: rest[..<end])
      rest = rest[end...]
      let problem = head.append(line, limits: limits)
      checkFields(head, lines)
      guard problem == nil else { return }
      (taken, lines) = (taken + line.count, lines + 1)
      precondition(taken <= limits.headerBytes, "\(taken) bytes were accepted")
      precondition(lines - 2 <= limits.headerCount, "\(lines) lines were accepted")
      precondition((100...999).contains(head.status), "the status is \(head.status)")
      precondition(head.announcedLength ?? 0 >= 0, "a negative length was accepted")
      precondition(head.coding != "identity" && head.size == taken)
    }
  }
}

private func checkFields(_ head: ReceivedHead, _ lines: Int) {
  let fields = head.headers().fields
  precondition(fields.count <= lines, "\(lines) lines became \(fields.count) fields")
  for field in fields {
    precondition(!(field.name + field.value).utf8.contains(0x0A), "\(field) has a line break")
    let ends = [field.value.utf8.first, field.value.utf8.last]
    precondition(!ends.contains(0x20) && !ends.contains(0x09), "\(field) has surrounding blanks")
  }
}
