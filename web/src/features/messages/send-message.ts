import { type ContactForm, sendContactMessage } from '@cairn/gateway-contracts'

import { call } from '../../shared/api/client.ts'

/** In a file of its own, so that the page can be read without the schemas that this brings. */
export async function sendMessage(body: ContactForm): Promise<void> {
  await call(sendContactMessage, { body })
}
