import type { AnnouncementKind } from '@cairn/gateway-contracts'
import { feedAnnouncements } from '../src/features/announcements/feeder.ts'
import { openDatabase } from '../src/platform/database/database.ts'
import { deliverMail } from '../src/platform/mail/deliver.ts'
import type { MailPayload } from '../src/platform/mail/mail-job.ts'
import { createFakeLedger } from './fake-ledger.ts'
import type { SentMail } from './sent-mail.ts'
import {
  addUser,
  openVisit,
  type Reply,
  send,
  type TestGateway,
  type Visitor,
} from './test-gateway.ts'

/** A mail of an announcement, with the headers that mail programs read. */
export interface AnnouncementMail extends SentMail {
  headers: Readonly<Record<string, string>>
}

export type Wishes = { promotionalOffers?: boolean; marketUpdates?: boolean }

/** Adds a person and saves what the person wishes to receive, as the settings page does. */
export async function addReader(
  gateway: TestGateway,
  wishes: Wishes,
  status: 'active' | 'pending' = 'active',
): Promise<Visitor> {
  const visitor = await openVisit(gateway, await addUser(gateway, { role: 'user', status }))
  await saveWishes(gateway, visitor, wishes)
  return visitor
}

export async function saveWishes(
  gateway: TestGateway,
  visitor: Visitor,
  body: Wishes,
): Promise<void> {
  const { status } = await send(gateway, visitor, {
    method: 'PUT',
    path: '/users/me/preferences',
    body,
  })
  if (status !== 200) throw new Error(`the preferences were not saved: ${status}`)
}

export function announce(
  gateway: TestGateway,
  admin: Visitor,
  given: { kind?: AnnouncementKind; subject?: string; text?: string } = {},
): Promise<Reply> {
  const body = { kind: 'market-update', subject: 'News', text: 'The market is open.', ...given }
  return send(gateway, admin, { method: 'POST', path: '/admin/announcements', body })
}

/** Queues and sends all waiting mails of announcements, as the worker does. Returns the mails. */
export async function deliverAnnouncements(
  gateway: TestGateway,
  beforeDelivery: () => Promise<void> = async () => {},
): Promise<readonly AnnouncementMail[]> {
  const worker = openDatabase({
    url: gateway.workerUrl,
    applicationName: 'test',
    onError: () => {},
  })
  const { seal, settings, publicUrl, clock } = gateway.deps
  const payloads: MailPayload[] = []
  const mails: AnnouncementMail[] = []
  const boss = {
    // The cast is safe because the feeder queues only such payloads.
    insert: async (_queue: string, jobs: { data?: object | null }[]) => {
      payloads.push(...jobs.map(({ data }) => data as MailPayload))
      return null
    },
  }
  // The cast is safe because `deliverMail` passes such an object.
  const transport = { sendMail: async (mail: unknown) => void mails.push(mail as AnnouncementMail) }
  try {
    await feedAnnouncements({ db: worker, boss, clock })
    await beforeDelivery()
    const ledger = createFakeLedger()
    const deps = { db: worker, ledger, clock, seal, settings, transport, publicUrl }
    for (const payload of payloads) await deliverMail(deps, payload)
  } finally {
    await worker.destroy()
  }
  return mails
}

export const listReceivers = (mails: readonly AnnouncementMail[]): readonly string[] =>
  mails.map(({ to }) => to.address.split('@')[0] ?? '').toSorted()
