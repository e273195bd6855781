import { HttpFailure } from '../http/failure.ts'

const WAITING_MAX = 20
const WAIT_MS_MAX = 5_000
const RETRY_SECONDS = 5

/** Runs one task at a time, because a decoded image can need 100 MB of memory. */
export interface ImageQueue {
  /** Throws 503 without calling `work` if too many tasks wait, or if this task waits too long. */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

export function createImageQueue({
  waitingMax = WAITING_MAX,
  waitMsMax = WAIT_MS_MAX,
}: {
  waitingMax?: number
  waitMsMax?: number
} = {}): ImageQueue {
  let isBusy = false
  const waiting = new Set<() => void>()

  async function wait(): Promise<void> {
    if (waiting.size >= waitingMax) throw createImagesBusyFailure()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    waiting.add(resolve)
    const timer = setTimeout(() => {
      waiting.delete(resolve)
      reject(createImagesBusyFailure())
    }, waitMsMax)
    try {
      await promise
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    run: async (work) => {
      if (isBusy) await wait()
      isBusy = true
      try {
        return await work()
      } finally {
        // If another task waits, that task starts now and `isBusy` stays true.
        const [next] = waiting
        if (next === undefined) isBusy = false
        else {
          waiting.delete(next)
          next()
        }
      }
    },
  }
}

function createImagesBusyFailure(): HttpFailure {
  const message = 'Many images are being checked. Please try again in a moment.'
  return new HttpFailure(503, 'IMAGES_BUSY', message, { retryAfterSeconds: RETRY_SECONDS })
}
