import { setTimeout as sleep } from 'node:timers/promises'

const POLL_MS = 100
const ASK_TIMEOUT_MS = 2_000

export async function waitForHealth(wait: {
  name: string
  url: string
  timeoutMs: number
  signal: AbortSignal
}): Promise<void> {
  const deadline = Date.now() + wait.timeoutMs
  while (Date.now() < deadline) {
    wait.signal.throwIfAborted()
    if (await isHealthy(wait.url)) return
    await sleep(POLL_MS)
  }
  throw new Error(`${wait.name} is not healthy after ${wait.timeoutMs / 1000} s (${wait.url})`)
}

export async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}
