import { AnnouncementKind } from '@cairn/gateway-contracts'
import { z } from 'zod'
import type { ChangeDefinition } from '../change-requests/index.ts'
import { KIND_NAMES, storeAnnouncement } from './store-announcement.ts'

const AnnouncementPayload = z.strictObject({
  kind: AnnouncementKind,
  subject: z.string(),
  text: z.string(),
})
export type AnnouncementPayload = z.infer<typeof AnnouncementPayload>

export function createAnnouncementChange(): ChangeDefinition<AnnouncementPayload> {
  return {
    kind: 'announcement',
    payload: AnnouncementPayload,
    permission: { propose: 'templates.write', approve: 'templates.write' },
    isNeeded: 'with-dual-control',
    getTarget: ({ kind }) => kind,
    getTitle: ({ kind, subject }) => `Send a ${KIND_NAMES[kind]}: ${subject}`,
    getLink: () => '/manage/admin/announcements',
    listBeneficiaries: () => [],
    readBefore: async () => null,
    describeChange: async ({ subject, text }) => {
      const line = { type: 'text' as const, before: null }
      return [
        { ...line, label: 'Subject', after: subject },
        { ...line, label: 'Text', after: text },
      ]
    },
    execute: async ({ trx, payload, requestId, createdBy, nowMs }) => {
      await storeAnnouncement(trx, { ...payload, id: requestId, sentBy: createdBy, nowMs })
    },
  }
}
