import { type ContactForm, sendContactMessage } from '@cairn/gateway-contracts'

import { call } from '../../shared/api/client.ts'

/** A separate module, so that the page loads without the schemas that this imports. */
export async function sendMessage(body: ContactForm): Promise<void> {
  await call(sendContactMessage, { body })
}
