import { useSyncExternalStore } from 'react'

type Listener = () => void

type StoredChoice<Value extends string> = {
  get: () => Value
  /** The value that applies until the user has made a choice. Prerendered pages use this value. */
  fallback: Value
  set: (value: Value) => void
  subscribe: (listener: Listener) => () => void
}

/**
 * Stores a choice in the browser. If storage is not available, keeps the choice in memory. `values`
 * lists all possible values; if it is null, any text is valid.
 */
export function createStoredChoice<Value extends string>(
  key: string,
  values: readonly Value[] | null,
  fallback: Value,
): StoredChoice<Value> {
  const listeners = new Set<Listener>()
  let current = readChoice(key, values) ?? fallback
  return {
    get: () => current,
    fallback,
    set: (value) => {
      current = value
      try {
        localStorage.setItem(key, value)
      } catch {
        // Without storage, the choice applies until the page is closed.
      }
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useStoredChoice<Value extends string>(choice: StoredChoice<Value>): Value {
  return useSyncExternalStore(choice.subscribe, choice.get, () => choice.fallback)
}

function readChoice<Value extends string>(
  key: string,
  values: readonly Value[] | null,
): Value | null {
  try {
    const stored = window.localStorage.getItem(key)
    // The cast is safe because `Value` is `string` if any text is allowed.
    if (values === null) return stored as Value | null
    return values.find((value) => value === stored) ?? null
  } catch {
    return null
  }
}
