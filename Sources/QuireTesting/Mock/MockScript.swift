internal import ServerAPI

/// The answers that wait for their requests.
struct MockScript: Sendable {
  /// Which requests a queue of answers is for.
  private struct Route: Hashable {
    let method: HTTPMethod
    /// A path, or a path with its query.
    let target: String
  }

  private var routes: [(route: Route, answers: [MockAnswer])] = []
  private var anyRequest: [MockAnswer] = []

  mutating func enqueue(_ answers: [MockAnswer]) { anyRequest += answers }

  mutating func enqueue(_ answers: [MockAnswer], _ method: HTTPMethod, _ target: String) {
    let route = Route(method: method, target: target)
    guard let index = routes.firstIndex(where: { $0.route == route }) else {
      return routes.append((route, answers))
    }
    routes[index].answers += answers
  }

  /// The next answer for a request: of its path and query, of its path, or the next in order.
  mutating func take(for request: HTTPRequest) -> MockAnswer? {
    for target in [request.url.target, request.url.path] {
      let route = Route(method: request.method, target: target)
      if let index = routes.firstIndex(where: { $0.route == route && !$0.answers.isEmpty }) {
        return routes[index].answers.removeFirst()
      }
    }
    return anyRequest.isEmpty ? nil : anyRequest.removeFirst()
  }

  /// Why a request has no answer, with what there would have been answers for.
  func complaint(about request: HTTPRequest) -> String {
    var scripted = routes.map {
      "\($0.route.method) \($0.route.target) (\($0.answers.count) left)"
    }
    if scripted.isEmpty { scripted = ["none"] }
    return "no answer scripted for \(request.method) \(request.url.target); scripted are: "
      + scripted.joined(separator: ", ")
  }
}

extension WebURL {
  /// Path and query, as they stand in the first line of a request.
  var target: String { path + (query.map { "?" + $0 } ?? "") }
}
