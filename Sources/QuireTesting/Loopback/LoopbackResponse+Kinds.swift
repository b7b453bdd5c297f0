extension LoopbackResponse {
  /// 200 with plain text.
  public static func text(_ text: String) -> LoopbackResponse {
    bytes(Array(text.utf8), type: "text/plain; charset=utf-8")
  }

  /// 200 with JSON, given as its text.
  public static func json(_ text: String) -> LoopbackResponse {
    bytes(Array(text.utf8), type: "application/json")
  }

  /// 200 with an HTML page.
  public static func html(_ text: String) -> LoopbackResponse {
    bytes(Array(text.utf8), type: "text/html; charset=utf-8")
  }

  /// 200 with these bytes.
  public static func bytes(
    _ bytes: [UInt8], type: String = "application/octet-stream"
  ) -> LoopbackResponse {
    LoopbackResponse(headers: [LoopbackHeader("Content-Type", type)], body: .bytes(bytes))
  }

  /// A status without a body.
  public static func status(_ status: Int, reason: String? = nil) -> LoopbackResponse {
    LoopbackResponse(status: status, reason: reason)
  }

  /// A redirect to a location, absolute or relative.
  public static func redirect(to location: String, status: Int = 302) -> LoopbackResponse {
    LoopbackResponse(status: status, headers: [LoopbackHeader("Location", location)])
  }

  /// A redirect of a request to itself: following it never ends.
  public static func redirectLoop(_ request: LoopbackRequest) -> LoopbackResponse {
    redirect(to: request.target)
  }

  /// Redirects a request that many times, each to an address of its own, and then answers.
  ///
  /// The hops are counted by the query item `hop`, so one handler serves the whole chain.
  public static func redirectChain(
    _ request: LoopbackRequest, hops: Int, then answer: LoopbackResponse
  ) -> LoopbackResponse {
    let hop = request.query("hop").flatMap { Int($0) } ?? 0
    return hop < hops ? redirect(to: "\(request.path)?hop=\(hop + 1)") : answer
  }

  /// 200 with that many bytes, sent from one small block.
  public static func filler(count: Int) -> LoopbackResponse {
    LoopbackResponse(
      headers: [LoopbackHeader("Content-Type", "application/octet-stream")],
      body: .repeating([UInt8](repeating: 0x61, count: 256 << 10), count: max(0, count)))
  }

  /// 200 with a gzip body that is about a thousand times larger once decoded: zeros, that many.
  public static func bomb(decodedBytes: Int) -> LoopbackResponse {
    bytes(LoopbackGzip.zeros(max(0, decodedBytes))).with("Content-Encoding", "gzip")
  }

  /// A text of a thousand bytes that goes wrong.
  public static func fault(_ fault: LoopbackFault) -> LoopbackResponse {
    text(String(repeating: "0123456789", count: 100)).failing(fault)
  }
}
