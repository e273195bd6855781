import type { PublicSettings, RiskText } from '@cairn/gateway-contracts'

/** Returns the risk warning for a country. Returns undefined until the settings have loaded. */
export function findRiskText(
  settings: Pick<PublicSettings, 'riskTexts'> | undefined,
  country: string | null,
): RiskText | undefined {
  const texts = settings?.riskTexts
  return texts?.find((text) => text.country === country) ?? texts?.[0]
}
