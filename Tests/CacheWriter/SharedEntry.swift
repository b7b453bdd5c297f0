import ServerAPI

/// An entry whose content is derived from a number and a time, so that a reader can verify that it is complete.
struct SharedEntry {
  let number: Int

  init(_ number: Int) { self.number = number }

  var key: CacheKey { CacheKey(.responses, partition: "p", "https://api.test/\(number)") }

  func entry(time: Double) throws -> CacheEntry {
    let response = StoredResponse(
      status: 200, headers: ["Number": "\(number)"], body: ResponseBody(bytes(time)),
      url: try WebURL(key.text), requestedAt: time, receivedAt: time)
    return CacheEntry(key: key, content: .response(response))
  }

  func isWhole(_ entry: CacheEntry) -> Bool {
    guard let response = entry.response else { return false }
    return response.headers["number"] == "\(number)"
      && response.body.withUnsafeBytes { Array($0) } == bytes(response.receivedAt)
  }

  private func bytes(_ time: Double) -> [UInt8] {
    var state = UInt64(number) &* 31 &+ time.bitPattern
    return (0..<number * 7_919 % 20_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }
}
