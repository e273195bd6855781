import type { PublicSettings, RiskText } from '@cairn/gateway-contracts'

/** What is said of the risk to somebody of this country; undefined while the settings are not known. */
export function riskTextFor(
  settings: Pick<PublicSettings, 'riskTexts'> | undefined,
  country: string | null,
): RiskText | undefined {
  const texts = settings?.riskTexts
  return texts?.find((text) => text.country === country) ?? texts?.[0]
}
