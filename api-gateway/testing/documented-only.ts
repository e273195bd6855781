import { isDocumented, listFailures } from '../src/platform/http/documented-failures.ts'
import type { HttpFailure } from '../src/platform/http/failure.ts'
import type { Route } from '../src/platform/http/registry.ts'

const getRouteName = ({ endpoint }: Route) => `${endpoint.method} ${endpoint.path}`

/** Collects the failures that one gateway returns. */
export interface FailureWatch {
  onFailure(route: Route, failure: HttpFailure): void
  /** The returned failures as `method path status code`. */
  seen: ReadonlySet<string>
  /** Throws if a returned failure is not declared at its endpoint. */
  requireDocumented(): void
}

export function watchFailures(): FailureWatch {
  const seen = new Set<string>()
  const undocumented = new Set<string>()
  return {
    seen,
    onFailure: (route, failure) => {
      const { status, code, message } = failure
      if (isDocumented(route, failure)) seen.add(`${getRouteName(route)} ${status} ${code}`)
      else undocumented.add(`${getRouteName(route)} ${status} ${code}: ${message}`)
    },
    requireDocumented: () => {
      if (undocumented.size === 0) return
      throw new Error(`answered, and not documented:\n${[...undocumented].join('\n')}`)
    },
  }
}

/** Returns the declared failures as `method path status code`. */
export function listDocumentedFailures(routes: readonly Route[]): ReadonlySet<string> {
  return new Set(
    routes.flatMap((route) =>
      listFailures(route).map(({ status, code }) => `${getRouteName(route)} ${status} ${code}`),
    ),
  )
}
