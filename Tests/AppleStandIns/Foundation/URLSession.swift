// A stand-in for Apple's Foundation, for type-checking only: written from its documentation, with the declarations that
// Quire uses. Nothing of it is run.

open class URLSession: NSObject, @unchecked Sendable {
  public enum ResponseDisposition: Int, Sendable { case cancel, allow, becomeDownload, becomeStream }
  public enum AuthChallengeDisposition: Int, Sendable {
    case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
  }
  public init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue?
  ) { fatalError() }
  open var delegateQueue: OperationQueue { fatalError() }
  open func finishTasksAndInvalidate() { fatalError() }
  open func dataTask(with request: URLRequest) -> URLSessionDataTask { fatalError() }
  open func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask { fatalError() }
  open func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask { fatalError() }
}

open class OperationQueue: NSObject, @unchecked Sendable {
  open func addOperation(_ block: @escaping @Sendable () -> Void) { fatalError() }
}

open class URLSessionConfiguration: NSObject, @unchecked Sendable {
  open class var ephemeral: URLSessionConfiguration { fatalError() }
  open var httpCookieAcceptPolicy = HTTPCookie.AcceptPolicy.always
  open var httpCookieStorage: HTTPCookieStorage?
  open var httpMaximumConnectionsPerHost = 6
  open var httpShouldSetCookies = true
  open var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
  open var urlCache: URLCache?
  open var urlCredentialStorage: URLCredentialStorage?
  open var waitsForConnectivity = false
}

open class HTTPCookie: NSObject, @unchecked Sendable {
  public enum AcceptPolicy: UInt, Sendable { case always, never, onlyFromMainDocumentDomain }
}
open class HTTPCookieStorage: NSObject, @unchecked Sendable {}
open class URLCache: NSObject, @unchecked Sendable {}
open class URLCredential: NSObject, @unchecked Sendable {}
open class URLCredentialStorage: NSObject, @unchecked Sendable {}

public struct URLRequest: Hashable, Sendable {
  public enum CachePolicy: UInt, Sendable { case useProtocolCachePolicy, reloadIgnoringLocalCacheData }
  public init(url: URL) { fatalError() }
  public var httpMethod: String?
  public var httpShouldHandleCookies: Bool
  public var timeoutInterval: TimeInterval
  public mutating func addValue(_ value: String, forHTTPHeaderField field: String) { fatalError() }
  public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) { fatalError() }
}

open class URLResponse: NSObject, @unchecked Sendable {}

open class HTTPURLResponse: URLResponse, @unchecked Sendable {
  open var statusCode: Int { fatalError() }
  open var allHeaderFields: [AnyHashable: Any] { fatalError() }
}

open class URLSessionTask: NSObject, @unchecked Sendable {
  open class var lowPriority: Float { fatalError() }
  open class var defaultPriority: Float { fatalError() }
  open class var highPriority: Float { fatalError() }
  open var priority: Float {
    get { fatalError() }
    set { fatalError() }
  }
  open var taskIdentifier: Int { fatalError() }
  open func resume() { fatalError() }
  open func cancel() { fatalError() }
}

open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}

open class URLProtectionSpace: NSObject, @unchecked Sendable {
  open var authenticationMethod: String { fatalError() }
}

open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
  open var protectionSpace: URLProtectionSpace { fatalError() }
}

public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

public protocol URLSessionDelegate: NSObjectProtocol, Sendable {}

/// The requirements are optional in Apple's protocols. Here they are not, so that a method that differs is found.
public protocol URLSessionTaskDelegate: URLSessionDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void)
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64)
  func urlSession(
    _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}

open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
  public enum ResourceFetchType: Int, Sendable { case unknown, networkLoad, serverPush, localCache }
  open var transactionMetrics: [URLSessionTaskTransactionMetrics] { fatalError() }
}

open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
  open var fetchStartDate: Date? { fatalError() }
  open var domainLookupStartDate: Date? { fatalError() }
  open var domainLookupEndDate: Date? { fatalError() }
  open var connectStartDate: Date? { fatalError() }
  open var connectEndDate: Date? { fatalError() }
  open var secureConnectionStartDate: Date? { fatalError() }
  open var secureConnectionEndDate: Date? { fatalError() }
  open var requestStartDate: Date? { fatalError() }
  open var requestEndDate: Date? { fatalError() }
  open var responseStartDate: Date? { fatalError() }
  open var responseEndDate: Date? { fatalError() }
  open var networkProtocolName: String? { fatalError() }
  open var isReusedConnection: Bool { fatalError() }
  open var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType { fatalError() }
  open var countOfResponseBodyBytesReceived: Int64 { fatalError() }
}
