extension BaseServerAPI {
  /// The address, relative to the base of the server or absolute.
  public var address: String {
    get { call.address }
    set { call.address = newValue }
  }
  /// The verb.
  public var method: HTTPMethod {
    get { call.method }
    set { call.method = newValue }
  }
  /// The parameters.
  public var params: Params {
    get { call.params }
    set { call.params = newValue }
  }
  /// The fields.
  public var headers: HTTPHeaders {
    get { call.headers }
    set { call.headers = newValue }
  }
  /// What to send.
  public var body: RequestBody? {
    get { call.body }
    set { call.body = newValue }
  }
}
