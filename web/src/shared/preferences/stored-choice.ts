import { useSyncExternalStore } from 'react'

type Listener = () => void

type StoredChoice<Value extends string> = {
  get: () => Value
  /** The value while the user has chosen nothing. Prerendered pages use this value. */
  fallback: Value
  set: (value: Value) => void
  subscribe: (listener: Listener) => () => void
}

/**
 * Stores a choice in the browser, and keeps it in memory if storage is not available. `values`
 * lists all possible values; null allows any text.
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
