internal import Synchronization

/// Notices when a receiver has taken bytes: from then on the request can't be sent again, since the
/// receiver would see them twice.
final class ReceiverTap: Sendable {
  private let isOpen = Atomic(false)

  /// Whether bytes have passed.
  var hasBytes: Bool { isOpen.load(ordering: .acquiring) }

  /// Stands between the transport and the receiver of `request`; `nil` where there is none.
  static func attach(to request: inout HTTPRequest) -> ReceiverTap? {
    guard let receiver = request.receiver else { return nil }
    let tap = ReceiverTap()
    request.receiver = { piece in
      if !piece.isEmpty { tap.isOpen.store(true, ordering: .releasing) }
      try await receiver(piece)
    }
    return tap
  }
}
