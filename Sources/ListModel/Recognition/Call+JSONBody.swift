internal import ItemMapping
internal import ServerAPI

extension Call {
  /// The JSON object that the call sends; `nil` where it sends something else or nothing.
  var jsonBody: JSONView? {
    var bytes: [UInt8] = []
    for piece in body?.pieces ?? [] {
      guard case .bytes(let part) = piece else { return nil }
      bytes += part
    }
    guard !bytes.isEmpty, let root = try? JSONDocument(bytes).root, root.kind == .object else {
      return nil
    }
    return root
  }
}
