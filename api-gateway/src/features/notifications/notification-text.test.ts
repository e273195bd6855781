import { afterEach, expect, test } from 'vitest'
import { createRecordedEvent } from '../../../testing/recorded-event.ts'
import { setSiteFormat } from '../../platform/site-format.ts'
import { listNotificationTexts } from './notification-text.ts'

const PERSON = '0123456789abcdefghjk'

afterEach(() => setSiteFormat({ currency: 'USD', timeZone: 'UTC' }))

test('a new investment ends at a time in the time zone of the site, as its mail says', () => {
  setSiteFormat({ currency: 'USD', timeZone: 'Asia/Tokyo' })
  const data = {
    investmentId: PERSON,
    investorId: PERSON,
    planId: PERSON,
    planVersion: '1',
    planName: 'Thirty days',
    principalMinor: '50000',
    promisedMinor: '2500',
    unit: 'days',
    duration: '30',
    returnPrincipal: true,
    bonusMinor: '0',
    bonusTo: null,
    bonusDueAt: null,
    startedAt: '2026-11-21T20:00:00Z',
    expiresAt: '2026-12-21T20:00:00Z',
  }
  expect(
    listNotificationTexts(createRecordedEvent({ type: 'InvestmentOpened', data })),
  ).toMatchObject([{ body: 'Promised profit: $25 until 2026-12-22 05:00 Asia/Tokyo.' }])
})
