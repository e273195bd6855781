import { expect, test } from 'vitest'
import { getVisitMessages } from '../../shared/ui/visit-messages.ts'
import { notifyApproval } from './notify-approval.ts'

test('only a request that was carried out is kept as a success', () => {
  notifyApproval({ state: 'approved', failure: null })
  notifyApproval({ state: 'failed', failure: 'Each kind can be sent once in 24 hours.' })
  expect(getVisitMessages()).toEqual([])
  notifyApproval({ state: 'executed', failure: null })
  expect(getVisitMessages().map(({ text }) => text)).toEqual(['Approved and carried out.'])
})
