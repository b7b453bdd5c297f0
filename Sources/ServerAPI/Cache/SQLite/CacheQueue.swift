/// What is to be written, in order, and what readers must see of it before it is.
///
/// A pure value. Every change has a number. What is put again before it was written is written once,
/// in its last shape; a removal of everything under a condition is kept as such, and takes effect here
/// at once.
struct CacheQueue {
  /// How much waits at most, in bytes, before large entries are refused; twice as much for small ones.
  static let limit = 16 << 20
  /// What is large, in bytes.
  static let large = 64 << 10
  /// Removals that could not be written are kept up to this number; then everything is to go.
  static let keptRemovals = 1_024

  /// One thing to be done.
  struct Step {
    var number: Int
    var change: Change
  }

  enum Change {
    /// The entry is the one that waits under this place, where it has the number of the step.
    case put(CacheKey, variant: String)
    case remove(CacheSelection)
  }

  /// One thing to be done, with all that is needed for it.
  enum Task {
    case put(CacheEntry)
    case remove(CacheSelection)
  }

  private struct Pending {
    var number: Int
    /// `nil` where it was removed.
    var entry: CacheEntry?
    var bytes = 0
  }

  private struct PendingKey {
    /// Nothing that was written before this number is there any more.
    var clearedBy: Int?
    var variants: [String: Pending] = [:]
  }

  private var steps: [Step] = []
  private var head = 0
  /// Removals that could not be written yet; they are first in line.
  private var failed: [Step] = []
  private var places: [CacheKey: PendingKey] = [:]
  private var sweeps: [(number: Int, selection: CacheSelection)] = []
  private(set) var bytes = 0
  /// The number of the last change.
  private(set) var last = 0

  /// Whether something is to be written that was not tried yet.
  var hasWork: Bool { head < steps.count }

  /// Whether removals wait for better times.
  var hasFailed: Bool { !failed.isEmpty }

  // MARK: Changes

  /// Returns `false` where there is no room: then only what it would have replaced goes.
  mutating func put(_ entry: CacheEntry) -> Bool {
    let size = entry.bytesInMemory
    let room = size > Self.large ? Self.limit : 2 * Self.limit
    guard bytes == 0 || bytes + size <= room else {
      remove(CacheSelection(key: entry.key, variant: entry.variant))
      return false
    }
    set(entry.key, entry.variant, Pending(number: next(), entry: entry, bytes: size))
    steps.append(Step(number: last, change: .put(entry.key, variant: entry.variant)))
    dropOldest(entry.key)
    return true
  }

  mutating func remove(_ selection: CacheSelection) {
    guard let key = selection.key else { return sweep(selection) }
    if let variant = selection.variant {
      set(key, variant, Pending(number: next()))
    } else {
      forget(key)
      places[key] = PendingKey(clearedBy: next())
    }
    steps.append(Step(number: last, change: .remove(selection)))
  }

  private mutating func sweep(_ selection: CacheSelection) {
    for (key, place) in places {
      let address = selection.prefix == nil ? "" : CacheSelection.masked(key.text)
      guard selection.includes(key, address: address) else { continue }
      for (variant, pending) in place.variants {
        guard let entry = pending.entry,
          selection.includes(variant: variant, receivedAt: entry.content.receivedAt)
        else { continue }
        // What it has replaced must not come back, whether the condition holds for it or not.
        remove(CacheSelection(key: key, variant: variant))
      }
    }
    sweeps.append((next(), selection))
    steps.append(Step(number: last, change: .remove(selection)))
  }

  private mutating func next() -> Int {
    last += 1
    return last
  }

  private mutating func set(_ key: CacheKey, _ variant: String, _ pending: Pending) {
    bytes += pending.bytes
    let old = places[key, default: PendingKey()].variants.updateValue(pending, forKey: variant)
    bytes -= old?.bytes ?? 0
  }

  private mutating func forget(_ key: CacheKey) {
    guard let place = places.removeValue(forKey: key) else { return }
    bytes -= place.variants.values.reduce(0) { $0 + $1.bytes }
  }

  /// Beyond the number of variants a key may have, those that wait push out all that was written.
  private mutating func dropOldest(_ key: CacheKey) {
    let most = SQLiteCacheStore.maximumVariants
    guard places[key]?.variants.count ?? 0 > most else { return }
    let waiting = places[key]?.variants.filter { $0.value.entry != nil } ?? [:]
    guard waiting.count > most, let oldest = waiting.min(by: { $0.value.number < $1.value.number })
    else { return }
    bytes -= oldest.value.bytes
    places[key]?.variants[oldest.key] = nil
    places[key]?.clearedBy = last
  }

  // MARK: Reading

  /// What readers must know of one key.
  struct View {
    /// Entries that wait to be written.
    var entries: [CacheEntry] = []
    fileprivate var isCleared = false
    fileprivate var hidden: Set<String> = []
    fileprivate var sweeps: [CacheSelection] = []

