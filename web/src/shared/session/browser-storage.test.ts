import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { clearStoredUser, storeUser } from './stored-user.ts'

const WEB = join(import.meta.dirname, '..', '..')

/**
 * The values that each file stores in the browser. They contain no amount, account number, token or
 * password.
 */
const STORED: Readonly<Record<string, string>> = {
  'shared/session/stored-user.ts': 'name, role, photo, country and permissions',
  'shared/session/key-store.ts': 'the public keys of the log',
  'shared/preferences/stored-choice.ts': 'theme, hidden amounts and other choices',
  'shared/dates/date-preferences.ts': 'language and time zone',
  'shared/dates/sentence-date.ts': 'nothing: it reads the time zone',
  'shared/site/site.ts': 'name and currency of the site',
  'features/registration/stored-registration.ts':
    'the sign-up form without the passwords, in the tab until it is complete',
  'app/scroll-positions.ts': 'scroll positions by random keys, in the tab',
  'features/registration/stored-referral.ts': 'the code of the referrer, for some days',
}

const STORES = /\b(?:localStorage|sessionStorage|indexedDB|caches)\b|document\.cookie\s*=/

afterEach(() => vi.unstubAllGlobals())

test('only these files store values in the browser', () => {
  const files = readdirSync(WEB, { recursive: true })
    .map(String)
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
  expect(files.length).toBeGreaterThan(100)
  const storing = files.filter((name) => {
    const text = readFileSync(join(WEB, name), 'utf8')
    return STORES.test(text.replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, ''))
  })
  expect(storing.toSorted()).toEqual(Object.keys(STORED).toSorted())
})

test('only the user data for the first paint is stored, and nothing remains after the logout', () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  // The type checker permits this call, although the answer of the server has more properties than
  // the parameter type.
  const answer = {
    name: 'Anna',
    role: 'user',
    permissions: [],
    email: 'anna@example.com',
    phone: '+44 20 7946 0000',
    wallet: { balance: 400 },
  }
  storeUser(answer)
  expect(JSON.parse(kept.get('cairn.user') ?? '')).toEqual({
    name: 'Anna',
    role: 'user',
    photo: 'default.png',
    country: null,
    permissions: [],
  })
  // Sabotaged twin: code that stores the whole answer would also store the balance.
  expect(JSON.stringify(answer)).toContain('balance')
  clearStoredUser()
  expect(kept.size).toBe(0)
})
