internal import ItemMapping
public import ListReading
internal import Observation
internal import ServerAPI

/// New rows above the first row of a list.
extension ListModel {
  /// How many rows are new above the first row, by the last probe: ``checkForNewRows()``, or that of
  /// ``ListSettings/probe``; `nil` if none is known.
  ///
  /// ```swift
  /// if let new = books.newRows { banner.show("\(new)") }     // 3 new rows
  /// books.refresh(.splice)                                   // shows them; rows in sight stay where they are
  /// ```
  ///
  /// A probe requests the first page, and changes nothing else: neither the rows nor their claims nor the next page.
  /// Rows that the list has elsewhere, that its filter leaves out or that the program removes are not new. A refresh
  /// that succeeds, a jump and a reset make it `nil`. Observers are notified of each change.
  public var newRows: NewRows? {
    registrar.access(self, keyPath: newRowsPath)
    return probes.shown
  }

  /// Looks for new rows above the first row, with one request of the first page. Where the server's cache has its
  /// validators, an unchanged page has no body.
  ///
  /// The probe is no load: no state changes, and no observer is notified but of a change of ``newRows``. It joins a
  /// running one. While the list is loaded from its start, it waits: if that succeeds, nothing is requested.
  ///
  /// Nothing is requested either where the list has no rows to compare with: it is not loaded, starts in the middle, or
  /// its rows have no ids.
  ///
  /// - Returns: ``newRows`` after that.
  /// - Throws: The error of the request, and a cancellation: by ``cancel()``, of the task, or by a reset. A probe of
  ///   ``ListSettings/probe`` fails silently, apart from what monitors of the server report of its request.
  @discardableResult
  public func checkForNewRows() async throws(LoadError) -> NewRows? {
    startProbe()
    if brain.probe.state != .resting { try await probeEnded() }
    await eventsDelivered()
    return newRows
  }

  /// Notes that a screen of the list came to the front or went away; `nil` if it will not come back. The schedule rests
  /// while there are screens and all are away.
  package func noteScreen(_ screen: ObjectIdentifier, isInFront: Bool?) {
    guard settings.probe != nil, probes.screens[screen] != isInFront else { return }
    probes.screens[screen] = isInFront
    schedule()
  }

  /// Cancels a probe.
  func cancelProbe() {
    guard brain.probe.state != .resting else { return }
    endProbe(.failure(.request(RequestError(.cancelled(.byCaller)))))
  }

  // MARK: - Following the list

  /// Takes in the effects of a decision, and returns them with those on the new rows.
  func probing(_ effects: [ListEffect]) -> [ListEffect] {
    guard settings.probe != nil || brain.probe.isActive else { return effects }
    let state = brain.probe.state
    let followed = brain.follow(effects)
    if case .running = state, state != brain.probe.state { probes.request = nil }
    for effect in effects {
      switch effect {
      case .notify(.didFinish(let kind)) where kind.replacesList:
        // What a restored list shows was requested when it was kept.
        let age = kind == .restore ? brain.freshness.age(at: server.time.date()) : nil
        probes.lastRequest = server.time.now() - (age ?? .zero)
      case .notify(.didReset):
        probes.end(with: .failure(.request(RequestError(.cancelled(.superseded)))))
      default: break
      }
    }
    proceed()
    return followed
  }

  /// Starts the probe that has waited for the list, or schedules the next one.
  private func proceed() {
    if brain.probe.state == .waiting, brain.machine.rebuild == nil {
      if probes.isAwaited { startProbe() } else { brain.probe.end() }
    }
    guard brain.probe.state == .resting else { return }
    probes.end(with: .success(()))
    schedule()
  }

  /// Waits until the next probe is due. Nothing wakes up for a list that has no schedule, or can't be probed.
  private func schedule() {
    guard let interval = settings.probe, let last = probes.lastRequest, probes.isInFront,
      brain.probe.state == .resting, brain.machine.rebuild == nil, brain.canProbe
    else { return probes.due = nil }
    let due = last + max(interval, .seconds(1))
    guard due != probes.due else { return }
    let time = server.configuration.time
    probes.due = due
    probes.timer = Task { [weak self, time] in
      let wait = due - time.now()
      if wait > .zero { try? await time.sleep(wait) }
      guard !Task.isCancelled else { return }
      self?.probes.due = nil
      self?.startProbe()
    }
  }

