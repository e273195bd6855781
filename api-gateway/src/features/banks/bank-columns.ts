import type { BankAccount } from '@cairn/gateway-contracts'
import type { Columns } from '../../platform/http/list-export.ts'

/** The columns of every export of bank accounts. */
export const BANK_COLUMNS: Columns<BankAccount> = {
  Bank: ({ bankName }) => bankName,
  Number: ({ accountNumber }) => accountNumber,
  Holder: ({ accountName }) => accountName,
  Type: ({ accountType }) => accountType,
  Label: ({ label }) => label,
  Default: ({ isDefault }) => isDefault,
  Status: ({ status }) => status,
  'Usable from': ({ usableFrom }) => usableFrom,
  Added: ({ createdAt }) => createdAt,
}
