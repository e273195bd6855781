import { DEMO_LOGINS } from './logins.ts'

export interface DemoPerson {
  readonly email: string
  readonly name: string
  readonly country: string
  readonly phone: string
  readonly address: string
  readonly gender: 'Male' | 'Female'
  /** The day on which the person registered, counted from the opening of the platform. */
  readonly joinedOnDay: number
  /** The email address of the referrer. */
  readonly broughtBy: string | null
  readonly bank: { readonly name: string; readonly type: string }
}

const [ADMIN, INVESTOR] = DEMO_LOGINS

export const DEMO_ADMIN = {
  email: ADMIN.email,
  password: ADMIN.password,
  name: 'Ada Keeper',
} as const

type Row = [
  name: string,
  country: string,
  gender: 'Male' | 'Female',
  joinedOnDay: number,
  broughtBy: number | null,
  bank: string,
  bankType: string,
]

// Fictional people. Their addresses end in .example, a reserved domain.
const ROWS: readonly Row[] = [
  ['Ivy Morgan', 'US', 'Female', 0, null, 'First Harbor Bank', 'savings Account'],
  ['Noah Adeyemi', 'NG', 'Male', 1, 0, 'Lagoon Trust', 'Current Account'],
  ['Lena Fischer', 'DE', 'Female', 2, 0, 'Hansekasse', 'Current Account'],
  ['Mateo Silva', 'BR', 'Male', 5, null, 'Banco Aurora', 'savings Account'],
  ['Priya Raman', 'IN', 'Female', 8, 2, 'Coromandel Bank', 'savings Account'],
  ['Jonas Lindqvist', 'SE', 'Male', 12, null, 'Nordljus Bank', 'Current Account'],
  ['Amara Okafor', 'GH', 'Female', 17, 1, 'Volta Savings', 'Fix Deposit Account'],
  ['Kenji Watanabe', 'JP', 'Male', 22, null, 'Minato Bank', 'savings Account'],
  ['Sofia Rossi', 'IT', 'Female', 30, 4, 'Cassa Tirrena', 'Current Account'],
  ['Omar Haddad', 'AE', 'Male', 38, null, 'Gulf Meridian', 'Others'],
  ['Chloe Martin', 'FR', 'Female', 47, 0, 'Banque du Quai', 'Current Account'],
  ['Daniel Kim', 'KR', 'Male', 61, 7, 'Hangang Bank', 'savings Account'],
]

export const DEMO_INVESTORS: readonly DemoPerson[] = ROWS.map(toPerson)

function toPerson(row: Row, index: number): DemoPerson {
  const [name, country, gender, joinedOnDay, broughtBy, bank, bankType] = row
  return {
    name,
    country,
    gender,
    joinedOnDay,
    email: createEmail(index),
    phone: `+1555010${String(index).padStart(4, '0')}`,
    address: `${index + 1} Example Street`,
    broughtBy: broughtBy === null ? null : createEmail(broughtBy),
    bank: { name: bank, type: bankType },
  }
}

function createEmail(index: number): string {
  if (index === 0) return INVESTOR.email
  const name = ROWS[index]?.[0] ?? ''
  return `${name.toLowerCase().replace(' ', '.')}@cairn.example`
}
