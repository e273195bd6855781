import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { type Platform, startPlatform } from './platform.ts'
import { addSecondAdmin } from './second-admin.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the platform pool. `GET /<worker>` returns a `SharedPlatform`. */
    platformPool: string
  }
}

/** The addresses of the platform that all browser test files of one worker share. */
export interface SharedPlatform {
  readonly url: string
  readonly mailUrl: string
  readonly dataDir: string
  readonly databasePort: number
}

/**
 * The second administrator is added now, because the set-up link could expire when a test moves the
 * clock.
 */
async function startSharedPlatform(): Promise<Platform> {
  const platform = await startPlatform()
  await addSecondAdmin(platform)
  return platform
}

/**
 * Vitest calls this function once, in its main process. Starts a demo platform for each worker that
 * requests a platform, and stops all platforms after the run.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const platforms = new Map<string, Promise<Platform>>()
  const server = createServer((request, response) => {
    const worker = request.url ?? ''
    const starting = platforms.get(worker) ?? startSharedPlatform()
    platforms.set(worker, starting)
    starting.then(
      ({ url, mailUrl, dataDir, databasePort }) =>
        response.end(JSON.stringify({ url, mailUrl, dataDir, databasePort })),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe because a server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo
  project.provide('platformPool', `http://127.0.0.1:${port}`)
  return async () => {
    server.close()
    const started = await Promise.allSettled(platforms.values())
    await Promise.all(
      started.map((each) => (each.status === 'fulfilled' ? each.value.remove() : undefined)),
    )
  }
}
