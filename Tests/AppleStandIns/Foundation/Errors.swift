// A stand-in for Apple's Foundation, for type-checking only: written from its documentation, with the declarations that
// Quire uses. Nothing of it is run.

public protocol NSObjectProtocol: AnyObject {}

/// Apple's is a class of Objective-C.
open class NSObject: NSObjectProtocol, Hashable {
  public init() {}
  open var hash: Int { fatalError() }
  open func isEqual(_ object: Any?) -> Bool { fatalError() }
  public static func == (a: NSObject, b: NSObject) -> Bool { fatalError() }
  public func hash(into hasher: inout Hasher) { fatalError() }
}

open class NSCoder: NSObject {}

open class NSError: NSObject, Error, @unchecked Sendable {
  public init(domain: String, code: Int, userInfo: [String: Any]? = nil) { fatalError() }
  open var domain: String { fatalError() }
  open var code: Int { fatalError() }
  open var userInfo: [String: Any] { fatalError() }
  open var localizedDescription: String { fatalError() }
}

/// What the compiler calls for `error as NSError`.
public func _convertErrorToNSError(_ error: any Error) -> NSError { fatalError() }

public let NSPOSIXErrorDomain = "NSPOSIXErrorDomain"
public let NSURLErrorDomain = "NSURLErrorDomain"
public let NSUnderlyingErrorKey = "NSUnderlyingError"

extension Error {
  public var localizedDescription: String { fatalError() }
}

public struct URLError: Error, Hashable {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
  }
  public init(_ code: Code, userInfo: [String: Any] = [:]) { fatalError() }
  public var code: Code { fatalError() }
  public var userInfo: [String: Any] { fatalError() }
}

extension URLError.Code {
  public static var unknown: Self { Self(rawValue: -1) }
  public static var cancelled: Self { Self(rawValue: -999) }
  public static var badURL: Self { Self(rawValue: -1000) }
  public static var timedOut: Self { Self(rawValue: -1001) }
  public static var unsupportedURL: Self { Self(rawValue: -1002) }
  public static var cannotFindHost: Self { Self(rawValue: -1003) }
  public static var cannotConnectToHost: Self { Self(rawValue: -1004) }
  public static var networkConnectionLost: Self { Self(rawValue: -1005) }
  public static var dnsLookupFailed: Self { Self(rawValue: -1006) }
  public static var notConnectedToInternet: Self { Self(rawValue: -1009) }
  public static var badServerResponse: Self { Self(rawValue: -1011) }
  public static var userCancelledAuthentication: Self { Self(rawValue: -1012) }
  public static var userAuthenticationRequired: Self { Self(rawValue: -1013) }
  public static var zeroByteResource: Self { Self(rawValue: -1014) }
  public static var cannotDecodeRawData: Self { Self(rawValue: -1015) }
  public static var cannotDecodeContentData: Self { Self(rawValue: -1016) }
  public static var cannotParseResponse: Self { Self(rawValue: -1017) }
  public static var internationalRoamingOff: Self { Self(rawValue: -1018) }
  public static var callIsActive: Self { Self(rawValue: -1019) }
  public static var dataNotAllowed: Self { Self(rawValue: -1020) }
  public static var requestBodyStreamExhausted: Self { Self(rawValue: -1021) }
  public static var appTransportSecurityRequiresSecureConnection: Self { Self(rawValue: -1022) }
  public static var fileDoesNotExist: Self { Self(rawValue: -1100) }
  public static var fileIsDirectory: Self { Self(rawValue: -1101) }
  public static var noPermissionsToReadFile: Self { Self(rawValue: -1102) }
  public static var dataLengthExceedsMaximum: Self { Self(rawValue: -1103) }
  public static var secureConnectionFailed: Self { Self(rawValue: -1200) }
  public static var serverCertificateHasBadDate: Self { Self(rawValue: -1201) }
  public static var serverCertificateUntrusted: Self { Self(rawValue: -1202) }
  public static var serverCertificateHasUnknownRoot: Self { Self(rawValue: -1203) }
  public static var serverCertificateNotYetValid: Self { Self(rawValue: -1204) }
  public static var clientCertificateRejected: Self { Self(rawValue: -1205) }
  public static var clientCertificateRequired: Self { Self(rawValue: -1206) }
}

/// Apple's is in the module for C, which Foundation shows.
public enum POSIXErrorCode: Int32, Sendable {
  case ENETDOWN = 50
  case ENETUNREACH = 51
  case ECONNRESET = 54
  case ETIMEDOUT = 60
  case ECONNREFUSED = 61
  case EHOSTUNREACH = 65
}
