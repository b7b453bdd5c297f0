extension ListEvent: CustomStringConvertible {
  /// The event in one line, for logs: `didStart next`, `didChange inserted 20…39`.
  public var description: String {
    switch self {
    case .didStart(let kind): "didStart \(kind)"
    case .didChange(let change): "didChange \(change)"
    case .didReport(let report): "didReport \(inOneLine(report))"
    case .didBecome(let freshness): "didBecome \(inOneLine(freshness))"
    case .isSearching(let kind, let pages): "isSearching \(kind), pages \(pages)"
    case .didSucceed(let kind): "didSucceed \(kind)"
    case .didLoadFirstPage(let end): "didLoadFirstPage \(end)"
    case .didLoadLastPage(let end): "didLoadLastPage \(end)"
    case .didFail(let kind, let error): "didFail \(kind): \(inOneLine(error))"
    case .didCancel(let kind, let reason): "didCancel \(kind), \(reason)"
    case .didReset: "didReset"
    case .didFinish(let kind): "didFinish \(kind)"
    case .didMiss(let count): "didMiss \(count)"
    }
  }

  private func inOneLine(_ value: some CustomStringConvertible) -> String {
    value.description.split(separator: "\n").joined(separator: " ")
  }
}
