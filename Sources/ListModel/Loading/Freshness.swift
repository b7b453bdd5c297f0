public import ListReading
internal import ServerAPI
internal import Support

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How old the shown rows or value are.
///
/// For a list this is the age of its first page; ``ListPage/source`` has the age of each page.
public enum Freshness: Hashable, Sendable {
  /// Nothing has been shown yet.
  case nothing
  /// Received from the server, or confirmed by it, at this time.
  case live(asOf: Date)
  /// Stored at this time; the server has not responded since the rows are shown.
  case stored(asOf: Date)
  /// From this time; the last request got no response, for this reason.
  indirect case unreachable(asOf: Date, LoadError)
}

extension Freshness {
  /// When the server last sent or confirmed what is shown; `nil` where nothing is.
  public var asOf: Date? {
    switch self {
    case .nothing: nil
    case .live(let moment), .stored(let moment), .unreachable(let moment, _): moment
    }
  }

  /// The time since the server sent or confirmed what is shown, by a date.
  package func age(at date: Date) -> Duration? { asOf.map { .seconds(max(0, date.timeIntervalSince($0))) } }

  /// Whether the server has sent or confirmed what is shown, and has responded since.
  public var isLive: Bool { if case .live = self { true } else { false } }

  /// A text to show beside data that is not live, such as `from 10:42`, or `from 2026-11-20 10:42` for
  /// another day; `nil` for live data.
  ///
  /// - Parameters:
  ///   - now: The current time; without it the text always has the day.
  ///   - zone: The time zone of the reader.
  public func text(at now: Date? = nil, in zone: TimeZone = .current) -> String? {
    switch self {
    case .nothing, .live: nil
    case .stored(let moment), .unreachable(let moment, _):
      WallTime(moment, in: zone).map { face in
        let isToday = now.flatMap { WallTime($0, in: zone) }.map { $0.day == face.day }
        return isToday == true ? "from \(face.time)" : "from \(face.day) \(face.time)"
      }
    }
  }
}

extension Freshness: CustomStringConvertible {
  /// `nothing`, `live`, or the age in UTC with the error. An error takes several lines.
  public var description: String {
    switch self {
    case .nothing: "nothing"
    case .live: "live"
    case .stored: "stored " + (text(in: .gmt) ?? "")
    case .unreachable(_, let error): "unreachable, data \(text(in: .gmt) ?? ""): \(error)"
    }
  }
}

/// A time as a calendar and a clock show it.
struct WallTime: Hashable {
  var day: String
  var time: String

  /// Creates the texts; `nil` for times outside the years 1 to 9999.
  init?(_ date: Date, in zone: TimeZone) {
    let moment = date.timeIntervalSince1970
    guard moment > -62_135_596_800, moment < 253_402_300_800 else { return nil }
    let offset =
      zone == .current
      ? LocalTime.offset(at: Int(moment.rounded(.down))) : zone.secondsFromGMT(for: date)
    guard let time = CivilTime(seconds: Int(moment.rounded(.down)) + offset) else { return nil }
    day = time.dayText
    self.time = time.minuteText
  }
}

/// Tracks ``Freshness`` as rows are shown and requests fail.
struct FreshnessRecord: Hashable {
  private var basis = Freshness.nothing
  /// Why the last request got no response, if it got none.
  private var lastFailure: LoadError?

  var freshness: Freshness {
    guard let lastFailure, let moment = basis.asOf else { return basis }
    return .unreachable(asOf: moment, lastFailure)
  }

  /// Starts again with a response that replaces everything shown.
  mutating func begin(with source: HTTPResponse.Source, asOf moment: Double) {
    let moment = Date(timeIntervalSince1970: moment)
    basis = source.isCache ? .stored(asOf: moment) : .live(asOf: moment)
    didReceive(source)
  }

  /// Records a response. Only one from the server clears the last failure.
  mutating func didReceive(_ source: HTTPResponse.Source) {
    if !source.isCache { lastFailure = nil }
  }

  /// Records a failed request.
  mutating func failed(_ error: LoadError) {
    switch error.isUnreachable {
    case true?: lastFailure = error
    case false?: lastFailure = nil
    case nil: break
    }
  }

  mutating func forget() { self = FreshnessRecord() }
}

extension LoadError {
  /// Whether the server did not respond; `nil` where it was not requested.
  package var isUnreachable: Bool? {
    switch self {
    case .mapping, .decoding: false
    case .paging, .custom: nil
    case .request(let error):
      switch error.kind {
      case .nameNotResolved, .connectRefused, .connectFailed, .proxy, .sendFailed, .connectionLost,
        .timeout, .offline, .notStored, .unexpectedContent(.captivePortal):
        true
      case .invalidRequest, .cancelled, .unusable, .retryRequested: nil
      case .tls, .tooLarge, .undecodable, .protocolViolation, .redirect, .status, .rateLimited,
        .unexpectedContent, .business, .authentication, .receiverFailed:
        false
      }
    }
  }
}
