#if LIBCURL
  internal import CCurl

  /// Decodes a body while it arrives, in steps of at most ``step`` bytes, so that a small input that expands
  /// without limit is detected early.
  final class BodyDecoder {
    static let step = 64 << 10

    private let coding: String
    private var inflater: OpaquePointer?
    /// Whether the last step filled its output, so that more may follow without input.
    private(set) var hasMore = false
    /// Whether the coded data has reached its end. Only this distinguishes a complete body from a truncated one.
    private(set) var isComplete = false

    /// Returns `nil` for an unsupported coding.
    init?(_ coding: String) {
      guard ["gzip", "x-gzip", "deflate"].contains(coding) else { return nil }
      self.coding = coding
    }

    deinit { ccurl_inflater_free(inflater) }

    /// Consumes bytes of `input` and appends to `output`. Returns a failure, if any.
    func decode(
      _ input: inout UnsafeRawBufferPointer, into output: ResponseBuilder
    ) -> RequestError.Kind? {
      guard !input.isEmpty || hasMore else { return nil }
      if inflater == nil { inflater = ccurl_inflater_make(coding != "deflate" || isZlib(input)) }
      guard let inflater else { return .unusable("zlib can't be initialized") }
      var result = ccurl_inflated()
      output.append(room: Self.step) { room in
        result = ccurl_inflate(inflater, input.baseAddress, input.count, room.baseAddress, room.count)
        return result.produced
      }
      input = UnsafeRawBufferPointer(rebasing: input.dropFirst(result.consumed))
      isComplete = result.state == CCURL_INFLATE_ENDED
      hasMore = !isComplete && result.produced == Self.step
      return result.state == CCURL_INFLATE_BROKEN
        ? .undecodable("the body is not valid \(coding)") : nil
    }

    /// Whether the stream has a zlib header, as the standard requires; some servers send a raw stream. The first
    /// byte distinguishes them: in a raw stream it would have a padding bit set.
    private func isZlib(_ input: UnsafeRawBufferPointer) -> Bool {
      input.first.map { $0 & 0x0F == 8 } ?? false
    }
  }
#endif
