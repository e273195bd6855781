interface Posting {
  account: string
  amountMinor: bigint
}

/**
 * Returns the postings as an event stores them, as JSON texts without the array brackets. Two
 * successive postings that move an amount from one account to another are one text, `from > to
 * amount`. Any other posting is `account amount`, where a negative amount is a debit.
 */
export function formatPostings(postings: readonly Posting[]): string {
  let text = ''
  for (let at = 0; at < postings.length; at += 1) {
    const posting = postings[at]
    if (posting === undefined) break
    const next = postings[at + 1]
    const { account, amountMinor } = posting
    const comma = text === '' ? '"' : ',"'
    if (next !== undefined && amountMinor < 0n && next.amountMinor === -amountMinor) {
      text += `${comma}${requireCode(account)} > ${requireCode(next.account)} ${next.amountMinor}"`
      at += 1
    } else {
      text += `${comma}${requireCode(account)} ${amountMinor}"`
    }
  }
  return text
}

/** Parses the posting texts of one event. Throws if a text is not a posting or a move. */
export function parsePostings(texts: readonly string[]): Posting[] {
  return texts.flatMap((text) => {
    const found = STORED.exec(text)
    if (found === null) throw new Error(`"${text}" is not a posting`)
    const [, from = '', to, digits = ''] = found
    const amountMinor = BigInt(digits)
    if (to === undefined) return [{ account: from, amountMinor }]
    return [
      { account: from, amountMinor: -amountMinor },
      { account: to, amountMinor },
    ]
  })
}

/** Returns the number of postings in the result of `formatPostings`. */
export function countPostings(formatted: string): number {
  if (formatted === '') return 0
  return 1 + countOccurrences(formatted, '","') + countOccurrences(formatted, ' > ')
}

function countOccurrences(text: string, piece: string): number {
  let count = 0
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) count += 1
  return count
}

/** A code contains no space and nothing that JSON escapes, so that the texts can be read again. */
const CODE = /^[!#-;=?-[\]-~]+$/
const STORED = /^([!#-;=?-[\]-~]+) (?:> ([!#-;=?-[\]-~]+) )?(-?[1-9]\d{0,19})$/

function requireCode(account: string): string {
  if (CODE.test(account)) return account
  throw new Error(`"${account}" is not the code of an account`)
}
