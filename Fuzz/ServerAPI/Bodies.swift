/// Undoes any bytes as a coded body. Nothing may crash or go on for ever, and the pieces in which a
/// body arrives decide neither what comes out nor whether it is whole.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBodies(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeRawBufferPointer(start: start, count: count)
  // Few inputs begin with a header by chance.
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
    // How much comes out in front of a defect is a matter of chance.
    precondition(whole.isBroken || cut.body == whole.body, "\(coding): \(size)")
  }
}

private func decode(
  _ coding: String, _ bytes: UnsafeRawBufferPointer, pieces size: Int
) -> (body: ResponseBody, isComplete: Bool, isBroken: Bool) {
  guard let decoder = BodyDecoder(coding) else { preconditionFailure("\(coding) is not known") }
  let output = ResponseBuilder()
  for start in stride(from: 0, to: bytes.count, by: size) {
    var rest = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + size, bytes.count)])
    repeat {
      let before = (output.count, rest.count)
      if let problem = decoder.decode(&rest, into: output) {
        guard case .undecodable = problem else { preconditionFailure("\(problem)") }
        return (output.finish(), decoder.isComplete, true)
      }
      precondition(output.count - before.0 <= BodyDecoder.step, "a step made too much")
      let moved = output.count > before.0 || rest.count < before.1
      precondition(moved || !decoder.hasMore && rest.isEmpty, "a step came to nothing")
    } while !rest.isEmpty || decoder.hasMore
  }
  return (output.finish(), decoder.isComplete, false)
}
