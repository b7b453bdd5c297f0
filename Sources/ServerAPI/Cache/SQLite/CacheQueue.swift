#if SQLITE
  internal import Support

  /// The pending writes in order, and the changes that readers must already see.
  ///
  /// A pure value. Every change has a number. An entry that is put again before it is written is written once, in
  /// its last version. A removal by a condition is queued as such, and takes effect here at once.
  struct CacheQueue {
    /// The maximum size of pending entries, in bytes, before large ones are refused; small ones may use twice as
    /// much.
    static let limit = 16 << 20
    /// The size of a large entry, in bytes.
    static let large = 64 << 10
    /// The maximum number of failed removals to retry; beyond it, everything is removed.
    static let maximumFailedRemovals = 1_024

    /// A queued change.
    struct Step {
      var number: Int
      var change: Change
    }

    enum Change {
      /// Writes the pending entry of this key and variant, unless a later change has superseded it.
      case put(CacheKey, variant: ExactText)
      case remove(CacheSelection)
    }

    /// A write, with the data that it needs.
    enum Task {
      case put(CacheEntry)
      case remove(CacheSelection)
    }

    private struct Pending {
      var number: Int
      /// `nil` if it is removed.
      var entry: CacheEntry?
      var bytes = 0
    }

    private struct PendingKey {
      /// Everything written before the change with this number is removed.
      var clearedBy: Int?
      var variants: [ExactText: Pending] = [:]
    }

    private var steps: [Step] = []
    private var head = 0
    /// Removals that failed; they are retried first.
    private var failed: [Step] = []
    private var pendingKeys: [CacheKey: PendingKey] = [:]
    private var sweeps: [(number: Int, selection: CacheSelection)] = []
    private(set) var bytes = 0
    /// The number of the last change.
    private(set) var last = 0

    /// Whether any change was not attempted yet.
    var hasWork: Bool { head < steps.count }

    /// Whether failed removals are to be retried.
    var hasFailedRemovals: Bool { !failed.isEmpty }

    // MARK: Changes

    /// Queues an entry. Returns `false` if there is no room; then only the entry that it would replace is
    /// removed.
    mutating func put(_ entry: CacheEntry) -> Bool {
      let size = entry.bytesInMemory
      let room = size > Self.large ? Self.limit : 2 * Self.limit
      guard bytes == 0 || bytes + size <= room else {
        remove(CacheSelection(key: entry.key, variant: entry.variant))
        return false
      }
      let variant = ExactText(entry.variant)
      set(entry.key, variant, Pending(number: next(), entry: entry, bytes: size))
      steps.append(Step(number: last, change: .put(entry.key, variant: variant)))
      evictOldest(entry.key)
      return true
    }

    mutating func remove(_ selection: CacheSelection) {
      guard let key = selection.key else { return sweep(selection) }
      if let variant = selection.exactVariant {
        set(key, variant, Pending(number: next()))
      } else {
        forget(key)
        pendingKeys[key] = PendingKey(clearedBy: next())
      }
      steps.append(Step(number: last, change: .remove(selection)))
    }

    private mutating func sweep(_ selection: CacheSelection) {
      for (key, pendingKey) in pendingKeys {
        let address = selection.prefix == nil ? "" : CacheSelection.masked(key.text)
        guard selection.includes(key, address: address) else { continue }
        for (variant, pending) in pendingKey.variants {
          guard let entry = pending.entry,
            selection.includes(variant: variant.text, receivedAt: entry.content.receivedAt)
          else { continue }
          // The replaced version must stay removed, even if the condition does not include it.
          remove(CacheSelection(key: key, variant: variant.text))
        }
      }
      sweeps.append((next(), selection))
      steps.append(Step(number: last, change: .remove(selection)))
    }

    private mutating func next() -> Int {
      last += 1
      return last
    }

    private mutating func set(_ key: CacheKey, _ variant: ExactText, _ pending: Pending) {
      bytes += pending.bytes
      let old = pendingKeys[key, default: PendingKey()].variants.updateValue(pending, forKey: variant)
      bytes -= old?.bytes ?? 0
    }

    private mutating func forget(_ key: CacheKey) {
      guard let pendingKey = pendingKeys.removeValue(forKey: key) else { return }
      bytes -= pendingKey.variants.values.reduce(0) { $0 + $1.bytes }
    }

    /// Enforces the maximum number of variants: more pending ones than that supersede every written one.
    private mutating func evictOldest(_ key: CacheKey) {
      let most = SQLiteCacheStore.maximumVariants
      guard pendingKeys[key]?.variants.count ?? 0 > most else { return }
      let pending = pendingKeys[key]?.variants.filter { $0.value.entry != nil } ?? [:]
      guard pending.count > most, let oldest = pending.min(by: { $0.value.number < $1.value.number })
      else { return }
      bytes -= oldest.value.bytes
      pendingKeys[key]?.variants[oldest.key] = nil
      pendingKeys[key]?.clearedBy = last
    }

    // MARK: Reading

    /// The pending changes of one key, for readers.
    struct View {
      /// The pending entries.
      var entries: [CacheEntry] = []
      fileprivate var isCleared = false
      fileprivate var hidden: Set<ExactText> = []
      fileprivate var sweeps: [CacheSelection] = []

      /// Whether a written entry is still visible.
      func isVisible(variant: String, receivedAt: Double) -> Bool {
        !isCleared && !hidden.contains(ExactText(variant))
          && !sweeps.contains { $0.includes(variant: variant, receivedAt: receivedAt) }
      }
    }

    /// Returns the pending changes of a key; `nil` if there are none.
    func view(_ key: CacheKey) -> View? {
      if pendingKeys.isEmpty, sweeps.isEmpty { return nil }
      var view = View()
      if let pendingKey = pendingKeys[key] {
        view.isCleared = pendingKey.clearedBy != nil
        view.hidden = Set(pendingKey.variants.keys)
        let pending = pendingKey.variants.values.filter { $0.entry != nil }
        view.entries = pending.sorted { $0.number < $1.number }.compactMap(\.entry)
      }
      for sweep in sweeps {
        let address = sweep.selection.prefix == nil ? "" : CacheSelection.masked(key.text)
        if sweep.selection.includes(key, address: address) { view.sweeps.append(sweep.selection) }
      }
      return view
    }

    /// The keys with pending changes.
    var keys: [CacheKey] { Array(pendingKeys.keys) }

    /// The pending removals by a condition.
    var pendingSweeps: [CacheSelection] { sweeps.map(\.selection) }

    // MARK: Writing

    /// Dequeues the next steps, limited in number and size to one transaction.
    mutating func dequeue() -> [Step] {
      var taken = failed
      failed = []
      let room = taken.count + 256
      var size = 0
      while head < steps.count, taken.count < room, size < 4 << 20 {
        let step = steps[head]
        head += 1
        if case .put(let key, let variant) = step.change {
          size += pendingKeys[key]?.variants[variant]?.bytes ?? 0
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

    /// Returns the writes for these steps, without superseded ones.
    func tasks(_ steps: [Step]) -> [Task] {
      steps.compactMap { step in
        switch step.change {
        case .remove(let selection): return .remove(selection)
        case .put(let key, let variant):
          guard let pending = pendingKeys[key]?.variants[variant], pending.number == step.number
          else {
            return nil
          }
          return pending.entry.map { .put($0) }
        }
      }
    }

    /// Completes these steps. An entry that could not be written is dropped. A removal that could not be written
    /// keeps hiding its entries and is retried.
    mutating func finish(_ done: [Step], removals areWritten: Bool) {
      for step in done {
        switch step.change {
        case .put(let key, let variant): settle(key, variant, step.number)
        case .remove(let selection) where areWritten:
          guard let key = selection.key else {
            sweeps.removeAll { $0.number == step.number }
            continue
          }
          if let variant = selection.exactVariant { settle(key, variant, step.number) }
          uncover(key, step.number)
        case .remove: failed.append(step)
        }
        if case .put(let key, _) = step.change { uncover(key, step.number) }
      }
      // Last, because the entries that replaced them and could not be written are gone now.
      for step in failed { hide(step) }
      if failed.count > Self.maximumFailedRemovals { removeAll() }
    }

    /// Makes a failed removal hide its entries.
    private mutating func hide(_ step: Step) {
      guard case .remove(let selection) = step.change, let key = selection.key else { return }
      var pendingKey = pendingKeys[key] ?? PendingKey()
      if let variant = selection.exactVariant {
        if pendingKey.variants[variant] == nil {
          pendingKey.variants[variant] = Pending(number: step.number)
        }
      } else {
        pendingKey.clearedBy = max(pendingKey.clearedBy ?? 0, step.number)
      }
      pendingKeys[key] = pendingKey
    }

    /// Replaces all failed removals with one removal of everything.
    private mutating func removeAll() {
      guard let number = failed.last?.number else { return }
      failed = [Step(number: number, change: .remove(CacheSelection()))]
      sweeps = [(number, CacheSelection())] + sweeps.filter { $0.number > number }
      for key in keys {
        guard let pendingKey = pendingKeys[key] else { continue }
        let gone = pendingKey.variants.filter { $0.value.entry == nil && $0.value.number <= number }
        for (variant, pending) in gone { settle(key, variant, pending.number) }
        uncover(key, number)
      }
    }

    private mutating func settle(_ key: CacheKey, _ variant: ExactText, _ number: Int) {
      guard let pending = pendingKeys[key]?.variants[variant], pending.number == number else {
        return
      }
      bytes -= pending.bytes
      pendingKeys[key]?.variants[variant] = nil
      if pendingKeys[key]?.variants.isEmpty == true, pendingKeys[key]?.clearedBy == nil {
        pendingKeys[key] = nil
      }
    }

    /// Makes written entries of a key visible again after the removal by this step or an earlier one.
    private mutating func uncover(_ key: CacheKey, _ number: Int) {
      guard let change = pendingKeys[key]?.clearedBy, change <= number else { return }
      pendingKeys[key]?.clearedBy = nil
      if pendingKeys[key]?.variants.isEmpty == true { pendingKeys[key] = nil }
    }
  }

  extension CacheSelection {
    fileprivate var exactVariant: ExactText? { variant.map(ExactText.init) }
  }
#endif
