import type { SitePart } from '@cairn/gateway-contracts'

export const PART_NAMES: Record<SitePart, string> = {
  site: 'Site',
  ledger: 'Ledger',
  workers: 'Background work',
  mail: 'Email',
}
