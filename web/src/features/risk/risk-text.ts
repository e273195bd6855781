import type { PublicSettings, RiskText } from '@cairn/gateway-contracts'

/** Returns the risk warning for a country; undefined while the settings are unknown. */
export function findRiskText(
  settings: Pick<PublicSettings, 'riskTexts'> | undefined,
  country: string | null,
): RiskText | undefined {
  const texts = settings?.riskTexts
  return texts?.find((text) => text.country === country) ?? texts?.[0]
}
