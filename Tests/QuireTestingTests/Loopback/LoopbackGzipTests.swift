import QuireTesting
import Support
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
/// The gzip bodies, checked by the system's `gzip` instead of code of this package.
@Suite(.timeLimit(.minutes(1)))
struct LoopbackGzipTests {
  @Test(arguments: [0, 1, 258, 259, 100_000])
  func `a gzip body decodes to the original`(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    #expect(try decoded(body(of: .bytes(bytes).gzipped())) == bytes)
  }

  @Test(arguments: [0, 1, 2, 258, 259, 260, 1033, 5_000_001])
  func `a bomb decodes to that many zeros`(count: Int) throws {
    let packed = try body(of: .bomb(decodedBytes: count))
    #expect(packed.count < count / 1000 + 600)
    let unpacked = try #require(try decoded(packed))
    #expect(unpacked.count == count)
    #expect(unpacked.allSatisfy { $0 == 0 })
  }

  @Test(arguments: [LoopbackFault.truncatedGzip, .brokenGzip])
  func `a damaged gzip body is valid HTTP but fails to decode`(
    fault: LoopbackFault
  ) throws {
    let packed = try body(of: .fault(fault))
    #expect(packed.starts(with: [0x1F, 0x8B]))
    #expect(try decoded(packed) == nil)
  }

  /// Returns the body of a complete response as a client receives it.
  private func body(of response: LoopbackResponse) throws -> [UInt8] {
    let server = try LoopbackServer { _ in response }
    let client = try RawClient(port: server.port)
    client.get()
    let head = client.readHead()
    #expect(head.contains("Content-Encoding: gzip\r\n"))
    let line = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
    let length = try #require(line.flatMap { Int($0.dropFirst("Content-Length: ".count)) })
    let body = client.read(length)
    #expect(body.count == length)
    return body
  }

  /// Returns the output of `gzip`; `nil` if it fails.
  private func decoded(_ bytes: [UInt8]) throws -> [UInt8]? {
    let name = "\(FileManager.default.temporaryDirectory.path)/loopback-\(UUID()).gz"
    try Data(bytes).write(to: URL(filePath: name))
    defer { unlink(name) }
    let pipe = try #require(popen("gzip -dc '\(name)' 2>/dev/null", "r"))
    var out: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&room, 1, room.count, pipe), count > 0 { out += room[..<count] }
    return pclose(pipe) == 0 ? out : nil
  }
}
