internal import ListSync
internal import Quire
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension SyncReceipt {
  /// What is known of a round, as members of JSON.
  var members: [(String, JSONAny)] {
    [
      ("round", .int(round)),
      ("complete", .bool(isComplete)),
      ("full", .bool(isFull)),
      ("claim", .string(consistency.claim.name)),
      ("assumptions", .array(consistency.orderedAssumptions.map { .string($0.rawValue) })),
      ("may_lack", consistency.claim.bound.map { .int($0) } ?? .null),
      ("problem", problem.map { .string($0) } ?? .null),
      ("same_version", .bool(isSameVersion)),
      ("requests", .int(requests)),
      ("rows", .int(rows)),
      ("inserted", .int(inserted)),
      ("returned", .int(returned)),
      ("updated", .int(updated)),
      ("deleted", .int(deleted)),
      ("held_back", .int(heldBack)),
      ("unreadable", .int(unreadable)),
      ("watermark", watermark.map { .object($0.json) } ?? .null),
      ("from", .string(CivilTime.text(ofSeconds: moments.lowerBound.timeIntervalSince1970))),
      ("to", .string(CivilTime.text(ofSeconds: moments.upperBound.timeIntervalSince1970))),
    ]
  }
}

extension SyncReceipt.Watermark {
  fileprivate var json: JSONAny.Object {
    // That of texts is infinite, which JSON doesn't have.
    let seconds = lateness.isFinite ? JSONAny.double(lateness) : .null
    return [
      "mark": mark.map { .string($0) } ?? .null,
      "lateness": Int(exactly: lateness).map { .int($0) } ?? seconds, "late": .int(late),
      "missed": .int(missed), "problem": problem.map { .string($0) } ?? .null,
    ]
  }
}
