import { failuresOf, isDocumented } from '../src/platform/http/documented-failures.ts'
import type { HttpFailure } from '../src/platform/http/failure.ts'
import type { Route } from '../src/platform/http/registry.ts'

const nameOf = ({ endpoint }: Route) => `${endpoint.method} ${endpoint.path}`

/** What the calls of one gateway were answered with. */
export interface FailureWatch {
  onFailure(route: Route, failure: HttpFailure): void
  /** Each of `call status code`, once. */
  seen: ReadonlySet<string>
  /** Throws when an answer was not the one that the call's description has. */
  requireDocumented(): void
}

export function watchFailures(): FailureWatch {
  const seen = new Set<string>()
  const undocumented = new Set<string>()
  return {
    seen,
    onFailure: (route, failure) => {
      const { status, code, message } = failure
      if (isDocumented(route, failure)) seen.add(`${nameOf(route)} ${status} ${code}`)
      else undocumented.add(`${nameOf(route)} ${status} ${code}: ${message}`)
    },
    requireDocumented: () => {
      if (undocumented.size === 0) return
      throw new Error(`answered, and not documented:\n${[...undocumented].join('\n')}`)
    },
  }
}

/** Each `call status code` that the document has. */
export function listDocumented(routes: readonly Route[]): ReadonlySet<string> {
  return new Set(
    routes.flatMap((route) =>
      failuresOf(route).map(({ status, code }) => `${nameOf(route)} ${status} ${code}`),
    ),
  )
}
