import Foundation

@testable import ItemMapping

/// The outcome of decoding: the value, or the kind of error and its path.
enum DecodingOutcome<Value> {
  case value(Value)
  case failure(kind: String, path: [String])

  init(_ decode: () throws -> Value) {
    do {
      self = .value(try decode())
    } catch {
      self = .failure(kind: Self.kind(error), path: Self.path(error))
    }
  }

  private static func kind(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .typeMismatch(let type, _): "typeMismatch \(type)"
    case .valueNotFound(let type, _): "valueNotFound \(type)"
    case .keyNotFound(let key, _): "keyNotFound \(key.stringValue)"
    case .dataCorrupted: "dataCorrupted"
    default: "\(error)"
    }
  }

  private static func path(_ error: any Error) -> [String] {
    let context: DecodingError.Context? =
      switch error as? DecodingError {
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .keyNotFound(_, let context), .dataCorrupted(let context):
        context
      default: nil
      }
    return context?.codingPath.map { "\($0.stringValue)|\($0.intValue.map(String.init) ?? "")" }
      ?? []
  }
}

extension DecodingOutcome where Value: Equatable {
  /// Returns whether our outcome is the one expected of Foundation. For a value that can't be read,
  /// Foundation often omits the path or its last keys.
  func agrees(withFoundation other: Self) -> Bool {
    switch (self, other) {
    case (.value(let a), .value(let b)): a == b
    case (.failure(let kind, let path), .failure(let otherKind, let otherPath)):
      kind == otherKind
        && (path == otherPath || kind == "dataCorrupted" && path.starts(with: otherPath))
    default: false
    }
  }
}

/// Both decoders with the same settings.
struct DecoderPair {
  var ours = ItemDecoder()
  let foundation = JSONDecoder()

  func outcomes<T: Decodable>(
    _ type: T.Type, _ text: String
  ) -> (ours: DecodingOutcome<T>, foundation: DecodingOutcome<T>) {
    (
      DecodingOutcome { try ours.decode(type, from: text.utf8) },
      DecodingOutcome { try foundation.decode(type, from: Data(text.utf8)) }
    )
  }

  /// Returns the difference between the two, or `nil`.
  func disagreement<T: Decodable & Equatable>(_ type: T.Type, _ text: String) -> String? {
    let (ours, theirs) = outcomes(type, text)
    return ours.agrees(withFoundation: theirs)
      ? nil : "\(type) of \(text): ours \(ours), Foundation's \(theirs)"
  }
}
