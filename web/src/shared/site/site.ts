import { getCurrencyPrefix } from '@cairn/gateway-contracts/currency'
import { useSyncExternalStore } from 'react'

/** The values that the operator chose in the settings of the site. */
type Chosen = { name: string; currency: string }
/** `moneyPrefix` is the text before an amount, such as `$`. */
export type Site = Chosen & { moneyPrefix: string }

const KEY = 'cairn.site'
const listeners = new Set<() => void>()
// A prerendered page shows the default values, so hydration must begin with the default values.
let current: Site = { name: 'Cairn', currency: 'USD', moneyPrefix: '$' }

/** Sets the site after its settings have loaded, and stores a copy for the next visit. */
export function setSite({ name, currency }: Chosen): void {
  if (name === current.name && currency === current.currency) return
  current = { name, currency, moneyPrefix: getCurrencyPrefix(currency) }
  try {
    localStorage.setItem(KEY, JSON.stringify(current))
  } catch {
    // Without storage, the next visit begins with the defaults.
  }
  for (const listener of listeners) listener()
}

/**
 * Uses the stored copy until the settings have loaded. Call this function after the first
 * rendering.
 */
export function restoreSite(): void {
  try {
    const stored: Record<string, unknown> = JSON.parse(localStorage.getItem(KEY) ?? '')
    const { name, currency } = stored
    if (typeof name === 'string' && typeof currency === 'string') setSite({ name, currency })
  } catch {
    // Without a valid copy, the defaults are used until the settings have loaded.
  }
}

export function getSite(): Site {
  return current
}

export function useSite(): Site {
  return useSyncExternalStore(subscribe, getSite, getSite)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