  // MARK: - One probe

  private func startProbe() {
    guard case .request(let number, let key) = brain.beginProbe() else {
      if brain.probe.state == .resting { probes.end(with: .success(())) }
      return
    }
    probes.due = nil
    var call = preparedCall
    let use = settings.cachePolicy.use(for: .refresh, usual: server.configuration.cacheMode)
    call.cache = call.cache ?? use.mode
    var request = source.request(key, of: call, traits, isFirst: false)
    // Rows of the first page are not decoded again if it is unchanged.
    let first = brain.store.tree.first
    let parsed = first?.key == key ? first?.parsed : nil
    request.known = parsed?.known
    let writes = server.writes
    probes.request = Task { [weak self, loader = source.loader, request] in
      do throws(LoadError) {
        var page = try await loader.load(request)
        if page.isSame, let parsed { page.reuse(parsed) }
        self?.probed(number, page, writes: writes)
      } catch {
        self?.probeFailed(number, error)
      }
      Self.deliver { self }
    }
  }

  private func probed(_ number: Int, _ page: LoadedPage<Item>, writes: Int) {
    guard brain.probe.state == .running(number) else { return }
    guard writes == server.writes else {
      // The response may be from before a write of the program, and has a row that is gone since.
      brain.probe.end()
      return startProbe()
    }
    perform(brain.probed(number, page))
    endProbe(.success(()))
  }

  private func probeFailed(_ number: Int, _ error: LoadError) {
    guard brain.probe.state == .running(number) else { return }
    endProbe(.failure(error))
  }

  private func endProbe(_ result: Result<Void, LoadError>) {
    brain.probe.end()
    (probes.request, probes.lastRequest) = (nil, server.time.now())
    probes.end(with: result)
    schedule()
  }

  /// Waits until the probe has ended.
  private func probeEnded() async throws(LoadError) {
    let waiter = probes.newWaiter()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { probes.add($0, as: waiter) }
    } onCancel: {
      Task { @MainActor [weak self] in self?.stopWaiting(waiter) }
    }
    try result.get()
  }

  private func stopWaiting(_ waiter: Int) {
    probes.end(waiter, with: .failure(.request(RequestError(.cancelled(.byCaller)))))
    // A probe of the schedule goes on.
    if !probes.isAwaited, settings.probe == nil { cancelProbe() }
  }
}

/// The tasks of a list that look for new rows, and who waits for them.
@MainActor final class ProbeRun {
  typealias Waiter = CheckedContinuation<Result<Void, LoadError>, Never>

  /// What observers know.
  var shown: NewRows?
  /// The request in flight.
  var request: Task<Void, Never>? { didSet { oldValue?.cancel() } }
  /// When the first page was last requested.
  var lastRequest: Duration?
  /// When the next probe is due; `nil` if none is scheduled.
  var due: Duration? { didSet { if due == nil { timer = nil } } }
  var timer: Task<Void, Never>? { didSet { oldValue?.cancel() } }
  /// The screens of the list, and whether they are in front.
  var screens: [ObjectIdentifier: Bool] = [:]
  private var waiters: [Int: Waiter] = [:]
  private var lastWaiter = 0

  nonisolated init() {}

  deinit {
    request?.cancel()
    timer?.cancel()
  }

  /// Whether a screen is in front, or the list has none.
  var isInFront: Bool { screens.isEmpty || screens.values.contains(true) }

  var isAwaited: Bool { !waiters.isEmpty }

  func newWaiter() -> Int {
    lastWaiter += 1
    return lastWaiter
  }

  func add(_ waiter: Waiter, as number: Int) { waiters[number] = waiter }

  func end(_ number: Int, with result: Result<Void, LoadError>) {
    waiters.removeValue(forKey: number)?.resume(returning: result)
  }

  func end(with result: Result<Void, LoadError>) {
    let ended = waiters
    waiters = [:]
    for waiter in ended.values { waiter.resume(returning: result) }
  }
}
