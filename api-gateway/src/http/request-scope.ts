import { AsyncLocalStorage } from 'node:async_hooks'

const scope = new AsyncLocalStorage<string>()

/** Whatever is done for a request knows its id, so that its calls are found in other logs. */
export function inRequest<Result>(requestId: string, run: () => Promise<Result>): Promise<Result> {
  return scope.run(requestId, run)
}

export function currentRequestId(): string | null {
  return scope.getStore() ?? null
}
