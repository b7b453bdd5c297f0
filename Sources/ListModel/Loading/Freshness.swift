internal import ServerAPI
internal import Support

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// How old the shown rows or value are.
///
/// For a list this is the age of its first page; ``ListPage/source`` has that of each page.
public enum Freshness: Hashable, Sendable {
  /// Nothing has been shown yet.
  case nothing
  /// As the server had it then.
  case live(asOf: Date)
  /// Stored since then; the server has not been heard since it is shown.
  case stored(asOf: Date)
  /// From then, and when the server was last asked, no answer came.
  indirect case offline(asOf: Date, LoadError)
}

extension Freshness {
  /// When the server last vouched for what is shown; `nil` where nothing is.
  public var asOf: Date? {
    switch self {
    case .nothing: nil
    case .live(let moment), .stored(let moment), .offline(let moment, _): moment
    }
  }

  /// Words to set beside what is not live, such as `from 10:42`, or `from 2026-11-20 10:42` where that
  /// was another day; `nil` where there is nothing to say.
  ///
  /// - Parameters:
  ///   - now: The moment it is read; without it the day is always there.
  ///   - offset: How many seconds the reader's clock is before UTC.
  public func text(at now: Date? = nil, offset: Int = 0) -> String? {
    switch self {
    case .nothing, .live: nil
    case .stored(let moment), .offline(let moment, _):
      WallTime(moment, offset: offset).map { face in
        let isToday = now.flatMap { WallTime($0, offset: offset) }.map { $0.day == face.day }
        return isToday == true ? "from \(face.time)" : "from \(face.day) \(face.time)"
      }
    }
  }
}

extension Freshness: CustomStringConvertible {
  /// `nothing`, `live`, or since when and why not, in UTC. An error takes several lines.
  public var description: String {
    switch self {
    case .nothing: "nothing"
    case .live: "live"
    case .stored: "stored " + (text() ?? "")
    case .offline(_, let error): "offline \(text() ?? ""): \(error)"
    }
  }
}

/// A moment as a calendar and a clock show it.
struct WallTime: Hashable {
  var day: String
  var time: String

  /// `nil` for what is no moment of the years 1 to 9999.
  init?(_ date: Date, offset: Int) {
    let moment = date.timeIntervalSince1970
    guard moment > -62_135_596_800, moment < 253_402_300_800, abs(offset) <= 86_400 else {
      return nil
    }
    guard let time = CivilTime(seconds: Int(moment.rounded(.down)) + offset) else { return nil }
    day = time.dayText
    self.time = time.minuteText
  }
}

/// Keeps account of ``Freshness``. It moves with what is shown and with what was asked in vain.
struct FreshnessRecord: Hashable {
  private var basis = Freshness.nothing
  /// Why the last request got no answer, if it got none.
  private var silence: LoadError?

  var freshness: Freshness {
    guard let silence, let moment = basis.asOf else { return basis }
    return .offline(asOf: moment, silence)
  }

  /// What is shown begins anew with an answer.
  mutating func begin(with source: HTTPResponse.Source, asOf moment: Double) {
    let moment = Date(timeIntervalSince1970: moment)
    basis = source.isCache ? .stored(asOf: moment) : .live(asOf: moment)
    heard(source)
  }

  /// An answer came. Only the server's own ends a silence.
  mutating func heard(_ source: HTTPResponse.Source) {
    if !source.isCache { silence = nil }
  }

  /// A request brought nothing.
  mutating func failed(_ error: LoadError) {
    switch error.meansSilence {
    case true?: silence = error
    case false?: silence = nil
    case nil: break
    }
  }

  mutating func forget() { self = FreshnessRecord() }
}

extension LoadError {
  /// Whether no answer of the server came; `nil` where it was not asked.
  package var meansSilence: Bool? {
    switch self {
    case .mapping, .decoding: false
    case .paging: nil
    case .request(let error):
      switch error.kind {
      case .nameNotResolved, .connectRefused, .connectFailed, .proxy, .sendFailed, .connectionLost,
        .timeout, .offline, .notStored, .unexpectedContent(.captivePortal):
        true
      case .invalidRequest, .cancelled, .unusable, .retryRequested: nil
      case .tls, .tooLarge, .undecodable, .protocolViolation, .redirect, .status,
        .unexpectedContent, .business, .authentication, .receiverFailed:
        false
      }
    }
  }
}
