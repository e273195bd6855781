import { createTransport, type SendMailOptions } from 'nodemailer'
import { UnsentMailError, wasCertainlyNotSent } from './unsent-mail.ts'

/**
 * Time limit of the whole way from the name of the server to its greeting. It is short, because the
 * jobs of a batch wait for each other and must end before their queue repeats them.
 */
const CONNECT_TIMEOUT_MS = 10_000

export interface MailTransport {
  sendMail(mail: SendMailOptions): Promise<unknown>
}

export interface MailTransports {
  /** Sends mails that may be sent twice. */
  transport: MailTransport
  /** Sends mails that must not be sent twice. */
  announcements: MailTransport
  close(): void
}

/**
 * Opens the connections to the mail server. All mails of a transport use one connection, because
 * opening a connection takes longer than sending a mail.
 */
export function openMailTransports(
  url: string,
  { connectTimeoutMs = CONNECT_TIMEOUT_MS }: { connectTimeoutMs?: number } = {},
): MailTransports {
  const smtp = { url, pool: true, maxConnections: 1 } as const
  const transport = createTransport(smtp)
  const once = createTransport({
    ...smtp,
    // The pool does not send a mail again by itself.
    maxRequeues: 0,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
  })
  return {
    transport,
    announcements: createCautiousTransport(once),
    close: () => {
      transport.close()
      once.close()
    },
  }
}

/**
 * Creates a transport that loses at most one mail in an outage: after an unknown result, it sends
 * the next mail only when the mail server accepts a connection.
 */
function createCautiousTransport(
  transport: MailTransport & { verify(): Promise<unknown> },
): MailTransport {
  let isReachable = true
  return {
    sendMail: async (mail) => {
      if (!isReachable) await requireReachable(transport)
      isReachable = false
      try {
        const sent = await transport.sendMail(mail)
        isReachable = true
        return sent
      } catch (error) {
        isReachable = wasCertainlyNotSent(error)
        throw error
      }
    },
  }
}

async function requireReachable(transport: { verify(): Promise<unknown> }): Promise<void> {
  try {
    await transport.verify()
  } catch (cause) {
    throw new UnsentMailError('the mail server cannot be reached', { cause })
  }
}
