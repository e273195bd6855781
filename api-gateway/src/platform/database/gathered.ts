import { inNoRequest } from '../http/request-scope.ts'

const KEYS_MAX = 200
/** A look-up that hangs holds up the next one no longer than this. */
const PATIENCE_MS = 50

/**
 * Look-ups by key that are made together: what is asked for while some are under way is one question
 * afterwards, so that a busy moment costs the database a statement for many. None is older than its
 * question: a key is only ever part of a look-up that begins after it was asked for.
 */
export function gathered<Source extends object, Row>(
  load: (source: Source, keys: readonly string[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): (source: Source, key: string) => Promise<readonly Row[]> {
  // A transaction looks for itself: nobody else sees what it sees.
  const gatherers = new WeakMap<Source, (key: string) => Promise<readonly Row[]>>()
  return (source, key) => {
    const known = gatherers.get(source) ?? createGatherer((keys) => load(source, keys), keyOf)
    gatherers.set(source, known)
    return known(key)
  }
}

interface Waiting<Row> {
  key: string
  resolve: (rows: readonly Row[]) => void
  reject: (error: unknown) => void
}

function createGatherer<Row>(
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
    while (waiting.length > 0) await within(PATIENCE_MS, loadNext())
    isLoading = false
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (isLoading) return
      isLoading = true
      // What has arrived together is asked for together.
      setImmediate(() => void inNoRequest(loadAll))
    })
}

/** Until it is done, or for so long. */
function within(ms: number, task: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    void task.then(() => {
      clearTimeout(timer)
      resolve()
    })
  })
}
