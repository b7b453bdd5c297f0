import Foundation
import ServerAPI
import Testing

@testable import URLSessionTransport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The table of errors, also of those that Foundation on Linux never reports.
@Suite struct SessionFailureTests {
  typealias Cause = SessionFailure.Cause

  private func kind(
    _ code: URLError.Code?, _ causes: [Cause] = [], _ address: String = "https://api.example.com/books",
    text: String = "text", hasRoute: Bool = true, _ change: (inout SessionFailure) -> Void = { _ in }
  ) throws -> RequestError.Kind {
    var failure = SessionFailure(code: code, causes: causes, text: text, url: try WebURL(address))
    failure.hasRoute = { hasRoute }
    change(&failure)
    return failure.kind
  }

  private static func posix(_ code: POSIXErrorCode) -> Cause {
    Cause(domain: NSPOSIXErrorDomain, code: Int(code.rawValue))
  }

  private static func security(_ code: Int) -> Cause { Cause(domain: SessionFailure.security, code: code) }

  @Test func `http that App Transport Security forbids has an error of its own, which is permanent`() throws {
    let kind = try kind(.appTransportSecurityRequiresSecureConnection, [], "http://api.example.com/")
    #expect(kind == .tls(.requiredBySystem))
    #expect(
      RequestError(kind).description
        == "App Transport Security requires https for this host;"
        + " set the scheme to https, or allow http to the host with NSAppTransportSecurity in Info.plist")
  }

  @Test(arguments: [
    URLError.Code.notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive,
  ])
  func `a device without a network is offline, but not for a host of its own network`(
    code: URLError.Code
  ) throws {
    #expect(try kind(code, [Self.posix(.ENETDOWN)]) == .offline)
    guard case .connectFailed(let reason) = try kind(code, [], "http://192.168.1.2/") else {
      Issue.record("expected connectFailed")
      return
    }
    #expect(reason.contains("local network"))
  }

  @Test(arguments: [URLError.Code.cannotFindHost, .dnsLookupFailed])
  func `a name that can't be resolved without any route means offline`(code: URLError.Code) throws {
    #expect(try kind(code) == .nameNotResolved(host: "api.example.com"))
    #expect(try kind(code, hasRoute: false) == .offline)
    #expect(try kind(code, [], "http://printer.local/", hasRoute: false) == .nameNotResolved(host: "printer.local"))
  }

  @Test(arguments: [
    (POSIXErrorCode?.none, RequestError.Kind.connectRefused), (.ECONNREFUSED, .connectRefused),
    (.ETIMEDOUT, .timeout(.connect)), (.EHOSTUNREACH, .offline), (.ENETUNREACH, .offline),
    (.ENETDOWN, .offline),
  ])
  func `a failed connection is explained by the number of the system`(
    code: POSIXErrorCode?, expected: RequestError.Kind
  ) throws {
    let outer = Cause(domain: NSURLErrorDomain, code: URLError.Code.cannotConnectToHost.rawValue)
    let causes = [outer] + (code.map { [Self.posix($0)] } ?? [])
    #expect(try kind(.cannotConnectToHost, causes, hasRoute: false) == expected)
  }

  @Test func `a host without a route is not offline if others have one`() throws {
    #expect(
      try kind(.cannotConnectToHost, [Self.posix(.EHOSTUNREACH)])
        == .connectFailed("there is no route to api.example.com"))
  }

  @Test(arguments: [
    (-9843, RequestError.TLSFailure.wrongHost), (-67602, .wrongHost), (-9814, .expired), (-9815, .expired),
    (-67818, .expired), (-67819, .expired), (-9807, .untrusted), (-9812, .untrusted), (-9813, .untrusted),
    (-67843, .untrusted),
  ])
  func `the cause of an untrusted certificate is more exact than its code`(
    number: Int, expected: RequestError.TLSFailure
  ) throws {
    for code in [URLError.Code.serverCertificateUntrusted, .secureConnectionFailed] {
      #expect(try kind(code, [Self.security(number)]) == .tls(expected))
    }
  }

  @Test(arguments: [
    (URLError.Code.serverCertificateUntrusted, RequestError.TLSFailure.untrusted),
    (.serverCertificateHasUnknownRoot, .untrusted), (.serverCertificateHasBadDate, .expired),
    (.serverCertificateNotYetValid, .expired), (.clientCertificateRequired, .clientCertificate("text")),
    (.clientCertificateRejected, .clientCertificate("text")), (.secureConnectionFailed, .handshake("text")),
  ])
  func `a certificate without a known cause goes by its code`(
    code: URLError.Code, expected: RequestError.TLSFailure
  ) throws {
    // errSSLPeerHandshakeFail says nothing about the certificate.
    #expect(try kind(code, [Self.security(-9824)]) == .tls(expected))
  }

  @Test(arguments: [
    (URLError.Code.cancelled, RequestError.Kind.cancelled(.byCaller)), (.requestBodyStreamExhausted, .sendFailed),
    (.networkConnectionLost, .connectionLost(bytesReceived: 7, reused: false)),
    (.badServerResponse, .connectionLost(bytesReceived: 7, reused: false)),
    (.zeroByteResource, .connectionLost(bytesReceived: 7, reused: false)),
    (.cannotParseResponse, .protocolViolation("text")), (.cannotDecodeContentData, .undecodable("text")),
    (.cannotDecodeRawData, .undecodable("text")), (.userAuthenticationRequired, .authentication("text")),
    (.userCancelledAuthentication, .authentication("text")),
    (.unknown, .connectionLost(bytesReceived: 7, reused: false)),
  ])
  func `failures after connecting keep their meaning`(code: URLError.Code, expected: RequestError.Kind) throws {
    #expect(try kind(code) { ($0.hasHead, $0.bytesReceived) = (true, 7) } == expected)
  }

  @Test(arguments: [
    (URLError.Code.badURL, RequestError.Defect.Place.url), (.unsupportedURL, .url), (.fileDoesNotExist, .body),
    (.fileIsDirectory, .body), (.noPermissionsToReadFile, .body), (.dataLengthExceedsMaximum, .body),
  ])
  func `a request that the session rejects names its invalid part`(
    code: URLError.Code, place: RequestError.Defect.Place
  ) throws {
    guard case .invalidRequest(let defect) = try kind(code) else {
      Issue.record("expected invalidRequest")
      return
    }
    #expect(defect.place == place)
  }

  @Test func `a timeout of the session is one of connecting until there is a connection`() throws {
    #expect(try kind(.timedOut) == .timeout(.connect))
    #expect(try kind(.timedOut) { $0.isConnected = true } == .timeout(.idle))
  }

  @Test(arguments: [306, 310, 311])
  func `a failure of CFNetwork about the proxy is one of the proxy`(number: Int) throws {
    let cause = Cause(domain: SessionFailure.network, code: number)
    #expect(try kind(nil, [cause]) == .proxy("text"))
    #expect(try kind(.cannotConnectToHost, [cause]) == .proxy("text"))
  }

  @Test func `an unknown error of Linux goes by the progress of the exchange`() throws {
    #expect(try kind(.unknown) == .tls(.handshake("text")))
    #expect(
      try kind(.unknown, [], "http://api.example.com/") == .connectionLost(bytesReceived: 0, reused: false))
    let text = "Failed to connect to 192.168.1.2 port 80: No route to host"
    #expect(try kind(.unknown, [], "http://192.168.1.2/", text: text) == .connectFailed(text))
  }

  @Test func `an error of another domain is shown with its numbers`() throws {
    #expect(try kind(nil, [Cause(domain: "Other", code: 5)]) == .connectFailed("text (Other 5)"))
  }

  @Test func `causes are read from an error and those below it`() throws {
    let posix = NSError(domain: NSPOSIXErrorDomain, code: 50)
    let stream = NSError(
      domain: SessionFailure.network, code: -1200,
      userInfo: [
        "_kCFStreamErrorDomainKey": 3, "_kCFStreamErrorCodeKey": -9843, NSUnderlyingErrorKey: posix,
      ])
    let error = NSError(
      domain: NSURLErrorDomain, code: URLError.Code.secureConnectionFailed.rawValue,
      userInfo: [NSUnderlyingErrorKey: stream])
    let failure = SessionFailure(URLError(_nsError: error), for: try WebURL("https://api.example.com/"))
    #expect(
      failure.causes == [
        Cause(domain: NSURLErrorDomain, code: -1200), Cause(domain: SessionFailure.network, code: -1200),
        Self.security(-9843), Cause(domain: NSPOSIXErrorDomain, code: 50),
      ])
    #expect(failure.kind == .tls(.wrongHost))
  }
}
