import type {
  getCoverage,
  getLastVerification,
  getLogKey,
  getPublicCheckpoint,
  getPublicSettings,
  getSampleReceipt,
  getStatus,
  listPlans,
  listPublicClaims,
  listPublicEndorsements,
  listPublicFaqs,
  ResponseOf,
} from '@cairn/gateway-contracts'

const TIMEOUT_MS = 15_000

type PublicReads = {
  '/public/settings': ResponseOf<typeof getPublicSettings>
  '/public/claims': ResponseOf<typeof listPublicClaims>
  '/public/coverage': ResponseOf<typeof getCoverage>
  '/public/status': ResponseOf<typeof getStatus>
  '/public/endorsements': ResponseOf<typeof listPublicEndorsements>
  '/public/faqs': ResponseOf<typeof listPublicFaqs>
  '/public/log-key': ResponseOf<typeof getLogKey>
  '/public/checkpoint': ResponseOf<typeof getPublicCheckpoint>
  '/public/sample-receipt': ResponseOf<typeof getSampleReceipt>
  '/public/verification': ResponseOf<typeof getLastVerification>
  '/plans': ResponseOf<typeof listPlans>
}

/**
 * Reads data of the public pages without the schemas of `call`, because these schemas would be a
 * quarter of the code of the pages. The gateway checks each answer against the schemas before it
 * sends the answer. Each request is sent in a task of its own (docs/adr/0191).
 */
export async function readPublic<Path extends keyof PublicReads>(
  path: Path,
  signal: AbortSignal,
  search = '',
): Promise<PublicReads[Path]> {
  await new Promise((resolve) => setTimeout(resolve))
  const response = await fetch(`/api/v1${path}${search}`, {
    headers: { accept: 'application/json', 'x-requested-with': 'XMLHttpRequest' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  })
  if (!response.ok) {
    const { message } = await response.json().catch(() => ({ message: 'not answered' }))
    throw Object.assign(new Error(message), { status: response.status })
  }
  const body: { data: PublicReads[Path] } = await response.json()
  return body.data
}
