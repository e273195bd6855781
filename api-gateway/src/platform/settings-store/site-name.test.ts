import { settings as declared } from '@cairn/gateway-contracts'
import { expect, test } from 'vitest'
import { createSiteNameReader, DEFAULT_SITE_NAME } from './site-name.ts'
import type { SiteSettings } from './site-settings.ts'

// The reader uses only the name of the settings.
const named = { general: { siteName: 'Acme' } } as SiteSettings

test('the default name is the name of a site before its settings are saved', () => {
  expect(declared.general.siteName.initial).toBe(DEFAULT_SITE_NAME)
})

test('a site whose settings cannot be read has the last known name', async () => {
  const answers = [() => Promise.reject(new Error('no database')), async () => named]
  const readName = createSiteNameReader({
    read: () => answers.shift()?.() ?? Promise.reject(new Error('no database')),
  })
  expect(await readName()).toBe(DEFAULT_SITE_NAME)
  expect(await readName()).toBe('Acme')
  expect(await readName()).toBe('Acme')
})

test('a site whose settings are not answered has the last known name', async () => {
  const readName = createSiteNameReader({ read: () => new Promise(() => {}) })
  expect(await readName()).toBe(DEFAULT_SITE_NAME)
})
