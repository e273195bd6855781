import { settings as declared } from '@cairn/gateway-contracts'
import { expect, test } from 'vitest'
import { DEFAULT_SITE_NAME, readSiteName } from './site-name.ts'

test('the default name is the name of a site before its settings are saved', () => {
  expect(declared.general.siteName.initial).toBe(DEFAULT_SITE_NAME)
})

test('a site whose settings cannot be read has the default name', async () => {
  const settings = { read: () => Promise.reject(new Error('no database')), forget: () => {} }
  expect(await readSiteName(settings)).toBe(DEFAULT_SITE_NAME)
})
