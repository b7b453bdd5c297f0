import Support

/// A plain socket: it sends and receives exactly what is on the wire.
final class RawClient {
  enum End: Equatable { case closed, reset, silent }

  struct Refused: Error { var code: Int32 }

  struct Response: Equatable {
    var status: String
    var headers: [String]
    var body: String
  }

  private let fd: Int32
  private var received: [UInt8] = []

  init(port: Int) throws {
    fd = socket(AF_INET, SocketKind.stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(fd, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw Refused(code: errno) }
    setLimit()
  }

  init(path: String) throws {
    fd = socket(AF_UNIX, SocketKind.stream, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(fd, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else { throw Refused(code: errno) }
    setLimit()
  }

  deinit { close(fd) }

  /// Makes a server that never responds end a test instead of hanging it.
  private func setLimit() {
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        sendBytes(fd, $0)
      }
      guard count > 0 else { return }
      rest.removeFirst(count)
    }
  }

  func get(_ target: String = "/") { send("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n") }

  func finishWriting() { shutdown(fd, Int32(SHUT_WR)) }

  /// Reads one piece into `received`; returns how the connection ended if it did.
  private func fill() -> End? {
    var room = [UInt8](repeating: 0, count: 65536)
    let count = recv(fd, &room, room.count, 0)
    if count > 0 {
      received += room[..<count]
      return nil
    }
    if count == 0 { return .closed }
    return errno == ECONNRESET ? .reset : .silent
  }

  /// Reads exactly the given number of bytes, fewer only if the connection ends.
  func read(_ count: Int) -> [UInt8] {
    while received.count < count, fill() == nil {}
    let out = Array(received.prefix(count))
    received.removeFirst(out.count)
    return out
  }

  /// Reads a head with its empty line.
  func readHead() -> String {
    let mark = Array("\r\n\r\n".utf8)
    while true {
      if let end = received.indices.first(where: { received[$0...].starts(with: mark) }) {
        return String(decoding: read(end + 4), as: UTF8.self)
      }
      if fill() != nil { return String(decoding: read(received.count), as: UTF8.self) }
    }
  }

  /// Reads a whole response whose body has a declared length.
  func readResponse() -> Response {
    let lines = readHead().split(separator: "\r\n").map(String.init)
    let headers = Array(lines.dropFirst())
    let length = headers.first { $0.hasPrefix("Content-Length: ") }
      .flatMap { Int($0.dropFirst("Content-Length: ".count)) }
    let body = String(decoding: read(length ?? 0), as: UTF8.self)
    return Response(status: lines.first ?? "", headers: headers, body: body)
  }

  /// Reads everything up to the end of the connection, and how it ended.
  func readToEnd() -> (bytes: [UInt8], end: End) {
    while true {
      if let end = fill() { return (read(received.count), end) }
    }
  }

  /// Reads everything up to the end as text, and how it ended.
  func textToEnd() -> (text: String, end: End) {
    let (bytes, end) = readToEnd()
    return (String(decoding: bytes, as: UTF8.self), end)
  }
}

/// Calls `send` of the system, which the method of the same name would shadow.
private func sendBytes(_ socket: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  #if canImport(Darwin)
    send(socket, bytes.baseAddress, bytes.count, 0)
  #else
    send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
  #endif
}
