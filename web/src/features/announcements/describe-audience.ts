import { ANNOUNCEMENT_PAUSE_HOURS } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import type { AnnouncementKind, Audience } from './queries.ts'

export const KIND_NAMES: Readonly<Record<AnnouncementKind, string>> = {
  'promotional-offer': 'Promotional offer',
  'market-update': 'Market update',
}

/** Returns the number of people who have switched on this kind of email. */
export function describeAudience({ recipients }: Pick<Audience, 'recipients'>): string {
  if (recipients === 0) return 'No active person has switched on these emails.'
  const people = formatCounted(recipients, 'active person has', 'active people have')
  return `${people} switched on these emails.`
}

/** States what sending does. With dual control, the number can change until the approval. */
export function describeSending(
  { recipients }: Pick<Audience, 'recipients'>,
  isDualControl: boolean,
): string {
  if (isDualControl) {
    return `Another administrator must approve this. It is then sent to all active people who have switched on these emails, and cannot be taken back. The request fails if an email of this kind was sent less than ${ANNOUNCEMENT_PAUSE_HOURS} hours before the approval.`
  }
  return `Sends to ${formatCounted(recipients, 'person', 'people')} now. It cannot be taken back.`
}
