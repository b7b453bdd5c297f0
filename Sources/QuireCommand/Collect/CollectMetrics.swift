internal import ListSync
internal import Quire
internal import QuireCollect
internal import Support

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What a run of `quire collect` has stored, as a file in the text format of Prometheus.
///
/// It counts only what is committed. The file is replaced as a whole, so that nobody reads a part of it.
final class CollectMetrics {
  /// What is known of one list.
  private struct List: Sendable {
    var written = 0
    var deleted = 0
    var failures = 0
    /// The rounds that ended, by their claims.
    var rounds: [String: Int] = [:]
    var last: SyncReceipt?
    var lastComplete: SyncReceipt?
  }

  /// A metric, and its value for a list; `nil` where there is none yet.
  private struct Metric: Sendable {
    var name: String
    var type: String
    var help: String
    var value: @Sendable (List) -> Double?
  }

  private let path: String
  private let time = TimeSource.system
  private var lists: [String: List] = [:]
  private var lastWrite: Duration?
  private var report: (String) -> Void

  /// Writes the file for the first time.
  ///
  /// - Parameters:
  ///   - names: The lists of the run.
  ///   - report: Called once if the file can't be written any more.
  init(_ path: String, of names: [String], report: @escaping (String) -> Void) throws(UsageError) {
    (self.path, self.report) = (path, report)
    for name in names { lists[name] = List() }
    do throws(EarlyExit) { try replace() } catch {
      throw UsageError("--metrics: \(error.message ?? ""); check its folder and your rights")
    }
  }

  /// Counts what is stored of a list, and of the lists of its rows.
  func follow(_ job: inout RoundsRun.Job, _ children: inout [ChildrenRun.Job], _ list: CollectList) {
    follow(&job, list.name)
    job.ended = { [self, ended = job.ended] receipt in
      ended(receipt)
      add(receipt, of: list.name)
    }
    for (place, child) in zip(children.indices, list.children) {
      follow(&children[place].common, child.name)
      children[place].ended = { [self, ended = children[place].ended] summary, texts in
        ended(summary, texts)
        addFailures(summary.failed, of: child.name)
      }
    }
  }

  private func follow(_ job: inout RoundsRun.Job, _ list: String) {
    job.stepped = { [self, stepped = job.stepped] walk, step in
      stepped(walk, step)
      add(step, of: list)
    }
    job.failed = { [self, failed = job.failed] text, status in
      failed(text, status)
      if status == .failed { addFailures(1, of: list) }
    }
  }

  /// A step is stored.
  private func add(_ step: SyncWalk.Step, of list: String) {
    lists[list, default: List()].written += step.rows.count { $0.operation != .delete }
    lists[list, default: List()].deleted += step.rows.count { $0.operation == .delete } + step.deletes.count
    let now = time.now()
    if let lastWrite, now - lastWrite < .seconds(1) { return }
    write()
  }

  /// A round has ended.
  private func add(_ receipt: SyncReceipt, of list: String) {
    var known = lists[list] ?? List()
    known.rounds[receipt.consistency.claim.name, default: 0] += 1
    known.last = receipt
    if receipt.isComplete, receipt.unreadable == 0 { known.lastComplete = receipt }
    lists[list] = known
    write()
  }

  /// Rounds could not be read.
  private func addFailures(_ count: Int, of list: String) {
    lists[list, default: List()].failures += count
    write()
  }

  private func write() {
    do throws(EarlyExit) { try replace() } catch {
      report("--metrics: \(error.message ?? ""); the run goes on without")
      report = { _ in }
    }
  }

  private func replace() throws(EarlyExit) {
    lastWrite = time.now()
    let other = path + ".new"
    do {
      try Data(text.utf8).write(to: URL(filePath: other))
    } catch { throw EarlyExit(.usage, "the file \(other) can't be written") }
    guard rename(other, path) == 0 else {
      throw EarlyExit(.usage, "the file \(path) can't be replaced: \(String(cString: strerror(errno)))")
    }
  }

  private static let metrics = [
    Metric(name: "rows", type: "gauge", help: "Rows of the table that are not gone.") {
      $0.last.map { Double($0.rows) }
    },
    Metric(name: "written_rows_total", type: "counter", help: "New and changed rows that were stored.") {
      Double($0.written)
    },
    Metric(name: "deleted_rows_total", type: "counter", help: "Rows that were found to be gone.") {
      Double($0.deleted)
    },
    Metric(name: "held_back_rows", type: "gauge", help: "Rows whose deletes the last round held back.") {
      $0.last.map { Double($0.heldBack) }
    },
    Metric(name: "unread_rows", type: "gauge", help: "Rows of the last round that could not be stored.") {
      $0.last.map { Double($0.unreadable) }
    },
    Metric(name: "requests", type: "gauge", help: "Requests of the last round.") {
      $0.last.map { Double($0.requests) }
    },
    Metric(name: "failures_total", type: "counter", help: "Rounds that an error has stopped.") { Double($0.failures) },
    Metric(name: "round_end_seconds", type: "gauge", help: "When the last round ended, in seconds since 1970.") {
      $0.last?.moments.upperBound.timeIntervalSince1970
    },
    Metric(
      name: "complete_round_end_seconds", type: "gauge",
      help: "When the last round ended that read all rows, in seconds since 1970."
    ) { $0.lastComplete?.moments.upperBound.timeIntervalSince1970 },
  ]

  private var text: String {
    let lists = lists.sorted { $0.key < $1.key }
    var lines: [String] = []
    func head(_ name: String, _ type: String, _ help: String) {
      lines += ["# HELP quire_\(name) \(help)", "# TYPE quire_\(name) \(type)"]
    }
    for metric in Self.metrics {
      head(metric.name, metric.type, metric.help)
      for (name, list) in lists {
        guard let value = metric.value(list) else { continue }
        let number = Int(exactly: value).map { "\($0)" } ?? "\(value)"
        lines.append("quire_\(metric.name){list=\(Self.quoted(name))} \(number)")
      }
    }
    head("rounds_total", "counter", "Rounds that ended, by what is claimed of them.")
    for (name, list) in lists {
      for (claim, count) in list.rounds.sorted(by: { $0.key < $1.key }) {
        lines.append("quire_rounds_total{list=\(Self.quoted(name)),claim=\(Self.quoted(claim))} \(count)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func quoted(_ label: String) -> String {
    let text = label.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    return "\"\(text)\""
  }
}
