import { keepNewest } from './answered.ts'
import { createAssumptions } from './assumptions.ts'
import { type Batch, type OpenBatch, openBatch } from './batch.ts'
import { createBatchLimit } from './batch-limit.ts'
import type { Committer, CommitterOptions } from './committer-options.ts'
import {
  type Committing,
  type Connected,
  countCommittingCommands,
  type Disconnected,
  getProgress,
  getStore,
  type Idle,
  isInterrupted,
  type Session,
  type State,
} from './committer-state.ts'
import { BrokenLog, Deposed } from './deposed.ts'
import { answerEntry, type Entry, failEntry } from './entry.ts'
import { loadNeeds, loadSettled } from './loader.ts'
import { connect, openSession } from './open-session.ts'
import { PoisonedBatch, toPoisonAnswer } from './poison.ts'
import { createQuarantine } from './quarantine.ts'
import { RefusedData } from './store.ts'
import { isBatchWritten, isInLog } from './unanswered.ts'
import { writeBatch as writeToStore } from './write-batch.ts'

export function createCommitter(options: CommitterOptions & { onCommitEnded(): void }): Committer {
  const { model, log, writeBatch = writeToStore } = options
  let state: State = {
    name: 'disconnected',
    closed: Promise.resolve(),
    unresolved: null,
    isPauseDue: false,
  }
  /** Entries of batches that were not written. These entries must be decided again. */
  let returned: readonly Entry[] = []
  const limit = createBatchLimit()
  const quarantine = createQuarantine()
  const assumptions = (options.createAssumptions ?? createAssumptions)()
  let deposed: Deposed | null = null
  let brokenLog: BrokenLog | null = null
  const { answered = { event: null } } = options

  /** Takes over the log and determines whether an unanswered commit was written. */
  async function takeHead(from: Disconnected | Connected): Promise<Idle> {
    from.isPauseDue = true
    const connected = await connect(from, options.store)
    state = connected
    const parts = { ...options, answered, brokenLog }
    const session = await openSession(connected, parts).catch(async (error) => {
      if (!(error instanceof Deposed)) throw error
      await resolveUnknown(connected, isBatchWritten)
      deposed = error
      throw error
    })
    await resolveUnknown(connected, isInLog)
    assumptions.startCautiously()
    state = { name: 'idle', session }
    return state
  }

  /** Answers the unanswered batch if it was written; otherwise keeps its entries in `returned`. */
  async function resolveUnknown(from: Connected, isWritten: typeof isInLog): Promise<void> {
    const { unresolved: batch, store } = from
    if (batch === null) return
    if (await isWritten(batch, store)) answerBatch(batch)
    else returned = batch.entries
    from.unresolved = null
  }

  function disconnect(unresolved: Batch | null): Disconnected {
    if (state.name === 'disconnected') return state
    const closed = Promise.allSettled([getStore(state).close()])
    state = { name: 'disconnected', closed, unresolved, isPauseDue: true }
    return state
  }

  /** Discards the cached rows and keeps the connection. */
  function discardCachedRows(
    { store }: Session,
    { isPauseDue }: { isPauseDue: boolean },
  ): Connected {
    state = { name: 'connected', store, unresolved: null, isPauseDue }
    return state
  }

  async function decide(entries: readonly Entry[]): Promise<readonly Entry[]> {
    // The entries in `returned` are older than these entries and must be decided first.
    if (returned.length > 0) return entries
    if (isInterrupted(state)) {
      await takeHead(state)
      if (returned.length > 0) return entries
    }
    const { session, next } = getProgress(state)
    if (entries.length === 0 || session === null) return entries

    const { cache, store } = session
    if (next === null) cache.evict(session.sent)
    for (const entry of entries) entry.isLookedUp ||= assumptions.needsLookup(entry)
    const [settled] = await Promise.all([
      loadSettled(store, entries),
      loadNeeds(store, { entries, cache, model }),
    ])
    const loaded = getProgress(state)
    // If the session was replaced during loading, the loaded rows may be stale.
    if (loaded.session !== session || returned.length > 0) return entries
    const { head } = session
    const open =
      loaded.next ?? openBatch({ ...options, head, cache, assumptions, isPoison: quarantine.has })
    const later = open.add(entries, settled)
    if (state.name === 'committing') state.next = open
    else startCommit(open, session)
    return later
  }

  function startCommit(open: OpenBatch, session: Session): void {
    const batch = open.close()
    session.head = batch.to
    session.sent = batch.changes
    assumptions.addKeys(batch.entries)
    const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
    const committing: Committing = { name: 'committing', session, batch, next: null, ended }
    state = committing
    commitBatch(committing).then(resolve, reject)
  }

  async function commitBatch(committing: Committing): Promise<void> {
    const { batch, session } = committing
    const outcome = await writeBatch(batch, session.store).catch((error: unknown) => ({ error }))
    if (outcome === 'written') finishWrittenBatch(committing)
    else if (outcome === 'conflict') await finishConflictingBatch(committing)
    else if (typeof outcome === 'object') await finishFailedBatch(committing, outcome.error)
    else finishUnwrittenBatch(committing, outcome)
    options.onCommitEnded()
  }

  function finishWrittenBatch({ batch, session, next }: Committing): void {
    // The next batch is started before these answers are sent, so that the database does not idle.
    setImmediate(answerBatch, batch)
    limit.raiseLimit()
    if (next === null) state = { name: 'idle', session }
    else startCommit(next, session)
  }

  function finishUnwrittenBatch(committing: Committing, why: 'fenced' | 'clock'): void {
    const { batch, session } = committing
    const reason =
      why === 'clock' ? 'the clock is ahead of the database' : 'another writer has taken the head'
    log.warn({ size: String(batch.from.frontier.size) }, reason)
    discardCachedRows(session, { isPauseDue: true })
    putEntriesBack(batch.entries, committing)
  }

  /**
   * Decides both batches again after lookups. Keeps the session, because the conflict shows that
   * this writer held the head. If all entries were looked up before, no assumption was wrong, so an
   * entry is faulty.
   */
  async function finishConflictingBatch(committing: Committing): Promise<void> {
    const { batch, session, next } = committing
    log.warn({ size: String(batch.from.frontier.size) }, 'a new key or row exists already')
    assumptions.reportConflict()
    if (batch.entries.every(({ isLookedUp }) => isLookedUp)) return finishRefusedBatch(committing)
    for (const entry of [...batch.entries, ...(next?.entries ?? [])]) entry.isLookedUp = true
    session.cache.undoChanges(batch.changes)
    session.head = batch.from
    session.sent = new Map()
    state = { name: 'idle', session }
    putEntriesBack(batch.entries, committing)
  }

  async function finishFailedBatch(committing: Committing, error: unknown): Promise<void> {
    const { batch } = committing
    log.error({ err: error, entries: batch.entries.length }, 'the batch was not committed')
    if (error instanceof RefusedData) return finishRefusedBatch(committing)
    if (error instanceof BrokenLog) {
      brokenLog = error
      discardCachedRows(committing.session, { isPauseDue: false })
      return putEntriesBack(batch.entries, committing)
    }
    disconnect(batch)
    putEntriesBack([], committing)
  }

  async function finishRefusedBatch(committing: Committing): Promise<void> {
    const { batch, session } = committing
    const [only, ...others] = batch.entries
    const isAlone = only !== undefined && others.length === 0
    // The error proves a faulty entry only if no other writer has written since the decision.
    const isCulprit =
      isAlone && only.isLookedUp && (await session.store.holdsHead(batch.from).catch(() => false))
    if (isAlone) only.isLookedUp = true
    discardCachedRows(session, { isPauseDue: false })
    limit.halveLimit(batch.entries.length)
    if (isCulprit) failFaultyEntry(only)
    putEntriesBack(isCulprit ? [] : batch.entries, committing)
  }

  /**
   * Puts back the given entries and the entries of the open batch. The open batch was decided on
   * rows that were not written.
   */
  function putEntriesBack(entries: readonly Entry[], { next }: Committing): void {
    returned = [...entries, ...(next?.entries ?? [])]
  }

  function failFaultyEntry(culprit: Entry): void {
    quarantine.add(culprit)
    failEntry(culprit, toPoisonAnswer(culprit))
  }

  function answerBatch(batch: Batch): void {
    keepNewest(answered, batch)
    batch.answers.forEach((answer, index) => {
      const entry = batch.entries[index]
      if (entry !== undefined) answerEntry(entry, answer)
    })
    if (batch.firstLeaf !== null) options.onAppended?.(batch.to.frontier.size)
  }

  async function recoverFromError(entries: readonly Entry[], error: unknown) {
    if (error instanceof Deposed) log.warn(error.message)
    else log.error({ err: error }, 'the batch could not be decided')
    // Some of the entries can already be in the open batch.
    const undecided = [...new Set([...(getProgress(state).next?.entries ?? []), ...entries])]
    if (state.name === 'committing') {
      state.next = null
      await state.ended
    }
    if (!(error instanceof PoisonedBatch)) {
      disconnect(isInterrupted(state) ? state.unresolved : null)
      return undecided
    }
    const { session } = getProgress(state)
    // An entry that was decided on the rows of an unwritten batch is not known to be faulty.
    if (session === null || returned.length > 0) return undecided
    const { culprit } = error
    const isFaulty = await takeHeadAgain(session)
    if (!isFaulty || !culprit.isLookedUp) {
      culprit.isLookedUp = true
      return undecided
    }
    failFaultyEntry(culprit)
    return undecided.filter((entry) => entry !== culprit)
  }

  /**
   * Takes over the log again. Returns false if another writer has written since this writer took
   * over the log. In this case, stale rows may have caused the error, so no entry is known to be
   * faulty.
   */
  async function takeHeadAgain(session: Session): Promise<boolean> {
    try {
      const idle = await takeHead(discardCachedRows(session, { isPauseDue: false }))
      return idle.session.head.previousToken === session.head.token
    } catch {
      disconnect(null)
      return false
    }
  }

  async function decideOrRecover(entries: readonly Entry[]): Promise<readonly Entry[]> {
    const undecided = await decide(entries).catch((error) => recoverFromError(entries, error))
    const again = [...returned, ...undecided]
    returned = []
    return again
  }

  return {
    getBatch: (waiting) => {
      const taken = getProgress(state).next?.getSize() ?? 0
      return {
        taken,
        max: limit.getMaxSize({ taken, waiting, committing: countCommittingCommands(state) }),
      }
    },
    decide: decideOrRecover,
    prepare: () => {
      const { session, next } = getProgress(state)
      if (next !== null && next.getSize() >= countCommittingCommands(state))
        session?.store.prepare(next.getRows())
    },
    countCommittingCommands: () => countCommittingCommands(state),
    isIdle: () => state.name !== 'committing' && returned.length === 0,
    isUnresolved: () => isInterrupted(state) && state.unresolved !== null,
    isReady: () => !isInterrupted(state),
    getDeposingError: () => deposed,
    shouldPause: () => isInterrupted(state) && state.isPauseDue,
    close: async () => {
      if (state.name === 'committing') await state.ended
      const unresolved = isInterrupted(state) ? state.unresolved : null
      await disconnect(null).closed
      const lost = new Error('the ledger stopped before the outcome of a commit was known')
      for (const entry of unresolved?.entries ?? []) entry.lose(lost)
    },
  }
}
