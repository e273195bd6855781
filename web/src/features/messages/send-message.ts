import { type ContactForm, sendContactMessage } from '@cairn/gateway-contracts'

import { call } from '../../shared/api/client.ts'

/**
 * Sends a message. The function is in a separate module, so that the page loads without the schemas
 * that the module imports.
 */
export async function sendMessage(body: ContactForm): Promise<void> {
  await call(sendContactMessage, { body })
}
