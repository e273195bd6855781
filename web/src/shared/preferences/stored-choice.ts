import { useSyncExternalStore } from 'react'

type Listener = () => void

export type StoredChoice<Value extends string> = {
  get: () => Value
  /** What holds while nothing is chosen: pages are drawn with it before there is a browser. */
  fallback: Value
  set: (value: Value) => void
  subscribe: (listener: Listener) => () => void
}

/**
 * A choice of this browser, kept where it can be; it works, unremembered, where storage is closed.
 * `values` are all that can be chosen, null: any text.
 */
export function storedChoice<Value extends string>(
  key: string,
  values: readonly Value[] | null,
  fallback: Value,
): StoredChoice<Value> {
  const listeners = new Set<Listener>()
  let current = read(key, values) ?? fallback
  return {
    get: () => current,
    fallback,
    set: (value) => {
      current = value
      try {
        localStorage.setItem(key, value)
      } catch {
        // The choice still holds until the page is left.
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

function read<Value extends string>(key: string, values: readonly Value[] | null): Value | null {
  try {
    const stored = window.localStorage.getItem(key)
    // Where any text can be chosen, `Value` is the type of all texts.
    if (values === null) return stored as Value | null
    return values.find((value) => value === stored) ?? null
  } catch {
    return null
  }
}
