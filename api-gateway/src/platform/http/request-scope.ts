import { AsyncLocalStorage } from 'node:async_hooks'

const scope = new AsyncLocalStorage<string>()

/** Runs with the request id in scope, so that calls to other services log it. */
export function runInRequest<Result>(
  requestId: string,
  run: () => Promise<Result>,
): Promise<Result> {
  return scope.run(requestId, run)
}

/** Runs without a request id: work shared by several requests belongs to none of them. */
export function runOutsideRequest(run: () => Promise<void>): Promise<void> {
  return scope.exit(run)
}

export function getCurrentRequestId(): string | null {
  return scope.getStore() ?? null
}
