import { type ContactForm, sendContactMessage } from '@cairn/gateway-contracts'

import { call } from '../../shared/api/client.ts'

/**
 * Sends a message. This module imports schemas. The page loads the module only when it sends a
 * message, so the schemas do not slow down the page.
 */
export async function sendMessage(body: ContactForm): Promise<void> {
  await call(sendContactMessage, { body })
}
