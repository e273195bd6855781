import { isDocumented, listFailures } from '../src/platform/http/documented-failures.ts'
import type { HttpFailure } from '../src/platform/http/failure.ts'
import type { Route } from '../src/platform/http/registry.ts'

const nameOf = ({ endpoint }: Route) => `${endpoint.method} ${endpoint.path}`

/** The failures that one gateway has returned. */
export interface FailureWatch {
  onFailure(route: Route, failure: HttpFailure): void
  /** Each `method path status code` once. */
  seen: ReadonlySet<string>
  /** Throws if a failure differs from the declaration of its endpoint. */
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

/** Each documented `method path status code`. */
export function listDocumented(routes: readonly Route[]): ReadonlySet<string> {
  return new Set(
    routes.flatMap((route) =>
      listFailures(route).map(({ status, code }) => `${nameOf(route)} ${status} ${code}`),
    ),
  )
}
