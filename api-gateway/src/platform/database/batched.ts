import DataLoader from 'dataloader'
import { runOutsideRequest } from '../http/request-scope.ts'

const KEYS_MAX = 200
/** The time in milliseconds after which a running lookup no longer delays the next lookup. */
const SLOW_LOOKUP_MS = 50

/**
 * Returns a function that looks up rows by key. Keys that are requested while a lookup runs are
 * combined in the next statement. A result is never older than its request.
 */
export function batchLookups<Source extends object, Row>(
  load: (source: Source, keys: readonly string[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): (source: Source, key: string) => Promise<readonly Row[]> {
  // Each source of rows has its own loader, because a transaction sees rows that other connections
  // do not see.
  const loaders = new WeakMap<Source, DataLoader<string, readonly Row[]>>()
  return (source, key) => {
    const loader = loaders.get(source) ?? createLoader((keys) => load(source, keys), keyOf)
    loaders.set(source, loader)
    return loader.load(key)
  }
}

function createLoader<Row>(
  load: (keys: readonly string[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): DataLoader<string, readonly Row[]> {
  let lastLookup = Promise.resolve()

  async function loadRows(keys: readonly string[]): Promise<(readonly Row[])[]> {
    const loading = load([...new Set(keys)])
    lastLookup = waitForTaskWithin(SLOW_LOOKUP_MS, loading)
    const found = Map.groupBy(await loading, keyOf)
    return keys.map((key) => found.get(key) ?? [])
  }

  async function dispatchAfterLookup(dispatch: () => void): Promise<void> {
    await lastLookup
    dispatch()
  }

  return new DataLoader(loadRows, {
    cache: false,
    maxBatchSize: KEYS_MAX,
    // Collects all keys that are requested in this iteration of the event loop.
    batchScheduleFn: (dispatch) => {
      setImmediate(() => void runOutsideRequest(() => dispatchAfterLookup(dispatch)))
    },
  })
}

/** Resolves when the task has ended, but at the latest after `ms` milliseconds. */
function waitForTaskWithin(ms: number, task: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    task.then(end, end)
  })
}
