import { AsyncLocalStorage } from 'node:async_hooks'
import { leaveTrace } from '@cairn/service-kit/tracing/tracer'

const scope = new AsyncLocalStorage<string>()

/** Runs the function with a request id. Calls to the ledger within the function contain this id. */
export function runInRequest<Result>(
  requestId: string,
  run: () => Promise<Result>,
): Promise<Result> {
  return scope.run(requestId, run)
}

/** Runs the function without request id and trace, for work that several requests share. */
export function runOutsideRequest(run: () => Promise<void>): Promise<void> {
  return scope.exit(() => leaveTrace(run))
}

export function getCurrentRequestId(): string | null {
  return scope.getStore() ?? null
}
