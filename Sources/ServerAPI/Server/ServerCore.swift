/// What all copies of a server share: rules, transport, and what is learnt.
final class ServerCore: Sendable {
  let configuration: Server.Configuration
  let transport: any Transport
  /// The base address as it was given, or why it can't be read.
  let address: Result<WebURL, RequestError>
  /// The base address, or why no call can be made.
  let base: Result<WebURL, RequestError>
  let memory: ServerMemory
  /// Reads under way. Not shared with a changed copy, whose interceptors may answer differently.
  let flights = SingleFlight()

  init(
    configuration: Server.Configuration, transport: any Transport,
    address: Result<WebURL, RequestError>, memory: ServerMemory
  ) {
    self.configuration = configuration
    self.transport = transport
    self.address = address
    base = configuration.check().map { .failure($0) } ?? address
    self.memory = memory
  }

  var hasInterceptors: Bool {
    !configuration.interceptors.isEmpty || !configuration.networkInterceptors.isEmpty
  }

  /// Whether nothing of the user is called between an answer and its reader.
  var runsOwnCodeOnly: Bool {
    configuration.networkInterceptors.isEmpty && configuration.monitors.isEmpty
      && configuration.businessCheck == nil && configuration.authentication == nil
  }

  /// Whether the provider of credentials itself is calling.
  var isAskedByItsProvider: Bool {
    guard case .provided(let store)? = configuration.authentication?.source else { return false }
    return store.isAskedByItself
  }
}
