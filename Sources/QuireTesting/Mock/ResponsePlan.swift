internal import ServerAPI

/// The steps in which a response reaches a caller, with limits applied.
///
/// The plan has no clock and never waits; ``ResponsePlayer`` carries it out.
struct ResponsePlan: Sendable {
  /// One step.
  enum Step: Sendable {
    case wait(Gate)
    case sleep(Duration)
    case fail(RequestError.Kind)
    /// The head has arrived: the time after it counts as receiving.
    case head
    /// Bytes of the body arrive.
    case piece(Range<Int>)
  }

  private(set) var steps: [Step] = []
  /// The number of body bytes that arrive if nothing fails.
  let bodyCount: Int
  let wireBytes: Int

  init(_ response: MockResponse, for request: HTTPRequest, pieceSize: Int) {
    bodyCount = Self.bodyCount(response, request)
    let isWhole = bodyCount == response.body.count
    wireBytes = isWhole ? response.wireBytes ?? bodyCount : bodyCount
    var obstacles = response.obstacles
    if let limit = Self.firstLimit(decoded: bodyCount, wire: wireBytes, request.limits) {
      obstacles.append((limit.offset, .failure(limit.kind)))
    }
    obstacles = obstacles.enumerated()
      .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map(\.element)

    steps += obstacles.prefix { $0.offset <= 0 }.map { Self.step($0.what) }
    steps += Self.headLimit(response, request.limits).map { [.fail($0)] } ?? [.head]
    var position = 0
    for obstacle in obstacles.drop(while: { $0.offset <= 0 }) {
      addPieces(from: &position, to: min(obstacle.offset, bodyCount), pieceSize)
      steps.append(Self.step(obstacle.what))
    }
    addPieces(from: &position, to: bodyCount, pieceSize)
  }

  private mutating func addPieces(from position: inout Int, to end: Int, _ pieceSize: Int) {
    while position < end {
      let next = min(position + pieceSize, end)
      steps.append(.piece(position..<next))
      position = next
    }
  }

  private static func step(_ obstacle: MockResponse.Obstacle) -> Step {
    switch obstacle {
    case .gate(let gate): .wait(gate)
    case .delay(let duration): .sleep(duration)
    case .failure(let kind): .fail(kind)
    }
  }

  private static func bodyCount(_ response: MockResponse, _ request: HTTPRequest) -> Int {
    switch response.status {
    case _ where request.method == .head: 0
    case 204, 304: 0
    case 300..<400: min(response.body.count, request.limits.redirectBodyBytes)
    default: response.body.count
    }
  }

  /// Checks the header limits, with the size of a head in HTTP/1.1 including the status line.
  private static func headLimit(_ response: MockResponse, _ limits: TransferLimits) -> RequestError
    .Kind?
  {
    let fields = response.headers.fields
    if fields.count > limits.headerCount {
      return .tooLarge(.headerCount, allowed: limits.headerCount)
    }
    let bytes = fields.reduce(19) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    return bytes > limits.headerBytes ? .tooLarge(.headerBytes, allowed: limits.headerBytes) : nil
  }

  /// Returns the limit that the body exceeds first, and the number of decoded bytes before that.
  private static func firstLimit(
    decoded: Int, wire: Int, _ limits: TransferLimits
  ) -> (offset: Int, kind: RequestError.Kind)? {
    var broken: [(offset: Int, kind: RequestError.Kind)] = []
    if wire > limits.wireBytes {
      let offset = Double(limits.wireBytes) / Double(wire) * Double(decoded)
      broken.append((Int(offset), .tooLarge(.wireBytes, allowed: limits.wireBytes)))
    }
    if decoded > limits.decodedBytes {
      broken.append((limits.decodedBytes, .tooLarge(.decodedBytes, allowed: limits.decodedBytes)))
    }
    let ratio = limits.decompressionRatio
    if decoded > limits.decompressionFloor, Double(decoded) > Double(wire) * Double(ratio) {
      broken.append((limits.decompressionFloor, .tooLarge(.decompressionRatio, allowed: ratio)))
    }
    return broken.min { $0.offset < $1.offset }
  }
}
