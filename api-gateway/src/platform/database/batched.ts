import { inNoRequest } from '../http/request-scope.ts'

const KEYS_MAX = 200
/** Milliseconds after which a lookup that hangs no longer delays the next one. */
const SLOW_LOOKUP_MS = 50

/**
 * Batches lookups by key: keys requested while lookups run form one statement afterwards, so that
 * load costs few statements. No result is older than its request: a key only joins a lookup that
 * begins after the request.
 */
export function batchLookups<Source extends object, Row>(
  load: (source: Source, keys: readonly string[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): (source: Source, key: string) => Promise<readonly Row[]> {
  // One batcher per source, because a transaction sees rows that other connections do not see.
  const batchers = new WeakMap<Source, (key: string) => Promise<readonly Row[]>>()
  return (source, key) => {
    const known = batchers.get(source) ?? createBatcher((keys) => load(source, keys), keyOf)
    batchers.set(source, known)
    return known(key)
  }
}

interface Waiting<Row> {
  key: string
  resolve: (rows: readonly Row[]) => void
  reject: (error: unknown) => void
}

function createBatcher<Row>(
  load: (keys: readonly string[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): (key: string) => Promise<readonly Row[]> {
  let waiting: Waiting<Row>[] = []
  let isLoading = false

  async function loadNext(): Promise<void> {
    const now = waiting.slice(0, KEYS_MAX)
    waiting = waiting.slice(KEYS_MAX)
    try {
      const found = Map.groupBy(await load([...new Set(now.map(({ key }) => key))]), keyOf)
      for (const { key, resolve } of now) resolve(found.get(key) ?? [])
    } catch (error) {
      for (const { reject } of now) reject(error)
    }
  }

  async function loadAll(): Promise<void> {
    while (waiting.length > 0) await settleWithin(SLOW_LOOKUP_MS, loadNext())
    isLoading = false
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (isLoading) return
      isLoading = true
      // Collects all requests of this turn of the event loop.
      setImmediate(() => void inNoRequest(loadAll))
    })
}

/** Resolves when the task is done or after `ms`, whichever is earlier. */
function settleWithin(ms: number, task: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    void task.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
