@testable import ServerAPI

/// Decodes any bytes as a coded body. It must neither crash nor hang, and the pieces in which a body arrives
/// must change neither the output nor whether it is complete.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBodies(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeRawBufferPointer(start: start, count: count)
  // Random inputs rarely start with a valid header.
  let gzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
  for (coding, lead) in [("gzip", []), ("gzip", gzip), ("deflate", []), ("deflate", [0x78, 0x9C])] {
    (lead + input).withUnsafeBytes { check(coding, $0) }
  }
  return 0
}

private func check(_ coding: String, _ bytes: UnsafeRawBufferPointer) {
  let whole = decode(coding, bytes, pieces: max(bytes.count, 1))
  for size in [1, 7] {
    let cut = decode(coding, bytes, pieces: size)
    precondition(
      cut.isBroken == whole.isBroken && cut.isComplete == whole.isComplete,
      "\(coding): in pieces of \(size) \(cut.isBroken), \(cut.isComplete)")
    // The amount of output before a defect is undefined.
    precondition(whole.isBroken || cut.body == whole.body, "\(coding): \(size)")
  }
}

private func decode(
  _ coding: String, _ bytes: UnsafeRawBufferPointer, pieces size: Int
) -> (body: ResponseBody, isComplete: Bool, isBroken: Bool) {
  guard let decoder = BodyDecoder(coding) else { preconditionFailure("no decoder for \(coding)") }
  let output = ResponseBuilder()
  for start in stride(from: 0, to: bytes.count, by: size) {
    var rest = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + size, bytes.count)])
    repeat {
      let before = (output.count, rest.count)
      if let problem = decoder.decode(&rest, into: output) {
        guard case .undecodable = problem else { preconditionFailure("\(problem)") }
        return (output.finish(), decoder.isComplete, true)
      }
      precondition(output.count - before.0 <= BodyDecoder.step, "a step produced too much output")
      let moved = output.count > before.0 || rest.count < before.1
      precondition(moved || !decoder.hasMore && rest.isEmpty, "a step made no progress")
    } while !rest.isEmpty || decoder.hasMore
  }
  return (output.finish(), decoder.isComplete, false)
}
