import { expect, test } from 'vitest'
import { getVisitMessages } from '../../shared/ui/visit-messages.ts'
import { notifyApproval } from './notify-approval.ts'

test('only a request that was carried out is kept as a success', () => {
  // The messages of other tests of this process may be in the list, newest first.
  const getNewest = () => getVisitMessages()[0]
  const before = getNewest()
  notifyApproval({ state: 'approved', failure: null })
  notifyApproval({ state: 'failed', failure: 'Each kind can be sent once in 24 hours.' })
  expect(getNewest()).toBe(before)
  notifyApproval({ state: 'executed', failure: null })
  expect(getNewest()?.text).toBe('Approved and carried out.')
})
