import { useSearchParams } from './navigation.tsx'

type Changes = Readonly<Record<string, string | null>>

/**
 * Returns `set`, which changes some search parameters and keeps all other parameters. The value
 * null removes a parameter.
 */
export function useUrlState(): {
  set: (changes: Changes, options?: { replace?: boolean }) => void
} {
  const [, setSearch] = useSearchParams()
  return {
    set: (changes, { replace = false } = {}) =>
      setSearch((search) => applyChanges(search, changes), { replace, preventScrollReset: true }),
  }
}

function applyChanges(search: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(search)
  if ('page' in changes) {
    // `after` and `before` apply only to the page of the list that was shown, so a change of the
    // page number removes them.
    next.delete('after')
    next.delete('before')
  }
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}
