/// The result of a start: the response, and what a reader made of its body.
struct ReadResponse: Sendable {
  /// The response or the reason why there is none.
  let result: Result<HTTPResponse, RequestError>
  /// What the reader made of the body; `nil` if there was nothing to read.
  var content: Result<(any Sendable)?, RequestError> = .success(nil)

  /// Sends a call and reads the body of its response.
  init(
    of call: Call, _ server: Server, _ reader: BaseServerAPI.Reader?
  ) async {
    do throws(RequestError) {
      self.init(try await server.send(call), to: call, server, reader)
    } catch {
      self.init(failure: error)
    }
  }

  private init(failure: RequestError) { result = .failure(failure) }

  /// Reads the body of a response.
  init(
    _ response: HTTPResponse, to call: Call, _ server: Server, _ reader: BaseServerAPI.Reader?
  ) {
    var response = response
    if let reader, Self.hasContent(response, of: call) {
      let start = server.configuration.time.now()
      content = Self.content(of: response, reader)
      response.timings.addDecoding(server.configuration.time.now() - start)
    }
    result = .success(response)
  }

  /// Whether there is a body to read. `HEAD`, `204`, `205` and `304` have none by definition, and a receiver
  /// may have got it.
  private static func hasContent(_ response: HTTPResponse, of call: Call) -> Bool {
    guard response.body.isEmpty else { return true }
    return call.receiver == nil && call.method != .head
      && ![204, 205, 304].contains(response.status)
  }

  private static func content(
    of response: HTTPResponse, _ reader: BaseServerAPI.Reader
  ) -> Result<(any Sendable)?, RequestError> {
    do throws(RequestError) {
      return .success(try reader(response))
    } catch {
      // An accepted error status says more than a body of another kind.
      return response.isSuccess ? .failure(error) : .success(nil)
    }
  }
}
