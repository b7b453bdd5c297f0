/// Searches go down by pointers: step by step through arrays they would count each node's references up
/// and down, which takes longer than the search.
extension PageNode {
  /// The page that has the row, item or page with this number. What is before it is added to `before`.
  func page(at number: Int, by unit: PageSpan.Unit, after before: inout PageSpan) -> AnyObject? {
    children.withUnsafeBufferPointer { Self.page(at: number, by: unit, in: $0, after: &before) }
  }

  private static func page(
    at number: Int, by unit: PageSpan.Unit, in nodes: UnsafeBufferPointer<PageNode>,
    after before: inout PageSpan
  ) -> AnyObject? {
    var left = number
    for at in nodes.indices {
      let count = nodes[at].span[unit]
      if left < count {
        return nodes[at].page
          ?? nodes[at].children.withUnsafeBufferPointer {
            page(at: left, by: unit, in: $0, after: &before)
          }
      }
      left -= count
      before = before + nodes[at].span
    }
    return nil
  }

  /// The page with this order, or the one before it. What is before that is added to `before`.
  func page(for order: Int, after before: inout PageSpan) -> AnyObject? {
    children.withUnsafeBufferPointer { Self.page(for: order, in: $0, after: &before) }
  }

  private static func page(
    for order: Int, in nodes: UnsafeBufferPointer<PageNode>, after before: inout PageSpan
  ) -> AnyObject? {
    guard !nodes.isEmpty else { return nil }
    var at = 0
    while at + 1 < nodes.count, nodes[at + 1].first <= order {
      before = before + nodes[at].span
      at += 1
    }
    return nodes[at].page
      ?? nodes[at].children.withUnsafeBufferPointer { page(for: order, in: $0, after: &before) }
  }
}
