internal import QuireTesting
internal import Support

/// Serves one client of a proxy, on its thread: reads its target, then transfers bytes.
struct LoopbackProxyConnection {
  private let socket: LoopbackSocket
  private let stream: LoopbackStream
  private let listener: LoopbackListener
  private let log: LoopbackProxy.Log
  private let credentials: String?
  private var input: LoopbackInput

  init(
    _ socket: LoopbackSocket, listener: LoopbackListener, log: LoopbackProxy.Log,
    credentials: String?
  ) {
    self.socket = socket
    self.listener = listener
    self.log = log
    self.credentials = credentials
    stream = LoopbackStream(socket)
    input = LoopbackInput(stream)
  }

  mutating func serve() {
    do throws(LoopbackInput.Failure) {
      if try input.firstByte() == 5 { try serveSocks() } else { try serveHTTP() }
    } catch {
      // The client has disconnected, or uses another protocol.
    }
  }

  private mutating func serveHTTP() throws(LoopbackInput.Failure) {
    let request = LoopbackRequest(head: try input.head(), connection: 0, index: 0)
    let isTunnel = request.method == "CONNECT"
    let authorization = request.header("Proxy-Authorization")
    log.add(
      LoopbackProxy.Request(
        kind: isTunnel ? .tunnel : .forward, target: request.target,
        authorization: authorization, head: request.head))
    guard credentials == nil || authorization == credentials else {
      return refuse("407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"test\"")
    }
    guard
      let (port, path) = isTunnel ? Self.authority(request.target) : Self.address(request.target)
    else { return refuse("400 Bad Request") }
    guard let upstream = connect(port) else { return refuse("502 Bad Gateway") }
    defer { listener.drop(upstream) }
    if isTunnel {
      guard stream.write(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)[...]) else {
        return
      }
    } else {
      var head = "\(request.method) \(path) HTTP/1.1\r\n"
      for header in request.headers
      where !header.isNamed("Connection") && !header.name.lowercased().hasPrefix("proxy-") {
        head += "\(header.name): \(header.value)\r\n"
      }
      // One request per connection, so that the next one is recorded too.
      guard LoopbackStream(upstream).write(Array("\(head)Connection: close\r\n\r\n".utf8)[...])
      else { return }
    }
    carry(to: upstream)
  }

  private mutating func serveSocks() throws(LoopbackInput.Failure) {
    let greeting = try input.bytes(2)
    _ = try input.bytes(Int(greeting[1]))
    guard stream.write([5, 0]) else { return }
    let head = try input.bytes(4)
    let host: String
    switch head[3] {
    case 1: host = try input.bytes(4).map { String($0) }.joined(separator: ".")
    case 3:
      let count = try input.bytes(1)[0]
      host = String(decoding: try input.bytes(Int(count)), as: UTF8.self)
    case 4:
      let bytes = try input.bytes(16)
      let groups = stride(from: 0, to: 16, by: 2).map { index in
        String(Int(bytes[index]) << 8 | Int(bytes[index + 1]), radix: 16)
      }
      host = "[\(groups.joined(separator: ":"))]"
    default: return
    }
    let digits = try input.bytes(2)
    let port = Int(digits[0]) << 8 | Int(digits[1])
    log.add(
      LoopbackProxy.Request(
        kind: .socks5, target: "\(host):\(port)", authorization: nil, head: []))
    guard head[1] == 1, let upstream = connect(port) else {
      _ = stream.write([5, head[1] == 1 ? 5 : 7, 0, 1, 0, 0, 0, 0, 0, 0])
      return stream.finish()
    }
    defer { listener.drop(upstream) }
    if stream.write([5, 0, 0, 1, 127, 0, 0, 1, digits[0], digits[1]]) { carry(to: upstream) }
  }

  private func connect(_ port: Int) -> LoopbackSocket? {
    guard let upstream = try? LoopbackSocket.connected(toPort: port), listener.adopt(upstream)
    else { return nil }
    return upstream
  }

  private func refuse(_ status: String) {
    let response = "HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    if stream.write(Array(response.utf8)[...]) { stream.finish() }
  }

  /// Transfers bytes both ways until both sides have ended.
  private mutating func carry(to upstream: LoopbackSocket) {
    let other = LoopbackStream(upstream)
    guard other.write(input.drain()[...]) else { return }
    let sides = [(from: stream, to: other), (from: other, to: stream)]
    var entries = [socket, upstream].map {
      pollfd(fd: $0.fd, events: Int16(POLLIN), revents: 0)
    }
    var room = [UInt8](repeating: 0, count: 64 << 10)
    while entries.contains(where: { $0.fd >= 0 }) {
      guard poll(&entries, 2, -1) > 0 || errno == EINTR else { return }
      for index in entries.indices where entries[index].fd >= 0 && entries[index].revents != 0 {
        let count = room.withUnsafeMutableBytes { sides[index].from.read(into: $0) }
        if count == 0 {
          entries[index].fd = -1
          sides[index].to.socket.shutDownWriting()
        } else if !sides[index].to.write(room[..<count]) {
          return
        }
      }
    }
  }

  /// Returns the port of `host:port`; there is no path.
  private static func authority(_ target: String) -> (port: Int, path: String)? {
    target.split(separator: ":").last.flatMap { Int($0) }.map { ($0, "") }
  }

  /// Returns the port and the path of an `http` URL.
  private static func address(_ target: String) -> (port: Int, path: String)? {
    let scheme = "http://"
    guard target.lowercased().hasPrefix(scheme) else { return nil }
    let rest = target.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let path = rest.dropFirst(authority.count)
    let digits = authority.split(separator: "]").last.map { $0.drop { $0 != ":" } } ?? ""
    guard let port = digits.isEmpty ? 80 : Int(digits.dropFirst()) else { return nil }
    return (port, path.hasPrefix("/") ? String(path) : "/\(path)")
  }
}
