import Support

@testable import ServerAPI

/// Reads any bytes as the output of a `ByteWriter`. It must neither crash nor use more memory than there are
/// bytes, and a value that is written again must read back as itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNotes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var reader = ByteReader(Array(UnsafeBufferPointer(start: start, count: count)))
  while !reader.isAtEnd {
    do throws(ByteReader.InvalidBytes) {
      switch try reader.number() & 7 {
      case 0: check(try reader.number())
      case 1: check(try reader.text())
      case 2: _ = try reader.double()
      case 3: _ = try reader.flag()
      case 4: _ = try reader.content()
      case 5:
        _ = try reader.optional { (inner) throws(ByteReader.InvalidBytes) in try inner.text() }
      default:
        let texts = try reader.array { (inner) throws(ByteReader.InvalidBytes) in try inner.text() }
        precondition(texts.count <= count)
      }
    } catch {
      return 0
    }
  }
  return 0
}

private func check(_ number: Int) {
  var writer = ByteWriter()
  writer.write(number)
  var reader = ByteReader(writer.bytes)
  precondition((try? reader.number()) == number && reader.isAtEnd, "\(number)")
}

private func check(_ text: String) {
  var writer = ByteWriter()
  writer.write(text)
  var reader = ByteReader(writer.bytes)
  precondition((try? reader.text()) == text && reader.isAtEnd)
}
