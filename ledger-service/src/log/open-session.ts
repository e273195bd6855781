import { type NewestAnswered, requireAnswered } from './answered.ts'
import type { CommitterOptions } from './committer-options.ts'
import type { Connected, Disconnected, Session } from './committer-state.ts'
import { type BrokenLog, Deposed } from './deposed.ts'
import { loadPinnedRows } from './loader.ts'
import type { Store } from './store.ts'
import { createCache } from './view.ts'

/** Opens a connection, after the former connection was closed. */
export async function connect(from: Disconnected | Connected, store: Store): Promise<Connected> {
  if (from.name === 'connected') return from
  await from.closed
  const { unresolved, isPauseDue } = from
  return { name: 'connected', store: await store.open(), unresolved, isPauseDue }
}

/**
 * Takes over the log and loads the rows of the pinned tables. Throws `Deposed` if this writer must
 * not take over the log.
 */
export async function openSession(
  { store }: Connected,
  options: CommitterOptions & { answered: NewestAnswered; brokenLog: BrokenLog | null },
): Promise<Session> {
  if (options.brokenLog !== null) throw options.brokenLog
  const { model, clock, log, answered, createCache: createRowCache = createCache } = options
  if ((await options.mayTakeHead?.()) === false) {
    throw new Deposed('another instance has become active')
  }
  const head = await store.takeHead(clock.now())
  await requireAnswered(answered, store)
  const cache = createRowCache(model)
  await loadPinnedRows(store, { tables: model.pinned, cache })
  log.info({ size: String(head.frontier.size), token: String(head.token) }, 'the log is open')
  return { store, cache, head, sent: new Map() }
}
