import { AsyncLocalStorage } from 'node:async_hooks'

const scope = new AsyncLocalStorage<string>()

/** Whatever is done for a request knows its id, so that its calls are found in other logs. */
export function inRequest<Result>(requestId: string, run: () => Promise<Result>): Promise<Result> {
  return scope.run(requestId, run)
}

/** Of what is done for several requests at once none is named: any name would be wrong for the others. */
export function inNoRequest(run: () => Promise<void>): Promise<void> {
  return scope.exit(run)
}

export function currentRequestId(): string | null {
  return scope.getStore() ?? null
}
