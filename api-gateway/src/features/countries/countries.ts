import type { Country } from '@cairn/gateway-contracts'
import names from 'i18n-iso-countries'
import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' }

names.registerLocale(english)

export const COUNTRIES: readonly Country[] = Object.entries(
  names.getNames('en', { select: 'official' }),
)
  .map(([code, name]) => ({ code, name }))
  .sort((left, right) => left.name.localeCompare(right.name, 'en'))

const nameByCode = new Map(COUNTRIES.map(({ code, name }) => [code, name]))

/** Returns the ISO code for a code or an English name; null if the text is neither of them. */
export function findCountryCode(text: string): string | null {
  const upper = text.trim().toUpperCase()
  if (nameByCode.has(upper)) return upper
  return names.getAlpha2Code(text.trim(), 'en') ?? null
}

export function getCountryName(code: string): string {
  return nameByCode.get(code) ?? code
}
