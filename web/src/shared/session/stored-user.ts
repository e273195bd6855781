import type { Permission } from '@cairn/gateway-contracts'
import { useSyncExternalStore } from 'react'

export type Role = 'user' | 'admin'
/**
 * The user as stored in the browser, for the first paint and for redirects. Only `GET users/me`
 * returns the current data.
 */
export type StoredUser = {
  name: string
  role: Role
  photo: string
  country: string | null
  permissions: readonly Permission[]
}

const KEY = 'cairn.user'
const listeners = new Set<() => void>()
let current = readUser()

export function getStoredUser(): StoredUser | null {
  return current
}

export function storeUser(user: {
  name: string
  role: string
  photo?: string | undefined
  country?: string | undefined
  permissions: readonly Permission[]
}): void {
  const next: StoredUser = {
    name: user.name,
    role: user.role === 'admin' ? 'admin' : 'user',
    photo: user.photo ?? 'default.png',
    country: user.country ?? null,
    permissions: user.permissions,
  }
  if (current !== null && JSON.stringify(current) === JSON.stringify(next)) return
  writeUser(next)
}

export function clearStoredUser(): void {
  if (current !== null) writeUser(null)
}

/** Removes the stored user. Listeners are not notified, because the browser is leaving the page. */
export function forgetStoredUser(): void {
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Storage is not available, so nothing was stored.
  }
}

export function useStoredUser(): StoredUser | null {
  return useSyncExternalStore(subscribe, getStoredUser, () => null)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function writeUser(user: StoredUser | null): void {
  current = user
  try {
    if (user === null) localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, JSON.stringify(user))
  } catch {
    // Without storage the user logs in again after a reload.
  }
  for (const listener of listeners) listener()
}

function readUser(): StoredUser | null {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return null
    const { name, role, photo, country, permissions } = stored as Record<string, unknown>
    if (typeof name !== 'string' || (role !== 'user' && role !== 'admin')) return null
    return {
      name,
      role,
      photo: typeof photo === 'string' ? photo : 'default.png',
      country: typeof country === 'string' ? country : null,
      // The cast is harmless, because pages ask only for known permissions.
      permissions: Array.isArray(permissions) ? (permissions as Permission[]) : [],
    }
  } catch {
    return null
  }
}
