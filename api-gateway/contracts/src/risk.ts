import { z } from 'zod'
import { Instant, SEVERAL_LINES } from './fields.ts'

export const RISK_TEXT_CHARACTERS_MAX = 600
export const RISK_TEXTS_MAX = 60

/**
 * The risk warning of one country. If `country` is null, the warning applies to each country
 * without its own text.
 */
export const RiskText = z.object({
  country: z.string().length(2).nullable(),
  countryName: z.string().nullable(),
  text: z.string(),
  /** The version of the text. An investor who accepts the text must send this version. */
  version: z.string(),
})
export type RiskText = z.infer<typeof RiskText>

/** The risk warning of one country in the settings. */
export const CountryRiskText = z.object({ country: z.string(), text: z.string() })

export const CountryRiskTexts = z
  .array(z.strictObject({ country: z.string(), text: z.string().trim() }), 'must be a list')
  .max(RISK_TEXTS_MAX, `At most ${RISK_TEXTS_MAX} countries`)
  .superRefine((texts, context) => {
    // The errors name the whole list and not its field `text`, because a second field of the
    // settings is also called `text`.
    const isKnown = texts.every(({ country }) => /^[A-Z]{2}$/.test(country))
    if (!isKnown) context.addIssue('Choose a country')
    const isSaid = texts.every(
      ({ text }) => text.length > 0 && text.length <= RISK_TEXT_CHARACTERS_MAX,
    )
    if (!isSaid) {
      context.addIssue(
        `Each country needs a text of at most ${RISK_TEXT_CHARACTERS_MAX} characters`,
      )
    }
    const isStorable = texts.every(({ text }) => SEVERAL_LINES.test(text))
    if (!isStorable) context.addIssue('A text has characters that cannot be stored')
    const countries = new Set(texts.map(({ country }) => country))
    if (countries.size !== texts.length) context.addIssue('A country can have only one text')
  })

/** The risk warning that an investor accepted when opening an investment. */
export const RiskAcceptance = z.object({
  version: z.string(),
  country: z.string(),
  text: z.string(),
  acceptedAt: Instant,
})
export type RiskAcceptance = z.infer<typeof RiskAcceptance>
