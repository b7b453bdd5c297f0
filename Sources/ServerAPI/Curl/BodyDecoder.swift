internal import CCurl

/// Undoes the coding of a body while it arrives, in steps that make at most ``step`` bytes, so that
/// a few bytes that grow without end are noticed early.
final class BodyDecoder {
  static let step = 64 << 10

  private let coding: String
  private var inflater: OpaquePointer?
  /// Whether the last step filled its room, so that more may come without input.
  private(set) var hasMore = false
  /// Whether the coded data came to its own end. Only this tells a whole body from one cut off.
  private(set) var isComplete = false

  /// `nil` for a coding that can't be undone.
  init?(_ coding: String) {
    guard ["gzip", "x-gzip", "deflate"].contains(coding) else { return nil }
    self.coding = coding
  }

  deinit { ccurl_inflater_free(inflater) }

  /// Takes from `input` and appends to `output`. Returns what is wrong, if anything.
  func decode(
    _ input: inout UnsafeRawBufferPointer, into output: ResponseBuilder
  ) -> RequestError.Kind? {
    guard !input.isEmpty || hasMore else { return nil }
    if inflater == nil { inflater = ccurl_inflater_make(coding != "deflate" || isZlib(input)) }
    guard let inflater else { return .unusable("zlib could not be started") }
    var result = ccurl_inflated()
    output.append(room: Self.step) { room in
      result = ccurl_inflate(inflater, input.baseAddress, input.count, room.baseAddress, room.count)
      return result.produced
    }
    input = UnsafeRawBufferPointer(rebasing: input.dropFirst(result.consumed))
    isComplete = result.state == CCURL_INFLATE_ENDED
    hasMore = !isComplete && result.produced == Self.step
    return result.state == CCURL_INFLATE_BROKEN
      ? .undecodable("the body is not what its coding, \(coding), promises") : nil
  }

  /// Some servers send the bare stream where the standard asks for a zlib header around it. The
  /// first byte tells them apart: a bare stream would set a bit there that only fills it up.
  private func isZlib(_ input: UnsafeRawBufferPointer) -> Bool {
    input.first.map { $0 & 0x0F == 8 } ?? false
  }
}
