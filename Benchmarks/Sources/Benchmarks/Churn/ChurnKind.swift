import QuireTesting

/// How a list changes before each request but the first.
struct ChurnKind {
  let name: String
  let rates: ServedList.Rates

  static let still = ChurnKind(name: "still", rates: .init())
  static let deleteAtHead = ChurnKind(
    name: "delete at the head", rates: .init(delete: 1, at: .head))
  static let insertAtHead = ChurnKind(
    name: "insert at the head", rates: .init(insert: 1, at: .head))
  static let both = ChurnKind(name: "delete+insert anywhere", rates: .init(insert: 1, delete: 1))
  static let bursts = ChurnKind(
    name: "bursts of 50 deletes", rates: .init(delete: 0.05, burst: 50, at: .head))

  static let all = [
    still, deleteAtHead, ChurnKind(name: "delete anywhere", rates: .init(delete: 1)), insertAtHead,
    both, ChurnKind(name: "3 deletes at the head", rates: .init(delete: 1, burst: 3, at: .head)),
    bursts,
  ]
  /// Enough for a way whose other rows would say the same.
  static let few = [still, both, bursts]
}
