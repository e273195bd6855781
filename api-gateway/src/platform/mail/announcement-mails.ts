import { type AnnouncementKind, CONSENTS } from '@cairn/gateway-contracts'
import type { MailKind } from './mail-kind.ts'

/** The sentence that each promotional offer carries, whatever an administrator writes. */
const RISK_SENTENCE = 'You can lose all the money you invest.'

const samples = {
  subject: 'A new plan',
  text: 'A plan of 90 days is open from Monday. Read its terms before you decide.',
}

/** Mails with the text of an announcement. They are sent only to people who asked for them. */
export const ANNOUNCEMENT_MAILS = {
  'promotional-offer': {
    title: 'Promotional offer',
    subject: '{{subject}}',
    body: '{{text}}',
    samples,
    required: ['text'],
    preference: CONSENTS['promotional-offer'],
    ending: { text: RISK_SENTENCE, linkLabel: 'Unsubscribe from promotional offers' },
  },
  'market-update': {
    title: 'Market update',
    subject: '{{subject}}',
    body: '{{text}}',
    samples,
    required: ['text'],
    preference: CONSENTS['market-update'],
    ending: { text: null, linkLabel: 'Unsubscribe from market updates' },
  },
} as const satisfies Record<AnnouncementKind, MailKind>