    /// Whether something that was written is still there.
    func shows(variant: String, receivedAt: Double) -> Bool {
      !isCleared && !hidden.contains(variant)
        && !sweeps.contains { $0.includes(variant: variant, receivedAt: receivedAt) }
    }
  }

  /// `nil` where there is nothing to know.
  func view(_ key: CacheKey) -> View? {
    if places.isEmpty, sweeps.isEmpty { return nil }
    var view = View()
    if let place = places[key] {
      view.isCleared = place.clearedBy != nil
      view.hidden = Set(place.variants.keys)
      let waiting = place.variants.values.filter { $0.entry != nil }
      view.entries = waiting.sorted { $0.number < $1.number }.compactMap(\.entry)
    }
    for sweep in sweeps {
      let address = sweep.selection.prefix == nil ? "" : CacheSelection.masked(key.text)
      if sweep.selection.includes(key, address: address) { view.sweeps.append(sweep.selection) }
    }
    return view
  }

  /// The keys of which something waits.
  var keys: [CacheKey] { Array(places.keys) }

  /// Removals under a condition that wait.
  var waitingSweeps: [CacheSelection] { sweeps.map(\.selection) }

  // MARK: Writing

  /// The next steps, up to a number and a size that one transaction should have.
  mutating func take() -> [Step] {
    var taken = failed
    failed = []
    let room = taken.count + 256
    var size = 0
    while head < steps.count, taken.count < room, size < 4 << 20 {
      let step = steps[head]
      head += 1
      if case .put(let key, let variant) = step.change {
        size += places[key]?.variants[variant]?.bytes ?? 0
      }
      taken.append(step)
    }
    if head == steps.count {
      steps.removeAll(keepingCapacity: head < 1_024)
      head = 0
    } else if head > 1_024, head * 2 > steps.count {
      steps.removeFirst(head)
      head = 0
    }
    return taken
  }

  /// What there is to do for these steps; those that were overtaken are left out.
  func tasks(_ steps: [Step]) -> [Task] {
    steps.compactMap { step in
      switch step.change {
      case .remove(let selection): return .remove(selection)
      case .put(let key, let variant):
        guard let pending = places[key]?.variants[variant], pending.number == step.number else {
          return nil
        }
        return pending.entry.map { .put($0) }
      }
    }
  }

  /// These steps are done. What could not be put is gone; what could not be removed stays hidden and
  /// is tried again.
  mutating func finish(_ done: [Step], removals areWritten: Bool) {
    for step in done {
      switch step.change {
      case .put(let key, let variant): settle(key, variant, step.number)
      case .remove(let selection) where areWritten:
        guard let key = selection.key else {
          sweeps.removeAll { $0.number == step.number }
          continue
        }
        if let variant = selection.variant { settle(key, variant, step.number) }
        uncover(key, step.number)
      case .remove: failed.append(step)
      }
      if case .put(let key, _) = step.change { uncover(key, step.number) }
    }
    // Last, since entries that took their places and could not be written are out of the way now.
    for step in failed { hide(step) }
    if failed.count > Self.keptRemovals { removeAll() }
  }

  /// Has a removal that could not be written hide what it is about.
  private mutating func hide(_ step: Step) {
    guard case .remove(let selection) = step.change, let key = selection.key else { return }
    var place = places[key] ?? PendingKey()
    if let variant = selection.variant {
      if place.variants[variant] == nil { place.variants[variant] = Pending(number: step.number) }
    } else {
      place.clearedBy = max(place.clearedBy ?? 0, step.number)
    }
    places[key] = place
  }

  /// Puts one removal of everything in the place of all that could not be written.
  private mutating func removeAll() {
    guard let number = failed.last?.number else { return }
    failed = [Step(number: number, change: .remove(CacheSelection()))]
    sweeps = [(number, CacheSelection())] + sweeps.filter { $0.number > number }
    for key in keys {
      guard let place = places[key] else { continue }
      let gone = place.variants.filter { $0.value.entry == nil && $0.value.number <= number }
      for (variant, pending) in gone { settle(key, variant, pending.number) }
      uncover(key, number)
    }
  }

  private mutating func settle(_ key: CacheKey, _ variant: String, _ number: Int) {
    guard let pending = places[key]?.variants[variant], pending.number == number else { return }
    bytes -= pending.bytes
    places[key]?.variants[variant] = nil
    if places[key]?.variants.isEmpty == true, places[key]?.clearedBy == nil { places[key] = nil }
  }

  /// A key that was cleared by this step, or by an earlier one, hides nothing any more.
  private mutating func uncover(_ key: CacheKey, _ number: Int) {
    guard let by = places[key]?.clearedBy, by <= number else { return }
    places[key]?.clearedBy = nil
    if places[key]?.variants.isEmpty == true { places[key] = nil }
  }
}
