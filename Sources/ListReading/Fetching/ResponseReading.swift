internal import ItemMapping
package import ServerAPI
internal import Support

/// Reads the responses to one request: each is parsed once, and judged before it is stored or returned.
package final class ResponseReading: Sendable {
  private struct Parsed {
    let body: ResponseBody
    let document: JSONDocument
    package let verdict: ResponseVerdict
  }

  /// Guards the last response that was parsed. The shell that stores responses and the loader read it one after the
  /// other, but a cache may validate a response meanwhile.
  private let last = Lock<Parsed?>(nil)

  /// Guards the timings of the response, if it could not be read.
  private let unread = Lock<HTTPResponse.Timings?>(nil)

  /// The timings of the response, if it could not be read; its error has none.
  package var timings: HTTPResponse.Timings? {
    get { unread.withLock { $0 } }
    set { unread.withLock { $0 = newValue } }
  }

  /// Returns the JSON of a response and what it says of itself.
  func read(
    _ response: HTTPResponse, to method: HTTPMethod, judge: (JSONView) -> ResponseVerdict
  ) throws(LoadError) -> (document: JSONDocument, verdict: ResponseVerdict) {
    if let known = last.withLock({ $0 }), known.body.isSame(as: response.body) {
      return (known.document, known.verdict)
    }
    let document = try response.parsed(to: method)
    let verdict = judge(document.root)
    last.withLock {
      $0 = Parsed(body: response.body, document: document, verdict: verdict)
    }
    return (document, verdict)
  }

  /// Forgets the response, whose JSON is in use elsewhere now.
  func forget() { last.withLock { $0 = nil } }
}

extension PageLoader {
  /// Returns what a response says of itself.
  func verdict(
    on root: JSONView, _ response: HTTPResponse, _ request: Request
  ) -> ResponseVerdict {
    ResponseFailure.verdict(
      on: root, failures, itemsPath: reader.declaredPath ?? request.itemsPath
    ) { name, value in
      let sent = request.call.params.items + response.url.queryParams.items
      // A filter may have another name than the member that it is about.
      let isFlag = ["true", "false"].contains(value)
      return sent.contains { parameter in
        (!isFlag || NameWords(parameter.name) == NameWords(name))
          && parameter.value.texts.contains { $0.lowercased() == value }
      }
    }
  }

  /// Returns the JSON of a response, and why it has some of the rows only, if it says so. Throws where it says that it
  /// failed.
  func judged(
    _ response: HTTPResponse, to call: Call, _ request: Request
  ) throws(LoadError) -> (JSONDocument?, partial: String?) {
    guard case .json = reader.way else { return (nil, nil) }
    let read = try request.reading.read(
      response, to: call.method, judge: { verdict(on: $0, response, request) })
    request.reading.forget()
    switch read.verdict {
    case .nothing:
      // Where ranges are requested, each response may have this status.
      let ranges = ["Content-Range", "Accept-Ranges"]
      guard response.status == 206, request.key.place != .start, call.headers["Range"] == nil,
        ranges.allSatisfy({ response.headers[$0] == nil })
      else {
        return (read.document, nil)
      }
      return (read.document, "the server sent a part of the rows: its status is 206")
    case .partial(let reason):
      return (read.document, "the server sent a part of the rows: \(reason)")
    case .failed(let code, let message):
      throw .request(
        RequestError(.business(code: code, message: message)).about(response, to: call))
    }
  }

  /// Returns the check of the responses to a request, which runs before they are stored.
  func judge(of request: Request) -> ResponseJudge? {
    guard failures != .none, case .json = reader.way else { return nil }
    var hasher = Hasher()
    hasher.combine(failures)
    hasher.combine(reader.declaredPath ?? request.itemsPath)
    let method = request.call.method
    return ResponseJudge(key: hasher.finalize()) { response in
      // A body that can't be read fails later, with an error of its own.
      guard !response.body.isEmpty,
        let read = try? request.reading.read(
          response, to: method, judge: { verdict(on: $0, response, request) }),
        case .failed(let code, let message) = read.verdict
      else { return nil }
      return (code, message)
    }
  }
}
