import { createHash } from 'node:crypto'
import type { AdminSettings, RiskText } from '@cairn/gateway-contracts'
import { getCountryName } from '../countries/index.ts'

const VERSION_CHARACTERS = 16

type Texts = Pick<AdminSettings['general'], 'riskBanner' | 'riskTexts'>

/**
 * Lists the risk warnings: first the text for all countries, then the texts of single countries.
 */
export function listRiskTexts({ riskBanner, riskTexts }: Texts): RiskText[] {
  const { text } = riskBanner
  return [
    { country: null, countryName: null, text, version: hashVersion(text) },
    ...riskTexts.map((own) => ({
      ...own,
      countryName: getCountryName(own.country),
      version: hashVersion(own.text),
    })),
  ]
}

export function findRiskTextFor(texts: Texts, country: string): Pick<RiskText, 'text' | 'version'> {
  const own = texts.riskTexts.find((each) => each.country === country)
  const { text } = own ?? texts.riskBanner
  return { text, version: hashVersion(text) }
}

/** Returns a version that depends only on the text, so that equal texts have equal versions. */
function hashVersion(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, VERSION_CHARACTERS)
}
