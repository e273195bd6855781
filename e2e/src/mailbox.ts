import { setTimeout as delay } from 'node:timers/promises'

/** The number of attempts within two minutes, one every 200 ms. */
const ATTEMPTS = 600

export interface Mail {
  readonly to: readonly { address: string }[]
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The headers of the mail; their names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Waits until more than `after` mails match, and returns the newest mail. By default, one mail is
 * enough.
 */
export async function waitForMail(
  mailUrl: string,
  wanted: { to: string; subject: RegExp; after?: number },
): Promise<Mail> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const found = (await listMails(mailUrl, wanted.to)).filter(({ subject }) =>
      wanted.subject.test(subject),
    )
    const newest = found.at(-1)
    if (newest !== undefined && found.length > (wanted.after ?? 0)) return newest
    await delay(200)
  }
  throw new Error(`no mail to ${wanted.to} about ${wanted.subject}`)
}

export async function listMails(mailUrl: string, to: string): Promise<readonly Mail[]> {
  const mails: readonly Mail[] = await fetch(`${mailUrl}/email`).then((answer) => answer.json())
  return mails.filter((mail) => mail.to.some(({ address }) => address === to))
}

export function findCodeIn(mail: Mail): string {
  const code = /\b\d{4}\b/.exec(mail.text)?.[0]
  if (code === undefined) throw new Error(`no code in ${mail.text}`)
  return code
}
