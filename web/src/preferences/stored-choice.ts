import { useSyncExternalStore } from 'react'

type Listener = () => void

export type StoredChoice<Value extends string> = {
  get: () => Value
  /** What holds while nothing is chosen: pages are drawn with it before there is a browser. */
  fallback: Value
  set: (value: Value) => void
  subscribe: (listener: Listener) => () => void
}

/** A choice of this browser, kept where it can be; it works, unremembered, where storage is closed. */
export function storedChoice<Value extends string>(
  key: string,
  values: readonly Value[],
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

function read<Value extends string>(key: string, values: readonly Value[]): Value | null {
  try {
    const stored = window.localStorage.getItem(key)
    return values.find((value) => value === stored) ?? null
  } catch {
    return null
  }
}
